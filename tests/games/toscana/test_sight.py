"""The view and the sketch: all is public."""

import pytest

from domain.core.secrecy import hidden_fields, members
from domain.core.words import ARBITER, GALLERY
from domain.toscana import GAME
from domain.toscana.state import FinishedGame
from domain.toscana.words import Phase, Side
from tests.games.toscana.table import Piles, Table, by_id, options, replayed
from tests.support.play import play

CS = [f"C{n:02}" for n in range(1, 17)]
BS = [f"B{n:02}" for n in range(1, 17)]


@pytest.mark.rule("R33")
def test_everybody_sees_the_same_and_nothing_is_hidden() -> None:
    played = play(GAME, 2, 5)
    for step in played.steps:
        views = [GAME.view(step.state, viewer) for viewer in (0, 1, GALLERY, ARBITER)]
        assert all(view == views[0] for view in views)
    assert not any(hidden_fields(cls) for cls in (*members(GAME.event), *members(GAME.command)))


@pytest.mark.rule("R7", "R33")
def test_the_view_tells_tops_and_counts_and_sets_but_no_order() -> None:
    table = Table(Piles(["C09", *CS], ["B03", *BS]))
    view = GAME.view(table.state, 0)
    assert (view.game, view.games, view.turn, view.passes) == (1, 1, 1, 0)
    assert (view.phase, view.awaited, view.side, view.against) == (Phase.VETO_DECISION, 1, Side.COURTYARD, "C09")
    assert view.colours == view.numbers == ("." * 17,) * 17
    assert (view.tiles, view.results) == ((), ())
    courtyard, building = view.courtyard, view.building
    assert (courtyard.seat, courtyard.top, courtyard.left, courtyard.bottom) == (0, "C09", 16, ())
    assert courtyard.rest == tuple(tile for tile in CS if tile != "C09"), "by tile id"
    assert (building.seat, building.top, building.token, building.points, building.areas) == (1, "B03", True, 0, ())
    table.veto("building")
    view = GAME.view(table.state, 0)
    assert (view.phase, view.awaited, view.against) == (Phase.PLACEMENT, 0, None)
    assert (view.courtyard.top, view.courtyard.bottom, view.courtyard.left) == ("C01", ("C09",), 16)
    assert (view.courtyard.token, view.building.token) == (True, False)


@pytest.mark.rule("R33")
def test_the_view_of_a_board() -> None:
    table = Table(Piles(CS, BS))
    table.place("C01 8 8 0")
    table.place("B01 6 6 1", "waive")
    view = GAME.view(table.state, 0)
    assert view.tiles == ("C01 8 8 0", "B01 6 6 1")
    assert [row[6:13] for row in view.colours[5:11]] == [
        ".......",
        "Bc.....",
        "Bc.....",
        "BBBBcc.",
        "BBcccc.",
        ".......",
    ]
    assert [row[6:13] for row in view.numbers[5:11]] == [
        ".......",
        "22.....",
        "22.....",
        "221111.",
        "221111.",
        ".......",
    ]
    assert (view.building.points, view.building.areas) == (2, ((1, 2),))
    assert (view.courtyard.points, view.courtyard.areas) == (1, ((1,), (2,)))
    assert (view.turn, view.awaited, view.side) == (3, 0, Side.COURTYARD)


@pytest.mark.rule("R33")
def test_the_numbers_of_a_full_board() -> None:
    view = GAME.view(replayed(by_id("game")["G4"], 34).state, GALLERY)
    assert set("".join(view.numbers)) == set("123456789abcdefghijklmnopqrstuvw.")
    assert view.numbers[3][13:] == "wwww"
    assert (view.courtyard.top, view.courtyard.left, view.courtyard.rest) == (None, 0, ())
    assert (view.phase, view.awaited, view.against, view.passes, view.turn) == (Phase.FINISHED, None, None, 2, 34)


