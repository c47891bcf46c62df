"""The mutations: an account of one's own, the table's commands, and `act` for the game's."""

from typing import Annotated, Any, Final

import msgspec
import strawberry

from domain.core.dispute_words import ForkFrom
from domain.core.errors import Illegal
from domain.core.table import CancelMatch, LeaveSeat, OfferEnd, OpenMatch, Resign, RevealEntropy, StartMatch, TakeSeat
from domain.core.words import Command
from infra.ports import Account
from service.answers import Answer, Refused
from service.graphql.arguments import Commands
from service.graphql.attributes import Part, shape
from service.graphql.context import Context, Info, unauthenticated
from service.graphql.results import Results, refusal, union
from service.graphql.scalars import JSON
from service.play import Ask

NAME_LIMIT: Final = 40
"""How long a display name may be."""

CommandId = Annotated[
    strawberry.ID,
    strawberry.argument(
        description="1 to 64 letters, digits or `_ . : -`, new for each command; repeated, it gets the same answer."
    ),
]
Seen = Annotated[
    int | None,
    strawberry.argument(description="The version that you looked at: the command is refused if it is stale."),
]
Signature = Annotated[
    str | None,
    strawberry.argument(description="Your seat's Ed25519 signature of the command, as hex, if you registered a key."),
]


class Guest(msgspec.Struct, frozen=True):
    """A new account and its token."""

    account: Account
    token: str


@strawberry.input(description="Where a fork begins: a finished match, and a commit end of it.")
class ForkInput:
    """Where a fork begins."""

    match: strawberry.ID = strawberry.field(description="The finished match.")
    version: int = strawberry.field(description="A commit end of its play.")


class Erased(msgspec.Struct, frozen=True):
    """Whether there was an account to erase."""

    erased: bool


class Revoked(msgspec.Struct, frozen=True):
    """Whether there was a token to end."""

    revoked: bool


def mutation_type(commands: Commands, results: Results, account: Any, more: dict[str, Any]) -> Any:
    """The mutations, for these commands and answers, and more that are made elsewhere."""
    answer = results.answer
    fields = {**_accounts(results, account), **_opening(answer), **_seats(answer), **_game(commands, answer), **more}
    return strawberry.type(type("Mutation", (), fields), name="Mutation", description="What can be asked to happen.")


def _accounts(results: Results, account: Any) -> dict[str, Any]:
    guest = shape(
        "Guest",
        "A new account.",
        Part("account", account, "The account."),
        Part("token", str, "Its bearer token: it is shown only here."),
        of=Guest,
    )
    revoked = shape(
        "TokenRevoked",
        "The token is of no use any more; streams that it opened end.",
        Part("revoked", bool, "False if there was nothing to end."),
        of=Revoked,
    )

    async def create_guest(info: Info, name: str | None = None) -> Any:
        try:
            return await make_guest(info.context, name)
        except Illegal as error:
            return refusal(error)

    erased = shape(
        "AccountErased",
        "The account is forgotten: its name, its own key, its roles and its tokens. What it played stays, by its id.",
        Part("erased", bool, "False if there was nothing left to erase."),
        of=Erased,
    )

    async def erase_account(info: Info) -> Any:
        account = await info.context.account_id()
        return unauthenticated() if account is None else Erased(await erase(info.context, account))

    async def revoke_token(info: Info) -> Any:
        if info.context.token is None:
            return unauthenticated()
        return Revoked(await info.context.services.auth.revoke(info.context.token))

    return {
        "create_guest": strawberry.field(
            resolver=create_guest,
            graphql_type=union("GuestResult", "A new account, or why not.", (guest, results.refused)),
            description="Make an account without any set-up.",
        ),
        "erase_account": strawberry.field(
            resolver=erase_account,
            graphql_type=union("EraseResult", "What became of the account.", (erased, results.refused)),
            description="Erase your account, for good. Matches that it plays go on without it.",
        ),
        "revoke_token": strawberry.field(
            resolver=revoke_token,
            graphql_type=union("RevokeResult", "What became of the token.", (revoked, results.refused)),
            description="End the token that this request came with.",
        ),
    }


async def make_guest(context: Context, name: str | None) -> Guest:
    """A new account without any set-up. Raises Illegal where there are none to be had, or for a bad name."""
    if not context.services.guests:
        raise Illegal("no_guests", "S3", "This server makes no guest accounts.", "Ask its operator.")
    if name is not None and not 1 <= len(name.strip()) <= NAME_LIMIT:
        raise Illegal("bad_name", "S1", f"A name has 1 to {NAME_LIMIT} characters.")
    accounts = context.services.accounts
    made = await accounts.create(name.strip() if name else None, guest=True)
    return Guest(made, await accounts.issue(made.id))


async def erase(context: Context, account: str) -> bool:
    """Forget who the account is, here at once; False if there was nothing left to erase."""
    context.services.auth.forget(account)
    return await context.services.accounts.erase(account)


def _field(answer: Any, resolver: Any, description: str) -> Any:
    return strawberry.field(resolver=resolver, graphql_type=answer, description=description)


