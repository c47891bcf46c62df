"""One subscriber connection that heals itself: redis-py's own pub/sub ends, or goes silent, when its server is away."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from infra import metrics

log = structlog.get_logger(__name__)

SILENCE_S: Final = 3.0
"""After so long without a word the server is asked for one; after as long again the connection counts as dead."""

BACKOFF_S: Final = 0.05
BACKOFF_MAX_S: Final = 2.0


def backoff(tries: int) -> float:
    """How long to wait before the next try, with jitter, so that not all come back at the same moment."""
    return random.uniform(0.5, 1.0) * min(BACKOFF_MAX_S, BACKOFF_S * 2.0 ** min(tries, 10))  # noqa: S311


def worth_a_line(tries: int) -> bool:
    """Whether a failure is logged: the first, the second, the fourth, …, so that an outage does not fill the log."""
    return tries & (tries - 1) == 0


class Lost(RedisError):
    """The subscription does not hold any more, though the connection may."""


class Ears(Protocol):
    """Who hears what a reader reads."""

    def heard(self, channel: bytes, payload: bytes) -> None:
        """A message came."""

    def confirmed(self, channel: bytes) -> None:
        """From now on the channel's messages come in; earlier ones may be lost."""


class Reader:
    """Keeps one connection subscribed to the wanted channels.

    connect: makes a connection. ears: whom to tell. failed: told of each lost connection, before the next try.
    """

    def __init__(
        self,
        connect: Callable[[], AbstractConnection],
        ears: Ears,
        failed: Callable[[], None],
        silence_s: float = SILENCE_S,
    ) -> None:
        self._connect = connect
        self._ears = ears
        self._failed = failed
        self._silence_s = silence_s
        self.wanted: set[bytes] = set()
        self._held: set[bytes] = set()
        self._asked: Counter[bytes] = Counter()
        self._dropped: Counter[bytes] = Counter()
        self._out: list[tuple[str | bytes, ...]] = []
        self._some = asyncio.Event()
        self.up = False
        """Whether the connection stands at present."""
        self._task = asyncio.create_task(self._run(), name="bell reader")

    def want(self, channel: bytes) -> None:
        """Subscribe to a channel; `ears.confirmed` tells when that holds."""
        if channel not in self.wanted:
            self.wanted.add(channel)
            self._say("SSUBSCRIBE", channel)

    def unwant(self, channel: bytes) -> None:
        """Unsubscribe from a channel."""
        if channel in self.wanted:
            self.wanted.discard(channel)
            self._held.discard(channel)
            self._say("SUNSUBSCRIBE", channel)

    def holds(self, channel: bytes) -> bool:
        """Whether the channel's messages come in at present."""
        return channel in self._held

    async def close(self) -> None:
        """Stop."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def _say(self, *command: str | bytes) -> None:
        if self.up:
            self._out.append(command)
            self._some.set()

    async def _run(self) -> None:
        tries = 0
        while True:
            started = asyncio.get_running_loop().time()
            try:
                await self._session()
            except* (RedisError, OSError) as failures:
                reason = str(failures.exceptions[0])
            held, self.up = bool(self._held), False
            self._held.clear()
            metrics.BELL_RECONNECTS.inc()
            tries = 0 if asyncio.get_running_loop().time() - started > BACKOFF_MAX_S and held else tries + 1
            if worth_a_line(tries):
                log.warning("bell_connection_lost", reason=reason, tries=tries, channels=len(self.wanted))
            self._failed()
            await asyncio.sleep(backoff(tries))

    async def _session(self) -> None:
        connection = self._connect()
        try:
            async with asyncio.timeout(self._silence_s):
                await connection.connect()  # type: ignore[no-untyped-call]
            self._asked.clear()
            self._dropped.clear()
            self._out = [("SSUBSCRIBE", channel) for channel in self.wanted]
            self._some.set()
            self.up = True
            with metrics.BELL_CONNECTED.track_inprogress():
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._write(connection))
                    both.create_task(self._read(connection))
        finally:
            await connection.disconnect(nowait=True)

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            await self._some.wait()
            self._some.clear()
            out, self._out = self._out, []
            for verb, *channels in out:
                if channels:
                    (self._asked if verb == "SSUBSCRIBE" else self._dropped)[bytes(channels[0])] += 1  # type: ignore[arg-type]
            await connection.send_packed_command(connection.pack_commands(out), check_health=False)

    async def _read(self, connection: AbstractConnection) -> None:
        asked = False
        while True:
            # A timed-out read keeps what it has read so far: hiredis holds it.
            message = await connection.read_response(timeout=self._silence_s, disconnect_on_error=False)
            if message is not None:
                asked = False
                self._take(message)
            elif asked:
                raise Lost("the server does not answer")
            else:
                asked = True
                self._say("PING")

    def _take(self, message: Any) -> None:
        match message:
            case [b"smessage", bytes(channel), bytes(payload)]:
                self._ears.heard(channel, payload)
            case [b"ssubscribe", bytes(channel), int()]:
                self._asked[channel] -= 1
                # Only the answer to the last request counts: an unsubscription may lie between two.
                if not self._asked[channel] and channel in self.wanted:
                    self._held.add(channel)
                    self._ears.confirmed(channel)
            case [b"sunsubscribe", bytes(channel), int()]:
                self._dropped[channel] -= 1
                if self._dropped[channel] < 0:
                    raise Lost("the channel was moved to another server")
            case _:
                pass  # an answer to PING
