"""The bell on a Redis cluster: channels live on different shards, move between them, and survive the loss of one."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from redis.crc import key_slot

from infra.bell.redis import RedisBell
from infra.ports import BellDown, Ring
from tests.support import redis, servers
from tests.support.cluster import Cluster
from tests.support.process import Folder
from tests.support.ringing import Truth, complete, load, watchers

MATCHES = [f"m{n}" for n in range(12)]
HEALED_S = 60.0


@pytest.fixture(scope="module", params=list(redis.installations()) or [servers.MISSING])
def cluster(request: pytest.FixtureRequest, folder: Folder) -> Iterator[Cluster]:
    """Three primaries and a replica of the first, of every version of this machine in turn."""
    made = Cluster(folder, redis.installations().get(request.param))
    made.start()
    yield made
    made.kill()


@pytest.fixture
async def bells(cluster: Cluster) -> AsyncIterator[Sequence[RedisBell]]:
    both = [RedisBell(cluster.url) for _ in range(2)]
    await reached(both)
    yield both
    for bell in both:
        await bell.close()


async def reached(bells: Sequence[RedisBell]) -> None:
    """Wait until rings get through everywhere."""
    async with asyncio.timeout(HEALED_S):
        for bell in bells:
            while True:
                try:
                    await bell.ping()
                    break
                except BellDown:
                    await asyncio.sleep(0.1)


def shard(match: str) -> int:
    return key_slot(f"podesta:ring:1:{match}".encode()) * 3 // 16384


async def test_matches_live_on_every_shard_and_are_heard(cluster: Cluster, bells: Sequence[RedisBell]) -> None:
    assert {shard(match) for match in MATCHES} == {0, 1, 2}
    for match in MATCHES:
        async with bells[1].listen(match) as listener:
            await bells[0].ring(Ring(match, 1, 2, b"frame"))
            async with asyncio.timeout(HEALED_S):
                # A None may come first: if this machine is so busy that the subscription was late.
                while (heard := await anext(listener)) is None:
                    await bells[0].ring(Ring(match, 1, 2, b"frame"))
                assert heard == Ring(match, 1, 2, b"frame")


async def test_a_channel_that_moves_is_followed(cluster: Cluster, bells: Sequence[RedisBell]) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.01):
            for match in MATCHES[:4]:
                slot = key_slot(f"podesta:ring:1:{match}".encode())
                cluster.move(slot, cluster.primaries[(shard(match) + 1) % 3])
                await asyncio.sleep(0.2)
                cluster.move(slot, cluster.primaries[shard(match)])
                await asyncio.sleep(0.2)
        assert await complete(following, HEALED_S)
    await reached(bells)


async def test_a_shard_that_dies_is_replaced_by_its_replica(cluster: Cluster, bells: Sequence[RedisBell]) -> None:
    truth = Truth()
    async with watchers(truth, bells, MATCHES) as following:
        async with load(truth, bells, MATCHES, 0.02):
            await asyncio.sleep(0.3)
            cluster.primaries[0].kill()
            await asyncio.to_thread(cluster.promoted)
        assert await complete(following, HEALED_S)
    await reached(bells)
