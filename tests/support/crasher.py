"""Kills a process of the store at every statement it executes, and checks after each death what is left.

`python -m tests.support.crasher URL` prints how many deaths were survived, and fails at the first that was not. Each
life is a fork: it appends a match, sequences and projects it, and dies by SIGKILL before its n-th statement, or by
SIGALRM at some moment.
"""

import asyncio
import itertools
import os
import random
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from asyncpg.pool import PoolConnectionProxy
from sqlalchemy import Engine, event, select

from domain.core.sealing import Commit
from infra.backends import Backend, migrate, open_postgres, open_sqlite
from infra.events.writer import Writer
from infra.ports import Answered, Appended, AppendResult
from infra.tables import log
from infra.vault import Vault
from tests.support.commits import Line

VAULT = Vault(b"k" * 32)
RANDOM_DEATHS = 20


def main(url: str) -> None:
    asyncio.run(migrate(url))
    died = 0
    for n in itertools.count(1):
        if not life(url, lambda n=n: die_at_statement(n)):
            break
        died += 1
    assert died > 20, f"only {died} statements were seen"
    chance = random.Random(1)
    by_time = sum(
        life(url, lambda: signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.001, 0.05)))
        for _ in range(RANDOM_DEATHS)
    )
    assert by_time > RANDOM_DEATHS // 5, f"only {by_time} of {RANDOM_DEATHS} died in time"
    sys.stdout.write(f"{died} {by_time}\n")


def life(url: str, doom: Callable[[], object]) -> bool:
    """One match in a process that is doomed, and what is found afterwards. Whether the process died of it."""
    line = Line()
    commits = [line.advance(line.opening()), line.advance(line.start()), line.advance(line.end())]
    told, telling = os.pipe()
    status = in_fork(live(url, line, commits, telling, doom))
    os.close(telling)
    with os.fdopen(told, "rb") as pipe:
        accepted = len(pipe.read())
    assert status in (0, signal.SIGKILL, signal.SIGALRM), f"it failed: {status}"
    assert in_fork(recover(url, line, commits, accepted)) == 0, f"not recovered; {accepted} were accepted"
    return status != 0


def in_fork(work: Coroutine[Any, Any, None]) -> int:
    """Run it in a process of its own; its exit status, or the signal it died of."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            asyncio.run(work)
            status = 0
        except BaseException as error:  # noqa: BLE001 - the fork must not go on as its parent
            sys.excepthook(type(error), error, error.__traceback__)
        sys.stderr.flush()
        os._exit(status)
    work.close()
    _, status = os.waitpid(pid, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


async def opened(url: str) -> Backend:
    if url.startswith("sqlite"):
        return await open_sqlite(Path(url.removeprefix("sqlite:///")), VAULT)
    return await open_postgres(url, VAULT, pool_size=2)


async def live(url: str, line: Line, commits: list[Commit], telling: int, doom: Callable[[], object]) -> None:
    backend = await opened(url)
    doom()
    watch_statements(backend)
    for commit in commits:
        result = await backend.store.append(commit, line.secrets if commit.first == 1 else None)
        assert result == Appended()
        os.write(telling, b".")
        if commit.commit != 2:
            await backend.sequencer.step()
            await backend.projectors["lobby"].step()
    signal.setitimer(signal.ITIMER_REAL, 0)
    await backend.close()


async def recover(url: str, line: Line, commits: list[Commit], accepted: int) -> None:
    """What was accepted is there, whole; the rest can be appended; everything is projected once."""
    backend = await opened(url)
    stored = list(await backend.store.commits(line.match))
    assert stored == commits[: len(stored)]
    assert accepted <= len(stored) <= accepted + 1, (accepted, len(stored))
    for n, commit in enumerate(commits):
        result: AppendResult = await backend.store.append(commit, line.secrets if n == 0 else None)
        assert result == (Answered(commit) if n < len(stored) else Appended()), (n, len(stored), result)
    assert await backend.store.secrets(line.match) == line.secrets
    await backend.sequencer.drain()
    await backend.projectors["lobby"].drain()
    rows = await backend.database.read(lambda c: c.execute(select(log).order_by(log.c.position)).all())
    assert [row.position for row in rows] == list(range(len(rows)))
    assert [row.last for row in rows if row.match == line.match] == [commit.last for commit in commits]
    assert await backend.read_models.projected(line.match) == line.version
    assert (await backend.projectors["lobby"].rebuild()).differing == 0
    await backend.close()


_at: int | None = None
_seen = 0


def die_at_statement(n: int) -> None:
    global _at  # noqa: PLW0603 - this process lives for it
    _at = n


def statement(*_: object) -> None:
    """One more statement is about to be executed, or has just been."""
    global _seen  # noqa: PLW0603
    _seen += 1
    if _seen == _at:
        os.kill(os.getpid(), signal.SIGKILL)


def watch_statements(backend: Backend) -> None:
    """Call `statement` at each statement that writes."""
    writer = getattr(backend.store, "_writer", None)
    if isinstance(writer, Writer):
        writer._raw.set_trace_callback(statement)
        return
    fetch = PoolConnectionProxy.fetch

    async def watched(*arguments: Any, **named: Any) -> Any:
        statement()
        rows = await fetch(*arguments, **named)
        statement()
        return rows

    PoolConnectionProxy.fetch = watched
    for what in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, what, statement)


if __name__ == "__main__":
    main(sys.argv[1])
