"""Watching: every version exactly once and in order, whatever happens to rings, processes and credentials."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from domain.core.errors import Illegal
from domain.core.table import CancelMatch
from domain.core.words import GALLERY
from infra.bell.memory import MemoryBell
from infra.ports import Ring
from service.frames import Frame
from service.watching import EndReason, StreamEnd, Watched, Watching
from tests.service.desk import Desk, accepted
from tests.tiny.words import Bid, Boast


async def always() -> bool:
    return True


class Notes:
    """What a watcher has received, checked for holes as it comes."""

    def __init__(self, stream: AsyncIterator[Watched], after: int) -> None:
        self.versions: list[int] = []
        self.frames: list[Frame] = []
        self.end: StreamEnd | None = None
        self.after = after
        self.task = asyncio.create_task(self._take(stream))

    async def _take(self, stream: AsyncIterator[Watched]) -> None:
        last = self.after
        async for item in stream:
            if isinstance(item, StreamEnd):
                self.end = item
                continue
            assert item.first == last + 1
            assert [e.version for e in item.events] == list(range(item.first, item.version + 1))
            self.versions += [e.version for e in item.events]
            self.frames.append(item)
            last = max(last, item.version)

    async def until(self, version: int) -> None:
        async with asyncio.timeout(10):
            while self.frames == [] or self.frames[-1].version < version:
                await asyncio.sleep(0.01)


def watch(desk: Desk, match: str, viewer: int, after: int) -> Notes:
    return Notes(desk.watching.watch(match, viewer, after, always), after)


async def test_the_first_frame_says_where_the_viewer_stands(desk: Desk) -> None:
    match = await desk.begin()
    last = (await desk.play.look(match, None)).version
    stream = desk.watching.watch(match, GALLERY, None, always)
    frame = await anext(stream)
    assert isinstance(frame, Frame)
    assert (frame.first, frame.version, frame.events) == (last + 1, last, [])
    assert frame.view is not None
    await stream.aclose()  # type: ignore[attr-defined]
    assert desk.watching.watchers == 0


async def test_watchers_of_two_processes_see_every_version_once_each_as_they_may(desk: Desk) -> None:
    match = await desk.begin()
    other = Desk(desk.backend, desk.bell)
    notes = [watch(where, match, viewer, 0) for where in (desk, other) for viewer in (0, 1, GALLERY)]
    for seat in range(3):
        accepted(await desk.send(f"a{seat}", match, Bid(seat)))
        accepted(await other.send(f"a{seat}", match, Boast(("gold",))))
    last = (await desk.play.look(match, None)).version
    for note in notes:
        await note.until(last)
        assert note.versions == list(range(1, last + 1))
        bids = [e.word.amount for e in (e for f in note.frames for e in f.events) if e.type == "BidMade"]  # type: ignore[attr-defined]
        viewer = note.frames[0].viewer
        assert bids == [seat if seat == viewer else None for seat in range(3)]
        note.task.cancel()
    await asyncio.gather(*(n.task for n in notes), return_exceptions=True)


async def test_resuming_inside_a_commit_gives_the_rest_of_it(desk: Desk) -> None:
    match = await desk.begin()
    last = (await desk.play.look(match, None)).version
    note = watch(desk, match, GALLERY, last - 1)
    await note.until(last)
    assert note.versions == [last]
    note.task.cancel()
    await asyncio.gather(note.task, return_exceptions=True)


class LossyBell(MemoryBell):
    """Loses every other ring, sends some twice, and drops frames."""

    count = 0

    async def ring(self, ring: Ring) -> None:
        self.count += 1
        if self.count % 2:
            return
        await super().ring(ring if self.count % 4 else Ring(ring.match, ring.first, ring.version))
        await super().ring(ring)


async def test_lost_doubled_and_bare_rings_cost_time_only(desk: Desk) -> None:
    lossy = Desk(desk.backend, LossyBell(), poll_s=0.05)
    match = await lossy.begin()
    notes = [watch(lossy, match, viewer, 0) for viewer in (0, GALLERY)]
    await notes[0].until(1)
    for seat in range(3):
        accepted(await lossy.send(f"a{seat}", match, Bid(seat)))
        accepted(await lossy.send(f"a{seat}", match, Boast()))
    last = (await lossy.play.look(match, None)).version
    for note in notes:
        await note.until(last)
        assert note.versions == list(range(1, last + 1))
        note.task.cancel()
    await asyncio.gather(*(n.task for n in notes), return_exceptions=True)


async def test_a_gallery_lives_on_rings_alone_and_never_reads_the_store(desk: Desk) -> None:
    match = await desk.begin()
    other = Desk(desk.backend, desk.bell, poll_s=30)
    note = watch(other, match, GALLERY, 0)
    await note.until(1)
    reads = 0
    plain = desk.backend.store.commits

    async def counted(*args: object, **named: object) -> object:
        nonlocal reads
        reads += 1
        return await plain(*args, **named)  # type: ignore[arg-type]

    object.__setattr__(other.live.store, "commits", counted)
    try:
        last = accepted(await desk.send("a0", match, Bid(1))).version
        await note.until(last)
    finally:
        object.__delattr__(other.live.store, "commits")
    assert reads == 0
    note.task.cancel()
    await asyncio.gather(note.task, return_exceptions=True)


async def test_the_stream_ends_with_the_match_and_everything_is_open_then(desk: Desk) -> None:
    match = await desk.begin()
    note = watch(desk, match, GALLERY, 0)
    await note.until(1)
    accepted(await desk.send("a0", match, Bid(2)))
    for account in ("a0", "a1", "a2"):
        accepted(await desk.send(account, match, CancelMatch()))
    async with asyncio.timeout(10):
        await note.task
    assert note.end is not None
    assert note.end.reason is EndReason.OVER
    assert note.versions == list(range(1, note.end.version + 1))
    late = watch(desk, match, GALLERY, 0)
    async with asyncio.timeout(10):
        await late.task
    assert [e.word.amount for f in late.frames for e in f.events if e.type == "BidMade"] == [2]  # type: ignore[attr-defined]


async def test_revoked_credentials_end_the_stream(desk: Desk) -> None:
    match = await desk.begin()
    holds = True

    async def valid() -> bool:
        return holds

    note = Notes(desk.watching.watch(match, GALLERY, 0, valid), 0)
    await note.until(1)
    holds = False
    async with asyncio.timeout(10):
        await note.task
    assert note.end is not None
    assert note.end.reason is EndReason.REVOKED


async def test_a_stream_has_a_bounded_life_and_a_closing_process_ends_it(desk: Desk) -> None:
    match = await desk.begin()
    short = Watching(desk.live, desk.bell, 0.05, life_s=0.1)
    items = [item async for item in short.watch(match, GALLERY, 0, always)]
    assert isinstance(items[-1], StreamEnd)
    assert items[-1].reason is EndReason.RECONNECT
    note = watch(desk, match, GALLERY, 0)
    await note.until(1)
    await desk.watching.close()
    async with asyncio.timeout(10):
        await note.task
    assert note.end is not None
    assert note.end.reason is EndReason.SHUTDOWN


async def test_watching_what_is_not_there_is_refused(desk: Desk) -> None:
    match = await desk.begin()
    with pytest.raises(Illegal, match="no_such_match"):
        await anext(desk.watching.watch("nosuch", GALLERY, 0, always))
    for version in (-1, 10**6):
        with pytest.raises(Illegal, match="no_such_version"):
            await anext(desk.watching.watch(match, GALLERY, version, always))
    assert desk.watching.watchers == 0