def _opening(answer: Any) -> dict[str, Any]:
    async def open_match(
        info: Info,
        game: str,
        seats: int,
        command_id: CommandId,
        options: JSON | None = None,
        dispute_halts: Annotated[
            bool, strawberry.argument(description="Whether play halts while a dispute is open.")
        ] = False,
        fork: Annotated[
            ForkInput | None,
            strawberry.argument(description="Begin where a finished match stood, with its options."),
        ] = None,
    ) -> Any:
        source = ForkFrom(fork.match, fork.version) if fork else None
        opened = OpenMatch(game, seats, {}, dispute_halts, source)
        return await _open(info.context, opened, options, command_id)

    async def join_match(
        info: Info,
        match: strawberry.ID,
        command_id: CommandId,
        seat: int | None = None,
        entropy_commitment: str | None = None,
        key: str | None = None,
        signed_only: Annotated[
            bool, strawberry.argument(description="Refuse whatever comes in your name without your key's signature.")
        ] = False,
    ) -> Any:
        plain = {"type": "TakeSeat", "seat": seat, "entropy_commitment": entropy_commitment, "key": key}
        plain["signed_only"] = signed_only
        return await _checked(info.context, match, TakeSeat, plain, command_id)

    return {
        "open_match": _field(answer, open_match, "Open a match of a game; `games` tells the seat numbers and options."),
        "join_match": _field(answer, join_match, "Sit down: at the lowest free seat, unless one is named."),
    }


def _seats(answer: Any) -> dict[str, Any]:
    async def leave_match(info: Info, match: strawberry.ID, command_id: CommandId, signature: Signature = None) -> Any:
        return await _send(info.context, match, LeaveSeat(), command_id, signature)

    async def reveal_entropy(
        info: Info, match: strawberry.ID, command_id: CommandId, entropy: str, signature: Signature = None
    ) -> Any:
        plain = {"type": "RevealEntropy", "entropy": entropy}
        return await _checked(info.context, match, RevealEntropy, plain, command_id, signature)

    async def start_match(info: Info, match: strawberry.ID, command_id: CommandId, signature: Signature = None) -> Any:
        return await _send(info.context, match, StartMatch(), command_id, signature)

    async def resign(info: Info, match: strawberry.ID, command_id: CommandId, signature: Signature = None) -> Any:
        return await _send(info.context, match, Resign(), command_id, signature)

    async def offer_end(info: Info, match: strawberry.ID, command_id: CommandId, signature: Signature = None) -> Any:
        return await _send(info.context, match, OfferEnd(), command_id, signature)

    async def cancel(info: Info, match: strawberry.ID, command_id: CommandId, signature: Signature = None) -> Any:
        return await _send(info.context, match, CancelMatch(), command_id, signature)

    about = {
        leave_match: "Leave the seat, before the start.",
        reveal_entropy: "Show the 32 bytes, as hex, that you committed to when you sat down.",
        start_match: "Begin play: all seats are taken, and all committed entropy is revealed.",
        resign: "Give up.",
        offer_end: "Agree to end the match undecided; it ends when every remaining seat has.",
        cancel: "Cancel: the opener alone before the start, afterwards every remaining seat must agree.",
    }
    return {resolver.__name__: _field(answer, resolver, text) for resolver, text in about.items()}


def _game(commands: Commands, answer: Any) -> dict[str, Any]:
    async def act(
        info: Info,
        match: strawberry.ID,
        command: Any,
        command_id: CommandId,
        version: Seen = None,
        signature: Signature = None,
    ) -> Any:
        play = info.context.services.play
        account = await info.context.account_id()
        if account is None:
            return unauthenticated()
        try:
            live = await play.live.cached(match)
            plain = commands.plain(command, live.history.table.game)
            ask = Ask(command_id=command_id, seen=version, signature=signature_of(signature))
            return await answered(info.context, match, account, play.game_command(live, plain), ask)
        except Illegal as error:
            return refusal(error)

    act.__annotations__["command"] = commands.input
    about = "Send a command of the game for your seat; exactly one key of `command`."
    return {"act": strawberry.field(resolver=act, graphql_type=answer, description=about)}


async def _open(context: Context, command: OpenMatch, options: Any, command_id: str) -> Answer:
    account = await context.account_id()
    if account is None:
        return unauthenticated()
    if options is not None and not isinstance(options, dict):
        return refusal(Illegal("bad_options", "T1", "Options are an object: each option's name with its value."))
    return await context.services.play.open(
        account, msgspec.structs.replace(command, options=options or {}), command_id
    )


async def _checked(
    context: Context, match: str, kind: type[Command], plain: Any, command_id: str, signature: str | None = None
) -> Answer:
    command = checked_command(kind, plain)
    return await _send(context, match, command, command_id, signature) if isinstance(command, Command) else command


def checked_command(kind: type[Command], plain: Any) -> Command | Refused:
    """The table's command from plain values, or the refusal of values of the wrong form."""
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        return refusal(Illegal("bad_command", "S1", f"{error}.", "The schema says what each argument may be."))


async def _send(
    context: Context, match: str, command: Command, command_id: str, signature: str | None = None
) -> Answer:
    account = await context.account_id()
    if account is None:
        return unauthenticated()
    try:
        ask = Ask(command_id=command_id, signature=signature_of(signature))
    except Illegal as error:
        return refusal(error)
    return await answered(context, match, account, command, ask)


async def answered(context: Context, match: str, account: str, command: Command, ask: Ask) -> Answer:
    """The answer; to a refusal, what would be legal is added."""
    play = context.services.play
    answer = await play.command(account, match, command, ask)
    if isinstance(answer, Refused) and answer.frame is None and answer.code != "no_such_match":
        live = await play.live.cached(match)
        return msgspec.structs.replace(answer, frame=play.frame(live, play.viewer(live, account)))
    return answer


def signature_of(given: str | None) -> bytes | None:
    """The signature's bytes. Raises Illegal for what is no hex."""
    if given is None:
        return None
    try:
        return bytes.fromhex(given)
    except ValueError:
        raise Illegal("bad_signature", "S3", "A signature is 64 bytes as hex.") from None
