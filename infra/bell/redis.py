"""The bell of many processes: Redis 7+ or Valkey, one server or a cluster, over sharded pub/sub.

Each process holds one reading connection per server and fans out to its own listeners; rings go out through a bounded
outbox, so that no command ever waits for Redis. Redis may be away, frozen or flushed at any time.
"""

import asyncio
import contextlib
import itertools
import secrets
from typing import Final

import msgspec
import structlog
from redis.exceptions import RedisError

from infra import metrics
from infra.bell.listeners import Listener, Listeners
from infra.bell.nodes import TIMEOUT_S, Address, Nodes, Pipe
from infra.bell.outbox import Outbox
from infra.bell.reader import SILENCE_S, Reader, backoff, worth_a_line
from infra.ports import BellDown, Ring

log = structlog.get_logger(__name__)

FRAME_MAX: Final = 64 * 1024
"""Longer frames (in bytes) are left out of the ring: each process then makes the frame from the store."""

BATCH_MAX: Final = 100
CONFIRM_S: Final = 1.0
"""How long a new listener waits for its subscription before it goes on without."""

CLOSE_S: Final = 0.5
"""How long closing may take to send the last rings."""


class _Wire(msgspec.Struct, array_like=True):
    """A ring as it travels; the channel names the match. Fields may only be added at the end."""

    origin: bytes
    first: int
    version: int
    frame: bytes


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Wire)


