"""Eight writers on overlapping matches, several sequencers and projectors: nothing missed, nothing doubled, no hole."""

import asyncio
import random
from collections import defaultdict

import msgspec
import pytest
from sqlalchemy import select

from domain.core.sealing import genesis
from infra.events.errors import StoreBusyError, StoreUnavailableError
from infra.ports import Answered, Appended, Raced
from infra.tables import log, outbox
from tests.support.commits import Line

WRITERS = 8
MATCHES = 12
COMMANDS = 40
"""Of each writer."""


def at_end(commits):
    """A line that goes on behind these commits."""
    line = Line(commits[0].match)
    line.number, line.version, line.head = commits[-1].commit, commits[-1].last, commits[-1].head
    return line


async def until_stored(backend, chance, match, account, command_id):
    """Append as the service does: at the head that was read, again after each lost race. Gives what was stored."""
    for _ in range(500):
        await asyncio.sleep(chance.random() * 0.004)
        line = at_end(await backend.store.commits(match))
        commit = line.move(command_id, account, events=chance.randint(1, 4))
        match await backend.store.append(commit):
            case Appended():
                return commit
            case Answered(stored):
                return stored
            case Raced():
                await asyncio.sleep(chance.random() * 0.004)
    raise AssertionError("lost five hundred races")


async def log_rows(backend):
    query = select(log).order_by(log.c.partition, log.c.position)
    return await backend.database.read(lambda connection: connection.execute(query).all())


def check_chains(histories):
    """Every match's commits follow one another without hole or overlap, in numbers, versions and digests."""
    for match, commits in histories.items():
        number, version, head = 0, 0, genesis(match)
        for commit in commits:
            assert (commit.commit, commit.first, commit.previous) == (number + 1, version + 1, head)
            assert [event.version for event in commit.events] == list(range(commit.first, commit.last + 1))
            number, version, head = commit.commit, commit.last, commit.head


def check_log(rows, histories):
    """The log holds every commit once, each match's in order, at dense positions of each partition."""
    positions, seen = defaultdict(list), defaultdict(list)
    for row in rows:
        positions[row.partition].append(row.position)
        seen[row.match].append((row.first, row.last, row.time))
    for partition in positions.values():
        assert partition == list(range(len(partition)))
    assert seen == {match: [(c.first, c.last, c.time) for c in commits] for match, commits in histories.items()}


@pytest.mark.parametrize("partitions", [1, 3])
async def test_writers_sequencers_and_projectors_race(place, partitions):
    backends = [await place.open(partitions=partitions) for _ in range(3)]
    workers = [asyncio.create_task(b.sequencer.run()) for b in backends]
    workers += [asyncio.create_task(b.projectors["lobby"].run()) for b in backends[:2]]
    matches = [Line() for _ in range(MATCHES)]
    for line in matches:
        await backends[0].store.append(line.opening(), line.secrets)
    chance = random.Random(1)

    async def writer(n):
        own = random.Random(n)
        return [
            await until_stored(backends[n % 3], own, own.choice(matches).match, f"a_{n}", f"c{k}")
            for k in range(COMMANDS)
        ]

    async def spoiler():
        """Commands that the database refuses, in the middle of everybody else's batches."""
        for _ in range(30):
            backend = chance.choice(backends)
            line = at_end(await backend.store.commits(chance.choice(matches).match))
            good = line.move(events=2)
            doubled = (good.events[0], good.events[0])
            bad = msgspec.structs.replace(good, events=doubled)
            [result] = await asyncio.gather(backend.store.append(bad), return_exceptions=True)
            assert result != Appended()
            if isinstance(result, Exception):
                refused.append(result)
            await asyncio.sleep(chance.random() * 0.01)

    refused = []
    spoiling = asyncio.create_task(spoiler())
    stored = [commit for commits in await asyncio.gather(*map(writer, range(WRITERS))) for commit in commits]
    await spoiling
    assert refused, "bad commands met the database"
    assert all("unique" in str(error).lower() for error in refused), refused

    histories = {line.match: list(await backends[0].store.commits(line.match)) for line in matches}
    check_chains(histories)
    held = [commit for commits in histories.values() for commit in commits if commit.commit > 1]
    assert len(held) == len(stored) == WRITERS * COMMANDS
    assert {(c.match, c.account, c.command_id): c.head for c in held} == {
        (c.match, c.account, c.command_id): c.head for c in stored
    }

    await asyncio.wait_for(quiet(backends[0]), 20)
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    check_log(await log_rows(backends[0]), histories)
    await backends[0].projectors["lobby"].drain()
    for match, commits in histories.items():
        assert await backends[0].read_models.projected(match) == commits[-1].last
    assert (await backends[0].projectors["lobby"].rebuild()).differing == 0


