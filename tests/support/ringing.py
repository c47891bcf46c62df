"""Writers that ring and watchers that follow, over one bell each and one stored truth: what the service does, in small.

The watchers have no clock that makes them look by themselves: whatever they see, the bell made them see.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from infra.ports import Bell, Ring


class Truth:
    """What is stored: the last version of each match. Writers store first and ring then."""

    def __init__(self) -> None:
        self.versions: defaultdict[str, int] = defaultdict(int)

    async def write(self, bell: Bell, match: str, events: int = 1) -> None:
        """Store a commit of so many events, and ring."""
        first = self.versions[match] + 1
        self.versions[match] += events
        await bell.ring(Ring(match, first, first + events - 1, b"frame"))


class Watcher:
    """Follows one match; `seen` holds every version in the order in which it came."""

    def __init__(self, truth: Truth, bell: Bell, match: str) -> None:
        self.seen: list[int] = []
        self.reads = 0
        self.frames = 0
        self.match = match
        self._truth = truth
        self._bell = bell

    async def run(self) -> None:
        """Listen first, then read, then follow the rings."""
        async with self._bell.listen(self.match) as rings:
            self._read()
            async for ring in rings:
                if ring is None:
                    self._read()
                elif ring.first == len(self.seen) + 1 and ring.frame:
                    self.frames += 1
                    self.seen += range(ring.first, ring.version + 1)
                elif ring.version > len(self.seen):
                    self._read()

    def _read(self) -> None:
        self.reads += 1
        self.seen += range(len(self.seen) + 1, self._truth.versions[self.match] + 1)

    @property
    def complete(self) -> bool:
        """Whether every stored version was seen, exactly once and in order."""
        return self.seen == list(range(1, self._truth.versions[self.match] + 1))


@asynccontextmanager
async def watchers(truth: Truth, bells: Sequence[Bell], matches: Sequence[str]) -> AsyncIterator[list[Watcher]]:
    """A running watcher on every bell for every match."""
    all_of_them = [Watcher(truth, bell, match) for bell in bells for match in matches]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each.run()) for each in all_of_them]
        yield all_of_them
        for task in tasks:
            task.cancel()


@asynccontextmanager
async def load(truth: Truth, bells: Sequence[Bell], matches: Sequence[str], pause_s: float) -> AsyncIterator[None]:
    """Commits on every match, from changing bells, as long as the block runs."""

    async def write() -> None:
        for turn in range(1_000_000):
            for number, match in enumerate(matches):
                await truth.write(bells[(turn + number) % len(bells)], match, 1 + turn % 3)
            await asyncio.sleep(pause_s)

    task = asyncio.create_task(write())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def complete(following: Sequence[Watcher], within_s: float) -> bool:
    """Whether all have seen everything in time."""
    try:
        async with asyncio.timeout(within_s):
            while not all(each.complete for each in following):
                await asyncio.sleep(0.02)
    except TimeoutError:
        return False
    return True
