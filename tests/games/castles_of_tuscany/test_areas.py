"""Completed areas and colour bonuses."""

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.events import AnyEvent
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import KINDS, Kind, Pay, PlaceTile, Track
from tests.games.castles_of_tuscany.table import ORACLES, given, having, of, then, when
from tests.support.play import fold

VILLAGES = [(0, 0), (0, 1), (1, 1)]
"""The area of three villages of seat 0."""


def placing(state: State, seat: int, at: tuple[int, int], *script: object) -> tuple[AnyEvent, ...]:
    return when(then(state, seat, PlaceTile(0, *at)), seat, Pay(2), *script)


def ready(kind: str, covered: dict[tuple[int, int], str], seats: int = 2, seat: int = 0, tile: str = "") -> State:
    state = GAME.evolve(given(seats), e.TurnBegan(seat, 1, 1))
    return having(state, seat, storage=(tile or kind,), hand={kind: 2}, covered=covered)


@pytest.mark.rule("R11.1", "R11.2")
@pytest.mark.parametrize(
    ("kind", "at", "covered", "size", "points"),
    [
        ("carriage", (1, -1), {}, 1, 1),
        ("monastery", (2, 0), {(2, -1): "monastery"}, 2, 3),
        ("village", (0, 1), {(0, 0): "village", (1, 1): "village"}, 3, 6),
        ("village", (0, 0), {(0, 1): "wild_hex", (1, 1): "village"}, 3, 6),
    ],
)
def test_a_completed_area_gives_points_by_its_size(
    kind: str, at: tuple[int, int], covered: dict[tuple[int, int], str], size: int, points: int
) -> None:
    state = ready(kind, covered)
    events = placing(state, 0, at, *{"carriage": ("marble_1",), "monastery": (0, 0, 0), "village": ()}[kind])
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(0, Kind(kind), size, points, Track.GREEN, "R11.1")]
    assert fold(GAME, state, events).players[0].green == points


@pytest.mark.rule("R11.1")
def test_an_open_area_gives_nothing() -> None:
    for covered in ({}, {(0, 0): "village"}):
        state = ready("village", covered)
        assert of(placing(state, 0, (0, 1)), e.AreaCompleted) == []


@pytest.mark.rule("R11.2")
def test_an_area_goes_on_across_board_borders() -> None:
    """Seat 1's castles (6,-3) and (5,-2) lie on two boards."""
    state = ready("castle", {}, seat=1)
    events = placing(state, 1, (5, -2))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(1, Kind.CASTLE, 2, 3, Track.GREEN, "R11.1")]


@pytest.mark.rule("R11.2", "R3.10")
def test_an_area_scores_once_and_the_start_castle_alone_never() -> None:
    """The start castle of seat 0 is an area of one that no placement completes."""
    state = ready("castle", {(4, -1): "quarry"})
    events = placing(state, 0, (4, 0))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(0, Kind.CASTLE, 1, 1, Track.GREEN, "R11.1")]
    state = ready("village", {(2, 0): "monastery", (2, -1): "monastery"})
    assert of(placing(state, 0, (0, 0)), e.AreaCompleted) == []


def all_but(state: State, seat: int, kind: Kind, left: int) -> dict[tuple[int, int], str]:
    """Tiles on every space of the kind but one, and on all others that are beside that one."""
    land = state.players[seat].region
    assert land is not None
    tile = "agriculture:grain_grapes" if kind is Kind.AGRICULTURE else kind.value
    covered = {land.grid.spaces[i]: tile for i, of_kind in enumerate(land.kinds) if of_kind is kind and i != left}
    for beside in land.grid.neighbours[left]:
        if land.kinds[beside] is not kind:
            covered[land.grid.spaces[beside]] = "inn"
    start = land.grid.spaces[state.players[seat].cover.index("start_castle")]
    return {at: what for at, what in covered.items() if at != start}


@pytest.mark.rule("R11.3", "R11.4", "R11.5")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", list(KINDS))
def test_first_and_second_seat_get_the_colour_bonus_and_nobody_after(kind: Kind, seats: int) -> None:
    first, second = ORACLES["colour_bonuses"][kind]
    tile = "agriculture:grain_grapes" if kind is Kind.AGRICULTURE else kind.value
    state = given(seats)
    gained = []
    for seat in range(seats):
        land = state.players[seat].region
        assert land is not None
        left = max(i for i, of_kind in enumerate(land.kinds) if of_kind is kind and not state.players[seat].cover[i])
        state = GAME.evolve(state, e.TurnBegan(seat, 1, 1))
        covered = all_but(state, seat, kind, left)
        state = having(state, seat, storage=(tile,), hand={kind.value: 2}, covered=covered, bonus={})
        state = then(state, seat, PlaceTile(0, *land.grid.spaces[left]))
        script = {Kind.CARRIAGE: ("marble_1",), Kind.MONASTERY: (0, 0, 0)}.get(kind, ())
        events = when(state, seat, Pay(2), *script)
        gained += of(events, e.ColourBonusScored)
        before = state.players[seat].green
        state = fold(GAME, state, events)
        others = sum(event.points for event in of(events, e.AreaCompleted, e.CropsScored))
        assert state.players[seat].green - before - others == (first, second, 0, 0)[seat]
    assert gained == [
        e.ColourBonusScored(0, kind, 1, first, Track.GREEN, "R11.3"),
        e.ColourBonusScored(1, kind, 2, second, Track.GREEN, "R11.3"),
    ]
    view = GAME.view(state, 0)
    assert [bonus.side for bonus in view.colour_bonuses if bonus.kind is kind] == [0]


@pytest.mark.rule("R11.3")
def test_one_open_space_of_the_kind_anywhere_keeps_the_colour_bonus_back() -> None:
    state = ready("inn", {(5, -1): "agriculture:grain_grapes"})
    assert of(placing(state, 0, (6, -1)), e.ColourBonusScored) == []


@pytest.mark.rule("R11.3", "R3.10")
def test_the_start_castle_counts_for_the_castle_bonus() -> None:
    state = ready("castle", {(8, -3): "castle", (4, -1): "quarry"})
    events = placing(state, 0, (4, 0))
    assert of(events, e.ColourBonusScored) == [e.ColourBonusScored(0, Kind.CASTLE, 1, 2, Track.GREEN, "R11.3")]


@pytest.mark.rule("R11.6")
def test_area_and_colour_bonus_are_two_events() -> None:
    state = ready("inn", {(3, 1): "inn", (5, -1): "agriculture:grain_grapes"})
    events = placing(state, 0, (6, -1))
    assert [type(event).__name__ for event in of(events, e.AreaCompleted, e.ColourBonusScored)] == [
        "AreaCompleted",
        "ColourBonusScored",
    ]
    assert fold(GAME, state, events).players[0].green == 1 + 2


@pytest.mark.rule("R11.3")
def test_the_side_that_is_up_is_in_the_view() -> None:
    state = given()
    fresh = GAME.view(state, 0).colour_bonuses
    assert {bonus.kind.value: [bonus.side, bonus.points] for bonus in fresh} == {
        kind: [1, first] for kind, (first, _) in ORACLES["colour_bonuses"].items()
    }
    turned = GAME.view(replace(state, colour_sides=(1,) * 8), 0).colour_bonuses
    assert {bonus.kind.value: [bonus.side, bonus.points] for bonus in turned} == {
        kind: [2, second] for kind, (_, second) in ORACLES["colour_bonuses"].items()
    }
