"""Positions are dense in each partition, however many sequencers run, and whoever commits late is not missed."""

import asyncio

import asyncpg
from sqlalchemy import select

from infra.tables import log, outbox
from tests.support.commits import Line


async def fill(backend, matches, moves):
    lines = [Line() for _ in range(matches)]
    for line in lines:
        await backend.store.append(line.advance(line.opening()), line.secrets)
    for _ in range(moves):
        await asyncio.gather(*[backend.store.append(line.advance(line.move())) for line in lines])
    return lines


async def rows(backend):
    query = select(log).order_by(log.c.partition, log.c.position)
    return await backend.database.read(lambda connection: connection.execute(query).all())


async def test_several_sequencers_at_once_number_everything_once(place):
    backends = [await place.open(partitions=2) for _ in range(3)]
    for backend in backends:
        backend.sequencer._batch = 7
    lines = await fill(backends[0], 20, 6)
    moved = await asyncio.gather(*[backend.sequencer.drain() for backend in backends])
    assert sum(moved) == 140
    found = await rows(backends[0])
    assert {row.partition for row in found} == {0, 1}
    for partition in (0, 1):
        positions = [row.position for row in found if row.partition == partition]
        assert positions == list(range(len(positions)))
    for line in lines:
        ends = [row.last for row in found if row.match == line.match]
        assert ends == sorted(ends)
        assert len(ends) == 7
        assert len({row.partition for row in found if row.match == line.match}) == 1
    assert await backends[0].database.read(lambda c: c.scalars(select(outbox.c.id)).all()) == []


async def test_a_match_keeps_its_partition_when_their_number_changes(place):
    before, after = await place.open(partitions=1), await place.open(partitions=4)
    lines = await fill(before, 10, 1)
    for line in lines:
        await after.store.append(line.advance(line.move()))
    await after.sequencer.drain()
    assert {row.partition for row in await rows(after)} == {0}


async def test_the_log_says_what_kinds_of_events_a_commit_holds(backend):
    line = Line()
    for make in (line.opening, line.start, line.move):
        await backend.store.append(line.advance(make()))
    await backend.sequencer.drain()
    assert [row.kinds for row in await rows(backend)] == ["Opened", "Started Dealt", "Moved"]


async def test_a_transaction_that_commits_late_gets_its_position_then(postgres_place):
    """The append of a slow process has its outbox id before others that commit first."""
    backend = await postgres_place.open()
    slow = await asyncpg.connect(postgres_place.url)
    try:
        transaction = slow.transaction()
        await transaction.start()
        await slow.execute(
            "INSERT INTO outbox (partition, match, first, last, time, kinds) VALUES (0, 'slow', 1, 1, 1, 'Opened')"
        )
        await fill(backend, 5, 1)
        assert await backend.sequencer.drain() == 10
        await transaction.commit()
        assert await backend.sequencer.drain() == 1
    finally:
        await slow.close()
    found = await rows(backend)
    assert [row.position for row in found] == list(range(11))
    assert found[-1].match == "slow"


async def test_the_running_sequencer_is_woken_by_an_append(backend):
    backend.sequencer.loop._poll_s = 60
    running = asyncio.create_task(backend.sequencer.run())
    await asyncio.sleep(0.05)
    await fill(backend, 1, 0)
    async with asyncio.timeout(5):
        while not await rows(backend):
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
