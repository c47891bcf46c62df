"""What the store is measured against: pgbench, the `eventsourcing` library, and SQLite with a transaction per command."""

import re
import subprocess
import tempfile
from urllib.parse import urlsplit

import asyncpg

from infra.events.rows import COMMITS, EVENTS, commit_row, event_row, kinds
from tests.support.commits import Line
from tests.support.postgres import Postgres, wait_for

SECONDS = 2


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
        "INSERT INTO pg_heads SELECT 'pg' || n, 0, 1, decode(repeat('00', 32), 'hex') FROM generate_series(0, $1 - 1) n",
        writers,
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
    for n, event in enumerate(commit.events, 1):
        values = [_literal(value) for value in event_row(event)]
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
