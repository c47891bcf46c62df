"""One match watched by this process: hears the bell, looks into the store now and then, and wakes its watchers."""

import asyncio

import msgspec
import structlog

from domain.core.showing import SeenCommit
from domain.core.words import GALLERY, Version, Viewer
from infra.ports import Bell, Listener, Ring
from service.live import GalleryMatch, Live, LiveMatch

log = structlog.get_logger()
_ring_decoder = msgspec.msgpack.Decoder(SeenCommit)


class Hub:
    """Sources of frames for one match, kept fresh while anybody watches.

    The gallery's fold lives on what rings carry; the store is read for it when a ring was lost, came without a
    frame, or the match is over and everything is open. Seats' frames come from the process's full fold.
    """

    def __init__(self, live: Live, bell: Bell, match: str, poll_s: float) -> None:
        self._live = live
        self._bell = bell
        self._match = match
        self._poll_s = poll_s
        self._task: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._full: LiveMatch | None = None
        self._gallery: GalleryMatch | None = None
        self._told: tuple[Version, Version] = (0, 0)
        self.watchers = 0
        self.changed = asyncio.Event()
        self.over_at: Version | None = None
        """The last version of the match, once it is over."""

    async def start(self) -> None:
        """Begin to listen, then read the store, in this order. Raises Illegal if there is no such match."""
        async with self._starting:
            if self._task is None:
                rings = self._bell.listen(self._match)
                await rings.__aenter__()
                try:
                    self._note(await self._live.fresh(self._match))
                except BaseException:
                    await rings.aclose()
                    raise
                self._task = asyncio.create_task(self._run(rings), name=f"hub {self._match}")

    async def stop(self) -> None:
        """Stop listening."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})  # awaiting the task itself would swallow a cancellation of our own

    async def source(self, viewer: Viewer) -> LiveMatch | GalleryMatch:
        """Where this viewer's frames come from."""
        if viewer != GALLERY or self.over_at is not None:
            if self._full is None:
                self._full = await self._live.fresh(self._match)
            return self._full
        if self._gallery is None:
            self._gallery = await self._live.gallery(self._match)
        return self._gallery

    def notify(self) -> None:
        """Wake every watcher."""
        self.changed.set()
        self.changed = asyncio.Event()

    def _note(self, full: LiveMatch) -> None:
        if full.over:
            self._full = full
            self.over_at = full.history.version

    async def _run(self, rings: Listener) -> None:
        pending = asyncio.ensure_future(anext(rings))
        try:
            while True:
                done, _ = await asyncio.wait({pending}, timeout=self._poll_s)
                ring: Ring | None = None
                if done:
                    ring = pending.result()
                    pending = asyncio.ensure_future(anext(rings))
                try:
                    if await self._hear(ring):
                        self.notify()
                except Exception:
                    log.exception("hub_read_failed", match=self._match)  # the next ring or look makes it good
        except StopAsyncIteration:
            return  # the bell has closed
        finally:
            pending.cancel()
            await rings.aclose()

    async def _hear(self, ring: Ring | None) -> bool:
        """Bring the sources up to date; whether there is anything new. None: look into the store in any case."""
        if ring is not None and ring.frame and self._gallery is not None:
            self._gallery.add(_ring_decoder.decode(ring.frame))
        reached = ring.version if ring is not None else None
        behind_full = self._full is not None and (reached is None or self._full.history.version < reached)
        behind_gallery = self._gallery is not None and (reached is None or self._gallery.history.version < reached)
        if behind_full or behind_gallery:
            full = await self._live.fresh(self._match)
            if self._full is not None or full.over:
                self._full = full
            if self._gallery is not None and not full.over:
                for seen in full.seen(self._gallery.history.version, full.history.version, GALLERY):
                    self._gallery.add(seen)
        if self._full is not None:
            self._note(self._full)
        before, self._told = self._told, self._versions()
        return before != self._told  # a command of this process has moved the full fold before it rang

    def _versions(self) -> tuple[Version, Version]:
        return (
            self._full.history.version if self._full else 0,
            self._gallery.history.version if self._gallery else 0,
        )
