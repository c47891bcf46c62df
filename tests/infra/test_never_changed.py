"""What is stored is never changed or removed: the engines refuse it, and the service's role has no right to it."""

import sqlite3
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import Text, insert

from infra.backends import migrate, open_postgres
from infra.ports import Answered, Appended, MatchFilter
from infra.tables import GRANTS, NEVER_CHANGED, checkpoints, erasures, metadata
from infra.vault import Vault
from tests.support.commits import Line

CHANGES = [
    f"{change} {table} {rest}"
    for table in NEVER_CHANGED
    for column in [next(c.name for c in metadata.tables[table].c if isinstance(c.type, Text))]
    for change, rest in (
        ("UPDATE", f"SET {column} = 'x'"),
        ("DELETE FROM", ""),
        ("DELETE FROM", f"WHERE {column} = 'none'"),
    )
]


async def filled(backend):
    line = Line()
    for make in (line.opening, line.start, line.move):
        commit = line.advance(make())
        await backend.store.append(commit, line.secrets if commit.first == 1 else None)
    await backend.sequencer.drain()
    await backend.database.write(
        lambda connection: [
            connection.execute(insert(checkpoints).values(partition=0, size=1, time=1, note="n")),
            connection.execute(insert(erasures).values(account="a", time=1)),
        ]
    )
    return line


async def test_sqlite_refuses_to_change_what_is_stored(sqlite_place):
    backend = await sqlite_place.open()
    line = await filled(backend)
    before = await backend.store.commits(line.match)
    connection = sqlite3.connect(sqlite_place.url.removeprefix("sqlite:///"))
    for change in CHANGES:
        if "none" not in change:  # SQLite's triggers look at each row: a change of none is none
            with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
                connection.execute(change)
    connection.rollback()
    connection.close()
    assert await backend.store.commits(line.match) == before


async def test_postgres_refuses_its_owner_to_change_what_is_stored(postgres_place):
    backend = await postgres_place.open()
    line = await filled(backend)
    before = await backend.store.commits(line.match)
    owner = await asyncpg.connect(postgres_place.url)
    try:
        for change in [*CHANGES, *(f"TRUNCATE {table}" for table in NEVER_CHANGED)]:
            with pytest.raises(asyncpg.RaiseError, match="never changed or removed"):
                await owner.execute(change)
    finally:
        await owner.close()
    assert await backend.store.commits(line.match) == before


@pytest.fixture
async def restricted(postgres_place):
    """The database as the service's role sees it."""
    name = f"service_{abs(hash(postgres_place.url)) % 10**8}"
    owner = await asyncpg.connect(postgres_place.url)
    await owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'only-here'")
    await migrate(postgres_place.url, role=name)
    parts = urlsplit(postgres_place.url)
    yield parts._replace(netloc=f"{name}:only-here@{parts.hostname}:{parts.port}").geturl()
    await owner.execute(f"DROP OWNED BY {name}")
    await owner.execute(f"DROP ROLE {name}")
    await owner.close()


async def test_the_services_role_can_do_its_work_and_nothing_beside(restricted):
    backend = await open_postgres(restricted, Vault(b"k" * 32))
    await backend.store.ping()
    line = await filled(backend)
    again = line.move("again")
    assert await backend.store.append(line.advance(again)) == Appended()
    assert await backend.store.append(again) == Answered(again)
    assert await backend.store.secrets(line.match) == line.secrets
    await backend.sequencer.drain()
    lobby = backend.projectors["lobby"]
    assert await lobby.drain() == 4
    assert (await lobby.rebuild()).differing == 0
    assert len((await backend.read_models.matches(MatchFilter(), 5, None)).rows) == 1
    account = await backend.accounts.create("Ann", guest=False)
    token = await backend.accounts.issue(account.id)
    assert await backend.accounts.erase((await backend.accounts.create("Bob", guest=False)).id)
    assert await backend.accounts.revoke(token)
    await backend.close()

    service = await asyncpg.connect(restricted)
    try:
        refused = [
            *CHANGES,
            "TRUNCATE events",
            "DELETE FROM heads",
            "UPDATE vault SET key = 'x'",
            "DELETE FROM accounts",
        ]
        refused += ["DELETE FROM accounts", "DELETE FROM vault", "UPDATE log SET position = 9"]
        refused += ["DROP TABLE events", "ALTER TABLE events DISABLE TRIGGER ALL", "CREATE TABLE more (a int)"]
        refused += ["UPDATE alembic_version SET version_num = 'x'", "UPDATE outbox SET match = 'x'"]
        for statement in refused:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await service.execute(statement)
    finally:
        await service.close()


def test_every_table_has_its_rights_stated():
    assert set(GRANTS) == {*metadata.tables, "alembic_version"}
    for table in NEVER_CHANGED:
        assert GRANTS[table] == "SELECT, INSERT"
