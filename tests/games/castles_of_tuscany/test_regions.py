"""Region boards and how they join."""

from itertools import product

import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.board import BOX, Board
from domain.castles_of_tuscany.opening import dealt_boards
from domain.castles_of_tuscany.region import (
    ALL_SHIFTS,
    GRIDS,
    HALF_SHIFTS,
    LOCAL,
    arrangements,
    castle_space,
    draw,
    largest_area,
    open_spaces,
    region_of,
    space_at,
)
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import Arrangement, ArrangeRegion, Kind, Shift
from tests.games.castles_of_tuscany.table import REGIONS, STRAIGHT, given, kind_at, refused, then, when
from tests.games.castles_of_tuscany.test_worked_examples import dealt
from tests.support.play import fold

BOARDS = BOX.boards["standard"]
BY_ID = {board.id: board for board in BOARDS}
BLANK = Board("D1", "D", (Kind.VILLAGE,) * 10)


@pytest.mark.rule("R4.1")
def test_a_board_is_a_hexagon_of_columns_of_3_4_3() -> None:
    assert [sum(q == column for q, _ in LOCAL) for column in (0, 1, 2)] == [3, 4, 3]
    inner = GRIDS[Shift.DOWN, Shift.DOWN].neighbours
    within = [sum(n < 10 for n in around) for around in inner[:10]]
    assert within == [3, 4, 3, 3, 6, 6, 3, 3, 4, 3]


@pytest.mark.rule("R4.3")
@pytest.mark.parametrize("shifts", sorted(product(HALF_SHIFTS, repeat=2)))
def test_all_spaces_of_a_long_edge_touch_the_other_board(shifts: tuple[Shift, Shift]) -> None:
    neighbours = GRIDS[shifts].neighbours
    for right_edge, left_edge in (((7, 8, 9), (10, 11, 12)), ((17, 18, 19), (20, 21, 22))):
        assert all(set(neighbours[space]) & set(left_edge) for space in right_edge)
        assert all(set(neighbours[space]) & set(right_edge) for space in left_edge)


@pytest.mark.rule("R4.3")
@pytest.mark.parametrize("far", [Shift.DOWN_FAR, Shift.UP_FAR])
def test_a_far_shift_leaves_one_space_over(far: Shift) -> None:
    neighbours = GRIDS[far, Shift.DOWN].neighbours
    touching = [space for space in (7, 8, 9) if set(neighbours[space]) & {10, 11, 12}]
    assert len(touching) == 2


@pytest.mark.rule("R4.5")
def test_coordinates() -> None:
    for way, spaces in (
        (REGIONS[0], {(1, 0): "castle", (0, 0): "village", (0, 1): "village", (1, 1): "village", (1, -1): "carriage"}),
        (REGIONS[1], {(6, -3): "castle", (5, -2): "castle", (0, 2): "castle", (7, -3): "quarry", (7, -2): "quarry"}),
    ):
        region = region_of(BOARDS, way)
        for (q, r), kind in spaces.items():
            space = space_at(region, q, r)
            assert space is not None
            assert region.kinds[space] == kind
            assert region.grid.spaces[space] == (q, r)


@pytest.mark.rule("R4.5")
def test_every_space_is_found_by_its_coordinates_and_nothing_else_is() -> None:
    for shifts, grid in GRIDS.items():
        region = region_of(BOARDS, Arrangement(("A1", "B1", "C1"), STRAIGHT, shifts))
        for q, r in product(range(-2, 12), range(-12, 12)):
            wanted = grid.spaces.index((q, r)) if (q, r) in grid.spaces else None
            assert space_at(region, q, r) == wanted
        assert len(set(grid.spaces)) == 30
        for space, around in enumerate(grid.neighbours):
            assert all(space in grid.neighbours[other] for other in around)


