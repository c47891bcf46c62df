"""What each event of Toscana changes."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.core.game import Setup
from domain.core.words import Seat
from domain.toscana.board import PER_SIDE, TILE_IDS, Components, packed
from domain.toscana.options import Options
from domain.toscana.placing import lay
from domain.toscana.state import OTHER, Camp, Laid, State
from domain.toscana.words import (
    GameScored,
    GameStarted,
    Phase,
    PileEmptied,
    Side,
    TilePlaced,
    TopRevealed,
    ToscanaEvent,
    TurnPassed,
    VetoLapsed,
    VetoOpened,
    VetoUsed,
    VetoWaived,
)


def blank(setup: Setup[Options, Components]) -> State:
    """The state before the first event."""
    return State(setup=setup, camps=_camps(setup, 0, 1))


def _camps(setup: Setup[Options, Components], courtyard: Seat, building: Seat) -> tuple[Camp, Camp]:
    token = setup.options.veto == "on"
    return (
        Camp(seat=courtyard, top=None, rest=TILE_IDS[:PER_SIDE], bottom=(), token=token),
        Camp(seat=building, top=None, rest=TILE_IDS[PER_SIDE:], bottom=(), token=token),
    )


def evolve(state: State, event: ToscanaEvent) -> State:
    """The state after the event."""
    return _CHANGES[type(event)](state, event)


def _with(state: State, side: Side, camp: Camp) -> tuple[Camp, Camp]:
    return (camp, state.camps[1]) if side is Side.COURTYARD else (state.camps[0], camp)


def _game_started(state: State, event: GameStarted) -> State:
    return State(
        setup=state.setup,
        camps=_camps(state.setup, event.courtyard_seat, event.building_seat),
        game=event.game,
        first_side=event.first_side,
        side=event.first_side,
        results=state.results,
    )


def _top_revealed(state: State, event: TopRevealed) -> State:
    camp = state.camp(event.side)
    if camp.top == event.tile:
        return state
    rest = tuple(tile for tile in camp.rest if tile != event.tile)
    bottom = tuple(tile for tile in camp.bottom if tile != event.tile)
    return replace(state, camps=_with(state, event.side, replace(camp, top=event.tile, rest=rest, bottom=bottom)))


def _pile_emptied(state: State, event: PileEmptied) -> State:
    del event
    return state


def _veto_opened(state: State, event: VetoOpened) -> State:
    return replace(state, phase=Phase.VETO_DECISION, against=event.tile)


def _veto_waived(state: State, event: VetoWaived) -> State:
    del event
    return replace(state, phase=Phase.PLACEMENT, against=None)


def _veto_used(state: State, event: VetoUsed) -> State:
    """Move the tile to the bottom, from the top of its pile, or from the board if it lies there (R23).

    Taking it back makes as if it had not been laid: the pass before it, if there was one, stands again.
    """
    owner = OTHER[event.side]
    camp = state.camp(owner)
    camps = _with(state, event.side, replace(state.camp(event.side), token=False))
    state = replace(state, camps=camps, side=owner, phase=Phase.PLACEMENT, against=None)
    sunk = (*camp.bottom, event.tile)
    if camp.top == event.tile:
        return replace(state, camps=_with(state, owner, replace(camp, top=None, bottom=sunk)))
    last = state.laid[-1]
    courtyard, building = lay(state, last.tile, last.x, last.y, last.o)
    return replace(
        state,
        camps=_with(state, owner, replace(camp, bottom=sunk)),
        laid=state.laid[:-1],
        courtyard_squares=packed(state.courtyard ^ courtyard),
        building_squares=packed(state.building ^ building),
        passes=state.passes_before,
        turns=state.turns - 1,
    )


def _veto_lapsed(state: State, event: VetoLapsed) -> State:
    del event
    return state


def _tile_placed(state: State, event: TilePlaced) -> State:
    courtyard, building = lay(state, event.tile, event.x, event.y, event.o)
    camp = replace(state.camp(event.side), top=None)
    return replace(
        state,
        camps=_with(state, event.side, camp),
        laid=(*state.laid, Laid(event.tile, event.x, event.y, event.o)),
        courtyard_squares=packed(state.courtyard | courtyard),
        building_squares=packed(state.building | building),
        side=OTHER[event.side],
        passes=0,
        passes_before=state.passes,
        turns=state.turns + 1,
    )


def _turn_passed(state: State, event: TurnPassed) -> State:
    return replace(state, side=OTHER[event.side], passes=state.passes + 1, turns=state.turns + 1)


def _game_scored(state: State, event: GameScored) -> State:
    return replace(state, phase=Phase.FINISHED, results=(*state.results, event))


_CHANGES: Final[dict[type, Callable[[State, Any], State]]] = {
    GameStarted: _game_started,
    TopRevealed: _top_revealed,
    PileEmptied: _pile_emptied,
    VetoOpened: _veto_opened,
    VetoWaived: _veto_waived,
    VetoUsed: _veto_used,
    VetoLapsed: _veto_lapsed,
    TilePlaced: _tile_placed,
    TurnPassed: _turn_passed,
    GameScored: _game_scored,
}
