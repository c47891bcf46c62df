"""The nine actions: what each can be aimed at, what it moves, and when it is impossible."""

from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

from domain.calimala.actions import choices, possible
from domain.calimala.board import DELIVERIES, STREETS, TRANSPORTS, _deliveries, _transports
from domain.calimala.things import ACTIONS, SPACES, TARGETS, Action, Place, Target, Via
from domain.calimala.words import ActionTaken, CubeMove, DeclareImpossible
from tests.games.calimala.table import BETWEEN, C, Table, place, position, take, targets

FULL_CITY = "1" * 12
ALL_ROWS_FULL = {
    f"{church}_{kind}": "1" * size
    for church, size in (("santa_maria_del_fiore", 5), ("santa_croce", 4), ("san_miniato", 3))
    for kind in ("wood", "brick", "marble")
}
ALL_STATUES = {
    "santa_maria_del_fiore_statue": "11111",
    "santa_croce_statue": "1111",
    "san_miniato_statue": "111",
    "palazzo_vecchio_statue": "1111",
}
PORT_NAMES = ("barcelona", "lisbon", "london")
TRADE_NAMES = ("troyes", "bruges", "hamburg")


def ways(action: str, board: dict[str, str] | None = None, seats: int = 3, **mat: Any) -> list[str]:
    """The choices of seat 0, each as its targets."""
    state = position(seats, mats={0: mat}, board=board)
    return [" ".join(choice) for choice in choices(state, 0, Action(action))]


def done(action: str, choice: str = "", board: dict[str, str] | None = None, **mat: Any) -> tuple[Table, ActionTaken]:
    """Seat 0 places a Contractor where the action is at hand, and takes it."""
    space = next(space for space, pair in BETWEEN.items() if action in pair.split())
    table = Table(position(mats={0: mat}, board=board))
    table.act(0, place(space, C))
    (event, *rest) = table.act(0, take(action, choice))
    assert rest == []
    assert isinstance(event, ActionTaken)
    assert (event.via, event.action) == (Via.GRID, action)
    return table, event


@pytest.mark.rule("R50", "R3")
@pytest.mark.parametrize("kind", ["wood", "brick", "marble"])
def test_a_gain_brings_one_cube_into_the_warehouse(kind: str) -> None:
    table, event = done(kind)
    assert event.moves == (CubeMove(Place.RESERVE, Place(kind)),)
    assert (table.goods(0)[kind], table.goods(0)["reserve"]) == (1, 39)
    assert ways(kind, **{kind: 3}) == [""]
    assert ways(kind, **{kind: 4}) == []


@pytest.mark.rule("R50", "R51", "C21")
@pytest.mark.parametrize("kind", ["wood", "brick", "marble", "weave"])
def test_without_a_reserve_nothing_is_gained(kind: str) -> None:
    assert ways(kind, reserve=0) == []
    assert ways(kind, reserve=1) == [""]


@pytest.mark.rule("C21", "R57")
def test_without_a_reserve_cubes_still_go_from_the_mat_to_the_board() -> None:
    mat = {"reserve": 0, "wood": 1, "marble": 1, "cloth": 1, "ships": 1, "houses": "T"}
    assert ways("contribute", **mat)
    assert ways("statue", **mat)
    assert ways("ship", **mat)
    assert ways("transport", **mat) == ["troyes"]


@pytest.mark.rule("R51", "C22", "R3")
@pytest.mark.parametrize(
    ("workshops", "cloth", "reserve", "woven"),
    [(1, 0, 9, 1), (2, 0, 9, 2), (3, 0, 9, 3), (3, 11, 9, 1), (3, 10, 9, 2), (2, 7, 9, 1), (3, 0, 2, 2), (1, 3, 9, 1)],
)
def test_weave_always_makes_the_most(workshops: int, cloth: int, reserve: int, woven: int) -> None:
    table, event = done("weave", workshops=workshops, cloth=cloth, reserve=reserve)
    assert event.moves == (CubeMove(Place.RESERVE, Place.CLOTH),) * woven
    assert table.goods(0)["cloth"] == cloth + woven


