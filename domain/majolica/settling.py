"""What the rules make compulsory and leave no choice about: it happens by itself."""

from domain.core.chance import Chance
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import SLOTS
from domain.majolica.rounds import round_over
from domain.majolica.running import claim_joker, claim_one_point, delivered, emptied, run_workshop, shipped
from domain.majolica.state import State, excess, mover, options_of, phase, ready, round_goes_on, ways_to_deliver
from domain.majolica.story import evolve
from domain.majolica.taking import card_commands, keep_cards
from domain.majolica.tiles import choices


def settled(state: State, events: tuple[w.MajolicaEvent, ...], chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    """The events, and after them all that follows without a choice."""
    done = events
    while events:
        for event in events:
            state = evolve(state, event)
        events = forced(state, chance)
        done += events
    return done


def forced(state: State, chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    """What happens next without a choice; empty when somebody has to decide, or play is over."""
    now = phase(state)
    if now == "discard":
        return _only_discard(state)
    if now == "cards":
        return keep_cards(state, c.KeepCards()) if len(card_commands(state)) == 1 else ()
    if now == "city_hall":
        return _only_claim(state)
    if now == "deliver":
        return _only_delivery(state)
    if now == "ship":
        return () if state.bonuses else shipped(state)
    if now == "resolve":
        return _only_run(state)
    return () if now != "select" or round_goes_on(state) else round_over(state, chance)


def _only_discard(state: State) -> tuple[w.MajolicaEvent, ...]:
    ways = choices(mover(state).workshops[state.overflow - 1], excess(state))
    return (w.TilesDiscarded(state.seat, state.overflow, ways[0]),) if len(ways) == 1 else ()


def _only_claim(state: State) -> tuple[w.MajolicaEvent, ...]:
    """One of each kind, or the only kind left (R50, M2)."""
    if options_of(state).city_hall_reward == "choose_one" and state.hall_jokers and state.hall_points:
        return ()
    joker = claim_joker(state, c.ClaimJoker()) if state.hall_jokers else ()
    return (*joker, *(claim_one_point(state, c.ClaimOnePoint()) if state.hall_points else ()))


def _only_delivery(state: State) -> tuple[w.MajolicaEvent, ...]:
    if state.running > SLOTS:
        return emptied(state)
    ways = ways_to_deliver(state, state.running)
    if not ways:
        return (w.TilesDelivered(state.seat, state.running, ()),)
    return delivered(state, ways[0]) if len(ways) == 1 else ()


def _only_run(state: State) -> tuple[w.MajolicaEvent, ...]:
    if state.bonuses:
        return ()
    numbers = ready(state)
    if not numbers:
        return (w.TurnEnded(state.seat, state.turn),)
    return run_workshop(state, c.RunWorkshop(numbers[0])) if len(numbers) == 1 else ()
