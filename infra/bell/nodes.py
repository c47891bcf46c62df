"""Where a channel lives: one server, or the shards of a cluster; found out by asking, so that no setting is needed."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

Address = tuple[str, int]

SEED: Final[Address] = ("", 0)
"""The server that the URL names, whatever it is: host and port, TLS or a socket's path."""

TIMEOUT_S: Final = 2.0
"""How long a connection, a handshake or an answer may take."""


class Pipe:
    """A connection on which commands are sent together and answered in order; opened when it is needed."""

    def __init__(self, connection: AbstractConnection, timeout_s: float) -> None:
        self._connection = connection
        self._timeout_s = timeout_s

    async def ask(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """The answers to the commands. Raises RedisError or OSError (a TimeoutError, too); close it then.

        An answer that is itself a refusal is raised after all have been read. A connection that was cut while it
        was not needed is made anew once: commands may then be carried out twice.
        """
        if self._connection.is_connected:
            try:
                return await self._ask(commands)
            except RedisConnectionError:
                await self.close()
        return await self._ask(commands)

    async def _ask(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        connection = self._connection
        answers: list[Any] = []
        refusal: ResponseError | None = None
        async with asyncio.timeout(self._timeout_s):
            await connection.connect()  # type: ignore[no-untyped-call]
            await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
            for _ in commands:
                try:
                    answers.append(await connection.read_response())
                except ResponseError as error:
                    refusal = error
        if refusal is not None:
            raise refusal
        return answers

    async def close(self) -> None:
        """Close the connection; the next `ask` opens it anew."""
        await self._connection.disconnect(nowait=True)


class Nodes:
    """The servers behind a URL and which one each channel belongs to.

    `refresh` asks them; until it has succeeded once, `locate` gives None.
    """

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._pool = ConnectionPool.from_url(
            url,
            protocol=2,
            decode_responses=False,
            # Timeouts are ours: redis-py's own use asyncio.wait_for, which loses cancellations before Python 3.12.
            socket_timeout=None,
            socket_connect_timeout=timeout_s,
            retry=Retry(NoBackoff(), 0),
        )
        self._timeout_s = timeout_s
        self._known: set[Address] = {SEED}
        self._slots: list[Address] | None = None
        self._lock = asyncio.Lock()

    def locate(self, channel: bytes) -> Address | None:
        """The server that this channel belongs to; None if that is not known yet."""
        if self._slots is None:
            return None
        return self._slots[key_slot(channel)] if len(self._slots) > 1 else self._slots[0]

    def connection(self, address: Address) -> AbstractConnection:
        """A new connection to a server, not yet opened: without retries, so that failures are seen at once."""
        where = {} if address == SEED else {"host": address[0], "port": address[1]}
        made: AbstractConnection = self._pool.connection_class(**{**self._pool.connection_kwargs, **where})
        return made

    def pipe(self, address: Address) -> Pipe:
        """A new pipe to a server."""
        return Pipe(self.connection(address), self._timeout_s)

    async def refresh(self) -> None:
        """Find out again where channels live. Raises the last RedisError or OSError if no server answers."""
        async with self._lock:
            failure: Exception = OSError("no server is known")
            # In any order: a node that is cut off from the others would tell its old view again and again.
            for address in random.sample(sorted(self._known), len(self._known)):
                pipe = self.pipe(address)
                try:
                    self._slots = self._read((await pipe.ask([("CLUSTER", "SLOTS")]))[0], address)
                except ResponseError:
                    self._slots = [SEED]  # no cluster, or not ours to ask
                except (RedisError, OSError) as error:
                    failure = error
                    continue
                finally:
                    await pipe.close()
                self._known = {SEED, *self._slots}
                return
            raise failure

    def _read(self, ranges: list[Any], asked: Address) -> list[Address]:
        slots: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for start, end, (host, port, *_), *_ in ranges:
            name = host.decode() if host else self._host(asked)
            for slot in range(start, end + 1):
                slots[slot] = (name, port)
        whole = [each for each in slots if each is not None]
        if len(whole) < len(slots):
            raise RedisError("the cluster does not serve every slot at present")
        return whole

    def _host(self, asked: Address) -> str:
        return asked[0] or str(self._pool.connection_kwargs.get("host", "localhost"))
