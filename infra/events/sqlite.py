"""The event store on SQLite: appends on the one writer thread, reads on connections of their own."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from domain.core.sealing import Commit
from domain.core.words import Version
from infra.database import SqliteDatabase
from infra.events.errors import StoreUnavailableError
from infra.events.rows import COMMITS, EVENTS, commit_row, event_row, kinds, read_commits
from infra.events.writer import Writer
from infra.partitions import Partitions
from infra.ports import Answered, Appended, AppendResult, Raced, Secrets
from infra.schema import check_schema
from infra.tables import commits, events
from infra.vault import Vault

T = TypeVar("T")

_BY_ID: Final = "match = ? AND account = ? AND command_id = ?"
_OPENING: Final = "account = ? AND command_id = ? AND first = 1"
_INSERT_COMMIT: Final = f"INSERT INTO commits ({COMMITS}) VALUES ({', '.join('?' * len(commits.columns))})"
_INSERT_EVENT: Final = f"INSERT INTO events (match, {EVENTS}) VALUES ({', '.join('?' * len(events.columns))})"
_INSERT_OUTBOX: Final = 'INSERT INTO outbox ("partition", match, first, last, time, kinds) VALUES (?, ?, ?, ?, ?, ?)'


class SqliteStore:
    """See infra.ports.Store."""

    def __init__(
        self,
        database: SqliteDatabase,
        writer: Writer,
        vault: Vault,
        partitions: Partitions,
        stored: Callable[[], None],
    ) -> None:
        self._database = database
        self._writer = writer
        self._vault = vault
        self._partitions = partitions
        self._stored = stored

    async def append(self, commit: Commit, secrets: Secrets | None = None) -> AppendResult:
        """See Store. Raises StoreBusyError, StoreClosedError, StoreUnavailableError if the disk fails, and
        sqlite3.IntegrityError for a commit that the database refuses.
        """
        sealed = self._vault.seal(commit.match, secrets) if secrets else None
        try:
            result = await self._writer.run(lambda connection: self._append(_raw(connection), commit, sealed))
        except sqlite3.OperationalError as error:
            raise StoreUnavailableError(f"the database cannot be written: {error}") from error
        if isinstance(result, Appended):
            self._stored()
        return result

    def _append(self, raw: sqlite3.Connection, commit: Commit, sealed: tuple[str, bytes] | None) -> AppendResult:
        opening = commit.first == 1
        found = _answered(raw, commit.match, commit.account, commit.command_id)
        if found is None and opening:
            found = _opened(raw, commit.account, commit.command_id)
        if found is not None:
            return Answered(found)
        partition = self._advance(raw, commit)
        if partition is None:
            return Raced()
        raw.execute(_INSERT_COMMIT, commit_row(commit))
        raw.executemany(_INSERT_EVENT, [(commit.match, *event_row(event)) for event in commit.events])
        raw.execute(_INSERT_OUTBOX, (partition, commit.match, commit.first, commit.last, commit.time, kinds(commit)))
        if sealed:
            raw.execute("INSERT INTO vault (match, key, sealed) VALUES (?, ?, ?)", (commit.match, *sealed))
        return Appended()

    def _advance(self, raw: sqlite3.Connection, commit: Commit) -> int | None:
        """Move the match's head on and give its partition; None if it is not where the commit expects it."""
        if commit.first == 1:
            partition = self._partitions.of(commit.match)
            added = raw.execute(
                'INSERT INTO heads (match, "partition", version, head) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
                (commit.match, partition, commit.last, commit.head),
            )
            return partition if added.rowcount else None
        moved = raw.execute(
            'UPDATE heads SET version = ?, head = ? WHERE match = ? AND version = ? AND head = ? RETURNING "partition"',
            (commit.last, commit.head, commit.match, commit.first - 1, commit.previous),
        ).fetchone()
        return moved[0] if moved else None

    async def commits(self, match: str, after: Version = 0, limit: int | None = None) -> Sequence[Commit]:
        """See Store."""
        condition = "match = ? AND last > ? ORDER BY last LIMIT ?"
        most = -1 if limit is None else limit
        return await self._read(lambda raw: _commits(raw, condition, (match, after, most)))

    async def answered(self, match: str, account: str, command_id: str) -> Commit | None:
        """See Store."""
        return await self._read(lambda raw: _answered(raw, match, account, command_id))

    async def opened(self, account: str, command_id: str) -> Commit | None:
        """See Store."""
        return await self._read(lambda raw: _opened(raw, account, command_id))

    async def secrets(self, match: str) -> Secrets | None:
        """See Store. Raises vault.VaultError if they cannot be decrypted under any of the vault's keys."""
        query = "SELECT key, sealed FROM vault WHERE match = ?"
        row: tuple[str, bytes] | None = await self._read(lambda raw: raw.execute(query, (match,)).fetchone())
        return self._vault.open(match, *row) if row else None

    async def ping(self) -> None:
        """See Store. Raises schema.SchemaError or sqlite3.Error."""
        await self._database.read(check_schema)

    async def close(self) -> None:
        """See Store."""
        await self._writer.close()
        await self._database.close()

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._database.read(lambda connection: work(_raw(connection)))


def _raw(connection: Connection) -> sqlite3.Connection:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def _answered(raw: sqlite3.Connection, match: str, account: str, command_id: str) -> Commit | None:
    return next(iter(_commits(raw, _BY_ID, (match, account, command_id))), None)


def _opened(raw: sqlite3.Connection, account: str, command_id: str) -> Commit | None:
    return next(iter(_commits(raw, _OPENING, (account, command_id))), None)


def _commits(raw: sqlite3.Connection, condition: str, values: tuple[Any, ...]) -> list[Commit]:
    """The commits of one match under the condition, in order."""
    found = raw.execute(f"SELECT {COMMITS} FROM commits WHERE {condition}", values).fetchall()
    if not found:
        return []
    query = f"SELECT {EVENTS} FROM events WHERE match = ? AND version BETWEEN ? AND ? ORDER BY version"
    return read_commits(found, raw.execute(query, (found[0][0], found[0][2], found[-1][3])).fetchall())
