"""One way to run SQLAlchemy Core on either engine: a plain function over a connection, in one transaction."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from infra.engines import postgres_engine, sqlite_engine
from infra.events.writer import Writer

T = TypeVar("T")


class Database(Protocol):
    """Where functions over a connection run: each in a transaction of its own, which it does not end itself."""

    @property
    def postgres(self) -> bool:
        """Whether this is PostgreSQL (else SQLite)."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the function gives, over one snapshot or, on PostgreSQL, a snapshot per statement."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What the function gives, once its changes are durable; if it raises, none of them happened."""

    async def close(self) -> None:
        """Let go of every connection."""


class SqliteDatabase:
    """Reads on their own threads and connections, writes on the one writer thread."""

    postgres = False

    def __init__(self, path: Path, writer: Writer, readers: int = 4) -> None:
        self._writer = writer
        self._engine = sqlite_engine(path, writes=False, pool_size=readers)
        self._threads = ThreadPoolExecutor(readers, thread_name_prefix="podesta-read")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See Database."""

        def run() -> T:
            with self._engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        return await self._writer.run(work)

    async def close(self) -> None:
        """See Database."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()


class PostgresDatabase:
    """Over a pool of asyncpg connections."""

    postgres = True

    def __init__(self, url: str, *, prepare: bool = True, pool_size: int = 4) -> None:
        self._engine = postgres_engine(url, prepare=prepare, pool_size=pool_size)
        # Each statement by itself spares two round trips; without prepared statements a PgBouncer may send the two
        # halves of one to different servers, unless a transaction holds them together.
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT") if prepare else self._engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        try:
            async with self._reading.begin() as connection:
                return await connection.run_sync(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        async with self._reading.begin() as connection:  # the pooled ones had died while nobody used them
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        for last in (False, True):
            async with self._engine.connect() as connection:
                try:
                    await connection.exec_driver_sql("SELECT")  # notices a dead connection before anything is done
                except DBAPIError as error:
                    if last or not error.connection_invalidated:
                        raise
                    continue
                result = await connection.run_sync(work)
                await connection.commit()
                return result
        raise AssertionError

    async def close(self) -> None:
        """See Database."""
        await self._engine.dispose()
