"""One execution per audience: each frame is executed and encoded once for all who may see the same and ask the same.

A watcher is served what it would have been served alone: the key of what is shared holds the document, the operation,
the variables but for `after`, and the frame's own audience (match, viewer, range of versions, whether all is open).
Executions know nothing of who asks. A watcher catches up alone, and then is led by its group.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Coroutine
from contextlib import aclosing
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Protocol

import msgspec
from graphql import ExecutionResult, execute_subscription_event

from domain.core.words import Version, Viewer
from infra import metrics
from service.frames import Frame
from service.graphql.context import Context
from service.graphql.eager import Rest, start
from service.graphql.errors import Schema
from service.graphql.groups import Group, Member, Text, Tick, TooMany
from service.graphql.subscribing import Subscription
from service.graphql.subscription import SlowEnd, may_look, watched
from service.watching import EndReason, StreamEnd

FRAMES: Final = 512
"""How many encoded frames are kept for watchers that come a little later."""

_encode: Final = msgspec.json.Encoder().encode


class Outlet(Protocol):
    """Where a client's items go. slow: the client does not take them in time."""

    @property
    def slow(self) -> bool:
        """Whether the client does not take its items in time."""

    def send(self, payload: str) -> Coroutine[Any, Any, None]:
        """Send the payload of a `next` message."""


class Watcher(msgspec.Struct):
    """One client's subscription under way: how far it is, and the group that it is in or will be in."""

    subscription: Subscription
    context: Context
    outlet: Outlet
    account: str | None
    cursor: Version | None
    viewer: Viewer = 0
    group: Group | None = None

    @property
    def version(self) -> Version:
        """The last version that it was sent."""
        return self.cursor or 0


def _direct(watcher: Watcher, member: Member, item: Text) -> Rest | None:
    """Send a text to a watcher that is idle and has no token to look at, unless something else stands in the way."""
    if item.first != watcher.version + 1 or watcher.outlet.slow or watcher.viewer >= 0:
        member.hand(item)
        return None
    rest = start(watcher.outlet.send(item.text))
    metrics.FRAMES.value += 1
    watcher.cursor = item.version
    return rest


