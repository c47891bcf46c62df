"""Building a projection anew beside the one that serves: in a generation of its own, compared, and swapped."""

import time
from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, update

from infra.database import Database
from infra.projections import generations
from infra.projections.projection import Projection
from infra.tables import projections


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
    """A rebuild that began later was faster; what serves is whole."""


class Rebuild:
    """One rebuild of a projection; `run` it once."""

    def __init__(self, database: Database, projection: Projection, batch: int) -> None:
        self._database = database
        self._projection = projection
        self._batch = batch
        self._commits = self._events = 0

    async def run(self, progress: Callable[[Progress], None]) -> Rebuilt:
        """See Projector.rebuild."""
        began = time.monotonic()
        generation, of = await self._database.write(self._begin)
        while True:
            commits = await self._database.write(lambda connection: self._extend(connection, generation))
            progress(Progress(self._commits, self._events, max(of, self._commits)))
            if commits < self._batch:
                break
        differing = await self._database.write(lambda connection: self._swap(connection, generation))
        return Rebuilt(self._commits, self._events, differing, time.monotonic() - began)

    def _begin(self, connection: Connection) -> tuple[int, int]:
        """(a generation of its own, how many commits there are to read)."""
        name = self._projection.name
        generation = max(generations.serving(connection, name), generations.newest(connection, name)) + 1
        generations.claim(connection, name, generation)
        return generation, sum(generations.ends(connection).values())

    def _extend(self, connection: Connection, generation: int) -> int:
        """One batch of each partition; how many commits that were."""
        self._require_claim(connection, generation)
        done = [
            generations.advance(connection, self._projection, generation, partition, self._batch)
            for partition in generations.ends(connection)
        ]
        self._commits += sum(commits for commits, _ in done)
        self._events += sum(events for _, events in done)
        return max((commits for commits, _ in done), default=0)

    def _swap(self, connection: Connection, generation: int) -> int:
        """Bring both generations to the same end, and let the new one be read; how many rows differed."""
        name = self._projection.name
        serving = generations.serving(connection, name)
        self._require_claim(connection, generation)
        for end in generations.ends(connection).items():  # fixed: others go on giving positions meanwhile
            done = generations.advance_to(connection, self._projection, generation, end, self._batch)
            self._commits += done[0]
            self._events += done[1]
            generations.advance_to(connection, self._projection, serving, end, self._batch)
        differing = self._projection.differences(connection, serving, generation)
        connection.execute(update(projections).where(projections.c.name == name).values(serving=generation))
        generations.clear_before(connection, self._projection, generation)
        return differing

    def _require_claim(self, connection: Connection, generation: int) -> None:
        if generations.position(connection, self._projection.name, generation, 0) is None:
            raise RebuildError(f"a rebuild of {self._projection.name} that began later was faster")
