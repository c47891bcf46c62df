"""What the GraphQL surface costs, as ratios to bare peers in the same run: `python -m bench.api [mutation] [watch]`.

mutation: processor time of the server per command over HTTP, against a bare strawberry mutation of the same selection
that gives the same answer. watch: processor time per delivery to 500 watchers of one match over real sockets, nine of
ten of them spectators and the others in seats, the commands included, against a bare Starlette WebSocket that sends
the same bytes. Ours and the peer take turns. Takes about two minutes.
"""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
import uvloop

from tests.support.postgres import Postgres
from tests.support.servers import folder

COMMANDS = 50
"""How many commands a round of `mutation` sends."""
WATCHERS = 500
FRAMES = 8
"""How many commands a round of `watch` sends."""
ROUNDS = 3

VIEW = "view { toscana { game phase awaited side turn passes colours numbers tiles } }"
ACT = f"""mutation ($match: ID!, $id: ID!, $command: String!) {{
    act(match: $match, commandId: $id, command: {{json: $command}}) {{ __typename
        ... on Accepted {{ version receipt frame {{ events {{ version type seat json }} {VIEW} }} }}
        ... on Refused {{ code message }} }} }}"""
WATCH = f"""subscription ($match: ID!, $after: Int) {{ watch(match: $match, after: $after) {{ __typename
    ... on Frame {{ first version status awaited events {{ version type seat json }} {VIEW} }} }} }}"""
LEGAL = "query ($match: ID!) { match(id: $match) { ... on Match { status awaited legal { json } } } }"
GUEST = "mutation { createGuest { ... on Guest { token } } }"
OPEN = 'mutation ($id: ID!) { openMatch(game: "toscana", seats: 2, commandId: $id) { ... on Accepted { match } } }'
JOIN = 'mutation ($match: ID!) { joinMatch(match: $match, commandId: "join") { __typename } }'
START = 'mutation ($match: ID!) { startMatch(match: $match, commandId: "start") { __typename } }'


class Server:
    """A measured process, and requests to it."""

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        self.url = url
        self._http = http

    async def cpu(self) -> float:
        """Processor seconds used so far."""
        return float((await self._http.get(f"{self.url}/cpu")).text)

    async def post(self, path: str, body: bytes) -> str:
        """What a POST gives."""
        return (await self._http.post(f"{self.url}{path}", content=body)).text

    async def ask(self, query: str, token: str | None = None, **variables: Any) -> Any:
        """The data of a GraphQL request."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        body = {"query": query, "variables": variables}
        answer = (await self._http.post(f"{self.url}/graphql", json=body, headers=headers)).json()
        assert "errors" not in answer, answer
        return answer["data"]


@asynccontextmanager
async def running(*arguments: str, **environment: str) -> AsyncIterator[Server]:
    """A server process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.api_server", *arguments, stdout=subprocess.PIPE, env={**os.environ, **environment}
    )
    assert process.stdout is not None
    try:
        port = int(await process.stdout.readline())
        async with httpx2.AsyncClient(trust_env=False, timeout=60) as http:
            yield Server(f"http://127.0.0.1:{port}", http)
    finally:
        process.kill()  # nothing of it is kept, and its sockets are still open
        await process.wait()


