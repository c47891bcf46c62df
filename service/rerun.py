"""A finished match watched again: the same frames as a live stream, at the pace it was played or any other."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise
from typing import Final

from domain.core.errors import Illegal
from domain.core.words import Version, Viewer
from service.frames import Frame
from service.live import Live
from service.watching import EndReason, StreamEnd, Watched

LONGEST_PAUSE_S: Final = 5.0
"""However long somebody thought, the stream does not wait longer between two commits."""

FASTEST: Final = 10_000.0


async def rerun(
    live: Live,
    match: str,
    viewer: Viewer,
    after: Version,
    speed: float,
    valid: Callable[[], Awaitable[bool]],
) -> AsyncIterator[Watched]:
    """The frames of a finished match from a version on, one for each commit; then the end, as in a live stream.

    speed: 1 is the pace of play, 2 twice as fast. Raises Illegal if the match is not over, or for a bad speed.
    """
    if not 0 < speed <= FASTEST:
        raise Illegal("bad_speed", "S1", f"A speed of {speed} is none.", f"Above 0, at most {FASTEST:.0f}; 1 is live.")
    source = await live.fresh(match)
    if not source.over:
        raise Illegal("not_over", "S1", "Only a finished match can be watched at a speed.", "Leave the speed out.")
    last = source.history.version
    if not 0 <= after <= last:
        raise Illegal("no_such_version", "S1", f"There is no version {after}.", f"Versions are 1 to {last}.")
    reads = source.reads(after, last)
    pauses = [(two.commit.time - one.commit.time) / 1000 / speed for one, two in pairwise(reads)]
    cursor = after
    for read, pause in zip(reads, [*pauses, 0.0], strict=True):
        if not await valid():
            yield StreamEnd(EndReason.REVOKED, cursor)
            return
        yield Frame(source, viewer, cursor + 1, read.commit.last)
        cursor = read.commit.last
        await asyncio.sleep(min(max(pause, 0.0), LONGEST_PAUSE_S))
    yield StreamEnd(EndReason.OVER, cursor)
