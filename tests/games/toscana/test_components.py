"""The board and the 32 tiles, and what is refused as such."""

from itertools import combinations
from pathlib import Path

import pytest

import domain.toscana.board
from domain.core.errors import Illegal
from domain.toscana import GAME
from domain.toscana.board import (
    BOARD,
    CENTRE,
    COMPONENTS,
    ON_BOARD,
    OVER_CENTRE,
    SYMMETRIC,
    TILE_IDS,
    bit,
    components,
    load,
    neighbours,
    packed,
    turned,
    unpacked,
)
from tests.games.toscana.table import options

TEXT = Path(domain.toscana.board.__file__).with_name("components.toml").read_text("utf-8")
DOMINANT_PARTS = {"05": [1, 5], "10": [1, 5], "11": [2, 4], "12": [3, 3], "15": [3, 3]}
MINORITY_TOGETHER = {"01", "04", "08", "11", "13"}


@pytest.fixture(autouse=True)
def anew() -> None:
    """Shapes are computed in these tests, not remembered from others."""
    turned.cache_clear()


@pytest.mark.rule("R1")
def test_the_board() -> None:
    assert BOARD.bit_count() == 17 * 17
    assert CENTRE == (8, 8)
    assert [anchors.bit_count() for anchors in ON_BOARD] == [14 * 16] * 4
    assert [anchors.bit_count() for anchors in OVER_CENTRE] == [8] * 4


@pytest.mark.rule("R13")
def test_squares_are_neighbours_by_their_edges() -> None:
    assert neighbours(bit(5, 5)) & BOARD == bit(4, 5) | bit(6, 5) | bit(5, 4) | bit(5, 6)
    assert neighbours(bit(0, 5)) & BOARD == bit(1, 5) | bit(0, 4) | bit(0, 6)
    assert neighbours(bit(16, 5)) & BOARD == bit(15, 5) | bit(16, 4) | bit(16, 6)
    assert neighbours(bit(16, 16)) & BOARD == bit(15, 16) | bit(16, 15)


@pytest.mark.rule("R2", "R3", "R5")
def test_each_side_has_every_arrangement_of_two_squares_once_and_none_turned_over() -> None:
    assert [tile.id for tile in COMPONENTS.tiles] == list(TILE_IDS)
    arrangements = sorted({min((i, j), (7 - j, 7 - i)) for i, j in combinations(range(8), 2)})
    assert len(arrangements) == 16
    for own, other, letter in (("c", "B", "C"), ("B", "c", "B")):
        for n, minority in enumerate(arrangements, 1):
            picture = COMPONENTS.tiles[TILE_IDS.index(f"{letter}{n:02}")].picture
            squares = picture.replace("/", "")
            assert picture[4] == "/"
            assert squares == "".join(other if i in minority else own for i in range(8))


@pytest.mark.rule("R3", "R10")
def test_four_patterns_are_their_own_half_turn() -> None:
    assert sorted(SYMMETRIC) == [f"{letter}{n}" for letter in "BC" for n in ("07", "12", "15", "16")]


@pytest.mark.rule("R3", "R28")
@pytest.mark.parametrize("tile", COMPONENTS.tiles, ids=str)
def test_parts_of_the_patterns(tile: domain.toscana.board.Tile) -> None:
    for shape in turned(tile.picture):
        colours = (shape.courtyard, shape.building) if tile.id[0] == "C" else (shape.building, shape.courtyard)
        dominant, minority = (sorted(part.bit_count() for part in components(colour)) for colour in colours)
        assert dominant == DOMINANT_PARTS.get(tile.id[1:], [6])
        assert minority == ([2] if tile.id[1:] in MINORITY_TOGETHER else [1, 1])


@pytest.mark.rule("R10")
def test_the_four_orientations_of_a_tile() -> None:
    pictures = {
        0: ["cBcB", "BBBB"],
        1: ["Bc", "BB", "Bc", "BB"],
        2: ["BBBB", "BcBc"],
        3: ["BB", "cB", "BB", "cB"],
    }
    picture = COMPONENTS.tiles[TILE_IDS.index("B02")].picture
    for o, rows in pictures.items():
        shape = turned(picture)[o]
        squares = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
        assert shape.courtyard == sum(bit(*at) for at, letter in squares.items() if letter == "c")
        assert shape.building == sum(bit(*at) for at, letter in squares.items() if letter == "B")
        assert sum(1 << i for i in shape.dominant) == shape.building
        assert sum(1 << i for i in shape.minority) == shape.courtyard


def test_sets_of_squares_are_packed_without_loss() -> None:
    for squares in (0, BOARD, bit(0, 0), bit(16, 16)):
        assert unpacked(packed(squares)) == squares
    assert len(packed(BOARD)) == len(packed(0)) == 39


@pytest.mark.rule("R3", "R6")
@pytest.mark.parametrize("seats", [-1, 0, 1, 3, 4])
def test_two_players_and_no_other_number(seats: int) -> None:
    assert list(GAME.seats) == [2]
    assert GAME.data(options(), 2) == COMPONENTS
    with pytest.raises(Illegal) as refusal:
        GAME.data(options(), seats)
    assert (refusal.value.code, refusal.value.rule) == ("bad_options", "R6")


@pytest.mark.rule("R3")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("width = 17", "width = 16", "the board must be 17 x 17"),
        ("centre = [8, 8]", "centre = [8, 9]", "the board must be 17 x 17"),
        ('id = "C01"', 'id = "C17"', "C01 to B16 in this order"),
        ('rows = ["BBcc", "cccc"]', 'rows = ["BBBc", "cccc"]', "C01 must show six squares of its own colour"),
        ('rows = ["BBcc", "cccc"]', 'rows = ["BBxc", "cccc"]', "C01 must show six squares of its own colour"),
        ('rows = ["BBcc", "cccc"]', 'rows = ["BcBc", "cccc"]', "C02 is not 4 x 2, or is the same tile as C01"),
        ('rows = ["BBcc", "cccc"]', 'rows = ["cccc", "cBcB"]', "C02 is not 4 x 2, or is the same tile as C01"),
        ('rows = ["BBcc", "cccc"]', 'rows = ["BBc", "ccccc"]', "C01 is not 4 x 2"),
        ('side = "building"\nrows = ["ccBB", "BBBB"]', 'side = "courtyard"\nrows = ["ccBB", "BBBB"]', "B01 must show"),
    ],
)
def test_a_components_file_that_is_wrong_is_refused(old: str, new: str, said: str) -> None:
    assert load(TEXT) == COMPONENTS
    assert old in TEXT
    with pytest.raises(ValueError, match=said):
        load(TEXT.replace(old, new, 1))
