"""The end: what triggers it, the last round, the tiles and cards left, and the winner."""

from typing import Any

import pytest

from domain.calimala import GAME
from domain.calimala.things import TILES, EndReason, Phase
from domain.calimala.words import (
    ActivePlayerMarkerPassed,
    CouncilSeatTaken,
    EndTriggered,
    GameEnded,
    KeptCardShown,
    ScoringCardResolved,
    ScoringTileResolved,
    TowerOccupied,
)
from tests.games.calimala.table import END, F, Table, impossible, names, only, pass_turn, place, position, take

LAST = {"supply": (1, 0, 0)}


def turn(table: Table, space: str = "s03") -> tuple[Any, ...]:
    """The active player's whole turn: the impossible action declared first, the other one taken, no reactivation."""
    seat = table.awaited[0]
    table.act(seat, place(space))
    failed, done = sorted(table.pending, key=lambda action: impossible(action) not in table.legal(seat).commands)
    table.act(seat, impossible(failed), "ship")
    table.act(seat, take(done))
    return table.act(seat, END)


@pytest.mark.rule("R100", "R101", "C35")
def test_an_empty_supply_triggers_the_end_and_the_round_is_finished() -> None:
    table = Table(position(mats={0: LAST}))
    assert turn(table)[1:] == (EndTriggered(0, EndReason.SUPPLY_EMPTY), ActivePlayerMarkerPassed(1, 0))
    assert GAME.view(table.state, 2).end == "supply_empty"
    assert names(turn(table, "s08")) == ["ActivationEnded", "ActivePlayerMarkerPassed"]
    events = turn(table, "s05")
    assert events[-1] == only(events, GameEnded)[0]
    assert table.awaited == []


@pytest.mark.rule("R100", "C36", "R102", "R103")
def test_the_last_player_of_a_round_ends_it_at_once() -> None:
    table = Table(position(active=2, mats={2: LAST}))
    events = turn(table)
    assert events[1:3] == (EndTriggered(2, EndReason.SUPPLY_EMPTY), ActivePlayerMarkerPassed(0, 2))
    assert [event.council_seat for event in only(events, ScoringTileResolved)] == list(range(1, 16))
    assert [event.tile for event in only(events, ScoringTileResolved)] == list(TILES)
    assert not only(events, CouncilSeatTaken)
    assert table.state.active == table.state.start == 0


@pytest.mark.rule("R101")
@pytest.mark.parametrize(("start", "active", "turns"), [(0, 0, 3), (1, 0, 1), (2, 0, 2), (2, 1, 1)])
def test_all_have_the_same_number_of_turns(start: int, active: int, turns: int) -> None:
    table = Table(position(start=start, active=active, mats={active: LAST}))
    for i, space in enumerate(("s03", "s05", "s11")[:turns]):
        assert table.awaited == [(active + i) % 3]
        if space == "s11":
            seat = table.awaited[0]
            table.act(seat, place(space))
            table.act(seat, take("marble"))
            table.act(seat, take("weave"))
        else:
            turn(table, space)
    assert table.state.phase is Phase.FINISHED


@pytest.mark.rule("R100", "R76", "C34", "C35")
def test_the_last_tile_in_the_first_players_turn() -> None:
    """Both reasons hold: one event names the tiles. Workers sent away in the rest of the round stay in the tower."""
    table = Table(
        position(
            mats={0: LAST},
            council=[1] * 14,
            stacks={"s03": "F2 C C", "s05": "F0 C C"},
        )
    )
    events = turn(table)
    assert names(events)[-4:] == [
        "CouncilSeatTaken",
        "ScoringTileResolved",
        "EndTriggered",
        "ActivePlayerMarkerPassed",
    ]
    assert only(events, EndTriggered) == [EndTriggered(0, EndReason.TILES_EXHAUSTED)]
    events = turn(table, "s05")
    assert only(events, TowerOccupied) == [TowerOccupied(0, exchanged=False)]
    assert not only(events, EndTriggered)
    events = turn(table, "s08")
    assert not only(events, ScoringTileResolved)
    assert table.state.council[14:] == (2, 0)
    assert GAME.outcome(table.state).cause == "tiles_exhausted"


@pytest.mark.rule("R100", "R34")
def test_passing_the_last_worker_triggers_the_end() -> None:
    table = Table(position(mats={0: {**LAST, "reserve": 0}}))
    events = table.act(0, pass_turn(F))
    assert names(events) == ["TurnPassed", "EndTriggered", "ActivePlayerMarkerPassed"]


