"""Gives stored commits their dense positions: moves rows from `outbox` to `log`, after they are committed.

Whoever appends orders one match only, so that matches do not wait for one another. Numbers given while appending would
become visible out of order, and a reader who polls for "greater than the last" would miss commits for ever. Here one
sequencer at a time works on a partition, on what is committed; several may run, they wait for each other's batch.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection, TextClause, select, text

from infra import metrics
from infra.database import Database
from infra.loops import Loop
from infra.tables import outbox

_LOCK: Final = text("SELECT pg_advisory_xact_lock(:key, :partition)")
_LOCK_KEY: Final = 0x706F6473
"""First half of the advisory lock's key; the partition is the other half. Nothing else here uses pairs."""

_MOVE_POSTGRES: Final = text("""
    WITH batch AS (
      SELECT id FROM outbox WHERE "partition" = :partition ORDER BY id LIMIT :batch
    ), moved AS (
      DELETE FROM outbox o USING batch b WHERE o.id = b.id
      RETURNING o.id, o."partition", o.match, o.first, o.last, o.time, o.kinds
    )
    INSERT INTO log ("partition", position, match, first, last, time, kinds)
    SELECT "partition", start.position + row_number() OVER (ORDER BY id), match, first, last, time, kinds
    FROM moved,
      (SELECT coalesce(max(position), -1) AS position FROM log WHERE "partition" = :partition) AS start
""")

_COPY_SQLITE: Final = text("""
    INSERT INTO log ("partition", position, match, first, last, time, kinds)
    SELECT "partition",
      (SELECT coalesce(max(position), -1) FROM log WHERE "partition" = :partition) + row_number() OVER (ORDER BY id),
      match, first, last, time, kinds
    FROM (SELECT * FROM outbox WHERE "partition" = :partition ORDER BY id LIMIT :batch)
""")
_CLEAR_SQLITE: Final = text("""
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE "partition" = :partition ORDER BY id LIMIT :batch)
""")


class Sequencer:
    """Sequences every partition. batch: commits per transaction; poll_s: how often to look without being woken."""

    def __init__(self, database: Database, *, batch: int = 1000, poll_s: float = 0.2) -> None:
        self._database = database
        self._batch = batch
        self.loop = Loop("sequencer", self.step, poll_s)
        self._listeners: list[Callable[[], None]] = []

    def wake(self) -> None:
        """Something was stored: look now."""
        self.loop.wake()

    def then(self, wake: Callable[[], None]) -> None:
        """Call this whenever commits of this process's sequencing have got positions: there is something to read."""
        self._listeners.append(wake)

    async def step(self) -> int:
        """Sequence one batch of each partition that has something; how many commits got their positions."""
        partitions = await self._database.read(_waiting)
        moved = 0
        for partition in partitions:
            moved += await self._database.write(partial(self._move, partition=partition))
        if moved:
            for wake in self._listeners:
                wake()
        metrics.SEQUENCED.inc(moved)
        return moved

    async def drain(self) -> int:
        """Sequence until nothing waits; how many commits that were."""
        total = 0
        while moved := await self.step():
            total += moved
        return total

    def _move(self, connection: Connection, partition: int) -> int:
        values = {"partition": partition, "batch": self._batch}
        if self._database.postgres:
            # The lock in a statement of its own: the move's snapshot must be taken after it is held.
            connection.execute(_LOCK, {"key": _LOCK_KEY, "partition": partition})
            return _count(connection, _MOVE_POSTGRES, values)
        _count(connection, _COPY_SQLITE, values)
        return _count(connection, _CLEAR_SQLITE, values)

    async def run(self) -> None:
        """Sequence until cancelled, through failures of the database (see Loop)."""
        await self.loop.run()


def _waiting(connection: Connection) -> list[int]:
    """The partitions that have something in the outbox."""
    return list(connection.scalars(select(outbox.c.partition).distinct().order_by(outbox.c.partition)))


def _count(connection: Connection, statement: TextClause, values: dict[str, int]) -> int:
    return connection.execute(statement, values).rowcount
