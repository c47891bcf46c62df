"""Redis killed, frozen, flushed or away while rings fly: every watcher ends with every version once, in order.

Nobody looks into the store by a clock here: the bell itself has to make good what it lost.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence

import pytest

from infra import metrics
from infra.bell.redis import RedisBell
from infra.ports import Bell, BellDown, Ring
from tests.support.process import Folder
from tests.support.redis import Redis
from tests.support.ringing import Truth, complete, load, watchers

MATCHES = [f"m{n}" for n in range(8)]
HEALED_S = 60.0


@pytest.fixture
async def bells(own_redis: Redis) -> AsyncIterator[Sequence[RedisBell]]:
    """The bells of three processes on a Redis that may be ill-treated."""
    three = [RedisBell(own_redis.url, silence_s=1.0, timeout_s=1.0) for _ in range(3)]
    yield three
    for bell in three:
        await bell.close()


async def everybody_hears_again(bells: Sequence[Bell], within_s: float = HEALED_S) -> None:
    async with asyncio.timeout(within_s):
        for bell in bells:
            while True:
                try:
                    await bell.ping()
                    break
                except BellDown:
                    await asyncio.sleep(0.05)


async def test_killed_and_restarted_under_load(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    truth, before = Truth(), metrics.BELL_RECONNECTS._value.get()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.005):
            for away_s in (0.1, 1.5, 0.0):
                await asyncio.sleep(0.5)
                own_redis.kill()
                await asyncio.sleep(away_s)
                own_redis.start()
                await asyncio.sleep(0.5)
        assert await complete(following, HEALED_S)
    assert metrics.BELL_RECONNECTS._value.get() >= before + len(bells)
    assert all(each.frames > 0 for each in following)


async def test_killed_as_the_last_thing_that_happened(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.005):
            await asyncio.sleep(0.3)
            own_redis.kill()
            await asyncio.sleep(0.3)
        own_redis.start()
        assert await complete(following, HEALED_S)


@pytest.mark.parametrize("frozen_s", [0.5, 4.0])
async def test_frozen_under_load(own_redis: Redis, bells: Sequence[RedisBell], frozen_s: float) -> None:
    """Shorter and longer than it takes to notice."""
    await freeze(own_redis, bells, frozen_s)


async def test_frozen_for_twenty_seconds(folder: Folder) -> None:
    server = Redis(folder)
    server.start()
    bells = [RedisBell(server.url) for _ in range(3)]
    await freeze(server, bells, 20.0)
    for bell in bells:
        await bell.close()
    server.kill()


async def freeze(own_redis: Redis, bells: Sequence[RedisBell], frozen_s: float) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.02):
            await asyncio.sleep(0.3)
            own_redis.pause()
            await asyncio.sleep(frozen_s)
            own_redis.resume()
            await asyncio.sleep(0.3)
        assert await complete(following, HEALED_S)


async def test_flushed_under_load(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.005):
            for _ in range(5):
                assert own_redis.ask("FLUSHALL") == "+OK"
                await asyncio.sleep(0.1)
        assert await complete(following, HEALED_S)


@pytest.mark.parametrize("kind", ["pubsub", "normal"])
async def test_connections_cut_by_the_server(own_redis: Redis, bells: Sequence[RedisBell], kind: str) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.005):
            for _ in range(3):
                await asyncio.sleep(0.2)
                own_redis.ask(f"CLIENT KILL TYPE {kind}")
        assert await complete(following, HEALED_S)


async def test_a_connection_cut_while_idle_costs_no_frame(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    async with bells[1].listen("m1") as listener:
        for n in range(1, 4):
            await bells[0].ring(Ring("m1", n, n, b"frame"))
            async with asyncio.timeout(5):
                assert await anext(listener) == Ring("m1", n, n, b"frame")
            own_redis.ask("CLIENT KILL TYPE normal")


async def test_ringing_never_waits_for_a_redis_that_is_away(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    await everybody_hears_again(bells)
    own_redis.pause()
    slowest = 0.0
    for n in range(1, 5000):
        before = time.perf_counter()
        await bells[0].ring(Ring(f"m{n % 50}", n, n, b"x" * 1000))
        slowest = max(slowest, time.perf_counter() - before)
    assert slowest < 0.2
    with pytest.raises(BellDown):
        await bells[0].ping()
    own_redis.resume()
    await everybody_hears_again(bells)


async def test_a_process_hears_itself_while_redis_is_away(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    own_redis.kill()
    async with bells[0].listen("m1") as listener:
        await bells[0].ring(Ring("m1", 1, 1, b"x"))
        assert await anext(listener) == Ring("m1", 1, 1, b"x")


async def test_begun_before_redis_is_there(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    own_redis.kill()
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.01):
            await asyncio.sleep(1.5)
        own_redis.start()
        assert await complete(following, HEALED_S)
        await everybody_hears_again(bells)


async def test_closing_is_quick_while_redis_is_away(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    await everybody_hears_again(bells)
    own_redis.pause()
    await bells[0].ring(Ring("m1", 1, 1))
    async with asyncio.timeout(2):
        await bells[0].close()


async def test_what_is_not_ours_is_not_believed(own_redis: Redis, bells: Sequence[RedisBell]) -> None:
    async with bells[0].listen("m1") as listener:
        assert own_redis.ask("SPUBLISH podesta:ring:1:m1 nonsense") == ":1"
        async with asyncio.timeout(5):
            assert await anext(listener) is None
        await everybody_hears_again(bells)


async def test_a_wrong_password_is_told_and_heals_nothing(own_redis: Redis) -> None:
    bell = RedisBell(own_redis.url.replace(own_redis.password, "guess"), timeout_s=0.5)
    with pytest.raises(BellDown):
        await bell.ping()
    await bell.close()
