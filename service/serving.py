"""Serving HTTP and WebSockets with uvicorn; on SIGTERM nothing that was accepted is cut off."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

import uvicorn
from starlette.applications import Starlette

from service.config import Settings, SettingsError

BACKLOG: Final = 2048
FLUSH_S: Final = 0.05
"""How long the last frames of ended streams get to leave the process."""


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say. Raises SettingsError if that cannot be."""
    where = f"{settings.host}:{settings.port}"
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except socket.gaierror:
        raise SettingsError(f"--host: {settings.host!r} is no address of this machine.") from None
    except PermissionError:
        raise SettingsError(f"--port: {where} needs rights that this user lacks: choose a port above 1023.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = "choose another with --port, or 0 for a free one"
            raise SettingsError(f"--port: {where} is in use: {hint}.") from None
        raise SettingsError(f"--host: {where} cannot be listened on ({(error.strerror or '').lower()}).") from None


def address(listening: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server(uvicorn.Server):
    """Uvicorn that ends streams with a reason before it closes their sockets."""

    def __init__(self, app: Starlette, settings: Settings, drain: Callable[[], Awaitable[None]]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                loop="uvloop",
                http="httptools",
                ws="websockets-sansio",
                ws_per_message_deflate=False,
                ws_max_size=settings.max_body_bytes,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=settings.trusted_proxies,
                limit_concurrency=settings.max_connections,
                timeout_graceful_shutdown=max(1, round(settings.drain_s)),
            )
        )
        self._drain = drain
        self._drain_s = settings.drain_s

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does, but the signal is not raised again at the end: there is more to close than sockets."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, end streams, finish commands; then close what is left."""
        for server in self.servers:
            server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._drain_s):
                await self._drain()
        await asyncio.sleep(FLUSH_S)
        await super().shutdown(sockets)
