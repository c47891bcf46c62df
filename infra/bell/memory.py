"""The bell of a single process: the embedded default."""

from infra.bell.listeners import Listener, Listeners
from infra.ports import BellDown, Ring


class MemoryBell:
    """Hands every ring to the listeners of this process."""

    def __init__(self) -> None:
        self._listeners = Listeners()
        self._closed = False

    async def ring(self, ring: Ring) -> None:
        """Tell everybody who listens to the match."""
        self._listeners.deliver(ring)

    def listen(self, match: str) -> Listener:
        """Rings of the match from the listener's entry on."""
        return Listener(self._listeners, match)

    async def ping(self) -> None:
        """Raises BellDown once it is closed."""
        if self._closed:
            raise BellDown("the bell is closed")

    async def close(self) -> None:
        """Every listener ends."""
        self._closed = True
        self._listeners.close()
