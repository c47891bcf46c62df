"""Rings on their way out: kept in order, and merged rather than lost while nobody can take them."""

import asyncio
from collections import deque
from collections.abc import Iterable

from infra import metrics
from infra.ports import Ring


class Outbox:
    """A bounded queue of rings. Beyond `limit`, rings of one match become one ring without a frame."""

    def __init__(self, limit: int = 1024) -> None:
        self._limit = limit
        self._rings: deque[Ring] = deque()
        self._some = asyncio.Event()
        self.sent = asyncio.Event()
        self.sent.set()

    def put(self, ring: Ring) -> None:
        """Queue a ring; never waits."""
        self._rings.append(ring)
        if len(self._rings) > self._limit:
            self._squash()
        self._some.set()
        self.sent.clear()

    async def take(self, most: int) -> list[Ring]:
        """Wait for rings and take the oldest, at most so many. Call `done` or `put_back` next."""
        await self._some.wait()
        batch = [self._rings.popleft() for _ in range(min(most, len(self._rings)))]
        if not self._rings:
            self._some.clear()
        return batch

    def done(self) -> None:
        """What was taken is on its way."""
        if not self._rings:
            self.sent.set()

    def put_back(self, batch: Iterable[Ring]) -> None:
        """What was taken could not be sent: it is the oldest again, merged by match, since it is late anyway."""
        self._rings.extendleft(reversed(list(batch)))
        self._squash()
        self._some.set()

    def _squash(self) -> None:
        merged: dict[str, Ring] = {}
        for ring in self._rings:
            old = merged.get(ring.match)
            merged[ring.match] = (
                Ring(ring.match, min(old.first, ring.first), max(old.version, ring.version)) if old else ring
            )
        self._rings = deque(merged.values())
        while len(self._rings) > self._limit:
            self._rings.popleft()
            metrics.BELL_LOST.labels("outbox").inc()