class Table:
    """A match of Toscana with two players, who move at random but the same in every run."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.tokens: list[str] = []
        self.match = ""
        self.answer: Any = None
        self._random = random.Random(seed)
        self._sent = 0

    async def begin(self) -> None:
        """Open a match, sit down and start."""
        if not self.tokens:
            self.tokens = [(await self.server.ask(GUEST))["createGuest"]["token"] for _ in range(2)]
        identity = f"open-{self._random.random()}"
        self.match = (await self.server.ask(OPEN, self.tokens[0], id=identity))["openMatch"]["match"]
        for token in self.tokens:
            await self.server.ask(JOIN, token, match=self.match)
        await self.server.ask(START, self.tokens[0], match=self.match)

    async def choose(self) -> tuple[int, str] | None:
        """The seat to act and its command; None if the match is over."""
        for seat, token in enumerate(self.tokens):
            found = (await self.server.ask(LEGAL, token, match=self.match))["match"]
            if found["legal"]["json"]:
                return seat, self._random.choice([c for c in found["legal"]["json"] if '"veto"' not in c])
        return None

    async def act(self, seat: int, command: str) -> None:
        """Send a command, which must be accepted."""
        self._sent += 1
        answer = await self.server.ask(ACT, self.tokens[seat], match=self.match, id=f"c{self._sent}", command=command)
        self.answer = answer["act"]
        assert self.answer["__typename"] == "Accepted", self.answer


async def mutation_ours(table: Table) -> float:
    """Processor seconds per command."""
    used = 0.0
    for _ in range(COMMANDS):
        if (chosen := await table.choose()) is None:
            await table.begin()
            continue
        before = await table.server.cpu()
        await table.act(*chosen)
        used += await table.server.cpu() - before
    return used / COMMANDS


async def mutation_peer(peer: Server, query: str) -> float:
    """Processor seconds per mutation."""
    used = 0.0
    for number in range(COMMANDS):
        before = await peer.cpu()
        await peer.ask(query, match="m", id=str(number), command='{"type":"PlaceTile","tile":"C01","x":1,"y":2,"o":3}')
        used += await peer.cpu() - before
    return used / COMMANDS


async def measure_mutation(name: str, ours: Server, peer: Server) -> None:
    table = Table(ours, 1)
    await table.begin()
    await mutation_ours(table)
    query = await peer.post("/answer", json.dumps(table.answer).encode())
    await mutation_peer(peer, query)
    idle = [await peer.cpu() for _ in range(COMMANDS + 1)]
    asking = (idle[-1] - idle[0]) / COMMANDS
    rounds = [(await mutation_ours(table) - asking, await mutation_peer(peer, query) - asking) for _ in range(ROUNDS)]
    own, other = (statistics.median(side) * 1e6 for side in zip(*rounds, strict=True))
    print(
        f"{name}, a command: {own:.0f} µs; bare strawberry mutation: {other:.0f} µs; ratio {own / other:.2f} (aim: 2.5)"
    )
    print(f"{name}, {await rate(ours):.0f} commands/s with 32 clients at once")


async def rate(ours: Server) -> float:
    """Commands per second of 32 clients that play 16 matches; choosing what to send is not measured."""
    tables = [Table(ours, seed) for seed in range(16)]
    await asyncio.gather(*[table.begin() for table in tables])
    sent, used = 0, 0.0
    for _ in range(12):
        chosen = [
            each for each in zip(tables, await asyncio.gather(*[t.choose() for t in tables]), strict=True) if each[1]
        ]
        began = time.perf_counter()
        await asyncio.gather(*[table.act(*choice) for table, choice in chosen if choice])
        used += time.perf_counter() - began
        sent += len(chosen)
    return sent / used


class Watchers:
    """Clients that read messages and count them, as cheaply as can be."""

    def __init__(self) -> None:
        self.count = 0
        self.last = b""
        self.last_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    async def add(self, url: str, path: str, messages: list[Any]) -> None:
        """Connect, and send these messages."""
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        for message in messages:
            writer.write(masked(json.dumps(message).encode()))
            if message["type"] == "connection_init":
                await received(reader)
        self._tasks.append(asyncio.create_task(self._read(reader, writer)))

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    self.last = await received(reader)
                    self.count += 1
                    self.last_at = time.perf_counter()
        finally:
            writer.close()

    async def until(self, count: int) -> None:
        """Wait until so many messages have come."""
        async with asyncio.timeout(60):
            while self.count < count:  # noqa: ASYNC110 - an event for each message would cost the clients more
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        """Hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def masked(payload: bytes) -> bytes:
    """A text frame of a client."""
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFE]) + size.to_bytes(2, "big")
    return head + bytes(4) + payload


