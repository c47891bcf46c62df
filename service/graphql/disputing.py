"""The mutations of disputes: opening and ruling them, an arbiter's look, and takebacks by consent."""

from typing import Annotated, Any

import msgspec
import strawberry

from domain.core.dispute_words import AskTakeback, OpenDispute, RuleDispute, ViewHidden
from domain.core.errors import Illegal
from domain.core.words import ARBITER, Command
from service.answers import Accepted, Answer
from service.frames import Frame
from service.graphql.context import Context, Info, unauthenticated
from service.graphql.mutations import CommandId, Signature, answered, checked_command, signature_of
from service.graphql.results import refusal
from service.play import Ask

ARBITER_ROLE = "arbiter"


def dispute_mutations(answer: Any, rulings: Any) -> dict[str, Any]:
    """The mutations, by name. answer: the union they give. rulings: the enum of rulings."""

    def field(resolver: Any, description: str) -> Any:
        return strawberry.field(resolver=resolver, graphql_type=answer, description=description)

    async def open_dispute(
        info: Info,
        match: strawberry.ID,
        version: int,
        reason: str,
        command_id: CommandId,
        signature: Signature = None,
    ) -> Any:
        plain = {"type": "OpenDispute", "version": version, "reason": reason}
        return await _sent(info.context, match, OpenDispute, plain, command_id, signature)

    async def rule_dispute(
        info: Info,
        match: strawberry.ID,
        dispute: int,
        ruling: Any,
        reason: str,
        command_id: CommandId,
        to_version: Annotated[
            int | None, strawberry.argument(description="For ROLLED_BACK: the commit end to go back to.")
        ] = None,
    ) -> Any:
        plain = {"type": "RuleDispute", "dispute": dispute, "ruling": ruling.value, "reason": reason}
        return await _sent(info.context, match, RuleDispute, {**plain, "to_version": to_version}, command_id)

    async def view_hidden(info: Info, match: strawberry.ID, version: int, command_id: CommandId) -> Any:
        plain = {"type": "ViewHidden", "version": version}
        made = await _sent(info.context, match, ViewHidden, plain, command_id)
        return await as_arbiter(info.context, match, version, made) if isinstance(made, Accepted) else made

    async def ask_takeback(
        info: Info, match: strawberry.ID, to_version: int, command_id: CommandId, signature: Signature = None
    ) -> Any:
        plain = {"type": "AskTakeback", "to_version": to_version}
        return await _sent(info.context, match, AskTakeback, plain, command_id, signature)

    rule_dispute.__annotations__["ruling"] = rulings
    return {
        "open_dispute": field(open_dispute, "Dispute what happened at a version, with a reason for the record."),
        "rule_dispute": field(rule_dispute, "As an arbiter: settle an open dispute."),
        "view_hidden": field(
            view_hidden,
            "As an arbiter of an open dispute: see everything as it stood at a version. The look is put on record; "
            "the answer's frame is what an arbiter sees.",
        ),
        "ask_takeback": field(
            ask_takeback, "Ask to go back to a commit end, or agree to what was asked; it needs every remaining seat."
        ),
    }


async def _sent(
    context: Context, match: str, kind: type[Command], plain: Any, command_id: str, signature: str | None = None
) -> Answer:
    account = await context.account()
    if account is None:
        return unauthenticated()
    command = checked_command(kind, plain)
    if not isinstance(command, Command):
        return command
    try:
        given = signature_of(signature)
    except Illegal as error:
        return refusal(error)
    ask = Ask(command_id=command_id, arbiter=ARBITER_ROLE in account.roles, signature=given)
    return await answered(context, match, account.id, command, ask)


async def as_arbiter(context: Context, match: str, version: int, made: Accepted) -> Answer:
    """The answer with what an arbiter sees at the version; the look has been stored."""
    live = await context.services.play.live.cached(match)
    end = live.history.end_at_or_before(max(version, live.history.ends[0]))
    return msgspec.structs.replace(made, frame=Frame(live, ARBITER, 1, end))
