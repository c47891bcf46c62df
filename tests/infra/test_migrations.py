"""The migrations make exactly the tables that the code has, on both engines, however many processes run them."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from infra.backends import migrate, open_postgres, open_sqlite
from infra.schema import SchemaError
from infra.tables import SCHEMA
from infra.vault import Vault

ROOT = Path(__file__).parents[2]
VAULT = Vault(b"k" * 32)


def alembic(url, *arguments):
    command = [sys.executable, "-m", "alembic", "-x", f"url={url}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)


def test_the_schema_that_the_code_wants_is_the_newest_migration():
    config = Config()
    config.set_main_option("script_location", "migrations:")
    assert ScriptDirectory.from_config(config).get_current_head() == SCHEMA


def test_the_tables_are_those_of_the_migrations(database):
    assert alembic(database.url, "upgrade", "head").returncode == 0
    checked = alembic(database.url, "check")
    assert "No new upgrade operations detected" in checked.stdout, checked.stdout + checked.stderr


def test_a_database_must_be_named():
    done = alembic("mysql://nowhere", "upgrade", "head")
    assert done.returncode != 0
    assert "Name the database" in done.stderr


async def test_a_url_of_another_engine_is_refused():
    with pytest.raises(ValueError, match="postgresql://"):
        await migrate("mysql://nowhere")


async def test_processes_that_migrate_at_once_migrate_once(database_url, tmp_path):
    for url in (database_url, f"sqlite:///{tmp_path / 'new.db'}"):
        here = [migrate(url) for _ in range(2)]
        elsewhere = [asyncio.to_thread(alembic, url, "upgrade", "head") for _ in range(2)]
        done = await asyncio.gather(*here, *elsewhere)
        assert [process.returncode for process in done[2:]] == [0, 0], done


async def test_an_empty_database_is_not_ready(database_url):
    backend = await open_postgres(database_url, VAULT)
    with pytest.raises(SchemaError, match="podesta migrate"):
        await backend.store.ping()
    await migrate(database_url)
    await backend.store.ping()
    await backend.close()


async def test_a_database_at_another_schema_is_not_ready(tmp_path):
    backend = await open_sqlite(tmp_path / "p.db", VAULT)
    await backend.store.ping()
    connection = sqlite3.connect(tmp_path / "p.db")
    connection.execute("UPDATE alembic_version SET version_num = '0000'")
    connection.commit()
    connection.close()
    with pytest.raises(SchemaError, match="at schema 0000"):
        await backend.store.ping()
    await backend.close()


async def test_the_file_is_durable_at_every_commit(tmp_path):
    backend = await open_sqlite(tmp_path / "p.db", VAULT)
    asked = ("journal_mode", "synchronous")
    for run in (backend.database.read, backend.database.write):
        found = await run(lambda c: [c.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked])
        assert found == ["wal", 2]
    await backend.close()
