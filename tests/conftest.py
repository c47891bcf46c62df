"""Real servers for every test that needs one: started once per session, a fresh database for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support import postgres, redis, servers
from tests.support.servers import Databases, Folder, Postgres, Redis


@pytest.fixture(scope="session")
def folder() -> Iterator[Folder]:
    """A private folder for servers, removed at the end."""
    with servers.folder() as place:
        yield place


@pytest.fixture(scope="session")
def started() -> Iterator[ExitStack]:
    """What was started once and is shared by the whole session."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="session")
def postgres_named(folder: Folder, started: ExitStack) -> Callable[[str], Databases]:
    """Name of a server in `postgres_names` → its databases; each server is started at most once."""
    running: dict[str, Databases] = {}

    def get(name: str) -> Databases:
        if name not in running:
            running[name] = started.enter_context(servers.postgres_server(folder, name))
        return running[name]

    return get


@pytest.fixture(scope="session")
def redis_named(folder: Folder, started: ExitStack) -> Callable[[str], str]:
    """Name of a server in `redis_names` → its URL; each server is started at most once."""
    running: dict[str, str] = {}

    def get(name: str) -> str:
        if name not in running:
            running[name] = started.enter_context(servers.redis_server(folder, name))
        return running[name]

    return get


@pytest.fixture(scope="session")
def postgres_databases(postgres_named: Callable[[str], Databases]) -> Databases:
    """The databases of the newest PostgreSQL."""
    return postgres_named(servers.postgres_names()[0])


@pytest.fixture(scope="session", params=servers.postgres_names())
def each_postgres(request: pytest.FixtureRequest, postgres_named: Callable[[str], Databases]) -> Databases:
    """The databases of every PostgreSQL version of this machine in turn: for contract suites."""
    return postgres_named(request.param)


@pytest.fixture
def database_url(postgres_databases: Databases) -> Iterator[str]:
    """A fresh, empty PostgreSQL database for this test."""
    url = postgres_databases.create()
    yield url
    postgres_databases.drop(url)


@pytest.fixture
def each_database_url(each_postgres: Databases) -> Iterator[str]:
    """A fresh, empty database on every PostgreSQL version of this machine in turn."""
    url = each_postgres.create()
    yield url
    each_postgres.drop(url)


@pytest.fixture(scope="session")
def redis_url(redis_named: Callable[[str], str]) -> str:
    """The newest Redis or Valkey."""
    return redis_named(servers.redis_names()[0])


@pytest.fixture(scope="session", params=servers.redis_names())
def each_redis_url(request: pytest.FixtureRequest, redis_named: Callable[[str], str]) -> str:
    """Every Redis and Valkey version of this machine in turn: for contract suites."""
    return redis_named(request.param)


@pytest.fixture
def own_postgres(folder: Folder) -> Iterator[Postgres]:
    """A PostgreSQL for this test alone, which it may kill, pause and restart."""
    server = Postgres(folder)
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=list(redis.installations()) or [servers.MISSING])
def own_redis(request: pytest.FixtureRequest, folder: Folder) -> Iterator[Redis]:
    """A Redis for this test alone, which it may kill, pause and restart: every version of this machine in turn."""
    server = Redis(folder, redis.installations().get(request.param))
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=list(postgres.installations()) or [servers.MISSING])
def each_own_postgres(request: pytest.FixtureRequest, folder: Folder) -> Iterator[Postgres]:
    """A PostgreSQL for this test alone: every version of this machine in turn."""
    server = Postgres(folder, postgres.installations().get(request.param))
    server.start()
    yield server
    server.kill()
