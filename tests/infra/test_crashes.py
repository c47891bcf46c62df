"""Processes, connections and servers that die: no accepted commit is lost, none is doubled, none is left by halves."""

import asyncio
import subprocess
import sys

import asyncpg
import pytest
from sqlalchemy import select

from infra.backends import migrate, open_postgres
from infra.events.errors import StoreUnavailableError
from infra.ports import Answered, Appended
from infra.tables import log
from infra.vault import Vault
from tests.support import servers
from tests.support.commits import Line

VAULT = Vault(b"k" * 32)


@pytest.mark.parametrize("database", ["sqlite", servers.postgres_names()[0]], indirect=True)
def test_death_at_every_statement_is_survived(database):
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.crasher", database.url],
        check=False,
        capture_output=True,
        text=True,
        timeout=170,
    )
    assert done.returncode == 0, done.stderr[-4000:]


WAITING = """
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'
"""


async def end_what_waits(url, sign):
    """End the connection whose statement, with this sign in it, waits for a lock, once it does."""
    connection = await asyncpg.connect(url)
    try:
        async with asyncio.timeout(10):
            while not await connection.fetch(f"SELECT pg_terminate_backend(pid) {WAITING}", sign):
                await asyncio.sleep(0.01)
    finally:
        await connection.close()


async def test_a_connection_that_ends_in_the_middle_of_an_append_is_made_good(postgres_place):
    backend = await postgres_place.open()
    lines = [Line() for _ in range(10)]
    for line in lines:
        await backend.store.append(line.advance(line.opening()), line.secrets)
    other = await asyncpg.connect(postgres_place.url)
    try:
        async with other.transaction():
            await other.execute("SELECT FROM heads WHERE match = $1 FOR UPDATE", max(line.match for line in lines))
            waiting = asyncio.gather(*[backend.store.append(line.move()) for line in lines])
            await end_what_waits(postgres_place.url, "WITH input")
        assert await waiting == [Appended()] * 10
    finally:
        await other.close()
    for line in lines:
        assert len(await backend.store.commits(line.match)) == 2


async def test_a_connection_that_ends_in_the_middle_of_sequencing_loses_no_position(postgres_place):
    backend = await postgres_place.open()
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    await backend.store.append(line.advance(line.move()))
    other = await asyncpg.connect(postgres_place.url)
    try:
        async with other.transaction():
            await other.execute("LOCK TABLE log IN ACCESS EXCLUSIVE MODE")
            waiting = asyncio.create_task(backend.sequencer.step())
            await end_what_waits(postgres_place.url, "DELETE FROM outbox")
        [failure] = await asyncio.gather(waiting, return_exceptions=True)
        assert isinstance(failure, Exception)
    finally:
        await other.close()
    assert await backend.sequencer.drain() == 2
    query = select(log.c.position).order_by(log.c.position)
    assert await backend.database.read(lambda c: c.scalars(query).all()) == [0, 1]


async def test_a_server_that_is_killed_under_load_keeps_what_it_accepted(each_own_postgres):
    url = each_own_postgres.databases.create()
    await migrate(url)
    backend = await open_postgres(url, VAULT)
    accepted = {}
    unknown = []
    stop = asyncio.Event()

    async def play(line):
        """A client that asks again under the same id when it gets no answer."""
        commit = line.opening()
        while not stop.is_set():
            try:
                result = await backend.store.append(commit, line.secrets if commit.first == 1 else None)
            except StoreUnavailableError:
                unknown.append(commit)
                await asyncio.sleep(0.05)
                continue
            assert result in (Appended(), Answered(commit))
            accepted.setdefault(line.match, []).append(line.advance(commit))
            commit = line.move()

    players = [asyncio.create_task(play(Line())) for _ in range(8)]
    for _ in range(2):
        await asyncio.sleep(0.7)
        each_own_postgres.kill()
        await asyncio.sleep(0.2)
        await asyncio.to_thread(each_own_postgres.start)
    before = sum(map(len, accepted.values()))
    async with asyncio.timeout(20):
        while sum(map(len, accepted.values())) < before + 50:
            await asyncio.sleep(0.05)
    stop.set()
    await asyncio.gather(*players)
    assert unknown, "the server was missed"
    for match, commits in accepted.items():
        assert await backend.store.commits(match) == commits
    assert await backend.sequencer.drain() == sum(map(len, accepted.values()))
    await backend.close()


async def test_a_store_without_a_server_says_so(each_own_postgres):
    url = each_own_postgres.databases.create()
    await migrate(url)
    backend = await open_postgres(url, VAULT)
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    each_own_postgres.kill()
    results = await asyncio.gather(*[backend.store.append(line.move()) for _ in range(3)], return_exceptions=True)
    assert all(isinstance(result, StoreUnavailableError) for result in results), results
    with pytest.raises((OSError, asyncpg.PostgresError, asyncpg.InterfaceError)):
        await backend.store.ping()
    await backend.close()


async def test_connections_that_died_while_nobody_used_them_are_replaced(each_own_postgres):
    url = each_own_postgres.databases.create()
    await migrate(url)
    backend = await open_postgres(url, VAULT)
    ann = await backend.accounts.create("Ann", guest=False)
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    await asyncio.gather(*[backend.accounts.find(ann.id) for _ in range(8)])
    await asyncio.to_thread(each_own_postgres.restart)
    assert await backend.store.append(line.advance(line.move())) == Appended()
    assert await asyncio.gather(*[backend.accounts.find(ann.id) for _ in range(8)]) == [ann] * 8
    assert await backend.sequencer.drain() == 2
    assert len(await backend.store.commits(line.match)) == 2
    await asyncio.to_thread(each_own_postgres.restart)
    assert await backend.accounts.issue(ann.id)
    assert len(await backend.store.commits(line.match)) == 2
    await backend.close()
