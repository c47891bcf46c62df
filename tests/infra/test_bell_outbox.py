"""Rings on their way out: in order, bounded, and merged rather than lost."""

import asyncio
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from infra.bell.outbox import Outbox
from infra.ports import Ring

LIMIT = 8
MATCHES = 5


async def taken(outbox: Outbox, most: int) -> list[Ring]:
    async with asyncio.timeout(1):
        return await outbox.take(most)


async def test_rings_leave_in_the_order_in_which_they_came() -> None:
    outbox = Outbox()
    rings = [Ring(f"m{n % 3}", n, n, b"frame") for n in range(1, 20)]
    for ring in rings:
        outbox.put(ring)
    assert await taken(outbox, 7) + await taken(outbox, 100) == rings


async def test_what_could_not_be_sent_is_the_oldest_again_and_merged_by_match() -> None:
    outbox = Outbox()
    outbox.put(Ring("a", 1, 1, b"x"))
    outbox.put(Ring("b", 1, 2, b"y"))
    failed = await taken(outbox, 2)
    outbox.put(Ring("a", 2, 4, b"z"))
    outbox.put_back(failed)
    assert await taken(outbox, 100) == [Ring("a", 1, 4), Ring("b", 1, 2, b"y")]


async def test_it_tells_when_everything_is_sent() -> None:
    outbox = Outbox()
    assert outbox.sent.is_set()
    outbox.put(Ring("a", 1, 1))
    assert not outbox.sent.is_set()
    await taken(outbox, 1)
    assert not outbox.sent.is_set()
    outbox.done()
    assert outbox.sent.is_set()


steps = st.lists(
    st.tuples(st.integers(0, MATCHES - 1), st.integers(1, 3), st.sampled_from(["putting", "taking", "failing"]))
)


@given(steps)
def test_no_version_goes_unrung_whatever_fails(steps: list[tuple[int, int, str]]) -> None:
    async def run() -> None:
        outbox, stored = Outbox(LIMIT), defaultdict[str, int](int)
        rung: defaultdict[str, set[int]] = defaultdict(set)
        for number, size, what in steps:
            match = f"m{number}"
            outbox.put(Ring(match, stored[match] + 1, stored[match] + size, b"frame"))
            stored[match] += size
            if what != "putting":
                batch = await taken(outbox, size)
                if what == "failing":
                    outbox.put_back(batch)
                else:
                    outbox.done()
                    for ring in batch:
                        rung[ring.match] |= set(range(ring.first, ring.version + 1))
        while not outbox.sent.is_set():
            for ring in await taken(outbox, 3):
                assert ring.frame in {b"", b"frame"}
                rung[ring.match] |= set(range(ring.first, ring.version + 1))
            outbox.done()
        assert {match: set(range(1, last + 1)) for match, last in stored.items()} == rung

    asyncio.run(run())


async def test_beyond_its_bound_the_oldest_match_is_dropped() -> None:
    outbox = Outbox(LIMIT)
    for n in range(LIMIT + 3):
        outbox.put(Ring(f"m{n}", 1, 1))
    assert [ring.match for ring in await taken(outbox, 100)] == [f"m{n}" for n in range(3, LIMIT + 3)]