async def received(reader: asyncio.StreamReader) -> bytes:
    """The payload of a server's frame."""
    size = (await reader.readexactly(2))[1]
    if size >= 126:
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
    return await reader.readexactly(size)


async def deliver(server: Server, watchers: Watchers, trigger: Callable[[], Any]) -> tuple[float, float]:
    """(processor seconds per delivery, seconds from the answer to the last delivery) of one message to all."""
    await asyncio.sleep(0.2)
    before, count = await server.cpu(), watchers.count
    await trigger()
    answered = time.perf_counter()
    await watchers.until(count + WATCHERS)
    late = watchers.last_at - answered
    await asyncio.sleep(0.05)
    return (await server.cpu() - before) / WATCHERS, late


async def measure_watch(ours: Server, peer: Server) -> None:
    table, own, bare = Table(ours, 2), Watchers(), Watchers()
    await table.begin()
    unwatched = await mutation_ours(table) / WATCHERS * 1e6
    await table.begin()
    for number in range(WATCHERS):
        token = table.tokens[number % 2] if number % 10 == 0 else None
        payload = {"authorization": f"Bearer {token}"} if token else {}
        subscribe = {"query": WATCH, "variables": {"match": table.match}}
        messages = [
            {"type": "connection_init", "payload": payload},
            {"type": "subscribe", "id": "1", "payload": subscribe},
        ]
        await own.add(ours.url, "/graphql", messages)
        await bare.add(peer.url, "/socket", [])
    await own.until(WATCHERS)
    costs: list[tuple[float, float]] = []
    lates: list[float] = []
    delivered, text = 0.0, b""
    while len(costs) < FRAMES and (chosen := await table.choose()) is not None:
        seat, command = chosen
        cost, late = await deliver(ours, own, lambda: table.act(seat, command))  # noqa: B023 - awaited at once
        delivered += late
        text = own.last
        peer_cost, _ = await deliver(peer, bare, lambda: peer.post("/push", text))  # noqa: B023 - awaited at once
        costs.append((cost, peer_cost))
        lates.append(late)
    await own.close()
    await bare.close()
    mine, other = (statistics.median(side) * 1e6 for side in zip(*costs, strict=True))
    print(
        f"a delivery to {WATCHERS} watchers of {len(text)} bytes: {mine:.1f} µs; bare WebSocket: {other:.1f} µs; "
        f"ratio {mine / other:.2f} (aim: 1.5); without the command itself, {mine - unwatched:.1f} µs: "
        f"{(mine - unwatched) / other:.2f}"
    )
    print(
        f"from the answer to the last delivery: {statistics.median(lates) * 1e3:.0f} ms, "
        f"at worst {max(lates) * 1e3:.0f} ms"
    )
    print(f"{WATCHERS * len(lates) / delivered:.0f} deliveries/s while delivering")


async def measured(name: str, wanted: list[str], **environment: str) -> None:
    """Measure what is wanted of one server and its peer."""
    with tempfile.TemporaryDirectory() as place:
        async with running("ours", place, **environment) as ours, running("peer") as peer:
            if "mutation" in wanted:
                await measure_mutation(name, ours, peer)
            if "watch" in wanted:
                await measure_watch(ours, peer)


def main() -> None:
    """Run all of it, or what the arguments name."""
    wanted = sys.argv[1:] or ["mutation", "watch"]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measured("SQLite", wanted, PODESTA_BACKGROUND="off"))
        if "mutation" not in wanted:
            return
        runner.run(measured("SQLite, the worker's work included", ["mutation"]))
        with folder() as place:
            server = Postgres(place, durable=True)
            server.start()
            try:
                url = server.databases.create()
                runner.run(measured("PostgreSQL", ["mutation"], PODESTA_DATABASE_URL=url))
            finally:
                server.stop()


if __name__ == "__main__":
    main()
