"""What a match offers for replay, proof and dispute: steps, changes between versions, records, case files."""

from itertools import islice
from typing import Annotated, Any, Final

import msgspec
import strawberry

from domain.core.dispute_words import Dispute, Ruling
from domain.core.errors import Illegal
from domain.core.game import Moment
from domain.core.words import ARBITER, Viewer
from service.case_page import case_page
from service.cases import CaseFile, case_bytes
from service.changes import Change, changes
from service.frames import Frame
from service.graphql.arguments import ViewerInput, viewer_of
from service.graphql.attributes import Part, shape
from service.graphql.context import Context, Info
from service.graphql.games import Types
from service.graphql.hints import list_of, or_null
from service.graphql.results import refusal, union
from service.steps import Sought, Step, steps

STEPS_LIMIT: Final = 200
"""How many steps one answer holds at most."""

As = Annotated[ViewerInput | None, strawberry.argument(name="as", description="As whom; as yourself, if not given.")]


class RecordFile(msgspec.Struct, frozen=True):
    """A record, as the text of its file."""

    text: str


class Changes(msgspec.Struct, frozen=True):
    """What differs between two versions."""

    changes: list[Change]


def replay_fields(types: Types, refused: Any) -> dict[str, Any]:
    """The fields of `Match`, by name. refused: the type of refusals."""
    return {
        "steps": _steps(types),
        "changes": _changes(refused),
        "disputes": _disputes(types),
        "record": _record(refused),
        "case": _case(refused),
    }


def _steps(types: Types) -> Any:
    step = shape(
        "Step",
        "A commit end: a place where replay can stand.",
        Part("version", int, "Its version."),
        Part("first", int, "The version of the commit's first event."),
        Part("commit", int, "The commit's number."),
        Part("seat", or_null(int), "Who acted; null for an account without a seat."),
        Part("types", list[str], "The types of its events, each once."),
        Part("moment", or_null(types.core.struct(Moment)), "Round, turn and phase after it; null before the start."),
        of=Step,
    )

    async def find(
        root: Any,
        info: Info,
        after: int = 0,
        first: int = 100,
        backwards: bool = False,
        seat: int | None = None,
        turn_of: int | None = None,
        round: int | None = None,  # noqa: A002 - the argument's name in GraphQL
        type: str | None = None,  # noqa: A002 - the argument's name in GraphQL
    ) -> Any:
        if not 1 <= first <= STEPS_LIMIT:
            raise Illegal("bad_page", "S1", f"`first` is 1 to {STEPS_LIMIT}, not {first}.")
        live = await info.context.services.play.live.cached(root.match)
        sought = Sought(seat, turn_of, round, type)
        fitting = [found for found in steps(live.history) if sought.fits(found)]
        if backwards:
            return list(islice((found for found in reversed(fitting) if found.version < after), first))
        return list(islice((found for found in fitting if found.version > after), first))

    about = (
        "Commit ends behind `after` (or, backwards, before it): those where a seat acted, after which it is a seat's "
        "turn, in a round, or with an event of a type."
    )
    return strawberry.field(resolver=find, graphql_type=list_of(step), description=about)


def _changes(refused: Any) -> Any:
    change = shape(
        "Change",
        "One difference between two views.",
        Part("path", str, "Where: a JSON pointer into the view's JSON."),
        Part("before", or_null(str), "The value before, as JSON; null if there was none."),
        Part("after", or_null(str), "The value after, as JSON; null if there is none."),
        of=Change,
    )
    listed = shape(
        "ChangeList", "What differs.", Part("changes", list_of(change), "The differences, in order."), of=Changes
    )

    async def find(root: Any, info: Info, from_version: int, to_version: int, as_: As = None) -> Any:
        play, account = info.context.services.play, await info.context.account_id()
        try:
            before = await play.look(root.match, account, viewer_of(as_), from_version)
            after = await play.look(root.match, account, viewer_of(as_), to_version)
        except Illegal as error:
            return refusal(error)
        return Changes(changes(before.view, after.view))

    result = union("ChangesResult", "The differences, or why they cannot be shown.", (listed, refused))
    return strawberry.field(
        resolver=find, graphql_type=result, description="What differs between two versions, as a viewer sees them."
    )


def _disputes(types: Types) -> Any:
    dispute = shape(
        "Dispute",
        "A dispute as it stands.",
        Part("number", int, "Its number in the match, from 1."),
        Part("seat", int, "Who opened it."),
        Part("version", int, "What it is about."),
        Part("reason", str, "Why."),
        Part("halts", bool, "Whether play halts until it is settled."),
        Part("ruling", or_null(types.core.enum(Ruling)), "How it was settled; null while it is open."),
        of=Dispute,
    )
    return strawberry.field(
        resolver=_disputes_of, graphql_type=list_of(dispute), description="All disputes, in the order of their opening."
    )


async def _disputes_of(root: Any) -> Any:
    return list(root.table.disputes)


def _record(refused: Any) -> Any:
    made = shape(
        "RecordFile",
        "A match as one file that proves itself: write the text to NAME.podesta and run `podesta verify` on it.",
        Part("text", str, "The file's text, JSON."),
        of=RecordFile,
    )

    async def record(root: Any, info: Info, as_: As = None) -> Any:
        context = info.context
        try:
            found = await context.services.records.record(root.match, await context.account_id(), viewer_of(as_))
        except Illegal as error:
            return refusal(error)
        return RecordFile(msgspec.json.encode(found).decode())

    result = union("RecordResult", "A record, or why there is none for you.", (made, refused))
    return strawberry.field(resolver=record, graphql_type=result, description="The match's record, to take away.")


def _case(refused: Any) -> Any:
    made = shape(
        "CaseFile",
        "All that is needed to judge a move.",
        Part("json", str, "The document, signed by the server.", read=lambda case: case_bytes(case).decode()),
        Part("html", str, "The same as a page to read and print.", read=case_page),
        Part("verdict", str, "What deciding the move again gives."),
        of=CaseFile,
    )

    async def case(root: Any, info: Info, version: int, command: str | None = None) -> Any:
        services = info.context.services
        try:
            live = await services.play.live.fresh(root.match)
            asked = None if command is None else services.play.game_command(live, _json(command))
            return services.cases.case(live, version, await case_viewer(info.context, root), asked)
        except Illegal as error:
            return refusal(error)

    result = union("CaseResult", "A case file, or why there is none for you.", (made, refused))
    about = "The case file of the move that holds a version. command, as JSON: was another one legal there?"
    return strawberry.field(resolver=case, graphql_type=result, description=about)


async def case_viewer(context: Context, root: Frame) -> Viewer:
    """As whom the one who asks may have a case: an arbiter who has looked at this match's hidden fields, or a seat."""
    account = await context.account()
    if account is not None and "arbiter" in account.roles and root.table.seat_of(account.id) is None:
        live = await context.services.play.live.cached(root.match)
        if live.looked(account.id):
            return ARBITER
    return root.viewer


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Illegal("bad_command", "S1", f"The command is no JSON: {error}.", "`Legal.json` lists some.") from None
