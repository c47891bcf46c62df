"""What only a file can do to a store: be full, be locked, be one of several connections' own."""

import asyncio
import sqlite3

import pytest

from infra.events.errors import StoreUnavailableError
from infra.ports import Appended
from tests.support.commits import Line


async def test_a_full_disk_refuses_and_later_goes_on(sqlite_place):
    backend = await sqlite_place.open()
    lines = [Line() for _ in range(40)]
    for line in lines[:5]:
        await backend.store.append(line.advance(line.opening()), line.secrets)

    def limit(pages):
        return lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar()

    pages = await backend.database.read(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())
    await backend.database.write(limit(pages + 2))
    calls = [backend.store.append(line.opening(), line.secrets) for line in lines[5:]]
    results = await asyncio.gather(*calls, return_exceptions=True)
    full = [result for result in results if result != Appended()]
    assert full
    assert all(isinstance(result, StoreUnavailableError) and "full" in str(result) for result in full), full
    for line, result in zip(lines[5:], results, strict=True):
        assert len(await backend.store.commits(line.match)) == (result == Appended())
    await backend.database.write(limit(1_000_000))
    for line, result in zip(lines[5:], results, strict=True):
        if result != Appended():
            assert await backend.store.append(line.opening(), line.secrets) == Appended()
    assert await backend.sequencer.drain() == 40


async def test_an_append_waits_for_another_processs_transaction(sqlite_place):
    backend = await sqlite_place.open()
    other = sqlite3.connect(sqlite_place.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    line = Line()
    waiting = asyncio.create_task(backend.store.append(line.opening(), line.secrets))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    assert await backend.store.commits(line.match) == [], "readers do not wait"
    other.execute("COMMIT")
    other.close()
    assert await waiting == Appended()


async def test_work_that_fails_is_undone_alone(sqlite_place):
    backend = await sqlite_place.open()

    def fails(connection):
        connection.exec_driver_sql("INSERT INTO projections (name, serving) VALUES ('half', 1)")
        raise KeyError("mine")

    works = [backend.database.write(fails)]
    works += [backend.accounts.create(str(n), guest=True) for n in range(5)]
    first, *others = await asyncio.gather(*works, return_exceptions=True)
    assert isinstance(first, KeyError)
    assert [account.name for account in others] == list("01234")
    count = "SELECT count(*) FROM projections WHERE name = 'half'"
    assert await backend.database.read(lambda c: c.exec_driver_sql(count).scalar()) == 0


async def test_a_file_in_no_folder_is_refused(tmp_path):
    from infra.backends import open_sqlite
    from infra.vault import Vault

    with pytest.raises(Exception, match="unable to open database file"):
        await open_sqlite(tmp_path / "none" / "p.db", Vault(b"k" * 32))
