"""The lobby: matches by page, and one's own."""

import asyncio
from typing import Any, Final, NamedTuple

import strawberry

from domain.core.errors import Illegal
from infra.ports import Account, MatchFilter, MatchPage, MatchRow, ReadModels
from service.graphql.attributes import Part, shape
from service.graphql.context import Info
from service.graphql.games import Types
from service.graphql.hints import list_of, or_null
from service.graphql.positions import Positions
from service.graphql.results import Results, refusal, union
from service.graphql.scalars import Time

PAGE_LIMIT: Final = 100
"""How many matches one page holds at most."""

PROJECTED_WITHIN_S: Final = 5.0
"""How long `atLeast` waits."""


@strawberry.input(description="Which matches: each field that is given must fit.")
class MatchFilterInput:
    """Which matches."""

    game: str | None = strawberry.field(default=None, description="Of this game.")
    status: str | None = strawberry.field(default=None, description="seating, running or over.")
    account: strawberry.ID | None = strawberry.field(default=None, description="Opened by this account, or with it.")


@strawberry.input(description="A version of a match that the lobby must have seen: to read your own writes.")
class AtLeastInput:
    """What the lobby must have seen."""

    match: strawberry.ID
    version: int


class Lobby(NamedTuple):
    """The types of the lobby."""

    page: Any
    result: Any


def build(types: Types, positions: Positions, results: Results) -> Lobby:
    """The types of the lobby over these."""
    del types
    row = shape(
        "MatchSummary",
        "A match in the lobby; `match` gives it whole.",
        Part("id", strawberry.ID, "Its id.", attribute="match"),
        Part("game", str, "The game's name."),
        Part("rules", int, "The rules version."),
        Part("status", positions.status, "Where it stands."),
        Part("seats", int, "How many seats it has."),
        Part("seated", list[strawberry.ID | None], "Who sits at each seat; null for a free one."),
        Part("opener", strawberry.ID, "The account that opened it."),
        Part("version", int, "Its version as the lobby knows it: the match itself may be further."),
        Part("created", Time, "When it was opened."),
        Part("updated", Time, "When it last changed."),
        Part("cause", or_null(str), "Why it ended, once it has.", read=lambda r: r.cause or None),
        of=MatchRow,
    )
    info = shape(
        "PageInfo",
        "Whether and where the list goes on.",
        Part("has_next_page", bool, "Whether there are more.", read=lambda page: page.cursor is not None),
        Part(
            "end_cursor", or_null(str), "What `after` takes to go on; null at the end.", read=lambda page: page.cursor
        ),
    )
    page = shape(
        "MatchConnection",
        "A page of matches, latest opened first.",
        Part("nodes", list_of(row), "The matches.", attribute="rows"),
        Part("page_info", info, "Whether and where the list goes on.", read=lambda page: page),
        of=MatchPage,
    )
    return Lobby(page, union("MatchesResult", "A page of matches, or why there is none.", (page, results.refused)))


async def page_of(
    models: ReadModels, wanted: MatchFilter, first: int, after: str | None, at_least: AtLeastInput | None = None
) -> MatchPage:
    """A page of matches. Raises Illegal for a bad page or cursor, or if `at_least` is not reached in time."""
    if not 1 <= first <= PAGE_LIMIT:
        raise Illegal("bad_page", "S1", f"`first` is 1 to {PAGE_LIMIT}, not {first}.")
    if any("\0" in text for text in (wanted.game, wanted.status, wanted.account, after) if text):
        raise Illegal("bad_cursor", "S1", "A text among the arguments holds a NUL.")
    if at_least is not None:
        await _reached(models, at_least)
    try:
        return await models.matches(wanted, first, after)
    except ValueError as error:
        raise Illegal("bad_cursor", "S1", f"{after!r} is no cursor.", "Take `pageInfo.endCursor` of a page.") from error


async def _reached(models: ReadModels, wanted: AtLeastInput) -> None:
    clock = asyncio.get_running_loop().time
    until = clock() + PROJECTED_WITHIN_S
    wait = 0.01
    while (reached := await models.projected(wanted.match)) < wanted.version:
        if clock() >= until:
            raise Illegal(
                "not_projected",
                "S4",
                f"The lobby has seen version {reached} of {wanted.match!r}, not yet {wanted.version}.",
                "Ask again, or look at the match itself.",
            )
        await asyncio.sleep(wait)
        wait = min(wait * 2, 0.25)


def matches_field(lobby: Lobby) -> Any:
    """The query `matches`."""

    async def matches(
        info: Info,
        first: int = 20,
        after: str | None = None,
        filter: MatchFilterInput | None = None,  # noqa: A002 - the argument's name in GraphQL
        at_least: AtLeastInput | None = None,
    ) -> Any:
        chosen = filter or MatchFilterInput()
        wanted = MatchFilter(game=chosen.game, status=chosen.status, account=chosen.account)
        try:
            return await page_of(info.context.services.read_models, wanted, first, after, at_least)
        except Illegal as error:
            return refusal(error)

    about = f"The lobby: at most `first` (1 to {PAGE_LIMIT}) matches behind the cursor `after`."
    return strawberry.field(resolver=matches, graphql_type=lobby.result, description=about)


def account_type(lobby: Lobby) -> Any:
    """The type of one's own account."""

    async def matches(root: Any, info: Info, first: int = 20, after: str | None = None) -> Any:
        try:
            return await page_of(info.context.services.read_models, MatchFilter(account=root.id), first, after)
        except Illegal as error:
            return refusal(error)

    return shape(
        "Account",
        "An account.",
        Part("id", strawberry.ID, "Its id, as it stands in matches and events."),
        Part("name", or_null(str), "The name it shows."),
        Part("guest", bool, "Whether it was made by `createGuest`."),
        Part("roles", list[str], "What it may do beyond playing."),
        of=Account,
        matches=strawberry.field(resolver=matches, graphql_type=lobby.result, description="The account's matches."),
    )


def me_field(account: Any) -> Any:
    """The query `me`."""

    async def me(info: Info) -> Any:
        return await info.context.account()

    about = "The account that the token speaks for; null without a valid one."
    return strawberry.field(resolver=me, graphql_type=or_null(account), description=about)
