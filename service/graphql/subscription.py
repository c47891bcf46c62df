"""The subscription: frames of one match, from any version on, until a stated end."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec
import strawberry

from domain.core.errors import Illegal
from domain.core.words import Version, Viewer
from service.answers import Refused
from service.frames import Frame
from service.graphql.arguments import ViewerInput, viewer_of
from service.graphql.attributes import Part, shape
from service.graphql.context import Context
from service.graphql.games import Types
from service.graphql.hints import iterator_of, mirror
from service.graphql.positions import Positions
from service.graphql.results import Results, refusal, union
from service.rerun import rerun
from service.watching import EndReason, StreamEnd

SLOW: Final = "slow"
"""The reason of this surface alone: the client did not take its frames in time."""

Watched = Frame | StreamEnd | Refused


class SlowEnd(msgspec.Struct, frozen=True):
    """The stream ends because the client does not keep up."""

    version: Version
    reason: str = SLOW


async def watched(
    context: Context, match: str, after: Version | None, chosen: ViewerInput | None, speed: float | None = None
) -> AsyncGenerator[Watched, None]:
    """What a watcher receives, one after another; a refusal is the only and last thing.

    speed: of a finished match that is watched again.
    """
    play = context.services.play
    try:
        account = await context.account_id()
        live = await play.live.cached(match)
        viewer = play.viewer(live, account)
        if (wanted := viewer_of(chosen)) is not None:
            viewer = play.entitled(live, viewer, wanted)
        stream: Any = (
            context.services.watching.watch(match, viewer, after, context.valid)
            if speed is None
            else rerun(play.live, match, viewer, after or 0, speed, context.valid)
        )
        version = after or 0
        async with aclosing(stream) as items:
            async for item in items:
                if isinstance(item, Frame):
                    if not may_look(viewer, account, holder(item)):
                        yield StreamEnd(EndReason.RECONNECT, version)
                        return
                    version = item.version
                yield item
    except Illegal as error:
        yield refusal(error)


ANYBODY: Final = "*"


def holder(frame: Frame) -> str | None:
    """The account whose seat looks; ANYBODY if everybody may look so."""
    if frame.viewer < 0 or frame.audience[-1]:
        return ANYBODY
    seating = frame.table.seats[frame.viewer]
    return seating.account if seating else None


def may_look(viewer: Viewer, account: str | None, held_by: str | None) -> bool:
    """Whether the account may still look as the viewer: seats are left before the start, and taken by others."""
    return viewer < 0 or held_by in (ANYBODY, account)


def subscription_type(types: Types, positions: Positions, results: Results) -> Any:
    """The subscription over these types."""
    reasons = [(reason.name, reason.value) for reason in EndReason] + [(SLOW.upper(), SLOW)]
    about = (
        "Why a stream ended. OVER: the match is over and all of it was sent. REVOKED: the token holds no more. "
        "RECONNECT, SHUTDOWN, SLOW: watch again after the last version."
    )
    reason = strawberry.enum(mirror("EndReason", reasons), name="EndReason", description=about)
    types.core.names.take("EndReason", EndReason)
    ended = shape(
        "StreamEnded",
        "The last thing in a stream.",
        Part("reason", reason, "Why it ended."),
        Part("version", int, "The last version that was sent: watch again `after` it."),
        of=lambda item: type(item) in (StreamEnd, SlowEnd),
    )
    item = union("WatchItem", "A frame, or why there are no more.", (positions.frame, ended, results.refused))

    async def watch(
        info: strawberry.Info[Context, None],
        match: strawberry.ID,
        after: Annotated[
            int | None, strawberry.argument(description="The last version you have; from now on, if not given.")
        ] = None,
        as_: Annotated[ViewerInput | None, strawberry.argument(name="as", description="As whom to watch.")] = None,
        speed: Annotated[
            float | None,
            strawberry.argument(description="Watch a finished match again: 1 is the pace of play, 2 twice as fast."),
        ] = None,
    ) -> AsyncIterator[Any]:
        async with aclosing(watched(info.context, match, after, as_, speed)) as items:
            async for found in items:
                yield found

    watch.__annotations__["return"] = iterator_of(item)
    about = "Follow a match: first a frame with where you stand and what came after `after`, then a frame per commit."
    field = strawberry.subscription(resolver=watch, description=about)
    return strawberry.type(
        type("Subscription", (), {"watch": field}), name="Subscription", description="What can be followed."
    )
