"""The tests' own servers: real, private, unprivileged, restartable; and they never outlive the tests."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import pytest

from tests.support import postgres, redis
from tests.support.process import processes, unprivileged
from tests.support.servers import Databases, Postgres, Redis, postgres_names, redis_names


async def value(url: str, query: str) -> object:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def test_every_test_gets_a_fresh_database(each_database_url: str) -> None:
    assert await value(each_database_url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    await execute(each_database_url, "CREATE TABLE here (id int)")


async def test_a_template_is_built_once_and_copied(each_postgres: Databases) -> None:
    built = []

    def build(url: str) -> None:
        built.append(url)
        each_postgres_at = Databases(url)
        each_postgres_at.execute("CREATE TABLE made (id int)", "INSERT INTO made VALUES (7)")

    for _ in range(2):
        url = each_postgres.create(each_postgres.template("made", build))
        assert await value(url, "SELECT id FROM made") == 7
        each_postgres.drop(url)
    assert len(built) == 1


async def test_what_was_committed_outlives_a_kill(each_own_postgres: Postgres) -> None:
    server = each_own_postgres
    await execute(server.url, "CREATE TABLE kept AS SELECT 42 AS answer")
    server.kill()
    assert not server.alive
    server.start()
    assert await value(server.url, "SELECT answer FROM kept") == 42
    server.restart()
    assert await value(server.url, "SELECT answer FROM kept") == 42


async def test_a_paused_postgres_answers_again_when_resumed(own_postgres: Postgres) -> None:
    connection = await asyncpg.connect(own_postgres.url, timeout=10)
    own_postgres.pause()
    with pytest.raises(TimeoutError):
        await connection.fetchval("SELECT 1", timeout=0.3)
    own_postgres.resume()
    await connection.close(timeout=5)
    assert await value(own_postgres.url, "SELECT 1") == 1


def test_a_stranger_without_the_password_is_refused(own_postgres: Postgres) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        Databases(own_postgres.url.replace(own_postgres.password, "guess")).execute("SELECT 1")


def test_redis_comes_back_on_the_same_port(own_redis: Redis) -> None:
    assert own_redis.ask("SET here 1") == "+OK"
    port = own_redis.port
    own_redis.kill()
    with pytest.raises(ConnectionRefusedError):
        own_redis.ask("PING")
    own_redis.start()
    assert own_redis.port == port
    assert own_redis.ask("GET here") == "$-1"
    own_redis.pause()
    with pytest.raises(TimeoutError):
        own_redis.ask("PING", timeout_s=0.5)
    own_redis.resume()
    assert own_redis.ask("PING") == "+PONG"


def test_servers_run_without_privileges(own_redis: Redis, own_postgres: Postgres) -> None:
    expected = unprivileged().get("user", os.geteuid())
    for server in (own_redis, own_postgres):
        [(user, group)] = [(user, group) for pid, _, user, group in processes() if pid == server.pid]
        assert user == expected
        assert user == 0 or group != 0
    assert own_redis.folder.path.stat().st_mode & 0o077 == 0


LEFT_BEHIND = """
import time
from tests.support.servers import Folder, Redis
place = Folder()
server = Redis(place)
server.start()
print(server.port, place.path, flush=True)
time.sleep(60)
"""


def test_nothing_outlives_tests_that_are_killed() -> None:
    victim = subprocess.Popen([sys.executable, "-c", LEFT_BEHIND], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    port, path = victim.stdout.readline().split()
    victim.kill()
    victim.wait()
    victim.stdout.close()
    until = time.monotonic() + 10
    while Path(path).exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(path).exists()
    while listens(int(port)):  # it was sent SIGKILL before the folder went, and dies in its own time
        assert time.monotonic() < until, "the server outlives the tests that started it"
        time.sleep(0.05)


def listens(port: int) -> bool:
    """Whether anybody accepts connections there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except ConnectionRefusedError:
        return False
    return True


def test_named_servers_win_and_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somewhere/else")
    monkeypatch.setenv("REDIS_URL", "redis://somewhere")
    assert (postgres_names(), redis_names()) == (["named"], ["named"])
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setattr(postgres, "installations", dict)
    monkeypatch.setattr(redis, "installations", dict)
    assert (postgres_names(), redis_names()) == (["missing"], ["missing"])
