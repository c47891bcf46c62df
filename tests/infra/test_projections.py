"""The lobby follows the log, is exact, and can be rebuilt and swapped while it serves."""

import asyncio

import pytest
from sqlalchemy import select, update

from infra.ports import MatchFilter, MatchRow
from infra.projections.rebuild import RebuildError, Rebuilt
from infra.tables import match_seats, matches, positions
from tests.support.commits import Line


async def store(backend, line, *makes):
    for make in makes:
        commit = line.advance(make())
        await backend.store.append(commit, line.secrets if commit.first == 1 else None)


async def project(backend):
    await backend.sequencer.drain()
    return await backend.projectors["lobby"].drain()


async def played(backend, *, count=1, account="a_0", game="toy", time=1000):
    """Matches in which a seat was taken, left, and taken by another; the last one is over."""
    lines = [Line(account=account, game=game, time=time + n) for n in range(count)]
    for line in lines:
        await store(
            backend,
            line,
            line.opening,
            lambda line=line: line.sit(0, "a_0", "s0"),
            lambda line=line: line.sit(1, "a_1", "s1"),
            lambda line=line: line.leave(1, "a_1"),
            lambda line=line: line.sit(1, "a_2", "s2"),
            line.start,
            line.move,
        )
    await store(backend, lines[-1], lines[-1].end)
    return lines


async def page(backend, first=50, after=None, **wanted):
    return await backend.read_models.matches(MatchFilter(**wanted), first, after)


async def test_the_lobby_shows_each_match_as_it_is(backend):
    [line] = await played(backend)
    assert await project(backend) == 8
    assert await page(backend) == await page(backend, first=1)
    [row] = (await page(backend)).rows
    assert row == MatchRow(line.match, "toy", 1, "over", 2, ("a_0", "a_2"), "a_0", line.version, 1000, 1070, "finished")


async def test_a_batch_of_one_and_a_batch_of_all_give_the_same(place):
    backend = await place.open()
    await played(backend, count=3)
    await backend.sequencer.drain()
    lobby = backend.projectors["lobby"]
    lobby._batch = 1
    assert await lobby.drain() == 22
    assert (await lobby.rebuild()).differing == 0


async def test_filters_by_game_status_and_account(backend):
    [one] = await played(backend, game="toy")
    two = await played(backend, count=2, game="other", account="a_9", time=5000)
    third = Line(account="a_3", time=9000)
    await store(backend, third, third.opening)
    await project(backend)

    async def found(**wanted):
        return [row.match for row in (await page(backend, **wanted)).rows]

    assert await found() == [third.match, two[1].match, two[0].match, one.match], "latest created first"
    assert await found(game="other") == [two[1].match, two[0].match]
    assert await found(status="seating") == [third.match]
    assert await found(status="running") == [two[0].match]
    assert await found(account="a_3") == [third.match], "opened it"
    assert await found(account="a_2") == [two[1].match, two[0].match, one.match], "sits in it"
    assert await found(account="a_1") == [], "left it"
    assert await found(account="a_9", status="over") == [two[1].match]
    assert await found(game="none") == []


