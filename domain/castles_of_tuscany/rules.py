"""The rules of a decision: who decides, what is legal, what follows, what an absent seat does, who won."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany import words as w
from domain.castles_of_tuscany.cards import draw_action
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.display import is_full, legal_takes, take
from domain.castles_of_tuscany.fitting import castle_placements
from domain.castles_of_tuscany.opening import arrange, choose_bonus, choose_castle, legal_choices
from domain.castles_of_tuscany.payments import legal_payments
from domain.castles_of_tuscany.placing import (
    bonus_kinds,
    choose,
    legal_placements,
    pay_and_place,
    place_from_display,
    take_bonus_tile,
)
from domain.castles_of_tuscany.rounds import end_turn, finish_action
from domain.castles_of_tuscany.state import State, TuscanySetup
from domain.core.chance import Chance
from domain.core.errors import MATCH_OVER, NOT_YOUR_DECISION, WRONG_PHASE, Illegal
from domain.core.game import Legal, Moment, Outcome
from domain.core.words import Seat

HAND_ENOUGH: Final = 10
TURN_COMMITS: Final = 11
"""Place, pay, two castles and a city are the longest action; with marble there are two of them."""

ASKED: Final[Mapping[str, tuple[type, ...]]] = {
    "setup": (w.ArrangeRegion, w.ChooseStartCastle, w.ChooseFirstBonusTile),
    "action": (w.DrawCards, w.TakeTile, w.PlaceTile),
    "payment": (w.Pay,),
    "castle": (w.PlaceFromDisplay, w.DeclineCastle),
    "city": (w.TakeBonusTile,),
    "marble": (w.UseMarble, w.EndTurn),
    "between": (),
    "finished": (),
}
"""Which commands answer what is asked for in a phase."""


def to_act(state: State) -> frozenset[Seat]:
    """The active seat; in setup every seat with a choice to make."""
    if state.phase == "setup":
        return frozenset(seat for seat, player in enumerate(state.players) if not player.ready)
    return frozenset() if state.active is None else frozenset((state.active,))


def legal(state: State, seat: Seat) -> Legal[w.AnyCommand]:
    """Everything that the seat may do now."""
    if seat not in to_act(state):
        return Legal()
    return Legal(_listed(state, seat))


def _listed(state: State, seat: Seat) -> tuple[w.AnyCommand, ...]:
    if state.phase == "setup":
        return legal_choices(state, seat)
    if state.phase == "action":
        return (w.DrawCards(), *legal_takes(state, seat), *legal_placements(state, seat))
    if state.phase == "payment":
        return legal_payments(state, seat)
    if state.phase == "castle":
        return (*castle_placements(state, seat), w.DeclineCastle())
    if state.phase == "city":
        return tuple(w.TakeBonusTile(bonus) for bonus in bonus_kinds(state))
    return (w.UseMarble(), w.EndTurn())


def normal(command: w.AnyCommand) -> w.AnyCommand:
    """Pairs of a payment stand in alphabetical order (K6); nothing else has two spellings."""
    if isinstance(command, w.Pay):
        return replace(command, pairs=tuple(sorted(command.pairs)))
    return command


def decide(state: State, seat: Seat, command: w.AnyCommand, chance: Chance) -> tuple[e.AnyEvent, ...]:
    """What follows from a legal command; refuses any other."""
    if state.outcome is not None:
        raise Illegal(MATCH_OVER, "R15.1", "The match is over.")
    if seat not in to_act(state):
        if state.phase == "setup":
            raise Illegal(NOT_YOUR_DECISION, "R3.11", "You have made your setup choices.", "Wait for the others.")
        raise Illegal(NOT_YOUR_DECISION, "R5.1", f"It is seat {state.active}'s turn.")
    if type(command) not in ASKED[state.phase]:
        wanted = ", ".join(cls.__name__ for cls in ASKED[state.phase])
        raise Illegal(WRONG_PHASE, "R5.3", f"{type(command).__name__} is not asked for now.", f"Asked for: {wanted}.")
    course = Course(state, chance)
    _DO[type(command)](course, seat, command)
    if course.state.phase == "between":
        finish_action(course, seat)
    return tuple(course.events)


def _draw(course: Course, seat: Seat, _command: w.DrawCards) -> None:
    draw_action(course, seat)
    finish_action(course, seat)


def _decline(course: Course, seat: Seat, _command: w.DeclineCastle) -> None:
    course.add(e.CastleDeclined(seat, "R9.1"))


def _use_marble(course: Course, seat: Seat, _command: w.UseMarble) -> None:
    course.add(e.MarbleUsed(seat))


def _end_turn(course: Course, seat: Seat, _command: w.EndTurn) -> None:
    end_turn(course, seat)


_DO: Final[dict[type, Callable[[Course, Seat, Any], None]]] = {
    w.ArrangeRegion: arrange,
    w.ChooseStartCastle: choose_castle,
    w.ChooseFirstBonusTile: choose_bonus,
    w.DrawCards: _draw,
    w.TakeTile: take,
    w.PlaceTile: choose,
    w.Pay: pay_and_place,
    w.PlaceFromDisplay: place_from_display,
    w.DeclineCastle: _decline,
    w.TakeBonusTile: take_bonus_tile,
    w.UseMarble: _use_marble,
    w.EndTurn: _end_turn,
}


def default(state: State, seat: Seat) -> w.AnyCommand:
    """What an absent seat does: place what it can, else fill its storage, else draw, so that the match moves on."""
    listed = _listed(state, seat)
    if state.phase == "action":
        if placements := legal_placements(state, seat):
            return placements[0]
        takes = legal_takes(state, seat)
        if takes and (not is_full(state, seat) or state.players[seat].hand_size >= HAND_ENOUGH):
            return takes[0]
        return w.DrawCards()
    return w.EndTurn() if state.phase == "marble" else listed[0]


def outcome(state: State) -> Outcome | None:
    """Who won, once the match is over."""
    return state.outcome


def moment(state: State) -> Moment:
    """Round, turn and phase."""
    return Moment(state.round, max(state.turn, 1), state.active, state.phase)


def totals(state: State) -> Mapping[str, int]:
    """What is never lost and never made: tiles, cards, marble, workers, wild hexes, bonus tiles."""
    players = state.players
    wild = w.WILD_HEX
    laid = [tile for p in players for tile in (*p.cover, *p.storage) if tile]
    return {
        "tiles": sum(tile not in (wild, w.START_CASTLE) for tile in laid)
        + sum(len(p.undrawn) for p in players)
        + sum(1 for tile in state.display if tile)
        + len(state.neutral)
        + len(state.box),
        "stacked_tiles_unaccounted": sum(sum(p.stacks) - len(p.undrawn) for p in players),
        "wild_hexes": state.wild_hexes + laid.count(wild),
        "region_cards": state.region_deck + sum(state.region_discards) + sum(p.hand_size for p in players),
        "production_cards": len(state.production_deck) + len(state.production_discards),
        "marble": state.marble + sum(p.marble for p in players),
        "workers": state.workers + sum(p.workers for p in players),
        "bonus_tiles": sum(state.bonus_supply) + sum(sum(p.bonus_tiles) for p in players),
    }


def bound(setup: TuscanySetup) -> int:
    """No match has more commits: three setup choices a seat, and so many in each turn of every lap."""
    return setup.seats * (3 + TURN_COMMITS * setup.options.lap_limit)