class RedisBell:
    """Rings through Redis. url: as redis-py reads it. prefix: of the channels, for several services on one Redis."""

    def __init__(
        self, url: str, *, prefix: str = "podesta", silence_s: float = SILENCE_S, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._nodes = Nodes(url, timeout_s)
        self._origin = secrets.token_bytes(8)
        self._prefix = f"{prefix}:ring:1:".encode()
        self._own_match = f"~{self._origin.hex()}"
        self._silence_s = silence_s
        self._timeout_s = timeout_s
        self._listeners = Listeners(self._first, self._last)
        self._outbox = Outbox()
        self._wanted: set[bytes] = set()
        self._confirmations: dict[bytes, asyncio.Event] = {}
        self._readers: dict[Address, Reader] = {}
        self._pipes: dict[Address, Pipe] = {}
        self._stale = asyncio.Event()
        self._located = asyncio.Event()
        self._pings: dict[int, asyncio.Event] = {}
        self._ping_numbers = itertools.count(1)
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def ring(self, ring: Ring) -> None:
        """Tell everybody who listens to the match, here at once and elsewhere soon."""
        self._listeners.deliver(ring)
        if not self._closed:
            self._start()
            if len(ring.frame) > FRAME_MAX:
                metrics.BELL_BARE.inc()
                ring = Ring(ring.match, ring.first, ring.version)
            self._outbox.put(ring)

    def listen(self, match: str) -> Listener:
        """Rings of the match from the listener's entry on, or a None later on if Redis is away just then."""
        return Listener(self._listeners, match)

    async def ping(self) -> None:
        """Send a ring to ourselves through Redis. Raises BellDown if it does not come back in time."""
        if self._closed:
            raise BellDown("the bell is closed")
        self._start()
        number = next(self._ping_numbers)
        came = self._pings[number] = asyncio.Event()
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._first(self._own_match)
                self._outbox.put(Ring(self._own_match, number, number))
                await came.wait()
        except TimeoutError:
            raise BellDown("no ring came back through Redis in time") from None
        finally:
            del self._pings[number]
        if not all(reader.up for reader in self._readers.values()):
            raise BellDown("a part of the cluster is out of reach")

    async def close(self) -> None:
        """Send what is left, as far as that is quick, and stop; every listener ends."""
        self._closed = True
        self._listeners.close()
        if self._tasks:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._outbox.sent.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for reader in self._readers.values():
            await reader.close()
        for pipe in self._pipes.values():
            await pipe.close()
        self._readers.clear()
        self._pipes.clear()

    def heard(self, channel: bytes, payload: bytes) -> None:
        """A message came through Redis."""
        match = channel.removeprefix(self._prefix).decode()
        try:
            wire = _DECODER.decode(payload)
        except msgspec.DecodeError:
            metrics.BELL_LOST.labels("garbled").inc()
            self._listeners.doubt(match)
            return
        if wire.origin != self._origin:
            metrics.BELL_HEARD.inc()
            self._listeners.deliver(Ring(match, wire.first, wire.version, wire.frame))
        elif match == self._own_match and wire.version in self._pings:
            self._pings[wire.version].set()

    def confirmed(self, channel: bytes) -> None:
        """A subscription holds, for the first time or again."""
        waiting = self._confirmations.pop(channel, None)
        if waiting is not None:
            waiting.set()
        else:
            metrics.BELL_LOST.labels("connection").inc()
        self._listeners.doubt(channel.removeprefix(self._prefix).decode())

    def _channel(self, match: str) -> bytes:
        return self._prefix + match.encode()

    async def _first(self, match: str) -> None:
        self._start()
        channel = self._channel(match)
        self._wanted.add(channel)
        self._place(channel)
        if not self._holds(channel):
            waiting = self._confirmations.setdefault(channel, asyncio.Event())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CONFIRM_S):
                    await waiting.wait()

    def _last(self, match: str) -> None:
        channel = self._channel(match)
        self._wanted.discard(channel)
        self._confirmations.pop(channel, None)
        for reader in self._readers.values():
            reader.unwant(channel)

    def _holds(self, channel: bytes) -> bool:
        address = self._nodes.locate(channel)
        return address in self._readers and self._readers[address].holds(channel)

    def _start(self) -> None:
        if not self._tasks and not self._closed:
            self._stale.set()
            self._tasks = [
                asyncio.create_task(self._route(), name="bell router"),
                asyncio.create_task(self._publish(), name="bell publisher"),
            ]

    async def _route(self) -> None:
        """Whenever something failed, ask where channels live, and move subscriptions there."""
        tries = 0
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                await self._nodes.refresh()
            except (RedisError, OSError) as error:
                tries += 1
                if worth_a_line(tries):
                    log.warning("bell_out_of_reach", reason=str(error), tries=tries)
                await asyncio.sleep(backoff(tries))
                self._stale.set()
                continue
            tries = 0
            self._located.set()
            for channel in self._wanted:
                self._place(channel)
            for address, reader in list(self._readers.items()):
                if not reader.wanted:
                    del self._readers[address]
                    await reader.close()

    def _place(self, channel: bytes) -> None:
        """Subscribe where the channel lives, and nowhere else."""
        address = self._nodes.locate(channel)
        if address is None:
            return
        for other, reader in self._readers.items():
            if other != address:
                reader.unwant(channel)
        if address not in self._readers:
            self._readers[address] = Reader(
                lambda: self._nodes.connection(address), self, self._stale.set, self._silence_s
            )
        self._readers[address].want(channel)

    async def _publish(self) -> None:
        """Send rings in batches; what cannot be sent is kept and merged until it can."""
        tries = 0
        await self._located.wait()
        while True:
            batch = await self._outbox.take(BATCH_MAX)
            try:
                await self._send(batch)
            except (RedisError, OSError) as error:
                self._outbox.put_back(batch)
                self._stale.set()
                tries += 1
                if worth_a_line(tries):
                    log.warning("rings_not_sent", reason=str(error), tries=tries)
                await asyncio.sleep(backoff(tries))
            else:
                tries = 0
                metrics.BELL_RUNG.inc(len(batch))
                self._outbox.done()

    async def _send(self, batch: list[Ring]) -> None:
        by_address: dict[Address, list[tuple[str, bytes, bytes]]] = {}
        for ring in batch:
            channel = self._channel(ring.match)
            address = self._nodes.locate(channel)
            if address is None:
                raise RedisError("no server has been reached yet")
            wire = _Wire(self._origin, ring.first, ring.version, ring.frame)
            by_address.setdefault(address, []).append(("SPUBLISH", channel, _ENCODER.encode(wire)))
        for address, commands in by_address.items():
            pipe = self._pipes.setdefault(address, self._nodes.pipe(address))
            try:
                await pipe.ask(commands)
            except (RedisError, OSError):
                await self._pipes.pop(address).close()
                raise