@pytest.mark.rule("R103", "C37")
def test_tiles_left_over_are_scored_with_the_seats_as_they_are() -> None:
    council = [1] * 13
    table = Table(
        position(
            active=2,
            mats={2: LAST},
            council=council,
            next_tile="statues",
            board={"palazzo_vecchio_statue": "021", "lisbon": "0"},
        )
    )
    events = turn(table)
    left = only(events, ScoringTileResolved)
    assert [event.council_seat for event in left] == [14, 15]
    assert left[0].tile == "statues"
    assert [(s.participant, s.points) for s in left[0].ranking] == [(1, 3), (0, 2), (2, 1)]
    assert table.state.council == tuple(council)


@pytest.mark.rule("R104")
def test_open_cards_first_then_the_kept_ones_from_the_starting_player_on() -> None:
    table = Table(
        position(
            start=1,
            active=0,
            mats={0: {**LAST, "kept": "troyes"}, 1: {"kept": "london"}, 2: {"kept": "palazzo_vecchio"}},
            open_cards="hamburg",
            council=[2] * 15,
            board={"london": "00", "hamburg": "1", "troyes": "2"},
        )
    )
    events = turn(table)
    cards = [event for event in events if type(event) in (KeptCardShown, ScoringCardResolved)]
    assert [(type(event).__name__, event.card) for event in cards] == [
        ("ScoringCardResolved", "hamburg"),
        ("KeptCardShown", "london"),
        ("ScoringCardResolved", "london"),
        ("KeptCardShown", "palazzo_vecchio"),
        ("ScoringCardResolved", "palazzo_vecchio"),
        ("KeptCardShown", "troyes"),
        ("ScoringCardResolved", "troyes"),
    ]
    assert [event.seat for event in only(events, KeptCardShown)] == [1, 2, 0]
    assert [mat.points for mat in table.state.mats] == [5, 5, 10]
    for viewer in (-1, 0, 1, 2):
        shown = GAME.view(table.state, viewer)
        assert [player.kept for player in shown.players] == ["troyes", "london", "palazzo_vecchio"]


def finished(points: tuple[int, ...], **given: Any) -> Table:
    """A match that ends with these points: nobody has a cube, and nobody's card counts."""
    seats = len(points)
    mats = {seat: {"points": n, "kept": "lisbon", "held": ""} for seat, n in enumerate(points)}
    last = (given.get("start", 0) - 1) % seats
    mats[last] = {**mats[last], **LAST}
    table = Table(position(seats, active=last, mats=mats, council=[None] * 15, **given))
    turn(table)
    return table


@pytest.mark.rule("R105")
def test_most_points_win() -> None:
    outcome = GAME.outcome(finished((10, 12, 11, 3)).state)
    assert (outcome.places, outcome.scores, outcome.decided_by) == ((3, 1, 2, 4), (10, 12, 11, 3), "")


@pytest.mark.rule("R105", "R80", "R102", "C39")
@pytest.mark.parametrize(
    ("start", "board", "places", "step"),
    [
        (0, {}, (1, 2, 3), "clockwise"),
        (1, {}, (3, 1, 2), "clockwise"),
        (2, {}, (2, 3, 1), "clockwise"),
        (0, {"palazzo_vecchio_statue": "21"}, (3, 2, 1), "leftmost_statue"),
        (0, {"palazzo_vecchio_statue": "121"}, (3, 1, 2), "seats_and_statues"),
    ],
)
def test_equal_points_are_ordered_by_the_tie_steps(start: int, board: dict, places: tuple, step: str) -> None:
    table = finished((7, 7, 7), start=start, board=board)
    outcome = GAME.outcome(table.state)
    assert (outcome.places, outcome.decided_by) == (places, step)
    assert GAME.view(table.state, 0).places == places
    assert GAME.view(table.state, -1).decided_by == step


@pytest.mark.rule("R105")
def test_after_the_end_nothing_is_asked() -> None:
    table = finished((1, 2))
    assert table.awaited == []
    for seat in (0, 1):
        assert not table.legal(seat)
        assert table.refused(seat, place("s01")) == "match_over"
    moment = GAME.moment(table.state)
    assert (moment.phase, moment.seat) == ("finished", None)