@pytest.mark.rule("R51")
@pytest.mark.parametrize(("workshops", "cloth"), [(1, 4), (2, 8), (3, 12)])
def test_weave_needs_free_workshop_room(workshops: int, cloth: int) -> None:
    assert ways("weave", workshops=workshops, cloth=cloth) == []
    assert ways("weave", workshops=workshops, cloth=cloth - 1) == [""]


@pytest.mark.rule("R52", "R4")
@pytest.mark.parametrize(
    ("item", "mat", "paid"),
    [
        ("ship", {"wood": 2}, ["wood", "wood"]),
        ("workshop", {"wood": 1, "brick": 1}, ["wood", "brick"]),
        ("house_in_troyes", {"brick": 2}, ["brick", "brick"]),
        ("house_in_hamburg", {"brick": 3}, ["brick", "brick"]),
    ],
)
def test_build_pays_into_the_reserve(item: str, mat: dict[str, int], paid: list[str]) -> None:
    table, event = done("build", item, **mat)
    assert event.moves == tuple(CubeMove(Place(kind), Place.RESERVE) for kind in paid)
    player = table.state.mats[0]
    assert player.ships == (item == "ship")
    assert player.workshops == 1 + (item == "workshop")
    assert player.houses == tuple(item == f"house_in_{city}" for city in TRADE_NAMES)
    assert sum(table.goods(0).values()) == 40


@pytest.mark.rule("R52", "R8", "C25")
@pytest.mark.parametrize(
    ("mat", "offered"),
    [
        ({}, ""),
        ({"wood": 1}, ""),
        ({"brick": 1}, ""),
        ({"wood": 2}, "ship"),
        ({"wood": 4, "ships": 2}, "ship"),
        ({"wood": 4, "ships": 3}, ""),
        ({"wood": 1, "brick": 1}, "workshop"),
        ({"wood": 1, "brick": 1, "workshops": 3}, ""),
        ({"brick": 2}, "house_in_troyes house_in_bruges house_in_hamburg"),
        ({"brick": 2, "houses": "B"}, "house_in_troyes house_in_hamburg"),
        ({"brick": 4, "houses": "TBH"}, ""),
        (
            {"wood": 2, "brick": 2},
            "ship house_in_troyes house_in_bruges house_in_hamburg workshop",
        ),
    ],
)
def test_build_offers_what_can_be_paid_and_placed(mat: dict[str, Any], offered: str) -> None:
    assert ways("build", **mat) == offered.split()


@pytest.mark.rule("R8")
def test_several_players_may_have_a_house_in_one_city() -> None:
    table = Table(position(mats={0: {"brick": 2}, 1: {"houses": "T"}, 2: {"houses": "T"}}))
    table.act(0, place("s01"))
    table.act(0, take("build", "house_in_troyes"))
    assert [mat.houses[0] for mat in table.state.mats] == [True, True, True]


@pytest.mark.rule("R53", "R7")
def test_a_statue_costs_a_marble() -> None:
    table, event = done("statue", "santa_croce_statue", {"santa_croce_statue": "12"}, marble=1)
    assert event.moves == (CubeMove(Place.MARBLE, Place.SANTA_CROCE_STATUE, 3),)
    assert table.row("santa_croce_statue") == "120"
    assert table.goods(0)["marble"] == 0


@pytest.mark.rule("R53")
def test_statues_go_to_free_slots_of_four_rows() -> None:
    free = list(ALL_STATUES)
    assert ways("statue", marble=1) == free
    assert ways("statue") == []
    assert ways("statue", ALL_STATUES, marble=4) == []
    for row in free:
        assert ways("statue", {**ALL_STATUES, row: ALL_STATUES[row][1:]}, marble=1) == [row]


