"""The listeners of one process, each with a short queue of its own, so that a slow one harms nobody."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Self

from infra import metrics
from infra.ports import Ring

QUEUE_MAX: Final = 64
"""Rings that a listener may have unheard; more are replaced by one None."""


class Listener:
    """One listener of one match: an asynchronous iterator and context manager, as in `infra.ports.Listener`."""

    def __init__(self, listeners: "Listeners", match: str) -> None:
        self.match = match
        self._listeners = listeners
        self._queue: deque[Ring | None] = deque()
        self._wake = asyncio.Event()
        self._joined = False
        self.settled = False
        """Rings have begun to come in: from here on a doubt concerns this listener."""
        self._closed = False

    def __aiter__(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        await self._begin()
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.aclose()

    async def __anext__(self) -> Ring | None:
        await self._begin()
        while not self._queue:
            if self._closed:
                raise StopAsyncIteration
            self._wake.clear()
            await self._wake.wait()
        return self._queue.popleft()

    async def _begin(self) -> None:
        if self._joined or self._closed:
            return
        await self._listeners.join(self)
        self._joined = self.settled = True

    async def aclose(self) -> None:
        """Stop listening; rings that were not heard are forgotten."""
        self.end()
        self._listeners.leave(self)

    def offer(self, ring: Ring | None) -> None:
        """Queue a ring, or a None; never waits. A queue that is full is replaced by one None."""
        if ring is None and None in self._queue:
            return
        if len(self._queue) >= QUEUE_MAX:
            self._queue.clear()
            metrics.BELL_LOST.labels("listener").inc()
            ring = None
        self._queue.append(ring)
        self._wake.set()

    def end(self) -> None:
        """No more rings; a waiting `anext` ends."""
        self._closed = True
        self._queue.clear()
        self._wake.set()


async def _at_once(_match: str) -> None:
    """Nothing has to be waited for before rings come."""


def _nothing(_match: str) -> None:
    """Nobody has to be told."""


class Listeners:
    """Every listener of this process by match.

    first: awaited when somebody joins a match, until its rings come in. last: told when nobody listens any more.
    """

    def __init__(
        self, first: Callable[[str], Awaitable[None]] = _at_once, last: Callable[[str], None] = _nothing
    ) -> None:
        self._by_match: dict[str, set[Listener]] = {}
        self._first = first
        self._last = last
        self._closed = False

    async def join(self, listener: Listener) -> None:
        """Add a listener and wait until its rings come in, as far as `first` waits."""
        if self._closed:
            listener.end()
            return
        self._by_match.setdefault(listener.match, set()).add(listener)
        metrics.BELL_LISTENERS.inc()
        try:
            await self._first(listener.match)
        except BaseException:
            self.leave(listener)
            raise

    def leave(self, listener: Listener) -> None:
        """Forget a listener; does nothing if it is not known."""
        those = self._by_match.get(listener.match, set())
        if listener not in those:
            return
        those.discard(listener)
        metrics.BELL_LISTENERS.dec()
        if not those:
            del self._by_match[listener.match]
            self._last(listener.match)

    def deliver(self, ring: Ring) -> None:
        """Give a ring to everybody who listens to its match."""
        for listener in self._by_match.get(ring.match, ()):
            listener.offer(ring)

    def doubt(self, match: str) -> None:
        """Rings of the match come in from now on; whoever listened before is told that some may have been lost."""
        for listener in self._by_match.get(match, ()):
            if listener.settled:
                listener.offer(None)
            listener.settled = True

    def close(self) -> None:
        """End every listener, now and in future."""
        self._closed = True
        for those in list(self._by_match.values()):
            for listener in list(those):
                listener.end()
                self.leave(listener)