@pytest.mark.rule("R4.5", "R4.6")
def test_turning_the_whole_region_gives_the_same_region() -> None:
    way = Arrangement(("A1", "B2", "C3"), (False, True, False), (Shift.DOWN, Shift.UP))
    back = Arrangement(("C3", "B2", "A1"), (True, False, True), (Shift.UP, Shift.DOWN))
    region, other = region_of(BOARDS, way), region_of(BOARDS, back)
    assert other.kinds == region.kinds[::-1]
    assert sorted(map(len, other.areas)) == sorted(map(len, region.areas))


@pytest.mark.rule("R4.6")
def test_the_arrangement_is_kept_as_it_was_sent() -> None:
    state = dealt()
    for way in (
        ArrangeRegion(("C1", "B1", "A1"), (True, True, True), (Shift.UP, Shift.DOWN)),
        ArrangeRegion(("A1", "B1", "C1"), STRAIGHT, (Shift.DOWN, Shift.UP)),
    ):
        assert GAME.normal(way) == way
        after = fold(GAME, state, when(state, 0, way)).players[0].arrangement
        assert after == Arrangement(way.boards, way.turned, way.shifts)


@pytest.mark.rule("R4.2", "R4.6")
@pytest.mark.parametrize(("lenient", "ways"), [(False, 192), (True, 768)])
def test_how_many_arrangements_there_are(lenient: bool, ways: int) -> None:
    boards = tuple(BY_ID[board] for board in ("A1", "B1", "C1"))
    found = arrangements(boards, ALL_SHIFTS if lenient else HALF_SHIFTS)
    assert len(found) == len(set(found)) == ways


@pytest.mark.rule("R4.4", "R2.7")
@pytest.mark.parametrize("a", ["A1", "A2", "A3", "A4"])
def test_no_arrangement_of_any_draw_has_a_large_area(a: str) -> None:
    """Also with the lenient shifts."""
    for b, c in product("1234", repeat=2):
        boards = (BY_ID[a], BY_ID[f"B{b}"], BY_ID[f"C{c}"])
        assert len(arrangements(boards, ALL_SHIFTS)) == 768


@pytest.mark.rule("R4.4")
def test_an_arrangement_with_a_large_area_is_refused() -> None:
    state = dealt()
    data = state.setup.data
    big = Board("A1", "A", (*BY_ID["A1"].spaces[:-3], *(Kind.AGRICULTURE,) * 3))
    boards = tuple(big if board.id == "A1" else board for board in data.boards)
    state = GAME.blank(type(state.setup)(state.setup.options, type(data)(boards, *_rest(data)), 2))
    state = fold(GAME, state, dealt_events())
    bad = ArrangeRegion(("B1", "A1", "C1"), (False, True, False), (Shift.DOWN, Shift.DOWN))
    assert largest_area(region_of(boards, Arrangement(bad.boards, bad.turned, bad.shifts))) > 3
    assert refused(state, 0, bad) == ("area_too_large", "R4.4")
    for way in GAME.legal(state, 0).commands:
        if isinstance(way, ArrangeRegion):
            assert largest_area(region_of(boards, Arrangement(way.boards, way.turned, way.shifts))) <= 3


def _rest(data: object) -> tuple[object, ...]:
    return tuple(getattr(data, name) for name in data.__struct_fields__[1:])  # type: ignore[attr-defined]


def dealt_events() -> tuple[object, ...]:
    from domain.castles_of_tuscany.events import BoardsDealt

    return BoardsDealt(0, ("A1", "B1", "C1")), BoardsDealt(1, ("A2", "B2", "C2"))


