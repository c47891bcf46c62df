"""The grid's geometry, and the packaged data of workshops and City Hall."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Final

import msgspec

from domain.majolica.options import Options, Workshop

SIDE: Final = 4
MARKET_PLACES: Final = 6
SLOTS: Final = 3
WORKSHOP_NUMBERS: Final = (1, 2, 3, 4)
FACE_UP_TO_GO_ON: Final = 4
TURNS_MOST_IN_ROUND: Final = 13
CARDS_TO_END: Final = 5
GRID_TILES: Final = "RRRRBBBBYYYYGGGG"
ALL_FACE_UP: Final = (1 << SIDE * SIDE) - 1
SHORTEST_LINE: Final = 2


class Cell(msgspec.Struct, frozen=True, order=True):
    """A place of the grid: row 1 is the top one, column 1 the left one."""

    row: Annotated[int, msgspec.Meta(description="1 (top) to 4.")]
    column: Annotated[int, msgspec.Meta(description="1 (left) to 4.")]


CELLS: Final = tuple(Cell(row, column) for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))
INDEX: Final[Mapping[Cell, int]] = {cell: index for index, cell in enumerate(CELLS)}
ROWS: Final = tuple(tuple(range(first, first + SIDE)) for first in range(0, SIDE * SIDE, SIDE))
COLUMNS: Final = tuple(tuple(range(first, SIDE * SIDE, SIDE)) for first in range(SIDE))


class Exterior(msgspec.Struct, frozen=True):
    """What may be taken from a grid: single tiles, and runs of two or more, as indices into CELLS."""

    tiles: tuple[int, ...]
    runs: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=4096)
def exterior(face_up: int, rule: str) -> Exterior:
    """The exterior tiles and runs of a grid whose face-up tiles are the bits of `face_up` (R21 to R23)."""
    return _outermost(face_up) if rule == "outermost" else _open_side(face_up)


def _outermost(face_up: int) -> Exterior:
    lines: list[tuple[int, ...]] = []
    for way in (ROWS, COLUMNS):
        shown = [line for line in way if any(face_up >> i & 1 for i in line)]
        lines += shown[:1] + shown[1:][-1:]
    tiles = {i for line in lines for i in line if face_up >> i & 1}
    return Exterior(tuple(sorted(tiles)), tuple(run for line in lines for run in _runs(line, face_up)))


def _open_side(face_up: int) -> Exterior:
    tiles = {i for i in range(SIDE * SIDE) if face_up >> i & 1 and _has_open_side(i, face_up)}
    runs = tuple(run for line in ROWS + COLUMNS for run in _runs(line, face_up) if tiles.issuperset(run))
    return Exterior(tuple(sorted(tiles)), runs)


def _has_open_side(index: int, face_up: int) -> bool:
    row, column = divmod(index, SIDE)
    if row in (0, SIDE - 1) or column in (0, SIDE - 1):
        return True
    return not all(face_up >> near & 1 for near in (index - SIDE, index + SIDE, index - 1, index + 1))


def _runs(line: tuple[int, ...], face_up: int) -> tuple[tuple[int, ...], ...]:
    found: list[tuple[int, ...]] = []
    run: tuple[int, ...] = ()
    for index in (*line, -1):
        if index >= 0 and face_up >> index & 1:
            run = (*run, index)
        else:
            if len(run) >= SHORTEST_LINE:
                found.append(run)
            run = ()
    return tuple(found)


class _Hall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    tiles: int


class _CityHall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    all: int
    by_players: tuple[_Hall, ...]


class _Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    workshops: tuple[Workshop, ...]
    city_hall: _CityHall


def read_components(text: str) -> _Components:
    """The components of a TOML text; ValueError says what is wrong with them."""
    found = msgspec.toml.decode(text, type=_Components)
    if tuple(each.number for each in found.workshops) != WORKSHOP_NUMBERS:
        raise ValueError("there must be workshops 1, 2, 3 and 4, in that order")
    for each in found.workshops:
        if each.set_count < 1 or each.set_size < 1 or each.capacity != each.set_count * each.set_size:
            raise ValueError(f"workshop {each.number}: capacity must be set_count times set_size")
        if not 0 <= each.deliver_min <= each.deliver_max < each.capacity:
            raise ValueError(f"workshop {each.number}: it must deliver min <= max < capacity tiles, none negative")
        if each.number > SLOTS and each.deliver_max:
            raise ValueError(f"workshop {each.number}: it has no card slot and can deliver nothing")
    hall = found.city_hall
    if tuple(each.players for each in hall.by_players) != (2, 3, 4):
        raise ValueError("city_hall: by_players must name 2, 3 and 4 players, in that order")
    if any(not 0 <= each.tiles <= hall.all for each in hall.by_players):
        raise ValueError("city_hall: by_players must not go beyond the tiles there are")
    return found


_COMPONENTS: Final = read_components(files(__package__).joinpath("components.toml").read_text("utf-8"))
WORKSHOPS: Final = _COMPONENTS.workshops


def hall_tiles(options: Options, seats: int) -> int:
    """How many tiles of each kind lie on the City Hall at the start (R12)."""
    if options.city_hall_tokens == "all_five":
        return _COMPONENTS.city_hall.all
    return next(each.tiles for each in _COMPONENTS.city_hall.by_players if each.players == seats)
