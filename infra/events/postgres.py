"""The event store on PostgreSQL: appends by group commit, one statement for all that wait; reads over the same pool."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy

from domain.core.sealing import Commit
from domain.core.words import Version
from infra.database import PostgresDatabase
from infra.events.batcher import Batcher
from infra.events.errors import StoreUnavailableError
from infra.events.rows import COMMITS, EVENTS, read_commits
from infra.events.statements import MOVE, MOVE_ONE, OPEN, Sealed, one_parameters, opening_parameters, parameters
from infra.partitions import Partitions
from infra.ports import Answered, Appended, AppendResult, Raced, Secrets
from infra.schema import check_schema
from infra.vault import Vault

_BY_ID: Final = "match = $1 AND account = $2 AND command_id = $3"
_OPENING: Final = "account = $1 AND command_id = $2 AND first = 1"

UNREACHABLE: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
)
"""What says that the server, not the command, is the trouble."""


class _Job(msgspec.Struct, frozen=True):
    commit: Commit
    sealed: Sealed | None

    @property
    def key(self) -> str:
        return self.commit.match

    @property
    def kind(self) -> bool:
        return self.commit.first == 1


class PostgresStore:
    """See infra.ports.Store."""

    def __init__(
        self,
        database: PostgresDatabase,
        pool: asyncpg.Pool,
        vault: Vault,
        partitions: Partitions,
        stored: Callable[[], None],
        *,
        prepare: bool = True,
        waiting: int = 4096,
        batch: int = 128,
    ) -> None:
        self._database = database
        self._pool = pool
        self._vault = vault
        self._partitions = partitions
        self._stored = stored
        self._prepare = prepare
        self._batcher: Batcher[_Job, AppendResult] = Batcher(self._store, waiting=waiting, batch=batch)

    async def append(self, commit: Commit, secrets: Secrets | None = None) -> AppendResult:
        """See Store. Raises StoreBusyError, StoreClosedError, StoreUnavailableError, and asyncpg.PostgresError for a
        commit that the database refuses.
        """
        sealed = self._vault.seal(commit.match, secrets) if secrets else None
        return await self._batcher.submit(_Job(commit, sealed))

    async def _store(self, jobs: list[_Job]) -> list[AppendResult | Exception]:
        """Each job's result: the batch at once, once more if that fails, and then one by one."""
        try:
            return await self._attempt(jobs, again=False)
        except (asyncpg.PostgresError, *UNREACHABLE):
            await asyncio.sleep(random.uniform(0.005, 0.05))  # noqa: S311 - so that two who met do not meet again
        try:
            return await self._attempt(jobs, again=True)
        except UNREACHABLE as error:
            return [_unavailable(error)] * len(jobs)
        except asyncpg.PostgresError as error:
            if len(jobs) == 1:
                return [error]
        return [await self._alone(job) for job in jobs]

    async def _alone(self, job: _Job) -> AppendResult | Exception:
        try:
            return (await self._attempt([job], again=True))[0]
        except UNREACHABLE as error:
            return _unavailable(error)
        except asyncpg.PostgresError as error:
            refused: Exception = error
            return refused

    async def _attempt(self, jobs: list[_Job], *, again: bool) -> list[AppendResult | Exception]:
        statement, values = self._statement(jobs)
        async with self._connection() as connection:
            rows = await connection.fetch(statement, *values)
        won = {row[0] for row in rows}
        if won:
            self._stored()
        return [Appended() if job.key in won else await self._lost(job.commit, again=again) for job in jobs]

    def _statement(self, jobs: list[_Job]) -> tuple[str, list[Any]]:
        commits = [job.commit for job in jobs]
        if jobs[0].kind:
            more = [(job.key, self._partitions.of(job.key), job.sealed) for job in jobs]
            return OPEN, parameters(commits) + opening_parameters(more)
        return (MOVE, parameters(commits)) if len(jobs) > 1 else (MOVE_ONE, one_parameters(commits[0]))

    async def _lost(self, commit: Commit, *, again: bool) -> AppendResult:
        """Why a commit was not stored. After a failed attempt, whose outcome is unknown, it may be our own that is."""
        found = await self.answered(commit.match, commit.account, commit.command_id)
        if found is None and commit.first == 1:
            found = await self.opened(commit.account, commit.command_id)
        if found is None:
            return Raced()
        return Appended() if again and found.head == commit.head else Answered(found)

    async def commits(self, match: str, after: Version = 0, limit: int | None = None) -> Sequence[Commit]:
        """See Store."""
        return await self._commits("match = $1 AND last > $2 ORDER BY last LIMIT $3", match, after, limit)

    async def answered(self, match: str, account: str, command_id: str) -> Commit | None:
        """See Store."""
        return next(iter(await self._commits(_BY_ID, match, account, command_id)), None)

    async def opened(self, account: str, command_id: str) -> Commit | None:
        """See Store."""
        return next(iter(await self._commits(_OPENING, account, command_id)), None)

    async def _commits(self, condition: str, *values: Any) -> list[Commit]:
        """The commits of one match under the condition, in order."""
        async with self._connection() as connection:
            found = await connection.fetch(f"SELECT {COMMITS} FROM commits WHERE {condition}", *values)
            if not found:
                return []
            query = f"SELECT {EVENTS} FROM events WHERE match = $1 AND version BETWEEN $2 AND $3 ORDER BY version"
            events = await connection.fetch(query, found[0][0], found[0][2], found[-1][3])
        return read_commits(found, events)

    async def secrets(self, match: str) -> Secrets | None:
        """See Store. Raises vault.VaultError if they cannot be decrypted under any of the vault's keys."""
        async with self._connection() as connection:
            row = await connection.fetchrow("SELECT key, sealed FROM vault WHERE match = $1", match)
        return self._vault.open(match, *row) if row else None

    async def ping(self) -> None:
        """See Store. Raises schema.SchemaError or whatever the connection failed with."""
        await self._database.read(check_schema)

    async def close(self) -> None:
        """See Store."""
        await self._batcher.close()
        await self._pool.close()
        await self._database.close()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator["PoolConnectionProxy[Any]"]:
        """A connection; without prepared statements in a transaction, so that a PgBouncer does not change it midway."""
        async with self._pool.acquire() as connection:
            if self._prepare:
                yield connection
            else:
                async with connection.transaction():
                    yield connection


async def postgres_pool(url: str, *, prepare: bool, size: int) -> asyncpg.Pool:
    """A pool whose connections keep no session state, so that nothing needs to be reset between uses."""
    cache = {} if prepare else {"statement_cache_size": 0}
    return await asyncpg.create_pool(
        url, min_size=1, max_size=size, reset=_keep, timeout=10, command_timeout=30, **cache
    )


async def _keep(connection: object) -> None:
    """Nothing to reset."""


def _unavailable(error: BaseException) -> StoreUnavailableError:
    return StoreUnavailableError(f"the database cannot be reached: {error or type(error).__name__}")
