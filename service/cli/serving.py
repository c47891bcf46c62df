"""`podesta serve` and `podesta worker`."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from socket import socket
from typing import Annotated

import structlog
import typer
import uvloop

from service import logs
from service.app import connect, create_app, working
from service.config import Settings, load
from service.serving import Server, address, listen

log = structlog.get_logger("podesta")

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder (PODESTA_DATA_DIR, ./.data).")]


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (PODESTA_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 for a free one (PODESTA_PORT, 8000).")] = None,
    data: Data = None,
) -> None:
    """Serve the API, and the page that says how to use it."""
    settings = load(host=host, port=port, data_dir=data)
    logs.set_up(settings.log_level, settings.log_format)
    with listen(settings) as listening:
        uvloop.run(_serve(settings, listening))


async def _serve(settings: Settings, listening: socket) -> None:
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(connect(settings, migrated=False))
        if settings.works:
            await stack.enter_async_context(working(services))
        server = Server(create_app(services), settings, services.watching.drain)
        store = "PostgreSQL" if settings.postgres else str(settings.sqlite_file)
        bell = "Redis" if settings.redis_url else "in-process"
        log.info("serving", url=address(listening), store=store, bell=bell, background=settings.works)
        await server.serve([listening])
        log.info("stopped")


def worker(data: Data = None) -> None:
    """Give stored commits their positions and keep the projections up with them; for PostgreSQL, beside `serve`."""
    settings = load(data_dir=data)
    logs.set_up(settings.log_level, settings.log_format)
    uvloop.run(_work(settings))


async def _work(settings: Settings) -> None:
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with connect(settings) as services, working(services):
        log.info("working", store="PostgreSQL" if settings.postgres else str(settings.sqlite_file))
        await stopped.wait()
    log.info("stopped")
