"""Keeps a projection up with the log, and rebuilds it beside the one that serves."""

import time
from collections.abc import Callable

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from infra.database import Database
from infra.loops import Loop
from infra.projections.projection import Projection, read_log
from infra.tables import log, positions, projections


class Progress(msgspec.Struct, frozen=True):
    """How far a rebuild has come: commits and events read, of how many commits."""

    commits: int
    events: int
    of: int


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild did. differing: rows in which the old projection was not what the log says."""

    commits: int
    events: int
    differing: int
    seconds: float


class RebuildError(Exception):
    """Another rebuild of the same projection was faster, or is at the same batch; what serves is whole."""


class Projector:
    """Reads the log into one projection. Several may run: each batch and its position are one transaction."""

    def __init__(self, database: Database, projection: Projection, *, batch: int = 500, poll_s: float = 0.2) -> None:
        self._database = database
        self._projection = projection
        self._batch = batch
        self.loop = Loop(f"projection {projection.name}", self.step, poll_s)

    @property
    def name(self) -> str:
        """The projection's name."""
        return self._projection.name

    def wake(self) -> None:
        """Something got a position: look now."""
        self.loop.wake()

    async def standing(self) -> tuple[int, int]:
        """(how many commits of the log are projected, how many there are)."""
        return await self._database.read(self._standing)

    def _standing(self, connection: Connection) -> tuple[int, int]:
        serving = select(projections.c.serving).where(projections.c.name == self.name).scalar_subquery()
        here = (positions.c.name == self.name) & (positions.c.generation == serving)
        done = connection.scalar(select(func.sum(positions.c.position)).where(here))
        return int(done or 0), connection.scalar(select(func.count()).select_from(log)) or 0

    async def step(self) -> int:
        """Project one batch of each partition; how many commits that were."""
        return await self._database.write(self._step)

    async def drain(self) -> int:
        """Project until there is no more; how many commits that were."""
        total = 0
        while done := await self.step():
            total += done
        return total

    async def run(self) -> None:
        """Project until cancelled, through failures of the database (see Loop)."""
        await self.loop.run()

    def _step(self, connection: Connection) -> int:
        generation = self._serving(connection)
        return sum(self._advance(connection, generation, p, self._batch)[0] for p in _ends(connection))

    def _serving(self, connection: Connection) -> int:
        """The generation that is read. Its row is locked until the transaction ends: one projector at a time."""
        query = select(projections.c.serving).where(projections.c.name == self.name).with_for_update()
        found: int | None = connection.scalar(query)
        if found is not None:
            return found
        connection.execute(insert(projections).values(name=self.name, serving=1))
        return 1

    def _advance(self, connection: Connection, generation: int, partition: int, size: int) -> tuple[int, int]:
        """Project at most `size` commits of a partition into the generation: how many (commits, events) there were."""
        here = self._place(generation, partition)
        found = connection.scalar(select(positions.c.position).where(*here).with_for_update())
        entries = read_log(connection, partition, found or 0, size, self._projection.wanted)
        if not entries:
            return 0, 0
        self._projection.apply(connection, generation, entries)
        following = entries[-1].position + 1
        if following != (found or 0) + len(entries):
            raise AssertionError(f"the log of partition {partition} has a hole between {found} and {following}")
        if found is None:
            row = {"name": self.name, "generation": generation, "partition": partition, "position": following}
            connection.execute(insert(positions), row)
        else:
            connection.execute(update(positions).where(*here).values(position=following))
        return len(entries), sum(entry.last - entry.first + 1 for entry in entries)

    async def rebuild(self, progress: Callable[[Progress], None] = lambda _: None, *, batch: int = 5000) -> Rebuilt:
        """Build the projection anew from the whole log while the old one serves, compare the two, and swap.

        progress is called after each batch. Raises RebuildError if another process rebuilds it at the same time.
        """
        try:
            return await self._rebuild(progress, batch)
        except IntegrityError as error:
            raise RebuildError(f"another rebuild of {self.name} is at work") from error

    async def _rebuild(self, progress: Callable[[Progress], None], batch: int) -> Rebuilt:
        began = time.monotonic()
        generation, of = await self._database.write(self._begin)
        commits = events = 0
        while True:
            done = await self._database.write(lambda connection: self._extend(connection, generation, batch))
            commits, events = commits + done[0], events + done[1]
            progress(Progress(commits, events, max(of, commits)))
            if done[0] < batch:
                break
        rest, differing = await self._database.write(lambda connection: self._swap(connection, generation))
        return Rebuilt(commits + rest[0], events + rest[1], differing, time.monotonic() - began)

    def _begin(self, connection: Connection) -> tuple[int, int]:
        """(a fresh generation, how many commits there are to read)."""
        generation = self._serving(connection) + 1
        self._clear(connection, generation)
        return generation, connection.scalar(select(func.count()).select_from(log)) or 0

    def _extend(self, connection: Connection, generation: int, size: int) -> tuple[int, int]:
        done = [self._advance(connection, generation, p, size) for p in _ends(connection)]
        return sum(commits for commits, _ in done), sum(events for _, events in done)

    def _swap(self, connection: Connection, generation: int) -> tuple[tuple[int, int], int]:
        """Bring both generations to the same end, count the rows that differ, and let the new one be read."""
        serving = self._serving(connection)
        if serving != generation - 1:
            raise RebuildError(f"another rebuild of {self.name} was faster")
        rest = (0, 0)
        for partition, end in _ends(connection).items():  # fixed: others go on giving positions meanwhile
            done = self._advance_to(connection, generation, partition, end)
            rest = (rest[0] + done[0], rest[1] + done[1])
            self._advance_to(connection, serving, partition, end)
        differing = self._projection.differences(connection, serving, generation)
        connection.execute(update(projections).where(projections.c.name == self.name).values(serving=generation))
        self._clear(connection, serving)
        return rest, differing

    def _advance_to(self, connection: Connection, generation: int, partition: int, end: int) -> tuple[int, int]:
        """Project the partition's commits before position `end`: how many (commits, events) there were."""
        commits = events = 0
        while (size := min(self._batch, end - self._position(connection, generation, partition))) > 0:
            done = self._advance(connection, generation, partition, size)
            commits, events = commits + done[0], events + done[1]
        return commits, events

    def _position(self, connection: Connection, generation: int, partition: int) -> int:
        """The next position to read."""
        query = select(positions.c.position).where(*self._place(generation, partition))
        return connection.scalar(query) or 0

    def _place(self, generation: int, partition: int) -> tuple[ColumnElement[bool], ...]:
        columns = positions.c
        return columns.name == self.name, columns.generation == generation, columns.partition == partition

    def _clear(self, connection: Connection, generation: int) -> None:
        self._projection.clear(connection, generation)
        connection.execute(delete(positions).where(positions.c.name == self.name, positions.c.generation == generation))


def _ends(connection: Connection) -> dict[int, int]:
    """The partitions that the log has, and the position behind the last of each."""
    most = connection.scalar(select(func.max(log.c.partition)))
    partitions = [] if most is None else range(most + 1)
    ends = {p: connection.scalar(select(func.max(log.c.position)).where(log.c.partition == p)) for p in partitions}
    return {p: end + 1 for p, end in ends.items() if end is not None}
