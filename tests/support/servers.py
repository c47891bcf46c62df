"""Which servers the tests use: those named by DATABASE_URL and REDIS_URL, else private ones; never none, never a guess.

A server that merely happens to listen is not used. What was started here is stopped by pid, and a guard process ends
it even if we are killed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support import postgres, redis
from tests.support.postgres import Databases, Postgres
from tests.support.process import Folder, Server, ServerFailedError
from tests.support.redis import Redis

__all__ = [
    "Databases",
    "Folder",
    "Postgres",
    "Redis",
    "Server",
    "ServerFailedError",
    "folder",
    "postgres_names",
    "postgres_server",
    "redis_names",
    "redis_server",
]

NAMED = "named"
MISSING = "missing"


def postgres_names() -> list[str]:
    """The PostgreSQL servers that a contract suite runs against: the named one, or every installed version."""
    return [NAMED] if os.environ.get("DATABASE_URL") else list(postgres.installations()) or [MISSING]


def redis_names() -> list[str]:
    """The Redis servers that a contract suite runs against: the named one, or every installed version."""
    return [NAMED] if os.environ.get("REDIS_URL") else list(redis.installations()) or [MISSING]


@contextmanager
def folder() -> Iterator[Folder]:
    """A folder for private servers; they end with it."""
    place = Folder()
    try:
        yield place
    finally:
        place.close()


@contextmanager
def postgres_server(place: Folder, name: str | None = None) -> Iterator[Databases]:
    """The databases of the server of that name in `postgres_names` (the first one if none is given)."""
    name = name or postgres_names()[0]
    if name == NAMED:
        databases = Databases(os.environ["DATABASE_URL"])
        yield databases
        databases.close()
        return
    server = Postgres(place, postgres.installations().get(name))
    server.start()
    try:
        yield server.databases
    finally:
        server.stop()


@contextmanager
def redis_server(place: Folder, name: str | None = None) -> Iterator[str]:
    """The URL of the server of that name in `redis_names` (the first one if none is given)."""
    name = name or redis_names()[0]
    if name == NAMED:
        yield os.environ["REDIS_URL"]
        return
    server = Redis(place, redis.installations().get(name))
    server.start()
    try:
        yield server.url
    finally:
        server.stop()
