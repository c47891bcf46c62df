"""What a projection is, and how it reads the log."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
from sqlalchemy import Connection, bindparam, select, tuple_

from infra.tables import events, log


class Entry(msgspec.Struct, frozen=True):
    """A commit in the log, with the (type, body) of those of its events that the projection wants to read."""

    position: int
    match: str
    first: int
    last: int
    time: int
    events: tuple[tuple[str, bytes], ...]


class Projection(Protocol):
    """Rows made from the log, in generations: one is read, another may be being rebuilt beside it."""

    name: str
    wanted: frozenset[str]
    """The types of the events whose bodies it reads; of others it learns only that there were commits."""

    def apply(self, connection: Connection, generation: int, entries: Sequence[Entry]) -> None:
        """Bring the generation's rows forward by these entries, in order."""

    def clear(self, connection: Connection, generation: int) -> None:
        """Remove all rows of the generation."""

    def differences(self, connection: Connection, one: int, other: int) -> int:
        """How many rows of the two generations differ, or are in one only."""


_PAGE = (
    select(log.c.position, log.c.match, log.c.first, log.c.last, log.c.time, log.c.kinds)
    .where(log.c.partition == bindparam("part"), log.c.position >= bindparam("start"))
    .order_by(log.c.position)
    .limit(bindparam("size"))
)


def read_log(connection: Connection, partition: int, start: int, size: int, wanted: frozenset[str]) -> list[Entry]:
    """At most `size` entries of the partition from position `start` on."""
    rows = connection.execute(_PAGE, {"part": partition, "start": start, "size": size}).all()
    interesting = [row for row in rows if not wanted.isdisjoint(row.kinds.split())]
    bodies = _bodies(connection, [(r.match, v) for r in interesting for v in range(r.first, r.last + 1)], wanted)
    return [
        Entry(
            row.position,
            row.match,
            row.first,
            row.last,
            row.time,
            tuple(found for v in range(row.first, row.last + 1) if (found := bodies.get((row.match, v))))
            if bodies
            else (),
        )
        for row in rows
    ]


_CHUNK = 400
"""Keys in one query: SQLite bounds the number of its parameters and the depth of its expressions."""


def _bodies(
    connection: Connection, keys: list[tuple[str, int]], wanted: frozenset[str]
) -> dict[tuple[str, int], tuple[str, bytes]]:
    """(type, body) of the wanted ones among the events with these keys."""
    found: dict[tuple[str, int], tuple[str, bytes]] = {}
    for at in range(0, len(keys), _CHUNK):
        query = select(events.c.match, events.c.version, events.c.type, events.c.body).where(
            tuple_(events.c.match, events.c.version).in_(keys[at : at + _CHUNK]), events.c.type.in_(wanted)
        )
        found |= {(row.match, row.version): (row.type, row.body) for row in connection.execute(query)}
    return found
