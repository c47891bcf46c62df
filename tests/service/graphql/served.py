"""A real server of the GraphQL surface on a loopback port, and clients that speak to it as any client would."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Self

import httpx2
import uvicorn
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from service.auth import Auth
from service.graphql.context import Services
from service.graphql.errors import Schema
from service.graphql.limits import Limits
from service.graphql.schema import build
from service.graphql.serving import graphql_routes
from tests.service.desk import Desk
from tests.support.play import ALL_GAMES

PROTOCOL = Subprotocol("graphql-transport-ws")


@cache
def schema_for(limits: Limits) -> Schema:
    """The schema of every game, built once."""
    return build(ALL_GAMES.current, limits)


class Served:
    """One process that serves GraphQL over a desk."""

    def __init__(self, desk: Desk, limits: Limits, buffer: int = 0, **changes: Any) -> None:
        self.desk = desk
        self.buffer = buffer
        services = {
            "games": ALL_GAMES.current,
            "play": desk.play,
            "watching": desk.watching,
            "auth": Auth(desk.backend.accounts, ttl_s=0),
            "accounts": desk.backend.accounts,
            "read_models": desk.backend.read_models,
            "records": desk.records,
            "cases": desk.cases,
        }
        self.services = Services(**{**services, **changes})
        self.routes = graphql_routes(self.services, limits, schema_for(limits))
        self.app: Any = self.routes[0].app  # type: ignore[attr-defined]
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        listening = socket.create_server(("127.0.0.1", 0))
        if self.buffer:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.buffer)
        config = uvicorn.Config(
            Starlette(routes=self.routes),
            http="httptools",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            async with asyncio.timeout(5):
                while not server.started:
                    await asyncio.sleep(0.005)
            yield self
        finally:
            await self.desk.watching.close()
            server.should_exit = True
            await task
            listening.close()

    async def person(self, name: str = "p") -> "Person":
        """A new account with a token."""
        account = await self.desk.backend.accounts.create(name, guest=True)
        return Person(self.url, account.id, await self.desk.backend.accounts.issue(account.id))

    def stranger(self) -> "Person":
        """Somebody without an account."""
        return Person(self.url, "", None)


class Person:
    """A client with or without a token."""

    def __init__(self, url: str, account: str, token: str | None) -> None:
        self.url = url
        self.account = account
        self.token = token
        self._ids = 0

    async def post(self, query: str, **variables: Any) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        async with httpx2.AsyncClient(trust_env=False) as http:
            return await http.post(
                f"{self.url}/graphql", json={"query": query, "variables": variables}, headers=headers
            )

    async def ask(self, query: str, **variables: Any) -> Any:
        """The data of a request that must succeed."""
        response = await self.post(query, **variables)
        answer = response.json()
        assert "errors" not in answer, answer
        return answer["data"]

    async def do(self, field: str, selection: str = "version", **arguments: Any) -> Any:
        """What a mutation of the table or of the game answers."""
        self._ids += 1
        arguments = {"commandId": f"{self.account}-{self._ids}", **arguments}
        types = {"match": "ID!", "commandId": "ID!", "game": "String!", "seats": "Int!", "options": "JSON"}
        types |= {"seat": "Int", "entropyCommitment": "String", "key": "String", "entropy": "String!"}
        types |= {"command": "CommandInput!", "version": "Int", "signature": "String"}
        types |= {
            "reason": "String!",
            "dispute": "Int!",
            "ruling": "Ruling!",
            "toVersion": "Int",
            "signedOnly": "Boolean!",
        }
        types |= {"disputeHalts": "Boolean!", "fork": "ForkInput"}
        types |= {"version": "Int!"} if field in ("openDispute", "viewHidden") else {}
        types |= {"toVersion": "Int!"} if field == "askTakeback" else {}
        given = ", ".join(f"${name}: {types[name]}" for name in arguments)
        passed = ", ".join(f"{name}: ${name}" for name in arguments)
        refusal = "code rule title message hint"
        query = f"""mutation ({given}) {{ answer: {field}({passed}) {{ __typename
            ... on Accepted {{ match first {selection} }}
            ... on Refused {{ {refusal} }}
            ... on StaleVersion {{ {refusal} frame {{ version }} }} }} }}"""
        return (await self.ask(query, **arguments))["answer"]

    @asynccontextmanager
    async def socket(self, buffer: int = 0, **params: Any) -> AsyncIterator["Line"]:
        """A socket that is acknowledged."""
        raw = socket.create_connection(("127.0.0.1", int(self.url.rpartition(":")[2])))
        if buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        payload = {"authorization": f"Bearer {self.token}", **params} if self.token else params
        async with connect(
            f"ws{self.url.removeprefix('http')}/graphql",
            subprotocols=[PROTOCOL],
            compression=None,
            close_timeout=1,
            proxy=None,
            sock=raw,
        ) as ws:
            line = Line(ws)
            await line.send(type="connection_init", payload=payload)
            assert (await line.receive())["type"] == "connection_ack"
            yield line


class Line:
    """A socket in use."""

    def __init__(self, ws: ClientConnection) -> None:
        self.ws = ws

    async def send(self, **message: Any) -> None:
        await self.ws.send(json.dumps(message))

    async def receive(self) -> Any:
        async with asyncio.timeout(5):
            return json.loads(await self.ws.recv())

    async def subscribe(self, query: str, id: str = "1", **variables: Any) -> None:  # noqa: A002
        await self.send(id=id, type="subscribe", payload={"query": query, "variables": variables})

    async def next(self) -> Any:
        """What `watch` gives next."""
        message = await self.receive()
        assert message["type"] == "next", message
        assert "errors" not in message["payload"], message
        return message["payload"]["data"]["watch"]


async def seated(served: Served, seats: int = 3) -> tuple[str, list[Person]]:
    """A match of the tiny game with a person on each seat, not started."""
    people = [await served.person(f"p{i}") for i in range(seats)]
    match = (await people[0].do("openMatch", game="parley", seats=seats))["match"]
    for person in people:
        await person.do("joinMatch", match=match)
    return match, people


async def started(served: Served, seats: int = 3) -> tuple[str, list[Person]]:
    """The same, started."""
    match, people = await seated(served, seats)
    assert (await people[0].do("startMatch", match=match))["__typename"] == "Accepted"
    return match, people
