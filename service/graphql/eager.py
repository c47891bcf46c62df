"""Running a coroutine up to where it first has to wait, without a task: most sends never wait at all.

Waking a task for each of five hundred sockets costs about as much again as the sending. What has to wait is handed on
with the future it waits for, and whoever awaits the rest goes on from there.
"""

from collections.abc import Coroutine, Generator
from typing import Any


class Rest:
    """A coroutine that has been started, and the future that it waits for. Await it once."""

    __slots__ = ("_coroutine", "_future")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], future: Any) -> None:
        self._coroutine = coroutine
        self._future = future

    def __await__(self) -> Generator[Any, Any, Any]:
        future = self._future
        while True:
            try:
                sent = yield future
            except BaseException as error:  # noqa: BLE001 - it is the coroutine's, whatever it is
                step, given = self._coroutine.throw, error
            else:
                step, given = self._coroutine.send, sent  # type: ignore[assignment]
            try:
                future = step(given)
            except StopIteration as stop:
                return stop.value

    def close(self) -> None:
        """Nobody will await it."""
        self._coroutine.close()


def start(coroutine: Coroutine[Any, Any, Any]) -> Rest | None:
    """Run it as far as it goes. None if it is done, else its rest. Raises what it raises."""
    try:
        future = coroutine.send(None)
    except StopIteration:
        return None
    return Rest(coroutine, future)