@pytest.mark.rule("R54", "R7")
def test_ship_sends_a_cloth_for_each_ship() -> None:
    table, event = done("ship", "london lisbon london", {"london": "1"}, ships=3, cloth=4)
    assert event.choice == (Target.LISBON, Target.LONDON, Target.LONDON)
    assert event.moves == (
        CubeMove(Place.CLOTH, Place.LISBON, 1),
        CubeMove(Place.CLOTH, Place.LONDON, 2),
        CubeMove(Place.CLOTH, Place.LONDON, 3),
    )
    assert (table.row("lisbon"), table.row("london"), table.goods(0)["cloth"]) == ("0", "100", 1)
    assert table.state.mats[0].ships == 3


@pytest.mark.rule("R54", "C23")
@pytest.mark.parametrize(
    ("ships", "cloth", "count"), [(0, 4, 0), (3, 0, 0), (1, 4, 3), (2, 4, 9), (3, 4, 19), (3, 1, 3), (3, 2, 9)]
)
def test_ship_offers_every_delivery_once(ships: int, cloth: int, count: int) -> None:
    offered = ways("ship", ships=ships, cloth=cloth)
    assert len(offered) == len({tuple(sorted(way.split())) for way in offered}) == count
    assert all(1 <= len(way.split()) <= min(ships, cloth) for way in offered)


@pytest.mark.rule("R54", "C23")
def test_ship_needs_free_slots() -> None:
    full = dict.fromkeys(PORT_NAMES, FULL_CITY)
    assert ways("ship", full, ships=3, cloth=4) == []
    assert ways("ship", {**full, "lisbon": "1" * 11}, ships=3, cloth=2) == ["lisbon"]
    assert ways("ship", {**full, "london": "1" * 10}, ships=3, cloth=4) == ["london", "london london"]


@pytest.mark.rule("R55", "C24")
@pytest.mark.parametrize(
    ("houses", "cloth", "full", "offered"),
    [
        ("", 4, "", []),
        ("TBH", 0, "", []),
        ("T", 1, "", ["troyes"]),
        ("T", 4, "T", []),
        ("TB", 1, "", ["troyes", "bruges"]),
        ("TB", 2, "", ["troyes", "bruges", "troyes bruges"]),
        ("BH", 3, "B", ["hamburg"]),
        (
            "TBH",
            3,
            "",
            [
                "troyes",
                "bruges",
                "hamburg",
                "troyes bruges",
                "troyes hamburg",
                "bruges hamburg",
                "troyes bruges hamburg",
            ],
        ),
        ("TBH", 2, "T", ["bruges", "hamburg", "bruges hamburg"]),
    ],
)
def test_transport_serves_cities_with_an_own_house(houses: str, cloth: int, full: str, offered: list[str]) -> None:
    board = {city: FULL_CITY for code, city in zip("TBH", TRADE_NAMES, strict=True) if code in full}
    assert ways("transport", board, houses=houses, cloth=cloth) == offered


@pytest.mark.rule("R55", "R57")
def test_transport_sends_one_cloth_to_each_chosen_city() -> None:
    table, event = done("transport", "hamburg troyes", {"troyes": "12"}, houses="TBH", cloth=3)
    assert event.moves == (CubeMove(Place.CLOTH, Place.TROYES, 3), CubeMove(Place.CLOTH, Place.HAMBURG, 1))
    assert (table.row("troyes"), table.row("bruges"), table.row("hamburg")) == ("120", "", "0")
    assert table.goods(0)["cloth"] == 1
    assert all(table.state.mats[0].houses)


@pytest.mark.rule("R56")
@pytest.mark.parametrize("kind", ["wood", "brick", "marble"])
def test_contribute_takes_a_matching_cube(kind: str) -> None:
    rows = [row for row in ALL_ROWS_FULL if row.endswith(kind)]
    assert ways("contribute", **{kind: 2}) == rows
    table, event = done("contribute", rows[1], {rows[1]: "21"}, **{kind: 2})
    assert event.moves == (CubeMove(Place(kind), Place(rows[1]), 3),)
    assert (table.row(rows[1]), table.goods(0)[kind]) == ("210", 1)


