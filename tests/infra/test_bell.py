"""What every bell promises, checked on each of them: in-process, and Redis in every version of this machine."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

import pytest

from infra.bell.listeners import QUEUE_MAX
from infra.bell.memory import MemoryBell
from infra.bell.redis import FRAME_MAX, RedisBell
from infra.ports import Bell, BellDown, Listener, Ring
from tests.support.servers import redis_names

SOON_S = 30.0
A_WHILE_S = 0.2


async def heard(listener: Listener) -> Ring | None:
    async with asyncio.timeout(SOON_S):
        return await anext(listener)


async def silent(listener: Listener) -> bool:
    try:
        async with asyncio.timeout(A_WHILE_S):
            await anext(listener)
    except TimeoutError:
        return True
    return False


@asynccontextmanager
async def aclose(bell: Bell) -> AsyncIterator[Bell]:
    try:
        yield bell
    finally:
        await bell.close()


@pytest.fixture(params=["memory", *redis_names()])
async def bells(request: pytest.FixtureRequest, redis_named: Callable[[str], str]) -> AsyncIterator[tuple[Bell, Bell]]:
    """A bell to ring and a bell to listen to, of two processes where there can be two."""
    if request.param == "memory":
        both: tuple[Bell, Bell] = (MemoryBell(),) * 2
    else:
        url, prefix = redis_named(request.param), f"test-{request.node.name}"
        both = (RedisBell(url, prefix=prefix), RedisBell(url, prefix=prefix))
    for bell in both:
        await bell.ping()
    yield both
    for bell in both:
        await bell.close()


async def test_whoever_listens_hears_each_ring_in_order(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    rings = [Ring("m1", n, n, b"frame %d" % n) for n in range(1, 30)]
    async with there.listen("m1") as listener:
        for ring in rings:
            await here.ring(ring)
        assert [await heard(listener) for _ in rings] == rings


async def test_a_ring_reaches_its_own_process_once(bells: tuple[Bell, Bell]) -> None:
    here, _ = bells
    async with here.listen("m1") as listener:
        await here.ring(Ring("m1", 1, 2, b"x"))
        assert await heard(listener) == Ring("m1", 1, 2, b"x")
        assert await silent(listener)


async def test_the_first_anext_begins_to_listen_too(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    listener = there.listen("m1")
    first = asyncio.create_task(heard(listener))
    while not first.done():
        await here.ring(Ring("m1", 1, 1))
        await asyncio.sleep(0.01)
    assert first.result() == Ring("m1", 1, 1)
    await listener.aclose()


async def test_matches_do_not_mix_and_every_listener_is_told(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    async with there.listen("m1") as one, there.listen("m1") as two, there.listen("m2") as other:
        await here.ring(Ring("m1", 1, 1))
        assert await heard(one) == await heard(two) == Ring("m1", 1, 1)
        assert await silent(other)


async def test_who_stopped_listening_may_begin_again(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    for n in range(1, 20):
        async with there.listen("m1") as listener:
            await here.ring(Ring("m1", n, n))
            assert await heard(listener) == Ring("m1", n, n)


async def test_one_who_leaves_does_not_take_the_others_along(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    async with there.listen("m1") as staying:
        async with there.listen("m1"):
            pass
        await here.ring(Ring("m1", 1, 1))
        assert await heard(staying) == Ring("m1", 1, 1)


async def test_a_slow_listener_is_told_that_it_missed_some_and_harms_nobody(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    async with there.listen("m1") as slow, there.listen("m1") as quick:
        for n in range(1, 2 * QUEUE_MAX):
            await here.ring(Ring("m1", n, n))
            assert await heard(quick) == Ring("m1", n, n)
        assert await heard(slow) is None
        assert await heard(slow) == Ring("m1", QUEUE_MAX + 2, QUEUE_MAX + 2)


async def test_closing_ends_every_listener_and_further_ones_at_once(bells: tuple[Bell, Bell]) -> None:
    _, there = bells
    async with there.listen("m1") as listener:
        waiting = asyncio.create_task(anext(listener, "ended"))
        await asyncio.sleep(0)
        await there.close()
        assert await waiting == "ended"
    async with there.listen("m1") as late:
        assert [ring async for ring in late] == []


async def test_a_listener_that_is_closed_ends_its_waiting_reader(bells: tuple[Bell, Bell]) -> None:
    _, there = bells
    async with aclosing(there.listen("m1")) as listener:
        waiting = asyncio.create_task(anext(listener, "ended"))
        await asyncio.sleep(0.05)
    assert await waiting == "ended"


async def test_a_cancelled_wait_loses_nothing(bells: tuple[Bell, Bell]) -> None:
    here, there = bells
    async with there.listen("m1") as listener:
        assert await silent(listener)
        await here.ring(Ring("m1", 1, 1))
        assert await heard(listener) == Ring("m1", 1, 1)


async def test_ping_tells_whether_rings_get_through(bells: tuple[Bell, Bell]) -> None:
    here, _ = bells
    await here.ping()
    await asyncio.gather(*(here.ping() for _ in range(5)))
    await here.close()
    with pytest.raises(BellDown):
        await here.ping()
    await here.ring(Ring("m1", 1, 1))


async def test_a_long_frame_stays_out_of_redis(redis_url: str) -> None:
    here, there = RedisBell(redis_url, prefix="long"), RedisBell(redis_url, prefix="long")
    async with aclose(here), aclose(there), there.listen("m1") as listener:
        await here.ring(Ring("m1", 1, 3, b"x" * FRAME_MAX))
        await here.ring(Ring("m1", 4, 6, b"x" * (FRAME_MAX + 1)))
        assert await heard(listener) == Ring("m1", 1, 3, b"x" * FRAME_MAX)
        assert await heard(listener) == Ring("m1", 4, 6)