@pytest.mark.rule("R4.2", "R4.3", "R3.8")
@pytest.mark.parametrize(
    ("boards", "turned", "shifts", "refusal"),
    [
        (("A1", "B1", "C2"), 3, ("down", "up"), ("wrong_boards", "R3.8")),
        (("A1", "B1", "B1"), 3, ("down", "up"), ("wrong_boards", "R3.8")),
        (("A1", "B1"), 3, ("down", "up"), ("wrong_boards", "R3.8")),
        (("A1", "B1", "C1", "A1"), 3, ("down", "up"), ("wrong_boards", "R3.8")),
        (("A1", "B1", "C1"), 2, ("down", "up"), ("wrong_turns", "R4.2")),
        (("A1", "B1", "C1"), 4, ("down", "up"), ("wrong_turns", "R4.2")),
        (("A1", "B1", "C1"), 3, ("down",), ("wrong_shifts", "R4.3")),
        (("A1", "B1", "C1"), 3, ("down", "up", "up"), ("wrong_shifts", "R4.3")),
        (("A1", "B1", "C1"), 3, ("down", "up_far"), ("wrong_shifts", "R4.3")),
        (("A1", "B1", "C1"), 3, ("down_far", "up"), ("wrong_shifts", "R4.3")),
    ],
)
def test_what_is_no_arrangement(
    boards: tuple[str, ...], turned: int, shifts: tuple[str, ...], refusal: tuple[str, str]
) -> None:
    command = ArrangeRegion(boards, (False,) * turned, tuple(Shift(shift) for shift in shifts))
    assert refused(dealt(), 0, command) == refusal


@pytest.mark.rule("R4.3", "R17")
def test_lenient_shifts_joint_by_joint() -> None:
    state = dealt()
    options = type(state.setup.options)(lenient_shifts=True)
    lenient = fold(GAME, GAME.blank(type(state.setup)(options, state.setup.data, 2)), dealt_events())
    ways = [way for way in GAME.legal(lenient, 0).commands if isinstance(way, ArrangeRegion)]
    assert len(ways) == 768
    far = ArrangeRegion(("A1", "B1", "C1"), STRAIGHT, (Shift.DOWN, Shift.UP_FAR))
    assert then(lenient, 0, far).players[0].arranged


@pytest.mark.rule("R11.2")
def test_areas_do_not_stop_at_board_borders() -> None:
    state = given()
    region = state.players[1].region
    assert region is not None
    spaces = {(6, -3), (5, -2)}
    space = space_at(region, 6, -3)
    assert space is not None
    assert {region.grid.spaces[other] for other in region.areas[space]} == spaces
    assert (6 // 3, 5 // 3) == (2, 1)


@pytest.mark.rule("R8.1")
def test_open_spaces_touch_a_covered_one() -> None:
    state = given()
    region, cover = state.players[0].region, state.players[0].cover
    assert region is not None
    assert {region.grid.spaces[space] for space in open_spaces(region, cover)} == {
        *((2, 0), (2, -1), (1, -1), (0, 0), (0, 1), (1, 1))
    }


@pytest.mark.rule("R4.5")
def test_the_drawing() -> None:
    state = given()
    region = state.players[0].region
    assert region is not None
    assert castle_space(region, REGIONS[0], "A1") == 4
    faces = tuple(tile.id for tile in state.setup.data.tiles if tile.crops)
    cover = list(state.players[0].cover)
    for tile, (q, r) in (("wild_hex", (0, 0)), ("agriculture:olives_vegetables", (1, 2)), ("monastery", (2, 0))):
        space = space_at(region, q, r)
        assert space is not None
        cover[space] = tile
    rows = draw(region, cover, faces)
    assert rows == (
        "  w           v   ",
        "V*  m   q   w   m ",
        "  K^  t   a   v   ",
        "v   M   q   q   k ",
        "  v   w   a   q   ",
        "t   w   k   i   t ",
        "  A3  i   a   a   ",
        "        m         ",
    )
    assert region.grid.top == -1
    for i, row in enumerate(rows):
        for q in range(9):
            if row[2 * q].strip():
                assert kind_at(state, 0, q, (region.grid.top + i - q) // 2)
    assert [board.id for board in dealt_boards(state, 0)] == ["A1", "B1", "C1"]


def test_the_fixture_regions_are_legal() -> None:
    state: State = given(4)
    for player, way in zip(state.players, REGIONS, strict=True):
        assert player.arrangement == way
        assert player.region is not None
        assert largest_area(player.region) <= 3