@pytest.mark.rule("R56")
def test_contribute_needs_a_free_slot_in_the_row() -> None:
    assert ways("contribute") == []
    assert ways("contribute", ALL_ROWS_FULL, wood=1, brick=1, marble=1) == []
    for row, cubes in ALL_ROWS_FULL.items():
        board = {**ALL_ROWS_FULL, row: cubes[1:]}
        assert ways("contribute", board, wood=1, brick=1, marble=1) == [row]
        kind = row.rsplit("_", 1)[-1]
        others = {other: 1 for other in ("wood", "brick", "marble") if other != kind}
        assert ways("contribute", board, **others) == []


@pytest.mark.rule("R60", "S9")
def test_possible_is_what_has_a_choice() -> None:
    state = position(mats={0: {"marble": 1, "wood": 4, "cloth": 4, "houses": "H"}})
    found = possible(state, 0)
    assert found == {"brick", "marble", "build", "statue", "transport", "contribute"}
    assert found == {action for action in ACTIONS if choices(state, 0, action)}


@pytest.mark.rule("R60")
@pytest.mark.parametrize("space", SPACES)
def test_each_space_gives_the_two_actions_it_lies_between(space: str) -> None:
    table = Table(position(mats={0: {"wood": 1, "brick": 1, "marble": 1, "cloth": 1, "ships": 1, "houses": "T"}}))
    table.act(0, place(space))
    assert " ".join(table.pending) == BETWEEN[space]
    assert len(STREETS) == len(SPACES)


@pytest.mark.rule("R52", "R53", "R54", "R55", "R56")
@pytest.mark.parametrize(
    ("action", "bad"),
    [
        ("wood", ["ship", "troyes"]),
        ("weave", ["troyes"]),
        ("build", ["", "house_in_bruges", "ship ship", "ship workshop", "troyes", "lisbon"]),
        ("statue", ["", "santa_croce_wood", "santa_croce_statue santa_croce_statue", "lisbon"]),
        ("ship", ["", "troyes", "lisbon troyes", "lisbon lisbon lisbon", "ship"]),
        ("transport", ["", "lisbon", "troyes troyes", "bruges", "troyes bruges"]),
        ("contribute", ["", "santa_croce_statue", "santa_croce_wood santa_croce_brick", "san_miniato_wood", "troyes"]),
    ],
)
def test_choices_that_are_not_offered_are_refused(action: str, bad: list[str]) -> None:
    mat = {"wood": 2, "brick": 2, "marble": 1, "cloth": 3, "ships": 2, "houses": "TB"}
    table = Table(position(mats={0: mat}, board={"san_miniato_wood": "111", "bruges": FULL_CITY}))
    space = next(space for space, pair in BETWEEN.items() if action in pair.split())
    table.act(0, place(space, C))
    for choice in bad:
        assert table.refused(0, take(action, choice)) == "bad_choice"
    assert table.refused(0, DeclareImpossible(Action(action))) == "action_possible"


@pytest.mark.rule("R54", "R55")
def test_the_tables_of_deliveries_hold_every_set_of_cities_once() -> None:
    deliveries, transports = _deliveries(), _transports()
    assert (deliveries, transports) == (DELIVERIES, TRANSPORTS)
    amounts = range(4)
    assert set(deliveries) == set(product(amounts, repeat=4))
    assert set(transports) == set(product(amounts, *[(False, True)] * 3))
    for (most, *free), offered in deliveries.items():
        every = [way for size in range(1, most + 1) for way in combinations_with_replacement(TARGETS[3:6], size)]
        fitting = [way for way in every if all(way.count(TARGETS[3 + i]) <= room for i, room in enumerate(free))]
        assert sorted(offered) == sorted(fitting)
        assert [len(way) for way in offered] == sorted(len(way) for way in offered)
    for (most, *reach), served in transports.items():
        every = [way for size in range(1, most + 1) for way in combinations(TARGETS[:3], size)]
        assert served == tuple(way for way in every if all(reach[TARGETS.index(city)] for city in way))
    assert deliveries[2, 3, 3, 3] == tuple(map(targets, ORDER))


ORDER = [
    "barcelona",
    "lisbon",
    "london",
    "barcelona barcelona",
    "barcelona lisbon",
    "barcelona london",
    "lisbon lisbon",
    "lisbon london",
    "london london",
]
