"""SQLite's one writer: a thread that takes all waiting work into one transaction, a savepoint for each piece.

SQLite allows one writer at a time. A transaction per command costs a sync each; waiting for the lock in many threads
costs more still. So all writing goes through here, and whatever waits is made durable by the same sync.
"""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, StaticPool, create_engine

from infra import metrics
from infra.engines import sqlite_connection
from infra.events.errors import StoreBusyError, StoreClosedError

T = TypeVar("T")


class _Job(msgspec.Struct, frozen=True, eq=False):
    """Work, and who waits for what it gives."""

    work: Callable[[Connection], Any]
    future: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop


class Writer:
    """The writer thread of one SQLite file. waiting: how much may wait; batch: how much one transaction may hold."""

    def __init__(self, path: Path, *, waiting: int = 4096, batch: int = 64) -> None:
        self._raw = sqlite_connection(path)
        self._engine = create_engine(
            "sqlite+pysqlite://", creator=lambda: self._raw, poolclass=StaticPool, pool_reset_on_return=None
        )
        self._connection = self._engine.connect()
        self._connection.begin()  # SQLAlchemy's own bookkeeping: transactions are made below, on the raw connection
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._waiting = waiting
        self._batch = batch
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="podesta-write", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives, once it is durable. Its own failure undoes it alone and is raised here.

        Raises StoreBusyError when too much waits, StoreClosedError after `close`.
        """
        if self._closed:
            raise StoreClosedError("the store is closed")
        if self._jobs.qsize() >= self._waiting:
            raise StoreBusyError(f"{self._waiting} commands wait to be written")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, future, loop))
        return await future

    async def close(self) -> None:
        """Finish what waits, and stop."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs, last = self._gather(job)
            metrics.APPEND_BATCH.observe(len(jobs))
            self._commit(jobs)
            if last:
                break
        self._connection.close()
        self._engine.dispose()
        self._raw.close()

    def _gather(self, job: _Job) -> tuple[list[_Job], bool]:
        """The job and what waits behind it; whether that is all there will ever be."""
        jobs = [job]
        while len(jobs) < self._batch:
            try:
                following = self._jobs.get_nowait()
            except queue.Empty:
                break
            if following is None:
                return jobs, True
            jobs.append(following)
        return jobs, False

    def _commit(self, jobs: list[_Job]) -> None:
        """Do the jobs in one transaction; if it cannot be committed, each in its own, so that a bad one fails alone."""
        wanted = [job for job in jobs if not job.future.cancelled()]
        try:
            results = self._transaction([job.work for job in wanted])
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits
            results = [error] if len(wanted) == 1 else [self._alone(job) for job in wanted]
        for loop, answers in groupby(zip(wanted, results, strict=True), lambda answer: answer[0].loop):
            told = [(job.future, result) for job, result in answers]
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_answer, told)

    def _alone(self, job: _Job) -> Any:
        try:
            return self._transaction([job.work])[0]
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits
            return error

    def _transaction(self, works: list[Callable[[Connection], Any]]) -> list[Any]:
        """What each work gave, or the exception it raised, after one durable commit of those that did not raise."""
        execute = self._raw.execute
        execute("BEGIN IMMEDIATE")
        try:
            results = [self._guarded(work) for work in works]
            execute("COMMIT")
        except BaseException:
            if self._raw.in_transaction:
                execute("ROLLBACK")
            raise
        return results

    def _guarded(self, work: Callable[[Connection], Any]) -> Any:
        execute = self._raw.execute
        execute("SAVEPOINT work")
        try:
            result = work(self._connection)
        except Exception as error:
            if not self._raw.in_transaction:  # SQLite gave up the whole transaction, as for a full disk
                raise
            execute("ROLLBACK TO work")
            result = error
        execute("RELEASE work")
        return result


def _answer(answers: "list[tuple[asyncio.Future[Any], Any]]") -> None:
    """In the loop that waits: one wake-up for a whole batch, where one for each would cost as much as the work."""
    for future, result in answers:
        if future.done():  # whoever waited has gone; the work is done all the same
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
