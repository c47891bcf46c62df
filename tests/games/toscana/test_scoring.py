"""Areas, sizes, results, and the worked example of the rules dossier."""

from typing import Any

import pytest

from domain.core.chance import ScriptedChance
from domain.toscana import GAME
from domain.toscana.course import Course, end_game
from domain.toscana.scoring import areas, compare, largest, score
from domain.toscana.state import State
from domain.toscana.words import AreaScore, GameResult, GameScored, Side
from tests.games.toscana.table import by_id, distinct, given, options, replayed, side_of

EXAMPLE = by_id("score")["S4"]
EXAMPLE_COUNTS = (32, 25, 36, 26, 36, 16, 53, 18, 53)
EXAMPLE_CONTACTS = (
    None,
    ((6, 7), (7, 7)),
    ((4, 5), (5, 5)),
    ((4, 6), (5, 6)),
    ((5, 2), (4, 2)),
    ((7, 0), (6, 0)),
    ((3, 8), (3, 7)),
    ((2, 5), (2, 6)),
    ((3, 1), (3, 2)),
)


def groups(state: State, side: Side) -> list[tuple[list[int], int]]:
    return sorted((list(area.tiles), area.squares.bit_count()) for area in areas(state, side))


def points(tiles: int, squares: int = 0) -> AreaScore:
    return AreaScore(seat=0, points=tiles, squares=squares, areas=())


@pytest.mark.rule("R28", "R29", "R30", "R31")
@pytest.mark.parametrize("name", by_id("score"))
def test_all_areas_of_small_positions(name: str) -> None:
    oracle = by_id("score")[name]
    state = given(oracle["placed"])
    assert GAME.view(state, -1).colours == tuple(oracle["grid"])
    for side in Side:
        assert groups(state, side) == sorted((g["tiles"], g["squares"]) for g in oracle[f"{side}_groups"])
        assert score(state, side, 0).points == oracle[f"{side}_size"]
    result, by_squares = compare(*(score(state, side, 0) for side in Side), squares_break_ties=False)
    assert (result, by_squares) == (oracle["result"], False)


@pytest.mark.rule("R12", "R13", "R14", "R15")
@pytest.mark.parametrize("n", range(1, 10))
def test_the_worked_example_tile_by_tile(n: int) -> None:
    placed, tile = EXAMPLE["placed"][: n - 1], EXAMPLE["placed"][n - 1]
    state = given(placed)
    assert side_of(tile["tile"]) == ("building" if n % 2 == 0 else "courtyard")
    assert len(distinct(state, tile["tile"])) == EXAMPLE_COUNTS[n - 1]
    assert (tile["x"], tile["y"], tile["o"]) in distinct(state, tile["tile"])
    contact = EXAMPLE_CONTACTS[n - 1]
    if contact is not None:
        (x, y), (x2, y2) = contact
        after = GAME.view(given([*placed, tile]), 0)
        assert abs(x - x2) + abs(y - y2) == 1
        assert after.numbers[y][x] == str(n)
        assert after.numbers[y2][x2] not in (".", str(n))
        assert after.colours[y][x] == after.colours[y2][x2] == tile["tile"][0].replace("C", "c")


@pytest.mark.rule("R28", "R29", "R30")
def test_the_worked_example_counted() -> None:
    state = given(EXAMPLE["placed"])
    view = GAME.view(state, 0)
    assert view.building.areas == ((1, 2, 4, 7, 8),)
    assert view.courtyard.areas == ((2, 3, 5, 6, 9),)
    assert (view.building.points, view.courtyard.points) == (5, 5)
    assert [score(state, side, 0).squares for side in (Side.BUILDING, Side.COURTYARD)] == [18, 17]


@pytest.mark.rule("R31", "K6")
@pytest.mark.parametrize(
    ("courtyard", "building", "plain", "by_squares"),
    [
        ((5, 9), (4, 30), ("courtyard", False), ("courtyard", False)),
        ((4, 30), (5, 9), ("building", False), ("building", False)),
        ((5, 18), (5, 17), ("draw", False), ("courtyard", True)),
        ((5, 17), (5, 18), ("draw", False), ("building", True)),
        ((5, 17), (5, 17), ("draw", False), ("draw", False)),
    ],
)
def test_the_larger_score_wins(courtyard: Any, building: Any, plain: Any, by_squares: Any) -> None:
    assert compare(points(*courtyard), points(*building), squares_break_ties=False) == plain
    assert compare(points(*courtyard), points(*building), squares_break_ties=True) == by_squares


