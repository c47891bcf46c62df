"""A loop that does what there is to do, sleeps until it is woken, and outlives the database's bad hours."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

_log: Final = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0


GATHER_S: Final = 0.02


class Loop:
    """Calls `step` until it gives 0, then waits for `wake` or `poll_s`. failures counts the steps that raised.

    Before each step it waits for gather_s, so that what comes meanwhile costs no step of its own.
    """

    def __init__(
        self, name: str, step: Callable[[], Awaitable[int]], poll_s: float, gather_s: float = GATHER_S
    ) -> None:
        self._gather_s = gather_s
        self._name = name
        self._step = step
        self._poll_s = poll_s
        self._awake = asyncio.Event()
        self.failures = 0

    def wake(self) -> None:
        """There is something to do: do not wait."""
        self._awake.set()

    async def run(self) -> None:
        """Until cancelled. A step that raises is logged and tried again, after pauses that grow to a few seconds."""
        pause = FIRST_PAUSE_S
        while True:
            await asyncio.sleep(self._gather_s)
            self._awake.clear()
            try:
                done = await self._step()
            except Exception:  # noqa: BLE001 - whatever it is, it is logged, counted and tried again
                self.failures += 1
                _log.exception("%s failed, next try in %.1f s", self._name, pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
                continue
            pause = FIRST_PAUSE_S
            if not done:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._poll_s):  # wait_for loses cancellations before Python 3.12
                        await self._awake.wait()
