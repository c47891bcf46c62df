"""Following a match over a WebSocket (graphql-transport-ws), through every disconnection, to its end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

from service.client.api import Api, RefusedError, ServerError
from service.client.chain import BrokenChainError, Chain

PROTOCOL: Final = Subprotocol("graphql-transport-ws")
FIRST_WAIT_S: Final = 0.1
LONGEST_WAIT_S: Final = 2.0
ANSWER_S: Final = 20.0
SILENCE_S: Final = 60.0
"""A stream that is silent for so long is taken up anew: a connection may be dead without knowing it."""

GOES_ON: Final = ("RECONNECT", "SHUTDOWN", "SLOW")


class Watcher:
    """One viewer of one match. Every frame is checked against the chain; `frames` counts them.

    seat: which one looks; None for the gallery. While the match runs, whatever is hidden must be its own.
    """

    def __init__(
        self,
        api: Api,
        match: str,
        document: str,
        *,
        seat: int | None = None,
        patience_s: float = 60.0,
        reconnected: Callable[[], None] = lambda: None,
    ) -> None:
        self.chain = Chain(match)
        self.last: dict[str, Any] | None = None
        self.frames = 0
        self._api = api
        self._document = document
        self._seat = seat
        self._patience_s = patience_s
        self._reconnected = reconnected
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Watch until the match is over and all of it has come.

        Raises BrokenChainError, RefusedError, or ServerError once patience runs out.
        """
        loop = asyncio.get_running_loop()
        reached, since, wait = -1, loop.time(), FIRST_WAIT_S
        while True:
            try:
                if await self._stream():
                    return
                reason = "the stream ended"
            except (OSError, ConnectionClosed, InvalidHandshake, WebSocketException, TimeoutError) as error:
                reason = str(error) or type(error).__name__
            if self.chain.version != reached:
                reached, since, wait = self.chain.version, loop.time(), FIRST_WAIT_S
            elif loop.time() - since > self._patience_s:
                raise ServerError(f"{self._api.socket_url} cannot be watched: {reason}.")
            self._reconnected()
            self._api.turn()
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    async def newer(self, version: int, timeout_s: float) -> dict[str, Any] | None:
        """The last frame, once there is one beyond the version; None if none comes in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self.last is None or self.last["version"] <= version:
                    await self._changed.wait()
                return self.last
        return None

    async def _stream(self) -> bool:
        """One subscription, to its end; whether all has been seen."""
        async with connect(
            self._api.socket_url,
            subprotocols=[PROTOCOL],
            compression=None,
            max_size=None,
            open_timeout=ANSWER_S,
            close_timeout=1,
            proxy=None,
        ) as socket:
            params = {"authorization": f"Bearer {self._api.token}"} if self._api.token else {}
            await _send(socket, {"type": "connection_init", "payload": params})
            async for message in _messages(socket):
                if message["type"] == "connection_ack":
                    variables = {"match": self.chain.match, "after": self.chain.version}
                    payload = {"query": self._document, "variables": variables}
                    await _send(socket, {"id": "1", "type": "subscribe", "payload": payload})
                elif message["type"] == "error":
                    raise ServerError(f"{self._api.socket_url}: {message['payload'][0]['message']}")
                elif message["type"] == "next":
                    ended = self._item(message["payload"])
                    if ended is not None:
                        return ended
                elif message["type"] == "complete":
                    return False
        return False

    def _item(self, payload: dict[str, Any]) -> bool | None:
        """Take in what came; None while the stream goes on, then whether all has been seen."""
        if payload.get("errors"):
            raise ServerError(f"{self._api.socket_url}: {payload['errors'][0]['message']}")
        item = payload["data"]["watch"]
        if item["__typename"] == "Frame":
            self._frame(item)
            return None
        if item["__typename"] == "Refused":
            raise RefusedError(item)
        if item["reason"] == "OVER":
            return True
        if item["reason"] in GOES_ON:
            return False
        raise ServerError(f"{self._api.socket_url}: the stream ended: {item['reason'].lower()}.")

    def _frame(self, frame: dict[str, Any]) -> None:
        self.chain.add(frame["commits"], frame["events"])
        if self.chain.version != frame["version"]:
            raise ServerError(f"A frame for version {frame['version']} held events up to {self.chain.version}.")
        if frame["status"] != "OVER":
            for event in frame["events"]:
                self._check_secrets(event)
        self.frames += 1
        self.last = {name: value for name, value in frame.items() if name not in ("commits", "events")}
        self._changed.set()
        self._changed = asyncio.Event()

    def _check_secrets(self, event: dict[str, Any]) -> None:
        """Raises BrokenChainError if a hidden value of another seat was sent to this viewer."""
        shown = json.loads(event["json"])
        for path in event["proof"]["hidden"]:
            if shown[path[1:]] is not None and shown.get("seat") != self._seat:
                raise BrokenChainError(f"event {event['version']} shows {path} of seat {shown.get('seat')}")


async def _messages(socket: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    """What the server sends, pings answered; ends when the server is silent for too long."""
    while True:
        async with asyncio.timeout(SILENCE_S):
            message = json.loads(await socket.recv())
        if message["type"] == "ping":
            await _send(socket, {"type": "pong"})
        else:
            yield message


async def _send(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps(message))
