"""The servers that are measured, each a process: `python -m bench.api_server ours|peer`; prints its port.

ours: the service as it is served, over SQLite in the folder given, or over the database that the environment names.
peer: a bare strawberry schema that answers with what it is told to, and a bare Starlette WebSocket that sends what it
is told to. Both tell at /cpu how much processor time they have used.
"""

import asyncio
import socket
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import strawberry
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.asgi import GraphQL
from strawberry.extensions import ParserCache, ValidationCache

from service.app import connect, create_app, migrate, working
from service.config import Settings

PEER_QUERY = "mutation ($match: ID!, $id: ID!, $command: String!) { act(match: $match, id: $id, command: $command) %s }"


async def cpu(_request: Request) -> Response:
    """Processor seconds used so far."""
    return PlainTextResponse(repr(time.process_time()))


class Peer:
    """Bare servers that give the same bytes as ours."""

    def __init__(self) -> None:
        self.graphql: Any = None
        self.queues: set[asyncio.Queue[str]] = set()

    async def answer(self, request: Request) -> Response:
        """Take the answer that `act` gives from now on, and tell the mutation that selects all of it."""
        data = msgspec.json.decode(await request.body())
        value, kind, selection = shaped(data, "Answer")

        async def act(match: strawberry.ID, id: strawberry.ID, command: str) -> Any:  # noqa: A002, ARG001
            return value

        act.__annotations__["return"] = kind
        mutation = strawberry.type(type("Mutation", (), {"act": strawberry.mutation(resolver=act)}))
        query = strawberry.type(type("Query", (), {"__annotations__": {"x": int}, "x": 1}))
        caches: list[Callable[[], Any]] = [lambda: ParserCache(maxsize=256), lambda: ValidationCache(maxsize=256)]
        self.graphql = GraphQL(strawberry.Schema(query, mutation, extensions=caches))
        return PlainTextResponse(PEER_QUERY % selection)

    async def push(self, request: Request) -> Response:
        """Send the body to every socket."""
        text = (await request.body()).decode()
        for queue in self.queues:
            queue.put_nowait(text)
        return PlainTextResponse("")

    async def socket(self, ws: WebSocket) -> None:
        """A socket that is sent what is pushed."""
        await ws.accept(subprotocol="graphql-transport-ws")
        queue: asyncio.Queue[str] = asyncio.Queue()
        self.queues.add(queue)
        try:
            while True:
                await ws.send_text(await queue.get())
        except WebSocketDisconnect:
            pass
        finally:
            self.queues.discard(queue)

    def app(self) -> Starlette:
        """All of it."""
        routes = [Route("/cpu", cpu), Route("/graphql", self), WebSocketRoute("/socket", self.socket)]
        routes += [Route("/answer", self.answer, methods=["POST"]), Route("/push", self.push, methods=["POST"])]
        return Starlette(routes=routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The bare GraphQL of the moment."""
        await self.graphql(scope, receive, send)


def shaped(data: Any, name: str) -> tuple[Any, Any, str]:
    """(the value, its strawberry type, the selection of all of it) for JSON data."""
    if isinstance(data, dict):
        parts = {key: shaped(value, f"{name}{key}") for key, value in data.items() if key != "__typename"}
        annotations = {key: kind for key, (_, kind, _) in parts.items()}
        made = strawberry.type(type(name, (), {"__annotations__": annotations}))
        value = made(**{key: value for key, (value, _, _) in parts.items()})
        names = ["__typename"] * ("__typename" in data) + [f"{key} {inner}" for key, (_, _, inner) in parts.items()]
        return value, made, "{ " + " ".join(names) + " }"
    if isinstance(data, list) and data and isinstance(data[0], dict):
        values = [shaped(item, name) for item in data]
        return [value for value, _, _ in values], list[values[0][1]], values[0][2]  # type: ignore[valid-type]
    if isinstance(data, list):
        return data, list[type(data[0]) if data else str], ""  # type: ignore[misc]
    return data, str | None if data is None else type(data), ""


async def serve(app: Starlette) -> None:
    """Serve as the service does, on a free port."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    settings: dict[str, Any] = {"loop": "uvloop", "http": "httptools", "ws": "websockets-sansio", "lifespan": "off"}
    settings |= {"log_config": None, "access_log": False, "ws_per_message_deflate": False}
    print(listening.getsockname()[1], flush=True)
    await uvicorn.Server(uvicorn.Config(app, **settings)).serve(sockets=[listening])


async def ours(folder: Path) -> None:
    """The service as `podesta serve` runs it: on SQLite it does the worker's work too, unless it is told not to."""
    settings = Settings(data_dir=folder, max_sockets=10_000)
    await migrate(settings)
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(connect(settings))
        if settings.background == "on" or (settings.background == "auto" and not settings.postgres):
            await stack.enter_async_context(working(services))
        app = create_app(services)
        app.routes.append(Route("/cpu", cpu))
        await serve(app)


def main() -> None:
    """Serve what the first argument names."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(ours(Path(sys.argv[2])) if sys.argv[1] == "ours" else serve(Peer().app()))


if __name__ == "__main__":
    main()
