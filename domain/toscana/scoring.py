"""Areas and what they are worth (R28 to R31)."""

import msgspec

from domain.core.words import Seat
from domain.toscana.board import neighbours
from domain.toscana.placing import footprint
from domain.toscana.state import State
from domain.toscana.words import AreaScore, GameResult, Side


class Area(msgspec.Struct, frozen=True):
    """One connected area of a colour: its squares as a set, and the numbers of the tiles that have a square in it."""

    squares: int
    tiles: tuple[int, ...]


def components(squares: int) -> list[int]:
    """The connected parts of a set of squares, by their first square in reading order (R28)."""
    found: list[int] = []
    left = squares
    while left:
        part = left & -left
        while (grown := part | (neighbours(part) & left)) != part:
            part = grown
        found.append(part)
        left ^= part
    return found


def areas(state: State, side: Side) -> list[Area]:
    """Every area of the side's colour, by first square in reading order; tiles count once per area (R29)."""
    colour = state.courtyard if side is Side.COURTYARD else state.building
    prints = [footprint(state, laid) for laid in state.laid]
    return [Area(part, tuple(n for n, tile in enumerate(prints, 1) if tile & part)) for part in components(colour)]


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
