"""Acting: accounts, opening matches, and commands of games and tables."""

from typing import Any, Final

import msgspec
from starlette.responses import Response

from domain.core.dispute_words import ViewHidden
from domain.core.errors import Illegal
from domain.core.secrecy import members
from domain.core.table import OpenMatch, TableCommand
from domain.core.words import Command
from service.answers import Accepted, Answer
from service.graphql.disputing import ARBITER_ROLE, as_arbiter
from service.graphql.mutations import answered, erase, make_guest, signature_of
from service.live import LiveMatch
from service.play import Ask, Play
from service.rest.asking import Asked, match_id
from service.rest.matches import answer
from service.rest.problems import problem
from service.rest.shapes import CommandBody, GuestBody, GuestShown, OpenBody, accepted

_TABLE: Final = {kind.__name__: kind for kind in members(TableCommand)}


async def guest(asked: Asked) -> Response:
    """A new guest account."""
    made = await make_guest(asked.context, (await asked.body(GuestBody)).name)
    return answer(GuestShown(made.account, made.token), 201)


async def me(asked: Asked) -> Response:
    """The account that asks."""
    return answer(await asked.account())


async def forget_me(asked: Asked) -> Response:
    """The account is erased."""
    return answer({"erased": await erase(asked.context, (await asked.account()).id)})


async def end_token(asked: Asked) -> Response:
    """The token of this request is ended."""
    await asked.account()
    return answer({"revoked": await asked.services.auth.revoke(asked.context.token or "")})


async def open_match(asked: Asked) -> Response:
    """A match is opened."""
    account = await asked.account()
    body = await asked.body(OpenBody)
    if body.fork is not None:
        match_id(body.fork.match)
    command = OpenMatch(body.game, body.seats, body.options, body.dispute_halts, body.fork)
    return _told(await asked.services.play.open(account.id, command, asked.command_id(body.command_id)))


async def act(asked: Asked) -> Response:
    """A command of the game or the table is sent."""
    account = await asked.account()
    body = await asked.body(CommandBody)
    play, match = asked.services.play, asked.match
    live = await play.live.cached(match)
    command = read_command(play, live, body.command)
    ask = Ask(
        command_id=asked.command_id(body.command_id),
        seen=body.version,
        signature=signature_of(body.signature),
        arbiter=ARBITER_ROLE in account.roles,
    )
    made = await answered(asked.context, match, account.id, command, ask)
    if isinstance(command, ViewHidden) and isinstance(made, Accepted):
        made = await as_arbiter(asked.context, match, command.version, made)
    return _told(made)


def read_command(play: Play, live: LiveMatch, plain: dict[str, Any]) -> Command:
    """A command of the table or of the match's game from plain values. Raises Illegal for another form."""
    kind = plain.get("type")
    known = _TABLE.get(kind) if isinstance(kind, str) else None
    if known is None:
        return play.game_command(live, plain)
    try:
        return msgspec.convert(plain, known)
    except msgspec.ValidationError as error:
        hint = "/api/v1/openapi.json says what each field may be."
        raise Illegal("bad_command", "S1", f"This is no {kind}: {error}.", hint) from error


def _told(made: Answer) -> Response:
    return answer(accepted(made)) if isinstance(made, Accepted) else problem(made)
