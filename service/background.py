"""Work beside the requests: giving commits their positions, projecting; started again when it fails."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

log = structlog.get_logger(__name__)

FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 10.0
AGAIN_S: Final = 1.0


class Background:
    """Tasks that run until stopped. One that raises is logged, and started again after a growing wait."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """Run this from now on."""
        self._tasks.append(asyncio.create_task(self._keep(name, run), name=name))

    async def _keep(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        wait = FIRST_WAIT_S
        while True:
            began = loop.time()
            try:
                await run()
            except Exception:
                if loop.time() - began > LONGEST_WAIT_S:
                    wait = FIRST_WAIT_S
                log.exception("background_failed", task=name, again_in_s=wait)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)

    async def stop(self) -> None:
        """End every task and wait until it has ended."""
        left = set(self._tasks)
        while left:
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=AGAIN_S)  # a library may lose a cancellation
        self._tasks.clear()
