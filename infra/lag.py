"""How far the log and its readers are behind what is stored."""

from sqlalchemy import Connection, func, select

from infra import metrics
from infra.database import Database
from infra.tables import log, outbox, positions, projections


async def measure_lag(database: Database) -> None:
    """Set the gauges of what waits in the outbox and of how far each projection is behind the log."""
    waiting, behind = await database.read(_lag)
    metrics.OUTBOX.set(waiting)
    for name, commits in behind.items():
        metrics.PROJECTION_LAG.labels(name).set(commits)


def _lag(connection: Connection) -> tuple[int, dict[str, int]]:
    """(rows in the outbox, for each projection the commits of the log that it has not read)."""
    waiting = connection.scalar(select(func.count()).select_from(outbox)) or 0
    serving = {name: at for name, at in connection.execute(select(projections.c.name, projections.c.serving))}  # noqa: C416 - rows
    columns = positions.c
    places = connection.execute(select(columns.name, columns.generation, columns.partition, columns.position)).all()
    reached = {(name, partition): at for name, generation, partition, at in places if serving.get(name) == generation}
    ends = {partition: _end(connection, partition) for partition in {0, *(partition for _, partition in reached)}}
    behind = {
        name: sum(max(0, end - reached.get((name, partition), 0)) for partition, end in ends.items())
        for name in serving
    }
    return waiting, behind


def _end(connection: Connection, partition: int) -> int:
    last = connection.scalar(select(func.max(log.c.position)).where(log.c.partition == partition))
    return 0 if last is None else last + 1
