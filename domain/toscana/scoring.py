"""Areas and what they are worth (R28 to R31)."""

import msgspec

from domain.core.words import Seat
from domain.toscana.board import anchor, neighbours
from domain.toscana.placing import shapes_of
from domain.toscana.state import State
from domain.toscana.words import AreaScore, GameResult, Side


class Area(msgspec.Struct, frozen=True):
    """One connected area of a colour: its squares as a set, and the numbers of the tiles that have a square in it."""

    squares: int
    tiles: tuple[int, ...]


def areas(state: State, side: Side) -> list[Area]:
    """Every area of the side's colour, by first square in reading order; tiles count once per area (R28, R29).

    The connected parts of each tile are joined one by one to all that they touch: tiles themselves never are, since
    one tile may lie in several areas.
    """
    found: list[tuple[int, int]] = []
    for n, laid in enumerate(state.laid):
        shape = shapes_of(state, laid.tile)[laid.o]
        at = anchor(laid.x, laid.y)
        for part in shape.courtyard_parts if side is Side.COURTYARD else shape.building_parts:
            squares = part << at
            tiles = 1 << n
            halo = neighbours(squares)
            apart: list[tuple[int, int]] = []
            for other in found:
                if other[0] & halo:
                    squares |= other[0]
                    tiles |= other[1]
                else:
                    apart.append(other)
            apart.append((squares, tiles))
            found = apart
    found.sort(key=lambda area: area[0] & -area[0])
    numbers = range(len(state.laid))
    return [Area(squares, tuple(n + 1 for n in numbers if tiles >> n & 1)) for squares, tiles in found]


def largest(found: list[Area]) -> list[Area]:
    """The areas with most tiles; among them those with most squares first, else in the order given."""
    most = max((len(area.tiles) for area in found), default=0)
    return sorted((area for area in found if len(area.tiles) == most), key=lambda a: -a.squares.bit_count())


def score(state: State, side: Side, seat: Seat) -> AreaScore:
    """What the side's largest area is worth (R30)."""
    best = largest(areas(state, side))
    return AreaScore(
        seat=seat,
        points=len(best[0].tiles) if best else 0,
        squares=best[0].squares.bit_count() if best else 0,
        areas=tuple(area.tiles for area in best),
    )


def compare(courtyard: AreaScore, building: AreaScore, *, squares_break_ties: bool) -> tuple[GameResult, bool]:
    """Who won the game, and whether squares had to tell (R31)."""
    if courtyard.points != building.points:
        return _greater(courtyard.points, building.points), False
    if squares_break_ties and courtyard.squares != building.squares:
        return _greater(courtyard.squares, building.squares), True
    return GameResult.DRAW, False


def _greater(courtyard: int, building: int) -> GameResult:
    return GameResult.COURTYARD if courtyard > building else GameResult.BUILDING
