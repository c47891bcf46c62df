"""The nine actions: what each can be aimed at now, and what it does (R50-R57, R60, R93)."""

from collections.abc import Callable
from functools import partial
from typing import Final

from domain.calimala.board import (
    BRICK,
    CARGO,
    CLOTH,
    DELIVERIES,
    GROUPS,
    HOUSES,
    MARBLE,
    MOST,
    PORTS,
    RESERVE,
    ROWS,
    STATUES,
    TARGET_INDEX,
    TRADE,
    TRANSPORTS,
    WOOD,
    Choice,
    Figures,
)
from domain.calimala.log import Log
from domain.calimala.state import Mat, State, cloth_room, figures, in_reserve, room
from domain.calimala.things import ACTIONS, PLACES, TARGETS, Action, Place, Target, Via
from domain.calimala.words import ActionTaken, CubeMove, NeutralCubeAdded
from domain.core.errors import Illegal
from domain.core.words import Seat

_NOTHING_TO_CHOOSE: Final[tuple[Choice, ...]] = ((),)

RULES: Final = {
    Action.WOOD: "R50",
    Action.BRICK: "R50",
    Action.MARBLE: "R50",
    Action.WEAVE: "R51",
    Action.BUILD: "R52",
    Action.STATUE: "R53",
    Action.SHIP: "R54",
    Action.TRANSPORT: "R55",
    Action.CONTRIBUTE: "R56",
}
"""The rule that says what an action does."""


# ---- what is possible


def _gain(index: int, state: State, mat: Mat) -> tuple[Choice, ...]:
    fits = mat.cubes[index] < figures(state).figures.warehouse and in_reserve(mat) > 0
    return _NOTHING_TO_CHOOSE if fits else ()


def _weave(state: State, mat: Mat) -> tuple[Choice, ...]:
    return _NOTHING_TO_CHOOSE if cloth_room(state, mat) > 0 and in_reserve(mat) > 0 else ()


def price(item: Target, f: Figures) -> tuple[int, int]:
    """Wood and brick that something to build costs (R52)."""
    if item is Target.SHIP:
        return f.ship_wood, f.ship_brick
    if item is Target.WORKSHOP:
        return f.workshop_wood, f.workshop_brick
    return f.house_wood, f.house_brick


def _build(state: State, mat: Mat) -> tuple[Choice, ...]:
    f = figures(state).figures
    items = [Target.SHIP] if mat.ships < f.ships else []
    items += [HOUSES[city] for city in TRADE if not mat.houses[city]]
    items += [Target.WORKSHOP] if mat.workshops < f.workshops else []
    return tuple((item,) for item in items if _can_pay(mat, price(item, f)))


def _can_pay(mat: Mat, cost: tuple[int, int]) -> bool:
    return mat.cubes[WOOD] >= cost[0] and mat.cubes[BRICK] >= cost[1]


def _statue(state: State, mat: Mat) -> tuple[Choice, ...]:
    if not mat.cubes[MARBLE]:
        return ()
    return tuple((TARGETS[group],) for group in STATUES if room(state, group) > 0)


def _ship(state: State, mat: Mat) -> tuple[Choice, ...]:
    free = [min(max(room(state, port), 0), MOST) for port in PORTS]
    return DELIVERIES[min(mat.ships, mat.cubes[CLOTH], MOST), free[0], free[1], free[2]]


def _transport(state: State, mat: Mat) -> tuple[Choice, ...]:
    reach = [mat.houses[city] and room(state, city) > 0 for city in TRADE]
    return TRANSPORTS[min(mat.cubes[CLOTH], MOST), reach[0], reach[1], reach[2]]


def _contribute(state: State, mat: Mat) -> tuple[Choice, ...]:
    return tuple((TARGETS[group],) for group in ROWS if mat.cubes[CARGO[group]] and room(state, group) > 0)


_CHOICES: Final[dict[Action, Callable[[State, Mat], tuple[Choice, ...]]]] = {
    Action.WOOD: partial(_gain, WOOD),
    Action.BRICK: partial(_gain, BRICK),
    Action.MARBLE: partial(_gain, MARBLE),
    Action.WEAVE: _weave,
    Action.BUILD: _build,
    Action.STATUE: _statue,
    Action.SHIP: _ship,
    Action.TRANSPORT: _transport,
    Action.CONTRIBUTE: _contribute,
}


def choices(state: State, seat: Seat, action: Action) -> tuple[Choice, ...]:
    """Every choice that the seat has for the action now, in normal form; none if it is impossible (R60)."""
    return _CHOICES[action](state, state.mats[seat])


def possible(state: State, seat: Seat) -> frozenset[Action]:
    """The actions that the seat could carry out at least in part."""
    return frozenset(action for action in ACTIONS if choices(state, seat, action))


def spelled(choice: Choice) -> Choice:
    """The one spelling of a choice: targets in the order of the board."""
    return tuple(sorted(choice, key=lambda target: TARGET_INDEX.get(target, len(TARGETS))))


# ---- what is done


def carry_out(log: Log, seat: Seat, action: Action, choice: Choice, via: Via) -> None:
    """The action happens, and neutral cubes follow where R93 asks for them; Illegal if it cannot."""
    open_choices = choices(log.state, seat, action)
    if not open_choices:
        raise Illegal("action_impossible", "R60", f"No part of {action} can be carried out now.")
    if choice not in open_choices:
        raise Illegal(
            "bad_choice",
            RULES[action],
            f"{action} cannot be aimed at {', '.join(choice) or 'nothing'} now.",
            f"Choices open now: {len(open_choices)}; the first is {', '.join(open_choices[0]) or 'an empty list'}.",
        )
    log.add(ActionTaken(seat, action, via, choice, _moves(log.state, log.state.mats[seat], action, choice)))
    if log.state.neutral_follows and action in _TO_THE_BOARD:
        _add_neutral_cubes(log, choice)


_TO_THE_BOARD: Final = frozenset({Action.STATUE, Action.SHIP, Action.TRANSPORT, Action.CONTRIBUTE})
_GAINED: Final = {Action.WOOD: Place.WOOD, Action.BRICK: Place.BRICK, Action.MARBLE: Place.MARBLE}


def _moves(state: State, mat: Mat, action: Action, choice: Choice) -> tuple[CubeMove, ...]:
    if action in _GAINED:
        return (CubeMove(Place.RESERVE, _GAINED[action]),)
    if action is Action.WEAVE:
        woven = min(mat.workshops, cloth_room(state, mat), mat.cubes[RESERVE])
        return (CubeMove(Place.RESERVE, Place.CLOTH),) * woven
    if action is Action.BUILD:
        wood, brick = price(choice[0], figures(state).figures)
        return (CubeMove(Place.WOOD, Place.RESERVE),) * wood + (CubeMove(Place.BRICK, Place.RESERVE),) * brick
    moves = []
    for i, target in enumerate(choice):
        group = TARGET_INDEX[target]
        slot = len(state.board[group]) + choice[:i].count(target) + 1
        moves.append(CubeMove(_source(action, group), GROUPS[group], slot))
    return tuple(moves)


def _source(action: Action, group: int) -> Place:
    if action is Action.CONTRIBUTE:
        return PLACES[CARGO[group]]
    return Place.MARBLE if action is Action.STATUE else Place.CLOTH


def _add_neutral_cubes(log: Log, choice: Choice) -> None:
    for group in sorted({TARGET_INDEX[target] for target in choice}):
        if room(log.state, group) > 0 and log.state.neutral_cubes > 0:
            log.add(NeutralCubeAdded(GROUPS[group], len(log.state.board[group]) + 1))
