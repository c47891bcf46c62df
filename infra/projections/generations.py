"""Generations of a projection's rows: which one is read, how far each has come, and how it comes further.

Locks are taken in one order, so that projectors and rebuilds do not deadlock: the projection's own row, then the
position of a generation, then its rows.
"""

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, text, update

from infra.projections.projection import Projection, read_log
from infra.tables import log, positions, projections

_BEGIN = text("INSERT INTO projections (name, serving) VALUES (:name, 1) ON CONFLICT DO NOTHING")


def serving(connection: Connection, name: str) -> int:
    """The generation that is read. Its row is locked until the transaction ends: one at a time changes it."""
    query = select(projections.c.serving).where(projections.c.name == name).with_for_update()
    found: int | None = connection.scalar(query)
    if found is None:
        connection.execute(_BEGIN, {"name": name})
        found = connection.scalar(query)
    assert found is not None
    return found


def ends(connection: Connection) -> dict[int, int]:
    """The partitions that the log has, and the position behind the last of each."""
    most = connection.scalar(select(func.max(log.c.partition)))
    partitions = [] if most is None else range(most + 1)
    last = {p: connection.scalar(select(func.max(log.c.position)).where(log.c.partition == p)) for p in partitions}
    return {p: end + 1 for p, end in last.items() if end is not None}


def position(connection: Connection, name: str, generation: int, partition: int) -> int | None:
    """The next position to read, locked until the transaction ends; None if it has read nothing."""
    query = select(positions.c.position).where(*_place(name, generation, partition)).with_for_update()
    found: int | None = connection.scalar(query)
    return found


def claim(connection: Connection, name: str, generation: int) -> None:
    """Mark the generation as being built."""
    row = {"name": name, "generation": generation, "partition": 0, "position": 0}
    connection.execute(insert(positions), row)


def newest(connection: Connection, name: str) -> int:
    """The highest generation that was ever claimed and not removed; 0 if there is none."""
    return connection.scalar(select(func.max(positions.c.generation)).where(positions.c.name == name)) or 0


def standing(connection: Connection, name: str) -> tuple[int, int]:
    """(how many commits are projected into the generation that is read, how many the log has)."""
    read = select(projections.c.serving).where(projections.c.name == name).scalar_subquery()
    here = (positions.c.name == name) & (positions.c.generation == read)
    done = connection.scalar(select(func.sum(positions.c.position)).where(here))
    return int(done or 0), sum(ends(connection).values())


def advance(
    connection: Connection, projection: Projection, generation: int, partition: int, size: int
) -> tuple[int, int]:
    """Project at most `size` commits of a partition into the generation: how many (commits, events) there were."""
    found = position(connection, projection.name, generation, partition)
    entries = read_log(connection, partition, found or 0, size, projection.wanted)
    if not entries:
        return 0, 0
    projection.apply(connection, generation, entries)
    following = entries[-1].position + 1
    if following != (found or 0) + len(entries):
        raise AssertionError(f"the log of partition {partition} has a hole between {found} and {following}")
    here = _place(projection.name, generation, partition)
    if found is None:
        row = {"name": projection.name, "generation": generation, "partition": partition, "position": following}
        connection.execute(insert(positions), row)
    else:
        connection.execute(update(positions).where(*here).values(position=following))
    return len(entries), sum(entry.last - entry.first + 1 for entry in entries)


def advance_to(
    connection: Connection, projection: Projection, generation: int, end: tuple[int, int], batch: int
) -> tuple[int, int]:
    """Project what stands before `end` (partition, position): how many (commits, events) there were."""
    partition, behind = end
    commits = events = 0
    while True:
        size = behind - (position(connection, projection.name, generation, partition) or 0)
        if size <= 0:
            return commits, events
        done = advance(connection, projection, generation, partition, min(batch, size))
        commits, events = commits + done[0], events + done[1]


def clear_before(connection: Connection, projection: Projection, generation: int) -> None:
    """Remove all generations before this one: the one that served, and what broken rebuilds have left."""
    name = projection.name
    older = (positions.c.name == name) & (positions.c.generation < generation)
    found = sorted(set(connection.scalars(select(positions.c.generation).where(older))))
    connection.execute(delete(positions).where(older))
    for each in found:
        projection.clear(connection, each)


def _place(name: str, generation: int, partition: int) -> tuple[ColumnElement[bool], ...]:
    columns = positions.c
    return columns.name == name, columns.generation == generation, columns.partition == partition
