"""Watchers of one audience, led by one stream: it is followed, executed and encoded once, and each member is handed
the text.

A member comes to the group once it stands where the group stands, and keeps its own cursor: what it has seen already
it passes over, and where it finds a hole it catches up alone. What waits for a member is bounded; a member that lets
too much wait is ended and told where to resume.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

import msgspec
import structlog

from domain.core.words import Version, Viewer
from service.frames import Frame
from service.graphql.eager import Rest
from service.graphql.subscription import holder
from service.watching import EndReason, StreamEnd, Watching

log = structlog.get_logger()

WAITING: Final = 64
"""How many frames may wait for a member."""


class Text(msgspec.Struct, frozen=True, gc=False):
    """A frame, encoded: its range of versions, and which account the seat that looks belongs to."""

    first: Version
    version: Version
    holder: str | None
    text: str


class Tick(msgspec.Struct, frozen=True):
    """Nothing new: time to look whether the member may go on."""


class TooMany(msgspec.Struct, frozen=True):
    """More was to wait for the member than may."""


Handed = Text | Tick | TooMany | StreamEnd | Rest | Exception
"""What may wait for a member. Rest: of a send that was begun for it; Exception: what that send raised."""

_TICK: Final = Tick()
_TOO_MANY: Final = TooMany()


class Member:
    """What waits for one watcher.

    until: when its stream has lived long enough. direct: sends a text to it at once, if it may; None for a watcher
    with credentials, which are looked at first.
    """

    __slots__ = ("_items", "_waiter", "direct", "until")

    def __init__(self, until: float) -> None:
        self.until = until
        self._items: deque[Handed] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.direct: Callable[[Text], Rest | None] | None = None

    def offer(self, text: Text) -> None:
        """Send it at once if the member is idle, else let it wait."""
        if self.direct is None or self._items or self._waiter is None or self._waiter.done():
            self.hand(text)
            return
        try:
            rest = self.direct(text)
        except Exception as error:  # noqa: BLE001 - the member's, and its own task raises it
            self.hand(error)
        else:
            if rest is not None:
                self.hand(rest)

    def hand(self, item: Handed) -> None:
        """Let it wait for the member."""
        if len(self._items) >= WAITING:
            self._forget()
            item = _TOO_MANY
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def take(self) -> Handed:
        """What came first, once there is anything."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._items.popleft()

    def leave(self) -> None:
        """Take no more."""
        self.direct = None
        self._forget()

    def _forget(self) -> None:
        for item in self._items:
            if isinstance(item, Rest):
                item.close()
        self._items.clear()


Encode = Callable[[Frame], Awaitable[str]]


class Group:
    """The members of one audience of one match, and the stream that leads them."""

    def __init__(self, key: Any, watching: Watching, viewer: Viewer, cursor: Version, encode: Encode) -> None:
        self.key = key
        self.users = 0
        self.cursor = cursor
        self.members: set[Member] = set()
        self.started = asyncio.Event()
        self.ended = False
        self._watching = watching
        self._match: str = key[1]
        self._viewer = viewer
        self._encode = encode
        self._tasks = (
            asyncio.create_task(self._lead(), name=f"group {self._match}"),
            asyncio.create_task(self._tick(), name=f"ticks {self._match}"),
        )

    def join(self, member: Member, cursor: Version) -> bool:
        """Whether the member, which has all up to its cursor, may leave the rest to the group."""
        if self.ended or cursor < self.cursor:
            return False
        self.members.add(member)
        self._watching.share(1)
        return True

    def part(self, member: Member) -> None:
        """The member is led no more."""
        if member in self.members:
            self.members.discard(member)
            member.leave()
            self._watching.share(-1)

    def hand(self, item: Handed) -> None:
        """Hand it to every member."""
        for member in self.members:
            member.hand(item)

    async def stop(self) -> None:
        """Follow no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)  # awaiting them one by one could swallow our own cancellation

    async def _lead(self) -> None:
        try:
            while (end := await self._follow()).reason is EndReason.RECONNECT:
                pass  # the leading stream has its life, each member its own
            self.hand(end)
        except Exception:  # its members must not wait for ever
            log.exception("group_failed", match=self._match)
            self.hand(StreamEnd(EndReason.RECONNECT, self.cursor))
        finally:
            self.ended = True
            self.started.set()

    async def _follow(self) -> StreamEnd:
        stream: Any = self._watching.watch(self._match, self._viewer, self.cursor, _always)
        self._watching.share(-1)  # it leads, and watches for nobody itself
        try:
            async with aclosing(stream) as items:
                async for item in items:
                    if isinstance(item, StreamEnd):
                        return item
                    if item.version >= item.first:
                        await self._pass_on(item)
                    self.started.set()
        finally:
            self._watching.share(1)
        return StreamEnd(EndReason.RECONNECT, self.cursor)

    async def _pass_on(self, frame: Frame) -> None:
        text = Text(frame.first, frame.version, holder(frame), await self._encode(frame))
        self.cursor = frame.version
        for member in tuple(self.members):
            member.offer(text)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._watching.poll_s)
            now = asyncio.get_running_loop().time()
            for member in tuple(self.members):
                if member.direct is None or now >= member.until:
                    member.hand(_TICK)


async def _always() -> bool:
    return True
