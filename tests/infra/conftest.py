"""Where the store's contract is kept: SQLite, and every PostgreSQL version of this machine."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from infra.backends import Backend, migrate, open_postgres, open_sqlite
from infra.vault import Vault
from tests.support import servers
from tests.support.postgres import wait_for
from tests.support.servers import Databases

VAULT = Vault(b"k" * 32)


class Place:
    """One database with our schema; `open` connects to it, as often as processes would."""

    def __init__(self, url: str, *, prepare: bool = True) -> None:
        self.url = url
        self.prepare = prepare
        self.postgres = url.startswith("postgres")
        self._opened = AsyncExitStack()

    async def open(self, **how: int) -> Backend:
        if self.postgres:
            backend = await open_postgres(self.url, VAULT, prepare=self.prepare, **how)
        else:
            backend = await open_sqlite(Path(self.url.removeprefix("sqlite:///")), VAULT, **how)
        self._opened.push_async_callback(backend.close)
        return backend

    async def close(self) -> None:
        await self._opened.aclose()


@pytest.fixture(params=["sqlite", *servers.postgres_names(), "unprepared"])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_named: Callable[[str], Databases]
) -> Iterator[Place]:
    """A fresh database in each engine; `unprepared` is PostgreSQL as it is used behind PgBouncer."""
    if request.param == "sqlite":
        yield Place(f"sqlite:///{tmp_path / 'podesta.db'}")
        return
    unprepared = request.param == "unprepared"
    databases = postgres_named(servers.postgres_names()[0] if unprepared else request.param)
    url = databases.create(databases.template("podesta", lambda url: wait_for(migrate(url))))
    yield Place(url, prepare=not unprepared)
    databases.drop(url)


@pytest.fixture
async def place(database: Place) -> AsyncIterator[Place]:
    """A fresh database in each engine, with everything that was opened on it closed at the end."""
    yield database
    await database.close()


@pytest.fixture
async def backend(place: Place) -> Backend:
    """The back end on a fresh database."""
    return await place.open()


@pytest.fixture
async def postgres_place(
    postgres_named: Callable[[str], Databases], request: pytest.FixtureRequest
) -> AsyncIterator[Place]:
    """A fresh database in the newest PostgreSQL, for what only that engine does."""
    databases = postgres_named(servers.postgres_names()[0])
    template = await asyncio.to_thread(databases.template, "podesta", lambda url: wait_for(migrate(url)))
    place = Place(await asyncio.to_thread(databases.create, template))
    yield place
    await place.close()
    await asyncio.to_thread(databases.drop, place.url)


@pytest.fixture
async def sqlite_place(tmp_path: Path) -> AsyncIterator[Place]:
    """A fresh SQLite file, for what only that engine does."""
    place = Place(f"sqlite:///{tmp_path / 'podesta.db'}")
    yield place
    await place.close()