@pytest.mark.rule("R29", "R31", "K6")
def test_of_equal_areas_the_one_with_most_squares_is_named_first() -> None:
    state = given(by_id("score")["S2"]["placed"])
    found = largest(areas(state, Side.BUILDING))
    assert [(area.tiles, area.squares.bit_count()) for area in found] == [((3, 4), 8), ((1, 2), 7)]
    assert score(state, Side.BUILDING, 1) == AreaScore(seat=1, points=2, squares=8, areas=((3, 4), (1, 2)))
    found = largest(areas(state, Side.COURTYARD))
    assert [area.tiles for area in found] == [(1, 3), (1, 5)], "equal squares too: first square in reading order"


@pytest.mark.rule("R30")
def test_an_empty_board_scores_nothing() -> None:
    assert score(given([]), Side.COURTYARD, 0) == AreaScore(seat=0, points=0, squares=0, areas=())


@pytest.mark.rule("R31", "K6")
@pytest.mark.parametrize(
    ("tie_break", "result", "places", "decided_by"),
    [("none", GameResult.DRAW, (1, 1), ""), ("squares", GameResult.BUILDING, (2, 1), "squares")],
)
def test_a_drawn_game_and_its_tie_break(tie_break: str, result: GameResult, places: Any, decided_by: str) -> None:
    state = given(EXAMPLE["placed"], options(tie_break=tie_break))
    course = Course(state, ScriptedChance())
    end_game(course)
    (scored,) = course.events
    assert scored == GameScored(
        game=1,
        courtyard_score=AreaScore(seat=0, points=5, squares=17, areas=((2, 3, 5, 6, 9),), rule="R30"),
        building_score=AreaScore(seat=1, points=5, squares=18, areas=((1, 2, 4, 7, 8),), rule="R30"),
        result=result,
        by_squares=tie_break == "squares",
    )
    outcome = GAME.outcome(course.state)
    assert outcome is not None
    assert (outcome.places, outcome.scores, outcome.decided_by) == (places, (5, 5), decided_by)


@pytest.mark.rule("R31", "K6")
def test_squares_can_win_a_game_for_courtyard() -> None:
    game = by_id("game")["G2"]
    table = replayed(game, len(game["steps"]), options(tie_break="squares"))
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    scored = table.state.results[0]
    ahead = scored.courtyard_score.squares > scored.building_score.squares
    assert scored.courtyard_score.squares != scored.building_score.squares
    assert outcome.scores == (10, 10)
    assert outcome.places == ((1, 2) if ahead else (2, 1))
    assert scored.result == ("courtyard" if ahead else "building")


@pytest.mark.rule("R27")
def test_nothing_counts_marking_tokens() -> None:
    """Thirty tokens are no limit: an area of 32 tiles scores 32."""
    lone = [{"tile": f"C{n:02}", "x": 0, "y": 0, "o": 0} for n in range(1, 17)]
    stack = [{**tile, "x": 4 * (i % 4), "y": 2 * (i // 4)} for i, tile in enumerate(lone)]
    more = [{**tile, "y": tile["y"] + 8} for tile in stack]
    state = given([*stack, *more])
    assert score(state, Side.COURTYARD, 0).points == 32


@pytest.mark.rule("R28")
def test_areas_are_listed_by_their_first_square_in_reading_order() -> None:
    state = given([step for step in by_id("game")["G4"]["steps"] if step["do"] == "place"])
    for side in Side:
        firsts = [(area.squares & -area.squares).bit_length() for area in areas(state, side)]
        assert firsts == sorted(firsts)
        assert len(firsts) > 5
    assert [area.tiles for area in largest(areas(state, Side.COURTYARD))] == [
        (10, 18, 19, 21, 23, 27),
        (2, 3, 4, 11, 17, 31),
    ]
