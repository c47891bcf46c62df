"""One match from all sides: now or at any version, as any viewer that one may be, with its events."""

from typing import Annotated, Any, Final

import msgspec
import strawberry

from domain.core.errors import Illegal
from domain.core.words import Version, Viewer
from service.frames import Frame, FrameEvent
from service.graphql.arguments import ViewerInput, viewer_of
from service.graphql.attributes import Part, shape
from service.graphql.catalogue import offer
from service.graphql.context import Context, Info
from service.graphql.hints import list_of, or_null
from service.graphql.positions import Positions, with_view
from service.graphql.results import Results, refusal, union
from service.graphql.scalars import JSON

EVENTS_LIMIT: Final = 500
"""How many events one answer holds at most."""

As = Annotated[ViewerInput | None, strawberry.argument(name="as", description="As whom; as yourself, if not given.")]
AtVersion = Annotated[
    int | None, strawberry.argument(description="At the commit end at or before it; now, if not given.")
]


async def look(info: Info, match: str, as_: ViewerInput | None, version: Version | None) -> Frame:
    """The match as the one who asks may see it. Raises Illegal."""
    context = info.context
    return await context.services.play.look(match, await context.account_id(), viewer_of(as_), version)


async def events_after(context: Context, frame: Frame, viewer: Viewer, after: Version, first: int) -> list[FrameEvent]:
    """At most `first` events after a version, as the viewer may see them, up to where the frame stands."""
    found = await frame_after(context, frame, viewer, after, first)
    return [] if found is None else list(found.events[:first])


async def frame_after(context: Context, frame: Frame, viewer: Viewer, after: Version, first: int) -> Frame | None:
    """The commits that hold at least `first` events after a version, if there are so many, up to where the frame
    stands; None if nothing has happened since. Raises Illegal for a page or a version that is none.
    """
    if not 1 <= first <= EVENTS_LIMIT:
        raise Illegal("bad_page", "S1", f"`first` is 1 to {EVENTS_LIMIT}, not {first}.")
    if not 0 <= after <= frame.version:
        raise Illegal("no_such_version", "S1", f"There is no version {after} yet.", f"Last: {frame.version}.")
    if after == frame.version:
        return None
    live = await context.services.play.live.cached(frame.match)
    ends = live.history.ends
    wanted = min(after + first, frame.version)
    end = next(end for end in ends if end >= wanted)
    return Frame(live, viewer, after + 1, end)


def match_type(positions: Positions, results: Results, game: Any, more: dict[str, Any]) -> tuple[Any, Any]:
    """(the type of a match, the union that `match` gives). more: further fields, made elsewhere."""
    position = union("FrameResult", "A position, or why it cannot be shown.", (positions.frame, results.refused))

    async def view(root: Any, info: Info, as_: As = None, version: AtVersion = None) -> Any:
        return with_view(root if as_ is None and version is None else await look(info, root.match, as_, version))

    async def at(root: Any, info: Info, version: int, as_: As = None) -> Any:
        try:
            return await look(info, root.match, as_, version)
        except Illegal as error:
            return refusal(error)

    async def events(root: Any, info: Info, after: int = 0, first: int = 100, as_: As = None) -> Any:
        frame = root if as_ is None else await look(info, root.match, as_, None)
        return await events_after(info.context, root, frame.viewer, after, first)

    def of_game(root: Any, info: Info) -> Any:
        return offer(info.context.services.play.games[root.table.game, root.table.rules])

    made = shape(
        "Match",
        "A match, as the one who asks may see it now.",
        Part("id", strawberry.ID, "Its id.", attribute="match"),
        Part("rules", int, "The rules version that it was opened with and keeps.", read=lambda f: f.table.rules),
        Part("options", JSON, "The game's options as chosen.", read=_options),
        Part("opener", strawberry.ID, "The account that opened it.", read=lambda f: f.table.opener),
        Part("seed_commitment", str, "The SHA-256 of the server's seed.", read=lambda f: f.table.seed_commitment),
        Part("seed", or_null(str), "The server's seed, once the match is over.", read=lambda f: f.table.seed or None),
        Part("cause", or_null(str), "Why it ended, once it has.", read=lambda f: f.table.cause or None),
        *positions.parts,
        of=Frame,
        view=strawberry.field(
            resolver=view,
            graphql_type=or_null(positions.view),
            description="What the viewer sees; null before the start.",
        ),
        at=strawberry.field(resolver=at, graphql_type=position, description="The match at a version, as a viewer."),
        events=strawberry.field(
            resolver=events,
            graphql_type=list_of(positions.event),
            description=f"At most `first` (1 to {EVENTS_LIMIT}) events after a version.",
        ),
        **more,
        offer=strawberry.field(
            resolver=of_game, graphql_type=game, description="The game at this match's rules version."
        ),
    )
    return made, union("MatchResult", "A match, or why there is none to show.", (made, results.refused))


def _options(frame: Frame) -> Any:
    return msgspec.to_builtins(frame.table.setup.options)


def match_field(result: Any) -> Any:
    """The query `match`."""

    async def match(info: Info, id: strawberry.ID) -> Any:  # noqa: A002 - the argument's name in GraphQL
        try:
            return await look(info, id, None, None)
        except Illegal as error:
            return refusal(error)

    return strawberry.field(resolver=match, graphql_type=result, description="One match.")
