"""The geometry of a region: three boards side by side, its spaces, who touches whom, its areas, its drawing."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import Final

from msgspec import Struct

from domain.castles_of_tuscany.board import LETTERS, Board
from domain.castles_of_tuscany.words import START_CASTLE, WILD_HEX, Arrangement, Kind, Shift

LOCAL: Final = ((0, 0), (0, 1), (0, 2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -1), (2, 0), (2, 1))
"""(q, r) of a board's ten spaces in the order of `Board.spaces`; a half turn reverses the order."""

BOARD_SPACES: Final = len(LOCAL)
NEIGHBOURS: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
STEPS: Final = {Shift.DOWN: -1, Shift.UP: -2, Shift.DOWN_FAR: 0, Shift.UP_FAR: -3}
"""By how much r changes from a board to its right-hand neighbour."""

HALF_SHIFTS: Final = (Shift.DOWN, Shift.UP)
ALL_SHIFTS: Final = tuple(Shift)
AREA_MAX: Final = 3
WIDTH: Final = 9
"""Columns of a region."""

_LOCAL_INDEX: Final = {space: i for i, space in enumerate(LOCAL)}


class Grid(Struct, frozen=True):
    """The 30 spaces of a region, which depend on the two shifts alone: board by board, column by column."""

    spaces: tuple[tuple[int, int], ...]
    neighbours: tuple[tuple[int, ...], ...]
    offsets: tuple[int, int, int]
    top: int
    height: int


class Region(Struct, frozen=True):
    """A seat's region: for every space its kind, and the spaces of its area."""

    kinds: tuple[Kind, ...]
    areas: tuple[tuple[int, ...], ...]
    grid: Grid


def _grid(first: Shift, second: Shift) -> Grid:
    offsets = (0, STEPS[first], STEPS[first] + STEPS[second])
    spaces = tuple((q + 3 * k, r + offsets[k]) for k in range(3) for q, r in LOCAL)
    index = {space: i for i, space in enumerate(spaces)}
    rows = [2 * r + q for q, r in spaces]
    return Grid(
        spaces,
        tuple(tuple(index[q + dq, r + dr] for dq, dr in NEIGHBOURS if (q + dq, r + dr) in index) for q, r in spaces),
        offsets,
        min(rows),
        max(rows) - min(rows) + 1,
    )


GRIDS: Final = {shifts: _grid(*shifts) for shifts in product(ALL_SHIFTS, repeat=2)}


def space_at(region: Region, q: int, r: int) -> int | None:
    """The index of the space at these coordinates, if there is one."""
    if not 0 <= q < WIDTH:
        return None
    k = q // 3
    local = _LOCAL_INDEX.get((q - 3 * k, r - region.grid.offsets[k]))
    return None if local is None else k * BOARD_SPACES + local


def _areas(kinds: tuple[Kind, ...], grid: Grid) -> tuple[tuple[int, ...], ...]:
    areas: list[tuple[int, ...]] = [()] * len(kinds)
    for start, kind in enumerate(kinds):
        if areas[start]:
            continue
        found = [start]
        for space in found:
            found += [n for n in grid.neighbours[space] if kinds[n] is kind and n not in found]
        area = tuple(sorted(found))
        for space in area:
            areas[space] = area
    return tuple(areas)


@lru_cache(maxsize=512)
def _region(kinds: tuple[Kind, ...], shifts: tuple[Shift, Shift]) -> Region:
    grid = GRIDS[shifts]
    return Region(kinds, _areas(kinds, grid), grid)


def _kinds(boards: Sequence[Board], turned: Sequence[bool]) -> tuple[Kind, ...]:
    return tuple(
        kind
        for board, turn in zip(boards, turned, strict=True)
        for kind in (board.spaces[::-1] if turn else board.spaces)
    )


def region_of(boards: Sequence[Board], arrangement: Arrangement) -> Region:
    """The region that three of these boards make in this arrangement."""
    by_id = {board.id: board for board in boards}
    kinds = _kinds([by_id[board] for board in arrangement.boards], arrangement.turned)
    return _region(kinds, (arrangement.shifts[0], arrangement.shifts[1]))


def largest_area(region: Region) -> int:
    """How many spaces the largest area of the region has."""
    return max(len(area) for area in region.areas)


@lru_cache(maxsize=256)
def arrangements(dealt: tuple[Board, ...], shifts: tuple[Shift, ...]) -> tuple[Arrangement, ...]:
    """Every arrangement of the boards with these shifts in which no area is too large."""
    return tuple(
        Arrangement(tuple(board.id for board in order), turned, joints)
        for order in permutations(dealt)
        for turned in product((False, True), repeat=3)
        for kinds in (_kinds(order, turned),)
        for joints in product(shifts, repeat=2)
        if max(len(area) for area in _areas(kinds, GRIDS[joints])) <= AREA_MAX
    )


def castle_space(region: Region, arrangement: Arrangement, board: str) -> int:
    """The index of the castle space on one board of the arrangement."""
    first = arrangement.boards.index(board) * BOARD_SPACES
    return region.kinds.index(Kind.CASTLE, first, first + BOARD_SPACES)


def open_spaces(region: Region, cover: tuple[str, ...]) -> tuple[int, ...]:
    """The empty spaces that touch a covered one, in order."""
    neighbours = region.grid.neighbours
    touched = {n for space, tile in enumerate(cover) if tile for n in neighbours[space] if not cover[n]}
    return tuple(sorted(touched))


def code(kind: Kind, tile: str, faces: Sequence[str]) -> str:
    """Two characters for a space: small letter empty, capital covered; `*` wild hex, `^` start castle, digit face."""
    if not tile:
        return LETTERS[kind] + " "
    if tile in (WILD_HEX, START_CASTLE):
        return LETTERS[kind].upper() + ("*" if tile == WILD_HEX else "^")
    return LETTERS[kind].upper() + (str(faces.index(tile) + 1) if tile in faces else " ")


def draw(region: Region, cover: Sequence[str], faces: Sequence[str]) -> tuple[str, ...]:
    """The region as rows of two characters a column; each row is half a hexagon lower than the one before."""
    grid = region.grid
    rows = [["  "] * WIDTH for _ in range(grid.height)]
    for (q, r), kind, tile in zip(grid.spaces, region.kinds, cover, strict=True):
        rows[2 * r + q - grid.top][q] = code(kind, tile, faces)
    return tuple("".join(row) for row in rows)
