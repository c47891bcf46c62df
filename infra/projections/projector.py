"""Keeps a projection up with the log, and rebuilds it beside the one that serves."""

from collections.abc import Callable

from sqlalchemy import Connection

from infra.database import Database
from infra.loops import Loop
from infra.projections import generations
from infra.projections.projection import Projection
from infra.projections.rebuild import Progress, Rebuild, Rebuilt

__all__ = ["Progress", "Projector", "Rebuilt"]


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
        return await self._database.read(lambda connection: generations.standing(connection, self.name))

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
        serving = generations.serving(connection, self.name)
        return sum(
            generations.advance(connection, self._projection, serving, partition, self._batch)[0]
            for partition in generations.ends(connection)
        )

    async def rebuild(self, progress: Callable[[Progress], None] = lambda _: None, *, batch: int = 5000) -> Rebuilt:
        """Build the projection anew from the whole log while the old one serves, compare the two, and swap.

        progress is called after each batch. Several may run at once; raises RebuildError if one that began later was
        faster.
        """
        return await Rebuild(self._database, self._projection, batch).run(progress)
