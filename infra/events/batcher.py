"""Group commit: whatever waits while one batch is being stored makes up the next one."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from infra import metrics
from infra.events.errors import StoreBusyError, StoreClosedError


class Batchable(Protocol):
    """Something that waits to be stored. Of one `key`, at most one is in a batch; a batch is of one `kind`."""

    @property
    def key(self) -> str:
        """What it must not share a batch with."""

    @property
    def kind(self) -> object:
        """What it must share with its batch."""


J = TypeVar("J", bound=Batchable)
R = TypeVar("R")


class Batcher(Generic[J, R]):
    """Hands batches, one at a time, to `store`, which gives each one's result or its exception."""

    def __init__(
        self, store: Callable[[list[J]], Awaitable[list[R | Exception]]], *, waiting: int = 4096, batch: int = 128
    ) -> None:
        self._store = store
        self._most_waiting = waiting
        self._batch = batch
        self._queue: deque[tuple[J, asyncio.Future[R]]] = deque()
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    async def submit(self, job: J) -> R:
        """The job's result, once its batch is stored. Raises its own exception, StoreBusyError or StoreClosedError."""
        if self._closed:
            raise StoreClosedError("the store is closed")
        if len(self._queue) >= self._most_waiting:
            raise StoreBusyError(f"{self._most_waiting} commands wait to be written")
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._queue.append((job, future))
        if self._task is None:
            self._task = asyncio.create_task(self._serve(), name="podesta-append")
        return await future

    async def close(self) -> None:
        """Store what waits, and take no more."""
        self._closed = True
        if self._task is not None:
            await self._task

    async def _serve(self) -> None:
        """Runs while there is something to store."""
        try:
            while batch := self._gather():
                metrics.APPEND_BATCH.observe(len(batch))
                results = await self._results([job for job, _ in batch])
                for (_, future), result in zip(batch, results, strict=True):
                    if future.done():  # whoever waited has gone; the commit is stored all the same
                        continue
                    if isinstance(result, Exception):
                        future.set_exception(result)
                    else:
                        future.set_result(result)
        finally:
            self._task = None

    async def _results(self, jobs: list[J]) -> list[R | Exception]:
        try:
            return await self._store(jobs)
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits
            return [error] * len(jobs)

    def _gather(self) -> list[tuple[J, "asyncio.Future[R]"]]:
        """The longest-waiting job and what may go with it, in order; what may not keeps its place."""
        batch: list[tuple[J, asyncio.Future[R]]] = []
        keys: set[str] = set()
        kept: list[tuple[J, asyncio.Future[R]]] = []
        while self._queue and len(batch) < self._batch:
            job, future = waiting = self._queue.popleft()
            if future.done():
                continue
            if job.key in keys or (batch and job.kind != batch[0][0].kind):
                keys.add(job.key)
                kept.append(waiting)
            else:
                keys.add(job.key)
                batch.append(waiting)
        self._queue.extendleft(reversed(kept))
        return batch
