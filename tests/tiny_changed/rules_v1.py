"""Parley's rules, version 1: superseded, and never edited again. Matches that were opened under it go on under it."""

from collections.abc import Mapping
from itertools import combinations

from domain.core.chance import Chance
from domain.core.errors import NOT_YOUR_DECISION, WRONG_PHASE, Illegal
from domain.core.game import Legal, Moment, Outcome, Setup, Template
from tests.tiny import story
from tests.tiny.words import (
    Bid,
    BidMade,
    Boast,
    Boasted,
    CardDealt,
    Data,
    HandShown,
    Options,
    ParleyCommand,
    ParleyEvent,
    PickPrize,
    PrizePicked,
    State,
)
from tests.tiny_changed.words import RoundWon


def data(options: Options, seats: int) -> Data:
    del options, seats
    return Data(cards=tuple(range(1, 10)), words=("gold", "silk", "wool"), prizes=(1, 2, 4))


def opening(setup: Setup[Options, Data], chance: Chance) -> tuple[ParleyEvent, ...]:
    return deal(story.blank(setup), chance)


def deal(state: State, chance: Chance) -> tuple[ParleyEvent, ...]:
    rest = [card for card in state.setup.data.cards if card not in state.shown]
    cards, _ = chance.take("card", rest, len(state.hands))
    return tuple(CardDealt(seat, card) for seat, card in enumerate(cards))


def normal(command: ParleyCommand) -> ParleyCommand:
    return Boast(tuple(sorted(command.words))) if isinstance(command, Boast) else command


def to_act(state: State) -> frozenset[int]:
    if state.over:
        return frozenset()
    if state.picker is not None:
        return frozenset({state.picker})
    return frozenset(seat for seat, hand in enumerate(state.hands) if hand.done < 2)


def legal(state: State, seat: int) -> Legal[ParleyCommand]:
    if seat not in to_act(state):
        return Legal()
    if state.picker == seat:
        return Legal(tuple(PickPrize(prize) for prize in state.prizes))
    if state.hands[seat].done == 0:
        return Legal((Bid(0), Bid(1), Bid(2)))
    return Legal((Boast(),), (Template(Boast(), "words", state.setup.data.words, 1, 2, distinct=True),))


def decide(state: State, seat: int, command: ParleyCommand, chance: Chance) -> tuple[ParleyEvent, ...]:
    if seat not in to_act(state):
        raise Illegal(NOT_YOUR_DECISION, "R4", "You are not asked now.")
    match command:
        case PickPrize(prize=prize) if state.picker == seat:
            if prize not in state.prizes:
                raise Illegal("no_such_prize", "R4", f"The prize {prize} is not there.", f"Left: {state.prizes}.")
            picked = PrizePicked(seat, prize)
            after = story.evolve(state, picked)
            return (picked,) if after.over else (picked, *deal(after, chance))
        case Bid(amount=amount) if state.picker is None and state.hands[seat].done == 0:
            if not 0 <= amount <= 2:
                raise Illegal("bad_bid", "R2", f"A bid of {amount} is none.", "Bid 0, 1 or 2.")
            return (BidMade(seat, amount),)
        case Boast(words=words) if state.picker is None and state.hands[seat].done == 1:
            if len(words) > 2 or len(set(words)) < len(words) or not set(words) <= set(state.setup.data.words):
                raise Illegal("bad_boast", "R3", "A boast is up to two different words.")
            said = Boasted(seat, words)
            after = story.evolve(state, said)
            return (said,) if to_act(after) else (said, *_resolve(after))
    raise Illegal(WRONG_PHASE, "R2", "That is not what you are asked now.")


def _resolve(state: State) -> tuple[ParleyEvent, ...]:
    shown = tuple(HandShown(seat, h.card, h.amount, h.words) for seat, h in enumerate(state.hands))
    strength = [(h.card or 0) + (h.amount or 0) + len(h.words or ()) for h in state.hands]
    return (*shown, RoundWon(strength.index(max(strength))))


def default(state: State, seat: int) -> ParleyCommand:
    return legal(state, seat).commands[0]


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    places = tuple(1 + sum(p > mine for p in state.points) for mine in state.points)
    return Outcome(places, state.points, "rounds_played")


def moment(state: State) -> Moment:
    return Moment(state.round, 1, state.picker, "picking" if state.picker is not None else "choosing")


def totals(state: State) -> Mapping[str, int]:
    return {"prizes": sum(state.prizes) + sum(state.points)}


def bound(setup: Setup[Options, Data]) -> int:
    return 1 + setup.options.rounds * (2 * setup.seats + 1)


def boasts(state: State) -> list[Boast]:
    """Every boast that the rules allow, by brute force."""
    words = sorted(state.setup.data.words)
    return [Boast(tuple(chosen)) for size in range(3) for chosen in combinations(words, size)]
