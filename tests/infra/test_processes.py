"""Several processes get the same command ids at once: one stores each, the others answer with what it stored."""

import asyncio
import sys

import msgspec
import pytest

from tests.support import servers
from tests.support.commits import Line

PROCESSES = 2


async def at_once(url, works):
    """Every process's printed results, each given its work as nearly at the same moment as can be."""
    command = [sys.executable, "-m", "tests.support.rival", url]
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    processes = [await asyncio.create_subprocess_exec(*command, **pipes) for _ in works]
    async with asyncio.timeout(60):
        for process in processes:
            assert await process.stdout.readline() == b"ready\n"
        done = await asyncio.gather(
            *[p.communicate(msgspec.msgpack.encode(work)) for p, work in zip(processes, works, strict=True)]
        )
    assert [process.returncode for process in processes] == [0] * len(works)
    return [[line.split() for line in out.decode().splitlines()] for out, _ in done]


@pytest.mark.parametrize("database", ["sqlite", servers.postgres_names()[0]], indirect=True)
async def test_one_process_stores_and_the_others_answer_with_what_it_stored(place):
    backend = await place.open()
    lines = [Line() for _ in range(30)]
    for line in lines:
        await backend.store.append(line.advance(line.opening()), line.secrets)
    works = []
    for n in range(PROCESSES):
        new = [Line(time=2000 + n) for _ in range(30)]
        openings = [(line.opening(f"open{at}"), line.secrets) for at, line in enumerate(new)]
        works.append([(line.move("same", events=1 + n), None) for line in lines] + openings)
    told = await at_once(place.url, works)
    for at in range(60):
        tried = [work[at][0] for work in works]
        if at < 30:
            stored = await backend.store.answered(lines[at].match, "a_0", "same")
            assert await backend.store.commits(lines[at].match, 1) == [stored]
        else:
            stored = await backend.store.opened("a_0", f"open{at - 30}")
            there = [bool(await backend.store.commits(commit.match)) for commit in tried]
            assert there.count(True) == 1
        results = [process[at] for process in told]
        assert sorted(kind for kind, _ in results) == ["Answered"] * (PROCESSES - 1) + ["Appended"]
        assert {head for _, head in results} == {stored.head.hex()}
