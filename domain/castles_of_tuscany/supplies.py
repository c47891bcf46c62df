"""What comes out of the limited supplies (R9.3, R9.10, R10)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.display import is_full
from domain.castles_of_tuscany.words import Bonus, Track
from domain.core.words import Seat

POINTS_INSTEAD = 2


def gain_marble(course: Course, seat: Seat, count: int, rule: str) -> None:
    """Marble, as far as there is any."""
    course.add(e.MarbleGained(seat, min(count, course.state.marble), rule))


def gain_workers(course: Course, seat: Seat, count: int, rule: str) -> None:
    """Workers, as far as there are any."""
    course.add(e.WorkersGained(seat, min(count, course.state.workers), rule))


def gain_wild_hex(course: Course, seat: Seat, rule: str) -> None:
    """A wild hex into a free storage space; without one of either, points (R9.3)."""
    if course.state.wild_hexes and not is_full(course.state, seat):
        course.add(e.WildHexGained(seat, rule))
    else:
        course.add(e.PointsInsteadOfWildHex(seat, POINTS_INSTEAD, Track.RED, "R9.3"))


def gain_bonus_tile(course: Course, seat: Seat, bonus: Bonus, rule: str) -> None:
    """A bonus tile; plus_storage gives its points at once (R10.3)."""
    data = course.state.setup.data
    points = data.storage_points if bonus is Bonus.PLUS_STORAGE else 0
    course.add(e.BonusTileGained(seat, bonus, points, data.storage_track, "R10.3" if points else rule))
