"""Checking a whole store on all cores, match by match; resumable, since what was found is kept in a file."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import msgspec

from domain.core.past import Codecs
from domain.games import GAMES
from infra.database import Database
from infra.heads import Head, count_heads, heads_after
from infra.signing import PublicKey
from service import app as wiring
from service.config import Settings
from service.verifying.findings import Finding
from service.verifying.stored import StoredCheck

BATCH: Final = 25
"""Matches that one process takes at a time."""


class Checked(msgspec.Struct, frozen=True):
    """One match after it was checked: where it stood, how many events, what was found (nothing: all holds), and the
    game and rules version that it is pinned to.
    """

    match: str
    version: int
    head: str
    events: int
    findings: tuple[Finding, ...] = ()
    game: str = ""
    rules: int = 0


class Summary(msgspec.Struct, frozen=True):
    """A whole audit: matches and events checked now, matches known from before, and every match with a fault."""

    matches: int
    events: int
    skipped: int
    faults: tuple[Checked, ...]


class Job(msgspec.Struct, frozen=True):
    """What a process is to do with its matches. all_differences: decide everything again and list all that differs,
    as before a deploy; else check everything and stop at each match's first fault.
    """

    data_dir: str
    matches: tuple[str, ...]
    keys: tuple[PublicKey, ...]
    all_differences: bool


async def audit(
    settings: Settings,
    *,
    workers: int,
    state: Path | None,
    progress: Callable[[int, int], None],
    all_differences: bool = False,
) -> Summary:
    """Check every match of the store. state: a file of what was checked; a match that still stands there is skipped.

    progress is told (matches done, matches there are).
    """
    known = _known(state)
    async with wiring.connect(settings) as services:
        database = services.backend.database
        total = await count_heads(database)
        keys = services.signer.public_keys
        skipped, done, events = 0, 0, 0
        faults: list[Checked] = []
        async for found in _batches(settings, _pending(database, known), keys, workers, all_differences):
            if isinstance(found, int):
                skipped += found
                done += found
            else:
                done += len(found)
                events += sum(checked.events for checked in found)
                faults += [checked for checked in found if checked.findings]
                _keep(state, found)
            progress(done, total)
    return Summary(done - skipped, events, skipped, tuple(faults))


def _known(state: Path | None) -> dict[str, str]:
    """Matches that were sound, by the head at which they stood."""
    if state is None or not state.exists():
        return {}
    lines = (msgspec.json.decode(line, type=Checked) for line in state.read_bytes().splitlines() if line)
    return {checked.match: checked.head for checked in lines if not checked.findings}


def _keep(state: Path | None, found: Iterable[Checked]) -> None:
    if state is not None:
        with state.open("ab") as file:
            file.writelines(msgspec.json.encode(checked) + b"\n" for checked in found)


async def _pending(database: Database, known: dict[str, str]) -> AsyncIterator[list[Head] | int]:
    """Batches of heads to check, and numbers of heads that were skipped."""
    after = ""
    while page := await heads_after(database, after, BATCH):
        after = page[-1].match
        todo = [head for head in page if known.get(head.match) != head.head]
        if len(todo) < len(page):
            yield len(page) - len(todo)
        if todo:
            yield todo


async def _batches(
    settings: Settings,
    pending: AsyncIterator[list[Head] | int],
    keys: tuple[PublicKey, ...],
    workers: int,
    all_differences: bool,
) -> AsyncIterator[list[Checked] | int]:
    loop = asyncio.get_running_loop()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(settings,)) as pool:
        running: set[asyncio.Future[list[Checked]]] = set()
        async for batch in pending:
            if isinstance(batch, int):
                yield batch
                continue
            job = Job(str(settings.data_dir), tuple(head.match for head in batch), keys, all_differences)
            running.add(loop.run_in_executor(pool, _check, job))
            while len(running) > 2 * workers:
                ready, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for each in ready:
                    yield each.result()
        for each in asyncio.as_completed(running):
            yield await each


_settings: Settings | None = None


def _begin(settings: Settings) -> None:
    global _settings  # noqa: PLW0603 - one per process, set once by the pool
    _settings = settings


def _check(job: Job) -> list[Checked]:
    assert _settings is not None
    return asyncio.run(_checked(_settings, job))


async def _checked(settings: Settings, job: Job) -> list[Checked]:
    codecs = Codecs(GAMES)
    made = []
    async with wiring.connect(settings) as services:
        store = services.backend.store
        for match in job.matches:
            commits = await store.commits(match)
            secrets = await store.secrets(match)
            assert secrets is not None, match
            check = StoredCheck(codecs, match, secrets, job.keys)
            if job.all_differences:
                findings = tuple(check.differences(commits))
            else:
                first = check.run(commits)
                findings = (first,) if first else ()
            last = commits[-1]
            made.append(Checked(match, last.last, last.head.hex(), check.events, findings, *check.pinned))
    return made
