"""The case file of a disputed move: one signed document with all that an arbiter, or a player, needs to judge it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.core.canonical import canonical
from domain.core.chance import Draw
from domain.core.errors import Illegal
from domain.core.game import AnyGame
from domain.core.match import decide
from domain.core.showing import ReadCommit, SeenCommit
from domain.core.table import TABLE_RULES, Status, Table
from domain.core.words import ARBITER, Command, Version, Viewer, viewer_name
from infra.signing import PublicKey, Signer
from service.live import LiveMatch
from service.verifying.stored import StoredCheck

FORMAT: Final = "podesta-case/1"
TAG: Final = b"podesta/case/1\n"


class Position(msgspec.Struct, frozen=True):
    """The table at a version as the mover saw it: its view as JSON, and drawn."""

    version: Version
    view: Any
    sketch: str


class Cited(msgspec.Struct, frozen=True):
    """A rule: its number and title."""

    rule: str
    title: str


class Asked(msgspec.Struct, frozen=True):
    """What the rules say of a command there: legal, or refused by a rule, with the message."""

    command: Any
    legal: bool
    code: str = ""
    rule: str = ""
    title: str = ""
    message: str = ""


class Draws(msgspec.Struct, frozen=True):
    """The draws behind the move. attested: only the server's signed commitment can be shown while the match runs."""

    attested: bool
    commitment: str | None
    draws: tuple[Draw, ...]


class CaseFile(msgspec.Struct, frozen=True, kw_only=True):
    """The document. signature is the server's over the tag and the canonical bytes of all other fields."""

    format: str
    match: str
    game: str
    title: str
    rules: int
    version: Version
    commit: int
    seat: int | None
    account: str
    time: int
    issued: int
    issued_for: str
    over: bool
    before: Position
    after: Position
    command: Any
    events: tuple[Any, ...]
    legal: tuple[Any, ...]
    templates: tuple[Any, ...]
    grounds: tuple[Cited, ...]
    asked: Asked | None
    draws: Draws
    verdict: str
    receipts: tuple[str, ...]
    disputes: tuple[Any, ...]
    key: str
    signature: str = ""


class Cases:
    """Makes case files, under the server's signature."""

    def __init__(self, signer: Signer, clock: Callable[[], int]) -> None:
        self._signer = signer
        self._clock = clock

    def case(self, live: LiveMatch, version: Version, viewer: Viewer, command: Command | None = None) -> CaseFile:
        """The case of the commit that holds this version, for a viewer who may have it.

        command: another one, of which the file is to say whether it was legal there, and by which rule not.
        Raises Illegal for a version that is not one of play, and for a viewer who may not see what the mover saw.
        """
        read = self._disputed(live, version)
        mover = read.commit.seat if read.commit.seat is not None else viewer
        if not (live.over or viewer in (mover, ARBITER)):
            raise Illegal(
                "not_your_case",
                "S3",
                f"While the match runs, only seat {mover} and an arbiter may have the case of its move.",
                "After the end everybody may.",
            )
        history = live.history
        before = history.at(read.commit.first - 1)
        after = history.at(read.commit.last)
        shown = live.seen(read.commit.first - 1, read.commit.last, mover)[0]
        legal = history.game.legal(before.state, mover) if before.status is Status.RUNNING else None
        made = CaseFile(
            format=FORMAT,
            match=live.match,
            game=after.game,
            title=history.game.title,
            rules=after.rules,
            version=version,
            commit=read.commit.commit,
            seat=read.commit.seat,
            account=read.commit.account,
            time=read.commit.time,
            issued=self._clock(),
            issued_for=viewer_name(viewer),
            over=live.over,
            before=_position(history.game, before, mover),
            after=_position(history.game, after, mover),
            command=msgspec.json.decode(read.commit.command),
            events=tuple(msgspec.json.decode(event.body) for event in shown.events),
            legal=tuple(msgspec.to_builtins(c) for c in legal.commands) if legal else (),
            templates=tuple(msgspec.to_builtins(t) for t in legal.templates) if legal else (),
            grounds=_grounds(history.game, read, shown),
            asked=None if command is None else self._asked(live, read, command),
            draws=_draws(read, over=live.over),
            verdict=self._verdict(live, read),
            receipts=(read.commit.receipt.decode(),),
            disputes=_disputes(live),
            key=self._signer.key_id,
        )
        signature = self._signer.sign(TAG + _unsigned(made))
        return msgspec.structs.replace(made, signature=signature.hex())

    def _disputed(self, live: LiveMatch, version: Version) -> ReadCommit:
        floor, last = live.history.table.floor, live.history.version
        if not floor or not floor < version <= last:
            where = f"Moves are versions {floor + 1} to {last}." if floor else "The match has not started."
            raise Illegal("no_such_version", "S1", f"Version {version} is not part of a move.", where)
        return live.reads(version - 1, last)[0]

    def _asked(self, live: LiveMatch, read: ReadCommit, command: Command) -> Asked:
        history, game = live.history_before(read.commit.first), live.history.game
        plain = msgspec.to_builtins(command)
        try:
            decide(history, read.commit.account, command, live.seed)
        except Illegal as error:
            return Asked(plain, False, error.code, error.rule, _title(game, error.rule), error.message)
        return Asked(plain, True)

    def _verdict(self, live: LiveMatch, read: ReadCommit) -> str:
        """What deciding everything up to the move again gives."""
        check = StoredCheck(live.codecs, live.match, live.secrets, self._keys)
        fault = check.run(each.commit for each in live.reads(0, read.commit.last))
        if fault is None:
            return "Decided again, with every commit before it: the rules and the draws give exactly these events."
        return f"Version {fault.version}: {fault.message}"

    @property
    def _keys(self) -> tuple[PublicKey, ...]:
        return self._signer.public_keys


