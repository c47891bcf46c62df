"""What requests and answers hold, and how answers are made of frames."""

from typing import Annotated, Any, Final

import msgspec

from domain.core.dispute_words import Dispute, ForkFrom
from domain.core.game import Moment, Outcome
from domain.core.sealing import Opening
from domain.core.showing import SeenCommit
from domain.core.table import Seating, Status
from domain.core.words import Seat, Version
from infra.ports import Account, MatchRow
from service.answers import Accepted
from service.frames import Frame, FrameEvent
from service.steps import Step

encode: Final = msgspec.json.Encoder(order="deterministic").encode

CommandId = Annotated[
    str | None, msgspec.Meta(description="1 to 64 letters, digits or the signs _ . : -; or the header Idempotency-Key")
]


class GuestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new guest account, with a name to show if you like."""

    name: str | None = None


class OpenBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to open; with `fork`, one that begins where a finished match stood."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    dispute_halts: bool = False
    fork: ForkFrom | None = None
    command_id: CommandId = None


class CommandBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the game or of the table; version: the one that you looked at; signature: your seat's, as hex."""

    command: dict[str, Any]
    command_id: CommandId = None
    version: Version | None = None
    signature: str | None = None


class SeatShown(msgspec.Struct, frozen=True):
    """A place in a match. opened: the version at which its open decision opened; null if it is not asked."""

    seat: Seat
    account: str | None
    entropy_commitment: str | None
    entropy: str | None
    key: str | None
    signed_only: bool
    resigned: bool
    opened: Version | None


class TemplateShown(msgspec.Struct, frozen=True):
    """Commands that equal `base` but for the list in `field`; the rules have the last word on each."""

    base: Any
    field: str
    items: list[Any]
    at_least: int
    at_most: int
    distinct: bool


class LegalShown(msgspec.Struct, frozen=True):
    """What the seat may do now: commands ready to be sent back, and patterns of those too many to list."""

    commands: list[Any]
    templates: list[TemplateShown]


class PositionShown(msgspec.Struct, frozen=True, kw_only=True):
    """Where a viewer stands at a version. seat: the seat that looks; null for the gallery."""

    match: str
    game: str
    rules: int
    version: Version
    status: Status
    seat: Seat | None
    seats: list[SeatShown]
    awaited: list[Seat]
    moment: Moment | None
    outcome: Outcome | None
    view: Any
    legal: LegalShown


class MatchShown(PositionShown, frozen=True, kw_only=True):
    """A match as the one who asks may see it. seed: the server's, once the match is over."""

    options: dict[str, Any]
    opener: str
    seed_commitment: str
    seed: str | None
    cause: str | None
    dispute_halts: bool
    disputes: list[Dispute]


class ProofShown(msgspec.Struct, frozen=True):
    """What is needed to check an event against the chain; `public` is the stored public form, byte for byte."""

    shape: int
    public: str
    hidden: list[str]
    digest: str
    openings: list[Opening]


class EventShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that has happened: `event` with null for what is hidden from the viewer. time: ms since 1970, UTC."""

    version: Version
    commit: int
    time: int
    type: str
    event: Any
    seat: Seat | None
    proof: ProofShown | None = None


class CommitShown(msgspec.Struct, frozen=True, kw_only=True):
    """The header of one accepted command, and the chain before and after it; header and command byte for byte."""

    number: int
    first: Version
    last: Version
    time: int
    account: str
    seat: Seat | None
    command_id: str
    drew: bool
    header: str
    command: str
    previous: str
    head: str
    openings: list[Opening]


class FrameShown(PositionShown, frozen=True, kw_only=True):
    """A position, and the events `first` to `version` that led there."""

    first: Version
    events: list[EventShown]


class AcceptedShown(msgspec.Struct, frozen=True, kw_only=True):
    """The command is stored: its events are versions `first` to `version`. receipt: the server's, signed."""

    match: str
    command_id: str
    first: Version
    version: Version
    receipt: str
    frame: FrameShown


class EventPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Events after a version. next: what `after` takes to go on, null at the end. commits: with `proofs=true`."""

    match: str
    version: Version
    events: list[EventShown]
    next: Version | None
    commits: list[CommitShown] | None = None


class StepPage(msgspec.Struct, frozen=True):
    """Commit ends after a version. next: what `after` takes to go on, null at the end."""

    match: str
    steps: list[Step]
    next: Version | None


class Lobby(msgspec.Struct, frozen=True):
    """A page of matches, latest opened first. cursor: what `after` takes to go on, null at the end."""

    matches: list[MatchRow]
    cursor: str | None


class GuestShown(msgspec.Struct, frozen=True):
    """A new account and its bearer token, which is shown only here."""

    account: Account
    token: str


def legal_of(frame: Frame) -> LegalShown:
    """What the viewer's seat may do."""
    found = frame.legal
    return LegalShown(
        list(found.commands),
        [TemplateShown(t.base, t.field, list(t.items), t.at_least, t.at_most, t.distinct) for t in found.templates],
    )


def _fields(frame: Frame) -> dict[str, Any]:
    table = frame.table
    return {
        "match": frame.match,
        "game": table.game,
        "rules": table.rules,
        "version": frame.version,
        "status": frame.status,
        "seat": frame.viewer if frame.viewer >= 0 else None,
        "seats": [_seat(frame, seat) for seat in range(len(table.seats))],
        "awaited": frame.awaited,
        "moment": frame.moment,
        "outcome": frame.outcome,
        "view": frame.view,
        "legal": legal_of(frame),
    }


def _seat(frame: Frame, seat: Seat) -> SeatShown:
    table = frame.table
    at = table.seats[seat] or Seating("")
    return SeatShown(
        seat=seat,
        account=at.account or None,
        entropy_commitment=at.entropy_commitment,
        entropy=at.entropy,
        key=at.key,
        signed_only=at.signed_only,
        resigned=seat in table.resigned,
        opened=(table.opened[seat] or None) if table.opened else None,
    )


def position(frame: Frame) -> PositionShown:
    """Where the viewer stands."""
    return PositionShown(**_fields(frame))


def match_shown(frame: Frame) -> MatchShown:
    """The match, as the frame has it."""
    table = frame.table
    return MatchShown(
        **_fields(frame),
        options=msgspec.to_builtins(table.setup.options),
        opener=table.opener,
        seed_commitment=table.seed_commitment,
        seed=table.seed or None,
        cause=table.cause or None,
        dispute_halts=table.dispute_halts,
        disputes=list(table.disputes),
    )


def accepted(answer: Accepted) -> AcceptedShown:
    """The answer to a command."""
    frame = answer.frame
    shown = FrameShown(**_fields(frame), first=frame.first, events=[event(each) for each in frame.events])
    return AcceptedShown(
        match=answer.match,
        command_id=answer.command_id,
        first=answer.first,
        version=answer.version,
        receipt=answer.receipt,
        frame=shown,
    )


def event(found: FrameEvent, *, proofs: bool = False) -> EventShown:
    """One event, with its proof if that is wanted."""
    seen = found.seen
    proof = ProofShown(seen.shape, seen.public.decode(), list(seen.hidden), seen.digest.hex(), list(seen.openings))
    return EventShown(
        version=found.version,
        commit=found.commit,
        time=found.time,
        type=found.type,
        event=msgspec.Raw(seen.body),
        seat=found.actor,
        proof=proof if proofs else None,
    )


def commit(found: SeenCommit) -> CommitShown:
    """One commit's header and chain."""
    return CommitShown(
        number=found.commit,
        first=found.first,
        last=found.last,
        time=found.time,
        account=found.account,
        seat=found.seat,
        command_id=found.command_id,
        drew=found.drew,
        header=found.header.decode(),
        command=found.command.decode(),
        previous=found.previous.hex(),
        head=found.head.hex(),
        openings=list(found.openings),
    )