class Fanout:
    """What the watchers of one process share."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._frames: OrderedDict[Any, str | asyncio.Future[str]] = OrderedDict()
        self._groups: dict[Any, Group] = {}
        self.executions = 0
        """How often something was executed."""

    async def serve(self, subscription: Subscription, context: Context, outlet: Outlet) -> None:
        """Send the client all that it subscribes to, until that ends."""
        until = asyncio.get_running_loop().time() + context.services.watching.life_s
        account = await context.account_id()
        watcher = Watcher(subscription, context, outlet, account, subscription.after)
        member = Member(until)
        try:
            while await self._alone(watcher, member):
                if await self._led(watcher, member):
                    return
        finally:
            await self._release(watcher)

    async def _alone(self, watcher: Watcher, member: Member) -> bool:
        """Catch up. False if the stream has ended, True if the group leads from here on."""
        subscription = watcher.subscription
        items = watched(watcher.context, subscription.match, watcher.cursor, subscription.viewer)
        async with aclosing(items):
            async for item in items:
                await watcher.outlet.send(await self.payload(subscription, item))
                if not isinstance(item, Frame):
                    break
                metrics.FRAMES.value += 1
                watcher.viewer, watcher.cursor = item.viewer, item.version
                if watcher.outlet.slow:
                    await watcher.outlet.send(await self.payload(subscription, SlowEnd(item.version)))
                    break
                group = await self._group(watcher)
                if group.join(member, item.version):
                    return True
        return False

    async def _group(self, watcher: Watcher) -> Group:
        """The watcher's group, once it is under way."""
        subscription = watcher.subscription
        key = (subscription.key, subscription.match, watcher.viewer)
        if watcher.group is None or watcher.group.key != key or watcher.group.ended:
            await self._release(watcher)
            group = self._groups.get(key)
            if group is None or group.ended:
                watching = watcher.context.services.watching
                encode = partial(self.payload, subscription)
                group = self._groups[key] = Group(key, watching, watcher.viewer, watcher.version, encode)
            group.users += 1
            watcher.group = group
        await watcher.group.started.wait()
        return watcher.group

    async def _release(self, watcher: Watcher) -> None:
        group, watcher.group = watcher.group, None
        if group is not None:
            group.users -= 1
            if not group.users:
                if self._groups.get(group.key) is group:
                    del self._groups[group.key]
                await group.stop()

    async def _led(self, watcher: Watcher, member: Member) -> bool:
        """Follow the group. True if the stream has ended, False where there is a hole to catch up with alone."""
        assert watcher.group is not None
        if watcher.context.token is None:
            member.direct = partial(_direct, watcher, member)
        try:
            while True:
                item = await member.take()
                if isinstance(item, Exception):
                    raise item
                if isinstance(item, Rest):
                    await item
                    continue
                if (end := await self._ends(watcher, member, item)) is not None:
                    await watcher.outlet.send(await self.payload(watcher.subscription, end))
                    return True
                if isinstance(item, Text) and item.version > watcher.version:
                    if item.first != watcher.version + 1:
                        return False
                    await watcher.outlet.send(item.text)
                    metrics.FRAMES.value += 1
                    watcher.cursor = item.version
        finally:
            watcher.group.part(member)

    async def _ends(self, watcher: Watcher, member: Member, item: Any) -> StreamEnd | SlowEnd | None:
        """Why the watcher's stream ends before, or with, what was handed to it."""
        context = watcher.context
        if context.token is not None and not await context.valid():
            return StreamEnd(EndReason.REVOKED, watcher.version)
        if isinstance(item, StreamEnd):
            return item
        if watcher.outlet.slow or isinstance(item, TooMany):
            return SlowEnd(watcher.version)
        if isinstance(item, Text) and not may_look(watcher.viewer, watcher.account, item.holder):
            return StreamEnd(EndReason.RECONNECT, watcher.version)
        if isinstance(item, Tick) and asyncio.get_running_loop().time() >= member.until:
            return StreamEnd(EndReason.RECONNECT, watcher.version)
        return None

    async def payload(self, subscription: Subscription, item: Any) -> str:
        """The JSON of a `next` message's payload for an item; for a frame, executed once for its whole audience."""
        if isinstance(item, Frame):
            key = (subscription.key, item.audience)
        elif isinstance(item, StreamEnd | SlowEnd):
            key = (subscription.key, item)  # type: ignore[assignment]
        else:
            result = self._run(subscription, item)
            return self._text(await result if isawaitable(result) else result)
        known = self._frames.get(key)
        if known is None:
            known = self._begin(key, subscription, item)
        return known if isinstance(known, str) else await asyncio.shield(known)

    def _begin(self, key: Any, subscription: Subscription, item: Any) -> str | asyncio.Future[str]:
        """Execute: at once, where no resolver waits for anything; else as a task that all wait for."""
        result = self._run(subscription, item)
        made: str | asyncio.Future[str]
        if isawaitable(result):
            made = asyncio.ensure_future(self._later(key, result))
        else:
            made = self._text(result)
            if result.errors:
                return made
        self._frames[key] = made
        while len(self._frames) > FRAMES:
            self._frames.popitem(last=False)
        return made

    async def _later(self, key: Any, pending: Awaitable[ExecutionResult]) -> str:
        try:
            result = await pending
            text = self._text(result)
        except BaseException:
            self._frames.pop(key, None)
            raise
        if result.errors:
            self._frames.pop(key, None)
        elif key in self._frames:
            self._frames[key] = text
        return text

    def _run(self, subscription: Subscription, item: Any) -> Any:
        self.executions += 1
        metrics.FRAME_EXECUTIONS.value += 1
        return execute_subscription_event(subscription.executor.build_per_event_executor(item))

    def _text(self, result: ExecutionResult) -> str:
        if not result.errors:
            return _encode({"data": result.data}).decode()
        errors = list(result.errors)
        self._schema.process_errors(errors)
        return _encode({"data": result.data, "errors": [error.formatted for error in errors]}).decode()
