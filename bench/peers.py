"""What the store is measured against: pgbench, the `eventsourcing` library, SQLite with a transaction per command."""

import re
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from domain.core.sealing import Commit
from infra.engines import sqlite_connection
from infra.events.rows import COMMITS, EVENTS, commit_row, event_row, kinds
from tests.support.commits import Line
from tests.support.postgres import Postgres, wait_for

SECONDS = 1


def pgbench_rate(server: Postgres, url: str, writers: int) -> float:
    """Commits per second of pgbench with the same statements on the same tables, one transaction each."""
    wait_for(_open_matches(url, writers))
    program, environment = server.program("pgbench")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(pgbench_script())
        script.flush()
        threads = min(writers, 2)
        arguments = ["-n", "-M", "prepared", "-c", str(writers), "-j", str(threads), "-T", str(SECONDS), "-D", "v=1"]
        done = subprocess.run(
            [program, *arguments, "-f", script.name, urlsplit(url).path[1:]],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    found = re.search(r"tps = ([0-9.]+) \(without", done.stdout)
    assert found, done.stdout + done.stderr
    assert "number of failed transactions: 0" in done.stdout, done.stdout + done.stderr
    return float(found[1])


async def _open_matches(url: str, writers: int) -> None:
    """Fresh tables like ours, with matches `pgN`, all at version 1."""
    connection = await asyncpg.connect(url)
    await connection.execute("DROP TABLE IF EXISTS pg_heads, pg_commits, pg_events, pg_outbox")
    for table in ("heads", "commits", "events", "outbox"):
        await connection.execute(f"CREATE TABLE pg_{table} (LIKE {table} INCLUDING ALL)")
    await connection.execute(
        "INSERT INTO pg_heads SELECT 'pg' || n, 0, 1, '\\x00'::bytea FROM generate_series(0, $1 - 1) n", writers
    )
    await connection.close()


def pgbench_script() -> str:
    """The transaction, with the bytes of a real commit; only match, versions and command id vary."""
    line = Line()
    line.advance(line.opening())
    commit = line.move()
    names = [name.strip() for name in COMMITS.split(",")]
    own = {"match": "'pg' || :client_id", "first": ":v + 1", "last": ":v + 3", "command_id": "'c' || :v"}
    row = [own.get(name, _literal(value)) for name, value in zip(names, commit_row(commit), strict=True)]
    rows = []
    for n, stored in enumerate(commit.events, 1):
        values = [_literal(value) for value in event_row(stored)]
        rows.append(f"('pg' || :client_id, :v + {n}, {', '.join(values[1:])})")
    head = _literal(commit.head)
    return f"""
BEGIN;
UPDATE pg_heads SET version = :v + 3, head = {head} WHERE match = 'pg' || :client_id AND version = :v;
INSERT INTO pg_commits ({COMMITS}) VALUES ({", ".join(row)});
INSERT INTO pg_events (match, {EVENTS}) VALUES {", ".join(rows)};
INSERT INTO pg_outbox ("partition", match, first, last, time, kinds)
  VALUES (0, 'pg' || :client_id, :v + 1, :v + 3, {commit.time}, '{kinds(commit)}');
COMMIT;
\\set v :v + 3
"""


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'::bytea"
    return f"'{value}'" if isinstance(value, str) else str(value)


class Match(Aggregate):
    """The library's way to have a match with small events."""

    def __init__(self) -> None:
        self.last = (0, 0, "")

    @event("Moved")
    def move(self, seat: int, to: int, note: str) -> None:
        """Something small happens."""
        self.last = (seat, to, note)


def eventsourcing_rate(url: str, writers: int) -> float:
    """Saves per second of the `eventsourcing` library, three events each, with a thread and an aggregate per writer."""
    parts = urlsplit(url)
    app: Application[UUID] = Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": parts.path[1:],
            "POSTGRES_HOST": str(parts.hostname),
            "POSTGRES_PORT": str(parts.port),
            "POSTGRES_USER": str(parts.username),
            "POSTGRES_PASSWORD": str(parts.password),
            "POSTGRES_POOL_SIZE": str(writers),
        }
    )
    matches = [Match() for _ in range(writers)]

    def write(match: Match) -> int:
        """Save until the time is over; how often that was."""
        for n in count():
            if time.perf_counter() > began + SECONDS:
                return n
            for step in range(3):
                match.move(0, 3 * n + step, "a word or two about it")
            app.save(match)
        raise AssertionError

    try:
        app.save(*matches)
        with ThreadPoolExecutor(writers) as threads:
            began = time.perf_counter()
            return sum(threads.map(write, matches)) / (time.perf_counter() - began)
    finally:
        app.close()


def one_by_one_rate(path: Path, work: list[list[Commit]]) -> float:
    """Commits per second of a thread per writer on the same SQLite file, each with a connection of its own, the same
    statements in a transaction per command.
    """
    places = ", ".join("?" * len(COMMITS.split(",")))
    event_places = ", ".join("?" * (1 + len(EVENTS.split(","))))

    def write(commits: list[Commit]) -> int:
        connection = sqlite_connection(path)
        stored = 0
        for commit in commits:
            if time.perf_counter() > began + SECONDS:
                break
            stored += 1
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                'INSERT INTO heads (match, "partition", version, head) VALUES (?, 0, ?, ?) '
                "ON CONFLICT (match) DO UPDATE SET version = excluded.version, head = excluded.head",
                (commit.match, commit.last, commit.head),
            )
            connection.execute(f"INSERT INTO commits ({COMMITS}) VALUES ({places})", commit_row(commit))
            rows = [(commit.match, *event_row(event)) for event in commit.events]
            connection.executemany(f"INSERT INTO events (match, {EVENTS}) VALUES ({event_places})", rows)
            connection.execute(
                'INSERT INTO outbox ("partition", match, first, last, time, kinds) VALUES (0, ?, ?, ?, ?, ?)',
                (commit.match, commit.first, commit.last, commit.time, kinds(commit)),
            )
            connection.execute("COMMIT")
        connection.close()
        return stored

    with ThreadPoolExecutor(len(work)) as threads:
        began = time.perf_counter()
        return sum(threads.map(write, work)) / (time.perf_counter() - began)
