"""The two back ends, put together: everything that stands on one database."""

import asyncio
import threading
from pathlib import Path

import msgspec
from sqlalchemy import Connection

from infra.accounts import SqlAccounts
from infra.clock import SystemClock
from infra.database import Database, PostgresDatabase, SqliteDatabase
from infra.engines import postgres_engine, sqlite_engine
from infra.events.postgres import PostgresStore, postgres_pool
from infra.events.sqlite import SqliteStore
from infra.events.writer import Writer
from infra.partitions import Partitions
from infra.ports import Store
from infra.projections.lobby import Lobby
from infra.projections.projector import Projector
from infra.read_models import SqlReadModels
from infra.schema import is_current
from infra.sequencer import Sequencer
from infra.vault import Vault


class Backend(msgspec.Struct, frozen=True):
    """Everything that stands on one database. `close` it when done; stop sequencer and projectors first."""

    database: Database
    store: Store
    accounts: SqlAccounts
    read_models: SqlReadModels
    sequencer: Sequencer
    projectors: dict[str, Projector]

    async def close(self) -> None:
        """Finish what is under way and let go of every connection."""
        await self.store.close()
        await self.database.close()


async def open_sqlite(
    path: Path, vault: Vault, *, clock: SystemClock | None = None, partitions: int = 1, waiting: int = 4096
) -> Backend:
    """The back end in one SQLite file, which is made and migrated as needed. Its folder must exist.

    partitions: of the log, for new matches. waiting: how many commands may wait to be stored.
    """
    await migrate(f"sqlite:///{path}")
    writer = Writer(path, waiting=waiting)
    database = SqliteDatabase(path, writer)
    sequencer = Sequencer(database)
    store = SqliteStore(database, writer, vault, Partitions(partitions), sequencer.wake)
    return _backend(database, store, sequencer, clock or SystemClock(), vault)


async def open_postgres(
    url: str,
    vault: Vault,
    *,
    clock: SystemClock | None = None,
    prepare: bool = True,
    pool_size: int = 8,
    partitions: int = 1,
    waiting: int = 4096,
) -> Backend:
    """The back end on a PostgreSQL that `migrate` has prepared.

    url: postgresql://…, of the role that GRANTS are for. prepare: False behind a PgBouncer that pools by transaction.
    pool_size: connections for appends and reads; half as many more serve the rest. partitions: of the log, for new
    matches. waiting: how many commands may wait to be stored.

    Raises OSError or asyncpg.PostgresError if the server cannot be reached.
    """
    database = PostgresDatabase(url, prepare=prepare, pool_size=max(2, pool_size // 2))
    sequencer = Sequencer(database)
    pool = await postgres_pool(url, prepare=prepare, size=pool_size)
    store = PostgresStore(
        database, pool, vault, Partitions(partitions), sequencer.wake, prepare=prepare, waiting=waiting
    )
    return _backend(database, store, sequencer, clock or SystemClock(), vault)


def _backend(database: Database, store: Store, sequencer: Sequencer, clock: SystemClock, vault: Vault) -> Backend:
    projectors = [Projector(database, Lobby())]
    for projector in projectors:
        sequencer.then(projector.wake)
    return Backend(
        database=database,
        store=store,
        accounts=SqlAccounts(database, clock, vault),
        read_models=SqlReadModels(database),
        sequencer=sequencer,
        projectors={projector.name: projector for projector in projectors},
    )


async def migrate(url: str, *, role: str | None = None) -> None:
    """Bring the database to the present schema; on PostgreSQL grant the service's role what it may do.

    url: sqlite:///FILE or postgresql://…, of the role that owns the tables. Raises ValueError for another URL.
    """
    if not url.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise ValueError("a database is named by postgresql://… or sqlite:///FILE")
    await asyncio.to_thread(_migrate, url, role)


_alembic = threading.Lock()
"""Alembic keeps what it works on in module globals: one migration at a time in a process."""


def _migrate(url: str, role: str | None) -> None:
    with _alembic:
        if url.startswith("sqlite:///"):
            _migrate_sqlite(url.removeprefix("sqlite:///"))
        else:
            asyncio.run(_migrate_postgres(url, role))


async def _migrate_postgres(url: str, role: str | None) -> None:
    engine = postgres_engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, role)
    finally:
        await engine.dispose()


def _migrate_sqlite(path: str) -> None:
    engine = sqlite_engine(path)
    try:
        with engine.begin() as connection:
            if not is_current(connection):
                _upgrade(connection, None)
    finally:
        engine.dispose()


def _upgrade(connection: Connection, role: str | None) -> None:
    from alembic import command  # noqa: PLC0415 - half a second that whoever is migrated already need not spend
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "migrations:")
    config.attributes["connection"] = connection
    config.attributes["role"] = role
    command.upgrade(config, "head")