async def quiet(backend):
    """Wait until nothing waits for a position."""
    waiting = select(outbox.c.id).limit(1)
    while await backend.database.read(lambda connection: connection.scalar(waiting)) is not None:
        await asyncio.sleep(0.02)


async def test_the_same_id_at_once_is_stored_once(place):
    backends = [await place.open() for _ in range(2)]
    line = Line()
    await backends[0].store.append(line.advance(line.opening()), line.secrets)
    for round_number in range(25):
        attempts = []
        for n in range(8):
            line.time += 1
            attempts.append(backends[n % 2].store.append(line.move(f"c{round_number}", events=1 + n % 3)))
        results = await asyncio.gather(*attempts)
        stored = await backends[0].store.answered(line.match, "a_0", f"c{round_number}")
        assert sorted(type(r).__name__ for r in results) == ["Answered"] * 7 + ["Appended"]
        assert all(r == Appended() or r.commit == stored for r in results)
        line.advance(stored)


async def test_the_same_opening_at_once_opens_one_match(place):
    backends = [await place.open() for _ in range(2)]
    for round_number in range(25):
        lines = [Line() for _ in range(8)]
        command_id = f"c{round_number}"
        calls = [backends[n % 2].store.append(line.opening(command_id), line.secrets) for n, line in enumerate(lines)]
        results = await asyncio.gather(*calls)
        opened = await backends[1].store.opened("a_0", command_id)
        assert sorted(type(r).__name__ for r in results) == ["Answered"] * 7 + ["Appended"]
        assert all(r == Appended() or r.commit == opened for r in results)
        for line in lines:
            there = len(await backends[0].store.commits(line.match))
            assert there == (line.match == opened.match)
            assert (await backends[0].store.secrets(line.match) is not None) == bool(there)


async def test_one_bad_command_fails_alone(backend):
    lines = [Line() for _ in range(20)]
    for line in lines:
        await backend.store.append(line.advance(line.opening()), line.secrets)
    commits = [line.move(events=2) for line in lines]
    good = commits[7]
    commits[7] = msgspec.structs.replace(good, events=(good.events[0], good.events[0]))
    results = await asyncio.gather(*map(backend.store.append, commits), return_exceptions=True)
    assert [n for n, result in enumerate(results) if result != Appended()] == [7]
    assert "unique" in str(results[7]).lower()
    assert not isinstance(results[7], StoreUnavailableError)
    assert await backend.store.append(good) == Appended(), "nothing of the bad one was left behind"


async def test_one_bad_opening_fails_alone(backend):
    lines = [Line() for _ in range(9)]
    commits = [line.opening() for line in lines]
    commits[4] = msgspec.structs.replace(commits[4], events=commits[4].events * 2)
    calls = [backend.store.append(c, line.secrets) for c, line in zip(commits, lines, strict=True)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [n for n, result in enumerate(results) if result != Appended()] == [4]
    assert await backend.store.commits(lines[4].match) == []
    assert await backend.store.append(lines[4].opening(), lines[4].secrets) == Appended()


async def test_too_much_waiting_is_refused_at_once(place):
    backend = await place.open(waiting=10)
    lines = [Line() for _ in range(400)]
    calls = [backend.store.append(line.opening(), line.secrets) for line in lines]
    results = await asyncio.gather(*calls, return_exceptions=True)
    refused = [result for result in results if isinstance(result, StoreBusyError)]
    assert refused
    assert len(refused) + results.count(Appended()) == len(lines)


async def test_whoever_stops_waiting_takes_nobody_along(backend):
    lines = [Line() for _ in range(30)]
    waiting = [asyncio.create_task(backend.store.append(line.opening(), line.secrets)) for line in lines]
    await asyncio.sleep(0)
    for task in waiting[::3]:
        task.cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    for n, (line, result) in enumerate(zip(lines, results, strict=True)):
        there = await backend.store.commits(line.match)
        assert (isinstance(result, asyncio.CancelledError) and len(there) <= 1) if n % 3 == 0 else result == Appended()
