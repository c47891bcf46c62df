"""What time it is: milliseconds since 1970, UTC."""

import time


class SystemClock:
    """The machine's clock, which within one process never goes back."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> int:
        """The time now, in milliseconds."""
        self._last = max(self._last, time.time_ns() // 1_000_000)
        return self._last
