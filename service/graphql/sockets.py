"""Sockets: the graphql-transport-ws protocol with shared executions, and an end for clients that do not keep up.

Each watcher keeps its own cursor and waits for its own socket, so a client that does not read costs no memory here.
If its socket stays full it is told that it was too slow and where to resume; if it still does not read, it is dropped.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, Final

import structlog
from starlette.websockets import WebSocketDisconnect, WebSocketState
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http.exceptions import NonJsonMessageReceived, NonTextMessageReceived, WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler, Operation

from service.graphql.context import Context
from service.graphql.limits import Limits

log = structlog.get_logger()

TOO_BIG: Final = 1009
BAD_MESSAGE: Final = 4400
DROP_AFTER: Final = 3
"""A socket that stays full this many times the limit is dropped."""

ID_LIMIT: Final = 128


class Socket(ASGIWebSocketAdapter):
    """One client's socket."""

    view: Any

    def __init__(self, view: Any, request: Any, response: Any) -> None:
        super().__init__(view, request, response)
        self.full_since: float | None = None
        self.slow = False
        self._time = asyncio.get_running_loop().time

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        """The messages; one that is too long closes the socket."""
        most = self.view.limits.body_bytes
        while self.ws.application_state != WebSocketState.DISCONNECTED:
            try:
                text = await self.ws.receive_text()
            except KeyError as error:
                raise NonTextMessageReceived from error
            except WebSocketDisconnect:
                return
            if len(text) > most:
                await self.close(TOO_BIG, f"A message has {len(text)} characters. Allowed: {most}.")
                return
            try:
                message = self.view.decode_json(text)
            except json.JSONDecodeError as error:
                if not ignore_parsing_errors:
                    raise NonJsonMessageReceived from error
                continue
            yield message

    async def send_json(self, message: Any) -> None:
        """Send a message."""
        await self.send_text(self.view.encode_json(message))

    async def send_text(self, text: str) -> None:
        """Send a message that is encoded already. Raises WebSocketDisconnected if nobody is there any more."""
        if self.full_since is None:
            self.full_since = self._time()
        try:
            await self.ws.send({"type": "websocket.send", "text": text})
        except (WebSocketDisconnect, RuntimeError) as error:  # RuntimeError: closed on our side meanwhile
            raise WebSocketDisconnected from error
        finally:
            self.full_since = None


class Outlet:
    """Where the items of one operation go."""

    __slots__ = ("_head", "_socket")

    def __init__(self, socket: Socket, operation: str) -> None:
        self._socket = socket
        self._head = f'{{"id":{json.dumps(operation)},"type":"next","payload":'

    @property
    def slow(self) -> bool:
        """Whether the client does not take its items in time."""
        return self._socket.slow

    async def send(self, payload: str) -> None:
        """Send the payload of a `next` message."""
        await self._socket.send_text(f"{self._head}{payload}}}")


class Sockets:
    """All sockets of the process: how many each account has, and which of them are full."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._handlers: dict[Handler, Socket] = {}
        self._accounts: Counter[str] = Counter()
        self._watch: asyncio.Task[None] | None = None

    def enter(self, handler: "Handler", socket: Socket) -> None:
        """A socket was opened."""
        self._handlers[handler] = socket
        if self._watch is None:
            self._watch = asyncio.create_task(self._look(), name="full sockets")

    async def leave(self, handler: "Handler") -> None:
        """A socket was closed."""
        self._handlers.pop(handler, None)
        if handler.counted is not None:
            self._accounts[handler.counted] -= 1
            self._accounts += Counter()  # forget the zeros
        if not self._handlers and self._watch is not None:
            watch, self._watch = self._watch, None
            watch.cancel()
            await asyncio.wait({watch})

    def count(self, handler: "Handler", account: str) -> None:
        """The socket speaks for an account. Raises ConnectionRejectionError if it has too many."""
        if self._accounts[account] >= self._limits.sockets:
            raise ConnectionRejectionError
        self._accounts[account] += 1
        handler.counted = account

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._limits.slow_s / 4)
            now = asyncio.get_running_loop().time()
            for handler, socket in list(self._handlers.items()):
                full = 0.0 if socket.full_since is None else now - socket.full_since
                if full > self._limits.slow_s:
                    socket.slow = True
                if full > self._limits.slow_s * DROP_AFTER:
                    log.warning("socket_dropped", full_s=round(full))
                    handler.drop()


class Handler(BaseGraphQLTransportWSHandler[Context, None]):
    """The protocol for one socket."""

    view: Any
    websocket: Socket
    counted: str | None = None
    _task: "asyncio.Task[Any] | None" = None

    async def handle(self) -> None:
        """Serve the socket until it is closed."""
        self._task = asyncio.current_task()
        self.view.sockets.enter(self, self.websocket)
        try:
            await super().handle()
        except asyncio.CancelledError:
            if not self.websocket.slow:
                raise
        finally:
            await self.view.sockets.leave(self)

    def drop(self) -> None:
        """End the socket without waiting for it."""
        if self._task is not None:
            self._task.cancel()

    async def handle_message(self, message: Any) -> None:
        """One message of the client."""
        if not _well_formed(message):
            await self.handle_invalid_message("Failed to parse message")
            return
        await super().handle_message(message)

    async def handle_connection_init(self, message: Any) -> None:
        """Who is there."""
        await super().handle_connection_init(message)
        if not self.connection_acknowledged or self.counted is not None:
            return
        account = await self.context.account_id()
        if account is not None:
            try:
                self.view.sockets.count(self, account)
            except ConnectionRejectionError:
                await self.websocket.close(4429, "This account has too many sockets open")

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """One operation, from its subscription to its completion."""
        subscription = self.view.subscribing.read(operation.query, operation.variables, operation.operation_name)
        if subscription is None:
            await super().run_operation(operation)
            return
        try:
            await self.view.fanout.serve(subscription, self.context, Outlet(self.websocket, operation.id))
            await operation.send_operation_message({"id": operation.id, "type": "complete"})
        except WebSocketDisconnected:
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, the client must not wait for ever
            await self.handle_task_exception(error)
            await self._give_up(operation)

    @staticmethod
    def _get_pre_execution_close_reason(error: Any) -> str | None:
        """A document that cannot be read ends its operation, not the socket with all the others."""
        del error
        return None

    def forget_id(self, id: str) -> None:  # noqa: A002 - the handler's own
        """The operation is over; the client may have ended it at the same moment."""
        self.operations.pop(id, None)

    async def _give_up(self, operation: Operation[Context, None]) -> None:
        error: Any = {"message": "Something went wrong here. Watch again after the last version you have."}
        with suppress(WebSocketDisconnected):
            await operation.send_operation_message({"id": operation.id, "type": "error", "payload": [error]})

    async def handle_task_exception(self, error: Exception) -> None:
        """What went wrong in an operation: a client that has gone is nothing to log."""
        if not isinstance(error, WebSocketDisconnected):
            log.error("graphql_operation_failed", exc_info=error)


def _well_formed(message: Any) -> bool:
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return False
    if message["type"] not in {"subscribe", "complete"}:
        return True
    given = message.get("id")
    if not isinstance(given, str) or not 1 <= len(given) <= ID_LIMIT:
        return False
    if message["type"] == "complete":
        return True
    payload = message.get("payload")
    return (
        isinstance(payload, dict)
        and isinstance(payload.get("query"), str)
        and isinstance(payload.get("variables"), dict | None)
        and isinstance(payload.get("operationName"), str | None)
    )
