"""The board as bit sets, and the 32 tiles.

Square (x, y) is bit 18 * y + x: a row has 17 squares and one padding bit that is never set, so that a set can be
shifted by 1 or 18 without running into the next row. A tile at anchor (x, y) is its pattern at the origin shifted
by 18 * y + x.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

SIZE: Final = 17
STRIDE: Final = SIZE + 1
CENTRE: Final = (8, 8)
BOARD: Final = sum(((1 << SIZE) - 1) << (STRIDE * y) for y in range(SIZE))
"""All 289 squares."""

WIDE: Final = (4, 2)
TALL: Final = (2, 4)
BOXES: Final = (WIDE, TALL, WIDE, TALL)
"""Width and height of a tile by orientation."""

TILE_IDS: Final = tuple(f"{letter}{n:02}" for letter in "CB" for n in range(1, 17))
INDEX: Final = {tile: i for i, tile in enumerate(TILE_IDS)}
PER_SIDE: Final = 16
SQUARES: Final = tuple((i % STRIDE, i // STRIDE) for i in range(STRIDE * SIZE))
"""Column and row of every bit."""


class Tile(msgspec.Struct, frozen=True):
    """A tile: its id, and its picture unturned, upper row first, as in `BBcc/cccc`."""

    id: str
    picture: str


class Components(msgspec.Struct, frozen=True):
    """The 32 tiles in the order C01 to C16, B01 to B16."""

    tiles: tuple[Tile, ...]


class Turned(msgspec.Struct, frozen=True):
    """A tile in one orientation at the origin.

    Its squares by colour: as a set, as a set for each connected part (R28), and as bit numbers.
    """

    courtyard: int
    building: int
    courtyard_parts: tuple[int, ...]
    building_parts: tuple[int, ...]
    dominant: tuple[int, ...]
    minority: tuple[int, ...]


def anchor(x: int, y: int) -> int:
    """The bit number of the square."""
    return STRIDE * y + x


def bit(x: int, y: int) -> int:
    """The set of that one square."""
    return 1 << anchor(x, y)


def packed(squares: int) -> bytes:
    """The set as bytes, so that a state that holds it can be encoded by any encoder."""
    return squares.to_bytes(STRIDE * SIZE // 8 + 1, "little")


def unpacked(squares: bytes) -> int:
    """The set that was packed."""
    return int.from_bytes(squares, "little")


def neighbours(squares: int) -> int:
    """The squares that share an edge with the set, and some padding (R13: corners do not count)."""
    return squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE


def components(squares: int) -> tuple[int, ...]:
    """The connected parts of a set of squares, by their first square in reading order (R28)."""
    found: list[int] = []
    left = squares
    while left:
        part = left & -left
        while (grown := part | (neighbours(part) & left)) != part:
            part = grown
        found.append(part)
        left ^= part
    return tuple(found)


def room(free: int) -> tuple[int, int, int, int]:
    """The anchors, by orientation, at which a tile covers only squares of `free` (R11).

    Padding is never free, so a tile that would stick out is excluded with the rest.
    """
    pairs = free & free >> 1
    wide = pairs & pairs >> 2
    wide &= wide >> STRIDE
    tall = pairs & pairs >> STRIDE
    tall &= tall >> (2 * STRIDE)
    return wide, tall, wide, tall


ON_BOARD: Final = room(BOARD)
"""The anchors, by orientation, at which a tile lies wholly on the board."""

OVER_CENTRE: Final = tuple(
    sum(bit(CENTRE[0] - dx, CENTRE[1] - dy) for dx in range(width) for dy in range(height)) for width, height in BOXES
)
"""The anchors, by orientation, at which a tile covers the centre (R12)."""


def turn(column: int, row: int, o: int) -> tuple[int, int]:
    """Where a square of the unturned tile lies, relative to the anchor, after `o` clockwise quarter turns."""
    return ((column, row), (1 - row, column), (3 - column, 1 - row), (row, 3 - column))[o]


@cache
def turned(picture: str) -> tuple[Turned, Turned, Turned, Turned]:
    """The tile with that picture in its four orientations."""
    first, second, third, fourth = (_turned(picture, o) for o in range(4))
    return first, second, third, fourth


def _turned(picture: str, o: int) -> Turned:
    by_letter: dict[str, list[int]] = {"c": [], "B": []}
    for row, letters in enumerate(picture.split("/")):
        for column, letter in enumerate(letters):
            dx, dy = turn(column, row, o)
            by_letter[letter].append(STRIDE * dy + dx)
    minority, dominant = sorted(by_letter.values(), key=len)
    courtyard, building = (sum(1 << i for i in by_letter[letter]) for letter in "cB")
    return Turned(
        courtyard=courtyard,
        building=building,
        courtyard_parts=components(courtyard),
        building_parts=components(building),
        dominant=tuple(dominant),
        minority=tuple(minority),
    )


def picture_of(data: Components, tile: str) -> str:
    """The picture of a tile by its id."""
    return data.tiles[INDEX[tile]].picture


def half_turn(picture: str) -> str:
    """The picture after a turn by 180 degrees."""
    return picture[::-1]


def load(text: str) -> Components:
    """The tiles in a components file; ValueError says what is wrong with it.

    R3 fixes the tiles but for their numbers: each way of putting two squares of one colour on a 2 x 4 rectangle of
    the other, up to a half turn, once for each side.
    """
    raw = tomllib.loads(text)
    _check_board(raw["board"])
    tiles = tuple(Tile(entry["id"], "/".join(entry["rows"])) for entry in raw["tile"])
    if tuple(tile.id for tile in tiles) != TILE_IDS:
        raise ValueError(f"the tiles must be {TILE_IDS[0]} to {TILE_IDS[-1]} in this order")
    seen: dict[str, str] = {}
    for tile, entry in zip(tiles, raw["tile"], strict=True):
        own, other = ("c", "B") if entry["side"] == "courtyard" else ("B", "c")
        if tile.id[0] != own.upper() or sorted(tile.picture) != sorted("/" + own * 6 + other * 2):
            raise ValueError(f"{tile.id} must show six squares of its own colour and two of the other")
        twin = seen.setdefault(min(tile.picture, half_turn(tile.picture)), tile.id)
        if [len(row) for row in entry["rows"]] != [4, 4] or twin != tile.id:
            raise ValueError(f"{tile.id} is not 4 x 2, or is the same tile as {twin}")
    return Components(tiles)


def _check_board(board: dict[str, Any]) -> None:
    if board != {"width": SIZE, "height": SIZE, "centre": list(CENTRE)}:
        raise ValueError(f"the board must be {SIZE} x {SIZE} with its centre at {CENTRE}, not {board}")


COMPONENTS: Final = load(Path(__file__).with_name("components.toml").read_text("utf-8"))

SYMMETRIC: Final = frozenset(tile.id for tile in COMPONENTS.tiles if tile.picture == half_turn(tile.picture))
"""The tiles that a half turn leaves as they are: T07, T12, T15 and T16 of each side (R3, R10)."""
