"""A backup, restored into a new cluster or file, goes on where it was taken."""

import asyncio
import sqlite3
import subprocess
from urllib.parse import urlsplit

from sqlalchemy import select

from infra.backends import migrate, open_postgres, open_sqlite
from infra.ports import Answered, Appended
from infra.tables import log
from infra.vault import Vault
from tests.support.commits import Line
from tests.support.postgres import Postgres

VAULT = Vault(b"k" * 32)


async def fill(backend):
    """A match, some of it sequenced and projected."""
    line = Line()
    commits = [line.advance(line.opening("mine"))]
    await backend.store.append(commits[0], line.secrets)
    for make in (line.start, line.move, line.move, line.move):
        commits.append(line.advance(make()))
        await backend.store.append(commits[-1])
        if len(commits) == 4:
            await backend.sequencer.drain()
            await backend.projectors["lobby"].drain()
    account = await backend.accounts.create("Ann", guest=False)
    return line, commits, await backend.accounts.issue(account.id)


async def check_goes_on(backend, line, commits, token):
    assert await backend.store.commits(line.match) == commits
    assert await backend.store.secrets(line.match) == line.secrets
    assert (await backend.accounts.bearer(token)).name == "Ann"
    again = Line()
    assert await backend.store.append(again.opening("mine"), again.secrets) == Answered(commits[0])
    assert await backend.store.append(line.advance(line.move())) == Appended()
    await backend.sequencer.drain()
    await backend.projectors["lobby"].drain()
    positions = select(log.c.position).order_by(log.c.position)
    assert await backend.database.read(lambda c: c.scalars(positions).all()) == list(range(6))
    assert await backend.read_models.projected(line.match) == line.version
    assert (await backend.projectors["lobby"].rebuild()).differing == 0


async def test_a_dump_goes_on_in_a_new_cluster(folder, tmp_path):
    old, new = Postgres(folder), Postgres(folder)
    old.start()
    try:
        url = old.databases.create()
        await migrate(url)
        backend = await open_postgres(url, VAULT)
        match = await fill(backend)
        await backend.close()
        program, environment = old.program("pg_dump")
        dump = [program, "--no-owner", "-d", urlsplit(url).path[1:]]
        text = (await asyncio.to_thread(subprocess.run, dump, env=environment, check=True, capture_output=True)).stdout
    finally:
        old.kill()
    new.start()
    try:
        url = new.databases.create()
        program, environment = new.program("psql")
        load = [program, "-q", "-v", "ON_ERROR_STOP=1", "-1", "-d", urlsplit(url).path[1:]]
        await asyncio.to_thread(subprocess.run, load, env=environment, check=True, input=text, capture_output=True)
        await migrate(url)
        backend = await open_postgres(url, VAULT)
        await check_goes_on(backend, *match)
        await backend.close()
    finally:
        new.kill()


async def test_a_copy_of_the_file_goes_on(tmp_path):
    backend = await open_sqlite(tmp_path / "old.db", VAULT)
    match = await fill(backend)
    source, target = sqlite3.connect(tmp_path / "old.db"), sqlite3.connect(tmp_path / "new.db")
    source.backup(target)  # as `sqlite3 old.db ".backup new.db"` does, while the store is open
    source.close()
    target.close()
    await backend.close()
    backend = await open_sqlite(tmp_path / "new.db", VAULT)
    await check_goes_on(backend, *match)
    await backend.close()
