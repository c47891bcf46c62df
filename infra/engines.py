"""SQLAlchemy engines as this project wants them: explicit transactions on SQLite, no session state on PostgreSQL."""

import sqlite3
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

BUSY_MS = 10_000


def sqlite_connection(path: str | Path) -> sqlite3.Connection:
    """A connection in autocommit mode, WAL, durable at every commit; may pass between threads."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")  # pages: a checkpoint costs two syncs more
    connection.execute("PRAGMA cache_size = -32000")
    return connection


def sqlite_engine(path: str | Path, *, writes: bool = True, pool_size: int = 4) -> Engine:
    """An engine whose transactions begin at once, and for writing hold the write lock from their beginning."""
    engine = create_engine("sqlite+pysqlite://", creator=lambda: sqlite_connection(path), pool_size=pool_size)
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:  # sqlite3 would begin late, and read outside of any transaction
        connection.exec_driver_sql(begin)

    return engine


def asyncpg_url(url: str) -> str:
    """The URL as SQLAlchemy wants it."""
    return "postgresql+asyncpg://" + url.split("://", 1)[1]


def postgres_engine(url: str, *, prepare: bool = True, pool_size: int = 4) -> AsyncEngine:
    """An engine for PostgreSQL. prepare: False behind a PgBouncer that pools by transaction."""
    arguments: dict[str, Any] = {"timeout": 10}
    if not prepare:
        arguments |= {"statement_cache_size": 0, "prepared_statement_name_func": lambda: f"p{uuid4().hex}"}
    cache = {} if prepare else {"prepared_statement_cache_size": 0}
    return create_async_engine(asyncpg_url(url), pool_size=pool_size, max_overflow=0, connect_args=arguments | cache)
