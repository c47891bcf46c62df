"""Watching a match: each watcher keeps a cursor, and gets every version after it exactly once, in order."""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from typing import Final

import msgspec

from domain.core.errors import Illegal
from domain.core.words import Version, Viewer
from infra.ports import Bell
from service.frames import Frame
from service.hub import Hub
from service.live import Live

CATCH_UP: Final = 100
"""How many commits one frame covers at most when a watcher catches up."""

IN_STEP: Final = 16
"""A watcher this many commits behind, or less, gets a frame for each; one further behind gets them together."""


class EndReason(StrEnum):
    """Why a stream of frames ended. After `reconnect` and `shutdown`: watch again after the last version."""

    OVER = "over"
    REVOKED = "revoked"
    RECONNECT = "reconnect"
    SHUTDOWN = "shutdown"


class StreamEnd(msgspec.Struct, frozen=True):
    """The last thing that a watcher receives: why, and after which version to watch again."""

    reason: EndReason
    version: Version


Watched = Frame | StreamEnd


class Watching:
    """All watchers of this process. One hub per watched match serves all of its watchers."""

    def __init__(self, live: Live, bell: Bell, poll_s: float = 3.0, life_s: float = 1800.0) -> None:
        self._live = live
        self._bell = bell
        self.poll_s = poll_s
        self.life_s = life_s
        self._shared = 0
        self._hubs: dict[str, Hub] = {}
        self._closing = False
        self._left = asyncio.Event()

    @property
    def watchers(self) -> int:
        """How many watch at present."""
        return sum(hub.watchers for hub in self._hubs.values()) + self._shared

    def share(self, change: int) -> None:
        """So many more (or fewer) watch by way of a stream that another follows."""
        self._shared += change
        self._left.set()

    async def watch(
        self, match: str, viewer: Viewer, after: Version | None, valid: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[Watched]:
        """Frames from where the viewer stands: the first at once with the events after `after`, then one a commit.

        after None: from now on. valid: asked at each wake whether the credentials still hold.
        Raises Illegal for a match or a version that does not exist.
        """
        hub = self._hubs.get(match)
        if hub is None:
            hub = self._hubs[match] = Hub(self._live, self._bell, match, self.poll_s)
        hub.watchers += 1
        try:
            await hub.start()
            async for item in self._follow(hub, viewer, after, valid):
                yield item
        finally:
            hub.watchers -= 1
            self._left.set()
            if not hub.watchers and self._hubs.get(match) is hub:
                del self._hubs[match]
                await hub.stop()

    async def _follow(
        self, hub: Hub, viewer: Viewer, after: Version | None, valid: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[Watched]:
        changed = hub.changed
        history = (await hub.source(viewer)).history
        cursor = history.version if after is None else after
        if not 0 <= cursor <= history.version:
            raise Illegal("no_such_version", "S1", f"There is no version {cursor} yet.", f"Last: {history.version}.")
        until = asyncio.get_running_loop().time() + self.life_s
        first = True
        while True:
            async for frame in self._frames(hub, viewer, cursor, standing=first):
                cursor = frame.version
                yield frame
            first = False
            if (reason := self._ends(hub, cursor, until)) is not None:
                yield StreamEnd(reason, cursor)
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(self.poll_s):  # wait_for loses cancellations before Python 3.12
                    await changed.wait()
            changed = hub.changed
            if not await valid():
                yield StreamEnd(EndReason.REVOKED, cursor)
                return

    async def _frames(self, hub: Hub, viewer: Viewer, cursor: Version, *, standing: bool) -> AsyncIterator[Frame]:
        """The frames that lead from the cursor to now; when standing, at least one."""
        while True:
            source = await hub.source(viewer)
            ends = source.history.ends
            behind = len(ends) - bisect_right(ends, cursor)
            if not behind and not standing:
                return
            step = min(behind, CATCH_UP if standing or behind > IN_STEP else 1)
            version = ends[len(ends) - behind + step - 1]
            yield Frame(source, viewer, cursor + 1, version)
            cursor = version
            standing = False

    def _ends(self, hub: Hub, cursor: Version, until: float) -> EndReason | None:
        if self._closing:
            return EndReason.SHUTDOWN
        if hub.over_at is not None and cursor >= hub.over_at:
            return EndReason.OVER
        return EndReason.RECONNECT if asyncio.get_running_loop().time() >= until else None

    async def close(self) -> None:
        """End every stream with `shutdown`; streams opened from now on end at once."""
        self._closing = True
        for hub in list(self._hubs.values()):
            hub.notify()

    async def drain(self) -> None:
        """End every stream, and wait until the last one has."""
        await self.close()
        while self.watchers:
            self._left.clear()
            await self._left.wait()
