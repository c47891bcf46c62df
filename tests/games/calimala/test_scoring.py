"""Majorities and ties, the scoring step, and the seats of the Palazzo Vecchio."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.calimala import GAME
from domain.calimala.board import CARD_GROUPS, GROUPS, PALAZZO, TILE_GROUPS
from domain.calimala.log import Log
from domain.calimala.scoring import TIE_STEPS, cubes, ranking, resolve_card, resolve_tile, tie_key, tie_step
from domain.calimala.state import State
from domain.calimala.things import NEUTRAL, SCORING_CARDS, TILES, ScoringCard, Space, Tile
from domain.calimala.words import (
    ActivePlayerMarkerPassed,
    BottomWorkerSentToTower,
    ContractorReturned,
    CouncilSeatTaken,
    ScoringTileResolved,
    Standing,
    TowerOccupied,
)
from domain.core.chance import Chance
from tests.games.calimala.table import END, C, F, H, Table, impossible, names, only, place, position, take

N = NEUTRAL


def scored(tile: str, seats: int = 3, **given: Any) -> tuple[Standing, ...]:
    """The ranking by the next tile."""
    log = Log(position(seats, next_tile=tile, **given), Chance())
    resolve_tile(log)
    (event,) = log.events
    assert isinstance(event, ScoringTileResolved)
    assert (event.tile, event.rule) == (tile, "R78")
    return event.ranking


def by_card(card: str, seats: int = 3, **given: Any) -> tuple[Standing, ...]:
    log = Log(position(seats, **given), Chance())
    resolve_card(log, ScoringCard(card))
    (event,) = log.events
    assert (event.card, event.rule) == (card, "R104")
    return event.ranking


def push_out(stack: str, state: State, space: str = "s01", worker: Any = F) -> tuple[Table, tuple]:
    """Seat 0 places a worker on a full stack of the standard side; all activations are got over with."""
    state = replace(state, stacks=(tuple(stack.split()), *state.stacks[1:]))
    table = Table(state)
    events = table.act(0, place(space, worker))
    while table.state.phase == "activation":
        commands = table.legal(table.awaited[0]).commands
        script = ("ship",) if type(commands[0]).__name__ == "DeclareImpossible" else ()
        seat = table.awaited[0]
        if script and seat == 0 and table.state.compensated:
            script = ()
        events = table.act(seat, commands[0], *script)
    return table, events


# ---- majorities


@pytest.mark.rule("R78", "C32")
def test_three_two_and_one_points() -> None:
    board = {"troyes": "0111223333"}
    assert scored("troyes", 4, board=board) == (
        Standing(3, 4, 3),
        Standing(1, 3, 2),
        Standing(2, 2, 1),
        Standing(0, 1, 0),
    )
    assert scored("troyes", 4, board={"troyes": "22"}) == (Standing(2, 2, 3),)


@pytest.mark.rule("R78", "C31")
def test_who_has_no_cube_is_not_ranked() -> None:
    assert scored("london", board={"lisbon": "012"}) == ()
    assert scored("london", board={"london": "1"}, council=[0, 0, 0]) == (Standing(1, 1, 3),)


@pytest.mark.rule("R78", "R79")
def test_what_each_tile_counts() -> None:
    churches = ("santa_maria_del_fiore", "santa_croce", "san_miniato")
    cities = ["troyes", "bruges", "hamburg", "barcelona", "lisbon", "london"]
    expected = {city: [city] for city in cities}
    expected |= {c: [f"{c}_{kind}" for kind in ("wood", "brick", "marble", "statue")] for c in churches}
    expected |= {f"contributed_{kind}": [f"{c}_{kind}" for c in churches] for kind in ("wood", "brick", "marble")}
    expected["trade_cities"], expected["port_cities"] = cities[:3], cities[3:]
    expected["statues"] = [f"{place}_statue" for place in (*churches, "palazzo_vecchio")]
    assert {tile: [GROUPS[group] for group in TILE_GROUPS[tile]] for tile in TILES} == expected


@pytest.mark.rule("R79", "R104")
def test_every_cube_counts_for_two_tiles_and_one_card() -> None:
    for group in range(len(GROUPS)):
        tiles = sum(group in groups for groups in TILE_GROUPS.values())
        cards = sum(group in groups for groups in CARD_GROUPS.values())
        assert (tiles, cards) == ((1, 1) if group == PALAZZO else (2, 1))
    assert len(CARD_GROUPS) == len(SCORING_CARDS) == 10
    for card in SCORING_CARDS[:-1]:
        assert CARD_GROUPS[card] == TILE_GROUPS[Tile(card)]


@pytest.mark.rule("R78")
def test_cubes_of_several_groups_are_added() -> None:
    board = {"santa_croce_wood": "01", "santa_croce_statue": "1", "san_miniato_wood": "0", "san_miniato_statue": "00"}
    state = position(board=board)
    assert cubes(state, TILE_GROUPS[Tile.SANTA_CROCE]) == [(0, 1), (1, 2), (2, 0)]
    assert scored("contributed_wood", board=board) == (Standing(0, 2, 3), Standing(1, 1, 2))
    assert scored("statues", board=board) == (Standing(0, 2, 3), Standing(1, 1, 2))
    assert scored("san_miniato", board=board) == (Standing(0, 3, 3),)


@pytest.mark.rule("R104")
def test_cards_give_five_three_and_one() -> None:
    board = {"lisbon": "000112", "san_miniato_brick": "21"}
    assert by_card("lisbon", board=board) == (Standing(0, 3, 5), Standing(1, 2, 3), Standing(2, 1, 1))
    assert by_card("san_miniato", board=board) == (Standing(1, 1, 5, 5), Standing(2, 1, 3))


@pytest.mark.rule("R104", "C40", "R76")
def test_the_palazzo_vecchio_card_counts_seats_and_statues() -> None:
    ranked = by_card("palazzo_vecchio", board={"palazzo_vecchio_statue": "112"}, council=[0, 2, None, 2])
    assert ranked == (Standing(2, 3, 5), Standing(1, 2, 3), Standing(0, 1, 1))


@pytest.mark.rule("R76", "R104")
def test_seats_in_the_tower_count_for_the_palazzo_vecchio_card() -> None:
    council = [0] * 8 + [1] * 7 + [1, None, 2, 1]
    ranked = by_card("palazzo_vecchio", council=council, scored=15)
    assert ranked == (Standing(1, 9, 5), Standing(0, 8, 3), Standing(2, 1, 1))


# ---- ties


def ahead(a: int, b: int, seats: int = 3, active: int = 0, council: Any = (), statues: str = "") -> tuple[int, int]:
    """(who is ahead, by which step of R80)."""
    state = position(seats, active=active, council=council, board={"palazzo_vecchio_statue": statues})
    first, second = sorted((a, b), key=lambda p: tie_key(state, p))
    return first, tie_step(state, first, second)


@pytest.mark.rule("X3", "R80", "R81", "S18")
@pytest.mark.parametrize(
    ("case", "given", "result"),
    [
        ("a", {"council": [0, 0, 1], "statues": "11"}, (1, 1)),
        ("b", {"council": [0, 0, 1], "statues": "011"}, (0, 2)),
        ("c", {"council": [0, None, 1, 1, None, 0]}, (1, 3)),
        ("d", {"statues": "10"}, (1, 4)),
        ("e", {"active": 1, "b": 2}, (2, 5)),
        ("f", {"seats": 2, "b": N}, (0, 5)),
        ("g", {"seats": 2, "b": N, "council": [None, N, None, None, None, None, 0]}, (N, 3)),
    ],
)
def test_x3_the_steps_that_break_ties(case: str, given: dict[str, Any], result: tuple[int, int]) -> None:
    assert case
    second = given.get("b", 1)
    rest = {name: value for name, value in given.items() if name != "b"}
    assert ahead(0, second, **rest) == result
    assert ahead(second, 0, **rest) == result


@pytest.mark.rule("R80")
@pytest.mark.parametrize(("active", "order"), [(0, [0, 1, 2]), (1, [1, 2, 0]), (2, [2, 0, 1])])
def test_the_last_step_goes_clockwise_from_the_marker(active: int, order: list[int]) -> None:
    ranked = scored("troyes", active=active, board={"troyes": "012"})
    assert [standing.participant for standing in ranked] == order
    assert [standing.points for standing in ranked] == [3, 2, 1]
    assert [standing.tie_step for standing in ranked] == [5, 5, 0]


@pytest.mark.rule("R80", "R81")
def test_the_neutral_player_loses_the_last_step_to_everybody() -> None:
    for active in (0, 1):
        ranked = scored("troyes", 2, active=active, board={"troyes": "N01"})
        assert [standing.participant for standing in ranked] == [active, 1 - active, N]


@pytest.mark.rule("R80")
def test_ties_are_broken_between_those_who_are_level_only() -> None:
    state = position(4, council=[3, 3, 3], board={"palazzo_vecchio_statue": "3"})
    standings = ranking(state, [(0, 2), (1, 1), (2, 2), (3, 1)], (3, 2, 1))
    assert standings == (Standing(0, 2, 3, 5), Standing(2, 2, 2), Standing(3, 1, 1, 1), Standing(1, 1, 0))


@pytest.mark.rule("R80", "R7")
def test_the_leftmost_statue_is_the_first_placed() -> None:
    assert ahead(0, 1, statues="2101") == (1, 1)
    assert ahead(0, 1, statues="2011"[:3]) == (0, 4)
    assert TIE_STEPS == ("", "seats_and_statues", "seats", "most_recent_seat", "leftmost_statue", "clockwise")


@pytest.mark.rule("R80", "R76")
def test_a_seat_in_the_tower_comes_after_the_fifteenth() -> None:
    assert ahead(0, 1, council=[1, 0] + [None] * 13 + [0, 1]) == (0, 3)
    assert ahead(0, 1, council=[None] * 14 + [1, 0]) == (1, 3)


# ---- the scoring step


@pytest.mark.rule("R74", "R77", "R44", "S2", "S23")
def test_the_removed_worker_takes_the_next_seat_before_its_tile_is_counted() -> None:
    """Without the new seat the marker would put seat 0 ahead."""
    state = position(board={"troyes": "02"}, next_tile="troyes", mats={2: {"ships": 3, "workshops": 3}})
    table, events = push_out("F2 C C", state)
    assert events[-3:] == (
        CouncilSeatTaken(1, 2, exchanged=False),
        ScoringTileResolved(1, Tile.TROYES, (Standing(2, 1, 3, 1), Standing(0, 1, 2))),
        ActivePlayerMarkerPassed(1, 0),
    )
    assert [mat.points for mat in table.state.mats] == [2, 0, 3]
    assert (table.state.council, table.state.scored, table.state.tower) == ((2,), 1, None)


@pytest.mark.rule("R74")
def test_tiles_are_scored_in_their_order() -> None:
    table, events = push_out("F1 C C", position(council=[0, 1, 2]))
    (tile,) = only(events, ScoringTileResolved)
    assert (tile.council_seat, tile.tile) == (4, TILES[3])
    assert table.state.council == (0, 1, 2, 1)


@pytest.mark.rule("R75", "C6", "S6", "C8")
def test_a_contractor_is_exchanged_for_a_family_member_of_the_active_player() -> None:
    table, events = push_out("C C C", position(mats={0: {"supply": (3, 0, 0)}}))
    sent = Table(position(stacks={"s01": "C C C"})).act(0, place("s01"))
    assert sent[0] == BottomWorkerSentToTower(Space.S01, C, None)
    assert names(events)[-4:-1] == ["ContractorReturned", "CouncilSeatTaken", "ScoringTileResolved"]
    assert events[-4:-2] == (ContractorReturned(0), CouncilSeatTaken(1, 0, exchanged=True))
    assert table.state.mats[0].supply == (1, 1, 0)
    assert table.state.council == (0,)


@pytest.mark.rule("R75", "C7", "C8", "R100", "S6")
def test_without_a_family_member_the_seat_stays_vacant() -> None:
    """The Contractor is back before the end is checked: the supply is not empty."""
    table, events = push_out("C C C", position(mats={0: {"supply": (1, 0, 0)}}))
    assert names(events)[-4:] == [
        "ContractorReturned",
        "CouncilSeatTaken",
        "ScoringTileResolved",
        "ActivePlayerMarkerPassed",
    ]
    assert events[-3] == CouncilSeatTaken(1, None, exchanged=False)
    assert (table.state.council, table.state.mats[0].supply) == ((None,), (0, 1, 0))
    assert GAME.view(table.state, 0).council == "-" + "." * 14


@pytest.mark.rule("R76")
@pytest.mark.parametrize(
    ("stack", "supply", "event"),
    [
        ("F2 C C", (2, 0, 0), TowerOccupied(2, exchanged=False)),
        ("C C C", (2, 0, 0), TowerOccupied(0, exchanged=True)),
        ("C C C", (1, 0, 0), TowerOccupied(None, exchanged=False)),
    ],
)
def test_after_the_last_tile_workers_stay_in_the_tower(stack: str, supply: tuple, event: TowerOccupied) -> None:
    state = position(council=[1] * 15, end="tiles_exhausted", start=1, active=0, mats={0: {"supply": supply}})
    state = replace(state, start=2)
    table, events = push_out(stack, state)
    assert only(events, TowerOccupied) == [event]
    assert not only(events, ScoringTileResolved)
    assert table.state.council == (1,) * 15 + (event.owner,)
    assert len(GAME.view(table.state, 0).council) == 16


@pytest.mark.rule("R81", "R74", "C30")
def test_a_hireling_seat_is_the_neutral_players() -> None:
    table = Table(position(2, stacks={"s01": "H C"}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "ship")
    events = table.act(0, END)
    assert only(events, CouncilSeatTaken) == [CouncilSeatTaken(1, N, exchanged=False)]
    assert GAME.view(table.state, 0).council[0] == "N"
    assert H not in table.state.stacks[0]