async def test_pages_follow_one_another_while_matches_are_added(backend):
    lines = [Line(time=1000 + n // 3) for n in range(10)]  # created at the same moment, by threes
    for line in lines:
        await store(backend, line, line.opening)
    await project(backend)
    seen, cursor = [], None
    while True:
        found = await page(backend, first=3, after=cursor)
        seen += [row.match for row in found.rows]
        new = Line(time=2000)
        await store(backend, new, new.opening)
        await project(backend)
        if (cursor := found.cursor) is None:
            break
    assert sorted(seen) == sorted(line.match for line in lines)
    assert len(found.rows) == 1


@pytest.mark.parametrize("cursor", ["", "nonsense", "W10", "WzEsMl0", "ä", "W" * 5000])
async def test_what_is_no_cursor_is_refused(backend, cursor):
    with pytest.raises(ValueError, match="is no cursor"):
        await page(backend, after=cursor)


async def test_an_empty_lobby_is_an_empty_page(backend):
    assert (await page(backend)).rows == ()
    assert await backend.read_models.projected("none") == 0
    assert (await backend.projectors["lobby"].rebuild()).commits == 0
    with pytest.raises(ValueError, match="at least one"):
        await page(backend, first=0)


async def test_a_rebuild_says_what_was_wrong_and_mends_it(backend):
    lines = await played(backend, count=4)
    await project(backend)
    right = await page(backend)
    wrong = update(matches).where(matches.c.match == lines[0].match).values(version=1, status="over")
    await backend.database.write(lambda c: c.execute(wrong))
    seats = update(match_seats).where(match_seats.c.match == lines[1].match, match_seats.c.seat == 0)
    await backend.database.write(lambda c: c.execute(seats.values(account="a_x")))
    assert await page(backend) != right
    told = []
    done = await backend.projectors["lobby"].rebuild(told.append, batch=5)
    assert done.differing == 4, "two rows, each as it was and as it is"
    assert (done.commits, done.events) == (29, sum(line.version for line in lines))
    assert await page(backend) == right
    assert told[-1].commits == told[-1].of == 29
    assert [p.commits for p in told] == sorted(p.commits for p in told)
    assert (await backend.projectors["lobby"].rebuild()).differing == 0


async def test_a_rebuild_while_matches_are_played_serves_throughout(place):
    backend, other = await place.open(), await place.open()
    lines = await played(backend, count=5)
    await project(backend)
    running = [asyncio.create_task(b.run()) for b in (other.sequencer, other.projectors["lobby"])]
    stop = asyncio.Event()

    async def play():
        while not stop.is_set():
            await asyncio.gather(*[store(other, line, line.move) for line in lines[:-1]])
            assert len((await page(other)).rows) == 5

    playing = asyncio.create_task(play())
    for _ in range(5):
        assert (await backend.projectors["lobby"].rebuild(batch=20)).differing == 0
    stop.set()
    await playing
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await project(backend)
    for line in lines:
        assert await backend.read_models.projected(line.match) == line.version
    assert (await backend.projectors["lobby"].rebuild()).differing == 0


async def test_a_commit_is_projected_without_waiting_for_a_poll(backend):
    lobby = backend.projectors["lobby"]
    backend.sequencer.loop._poll_s = lobby.loop._poll_s = 60
    running = [asyncio.create_task(run()) for run in (backend.sequencer.run, lobby.run)]
    await asyncio.sleep(0.1)
    line = Line()
    await store(backend, line, line.opening)
    async with asyncio.timeout(10):
        while await backend.read_models.projected(line.match) == 0:
            await asyncio.sleep(0.01)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def test_a_failing_database_is_tried_again(backend, monkeypatch):
    calls = 0
    step = backend.sequencer.step

    async def failing():
        nonlocal calls
        calls += 1
        if calls <= 2:
            raise OSError("gone")
        return await step()

    monkeypatch.setattr(backend.sequencer.loop, "_step", failing)
    running = asyncio.create_task(backend.sequencer.run())
    await played(backend)
    async with asyncio.timeout(10):
        while await backend.projectors["lobby"].drain() == 0:
            await asyncio.sleep(0.02)
    assert backend.sequencer.loop.failures == 2
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_rebuilds_at_once_leave_one_right_projection(place):
    backends = [await place.open() for _ in range(3)]
    lines = await played(backends[0], count=6)
    await project(backends[0])
    right = await page(backends[0])
    calls = [backend.projectors["lobby"].rebuild(batch=5) for backend in backends]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert any(isinstance(result, Rebuilt) for result in results)
    assert all(isinstance(result, Rebuilt | RebuildError) for result in results), results
    assert await page(backends[0]) == right
    await store(backends[0], lines[0], lines[0].move)
    await project(backends[1])
    left = select(positions.c.generation).distinct()
    assert len(await backends[0].database.read(lambda c: c.scalars(left).all())) == 1, "nothing is left of the others"
    assert await backends[2].read_models.projected(lines[0].match) == lines[0].version
    assert (await backends[0].projectors["lobby"].rebuild()).differing == 0