def _unsigned(case: CaseFile) -> bytes:
    fields = msgspec.to_builtins(case)
    del fields["signature"]
    return canonical(fields)


def case_bytes(case: CaseFile) -> bytes:
    """The document as it is given out."""
    return canonical(case)


def signed_part(data: bytes) -> tuple[bytes, str, bytes]:
    """(what the signature is over, the key's id, the signature) of a case file. Raises ValueError if it is none."""
    fields = msgspec.json.decode(data)
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise ValueError("this is no case file")
    signature = bytes.fromhex(str(fields.pop("signature", "")))
    return TAG + canonical(fields), str(fields["key"]), signature


def _position(game: AnyGame, table: Table, viewer: Viewer) -> Position:
    if table.state is None:
        return Position(table.version, None, "")
    view = game.view(table.state, viewer)
    return Position(table.version, msgspec.to_builtins(view), game.sketch(view))


def _title(game: AnyGame, rule: str) -> str:
    known = game.rulebook.get(rule) or TABLE_RULES.get(rule)
    return known.title if known else ""


def _grounds(game: AnyGame, read: ReadCommit, shown: SeenCommit) -> tuple[Cited, ...]:
    """The rules that allow the command, then those that its events name."""
    kind = msgspec.json.decode(read.commit.command).get("type", "")
    named = list(game.grounds.get(kind, ()))
    for event in shown.events:
        rule = msgspec.json.decode(event.body).get("rule")
        if isinstance(rule, str):
            named.append(rule)
    return tuple(Cited(rule, _title(game, rule)) for rule in dict.fromkeys(named))


def _draws(read: ReadCommit, *, over: bool) -> Draws:
    commitment = msgspec.json.decode(read.commit.header).get("draws")
    if not over or read.commit.draws is None:
        return Draws(read.commit.draws is not None, commitment, ())
    return Draws(False, commitment, msgspec.json.decode(read.commit.draws, type=tuple[Draw, ...]))


DISPUTE_EVENTS: Final = ("DisputeOpened", "HiddenViewed", "DisputeRuled", "TakebackAsked", "RolledBack")


def _disputes(live: LiveMatch) -> tuple[Any, ...]:
    """The history of disputes, takebacks and rollbacks, each event with its version."""
    return tuple(
        {"version": event.version, **msgspec.json.decode(event.body)}
        for read in live.reads(0, live.history.version)
        for event in read.commit.events
        if event.type in DISPUTE_EVENTS
    )