@pytest.mark.rule("R32", "R33")
def test_the_view_keeps_the_results_of_games_that_are_over() -> None:
    state = replayed(by_id("game")["G5"], 30, options(games="double")).state
    first = state.results[0]
    view = GAME.view(state, 0)
    assert (view.game, view.games) == (2, 2)
    assert (view.courtyard.seat, view.building.seat) == (1, 0)
    assert view.results == (
        FinishedGame(
            game=1, courtyard_score=first.courtyard_score, building_score=first.building_score, result=first.result
        ),
    )
    assert "game 1: courtyard (seat 0) 10, building (seat 1) 6: courtyard" in GAME.sketch(view)


SKETCH = """\
Toscana, game 1 of 1, turn 3: seat 1 may veto C02

   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6       0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6
 0 . . . . . . . . . . . . . . . . .     0 . . . . . . . . . . . . . . . . .
 1 . . . . . . . . . . . . . . . . .     1 . . . . . . . . . . . . . . . . .
 2 . . . . . . . . . . . . . . . . .     2 . . . . . . . . . . . . . . . . .
 3 . . . . . . . . . . . . . . . . .     3 . . . . . . . . . . . . . . . . .
 4 . . . . . . . . . . . . . . . . .     4 . . . . . . . . . . . . . . . . .
 5 . . . . . . . . . . . . . . . . .     5 . . . . . . . . . . . . . . . . .
 6 . . . . . . B c . . . . . . . . .     6 . . . . . . 2 2 . . . . . . . . .
 7 . . . . . . B c . . . . . . . . .     7 . . . . . . 2 2 . . . . . . . . .
 8 . . . . . . B B B B c c . . . . .     8 . . . . . . 2 2 1 1 1 1 . . . . .
 9 . . . . . . B B c c c c . . . . .     9 . . . . . . 2 2 1 1 1 1 . . . . .
10 . . . . . . . . . . . . . . . . .    10 . . . . . . . . . . . . . . . . .
11 . . . . . . . . . . . . . . . . .    11 . . . . . . . . . . . . . . . . .
12 . . . . . . . . . . . . . . . . .    12 . . . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . . . .    13 . . . . . . . . . . . . . . . . .
14 . . . . . . . . . . . . . . . . .    14 . . . . . . . . . . . . . . . . .
15 . . . . . . . . . . . . . . . . .    15 . . . . . . . . . . . . . . . . .
16 . . . . . . . . . . . . . . . . .    16 . . . . . . . . . . . . . . . . .

courtyard seat 0:  1 points, no veto  , 15 tiles, top C02
building  seat 1:  2 points, veto left, 15 tiles, top B03, bottom B02"""


def test_the_sketch() -> None:
    table = Table(Piles(CS, ["B02", *BS]))
    table.place("C01 8 8 0", "veto")
    table.place("B01 6 6 1")
    assert GAME.sketch(GAME.view(table.state, 0)) == SKETCH


def test_the_headlines_of_the_sketch() -> None:
    table = Table(Piles(CS, BS))
    table.waive("building")
    headline = GAME.sketch(GAME.view(table.state, 0)).splitlines()[0]
    assert headline == "Toscana, game 1 of 1, turn 1: courtyard (seat 0) lays C01"
    table.place("C01 8 8 0", "waive")
    headline = GAME.sketch(GAME.view(table.state, 0)).splitlines()[0]
    assert headline == "Toscana, game 1 of 1, turn 2: building (seat 1) lays B01"
    over = GAME.sketch(GAME.view(replayed(by_id("game")["G4"], 34).state, 0)).splitlines()
    assert over[0] == "Toscana, game 1 of 1, turn 34: over"
    assert over[-3:] == [
        "courtyard seat 0:  6 points, veto left,  0 tiles, top -",
        "building  seat 1: 19 points, veto left,  0 tiles, top -",
        "game 1: courtyard (seat 0) 6, building (seat 1) 19: building",
    ]
    assert max(map(len, over)) <= 100
