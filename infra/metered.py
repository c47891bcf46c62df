"""The store with a watch in its hand, and how far the log and its readers are behind."""

import time
from typing import Final

from sqlalchemy import Connection, func, select

from domain.core.sealing import Commit
from infra import metrics
from infra.database import Database
from infra.ports import Answered, Appended, AppendResult, Secrets, Store
from infra.tables import log, outbox, positions, projections

_APPENDED: Final = metrics.APPENDS.labels("appended")
_ANSWERED: Final = metrics.APPENDS.labels("answered")
_RACED: Final = metrics.APPENDS.labels("raced")
_FAILED: Final = metrics.APPENDS.labels("failed")


class MeteredStore:
    """Counts and times the appends of another store, and passes everything on."""

    def __init__(self, store: Store) -> None:
        self.commits = store.commits
        self.answered = store.answered
        self.opened = store.opened
        self.secrets = store.secrets
        self.ping = store.ping
        self.close = store.close
        self._append = store.append

    async def append(self, commit: Commit, secrets: Secrets | None = None) -> AppendResult:
        """See Store."""
        began = time.perf_counter()
        try:
            result = await self._append(commit, secrets)
        except BaseException:
            _FAILED.inc()
            raise
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        (_APPENDED if isinstance(result, Appended) else _ANSWERED if isinstance(result, Answered) else _RACED).inc()
        return result


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
