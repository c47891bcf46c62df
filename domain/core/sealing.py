"""From events to the exact bytes that are stored, chained and shown: public bodies, commitments, headers, digests.

A hidden field's place in a public body is taken by its commitment, HMAC-SHA256 under a 32-byte salt of the field's
own. Salts come from a per-match secret that is never shown; so each value can be opened alone. The chain runs
through every commit: first its header, then its events, each digest over the one before. What is stored is never
encoded again: what a reader checks is what the writer hashed.
"""

import hmac
from typing import Any, Final

import msgspec

from domain.core.canonical import canonical, canonical_trusted, digest, keyed
from domain.core.chance import Draw
from domain.core.secrecy import hidden_fields
from domain.core.words import Command, Event, Seat, Version


class Salts:
    """The salts of one match, from its secret. `place` is `e57` for event version 57, `c12` for commit 12."""

    def __init__(self, secret: bytes, match: str) -> None:
        self._secret = secret
        self._match = match

    def salt(self, place: str, path: str) -> bytes:
        """The 32-byte salt of one hidden value."""
        return keyed(self._secret, "salt", [self._match, place, path])

    def commitment(self, place: str, path: str, value: bytes) -> str:
        """The commitment to the canonical bytes of a hidden value, as hex."""
        return commitment(self._match, place, path, value, self.salt(place, path))


def commitment(match: str, place: str, path: str, value: bytes, salt: bytes) -> str:
    """HMAC-SHA256 under the salt of the tag and the canonical [match, place, path, value], as hex."""
    return keyed(salt, "commitment", [match, place, path, msgspec.Raw(value)]).hex()


def genesis(match: str) -> bytes:
    """The chain head before a match's first commit."""
    return digest("genesis", match.encode())


class StoredEvent(msgspec.Struct, frozen=True):
    """One event as stored: `body` with everything, `public` with commitments for the hidden top-level paths."""

    version: Version
    type: str
    shape: int
    body: bytes
    public: bytes
    hidden: tuple[str, ...]
    digest: bytes


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit as stored: the header in public form, what it commits to, the chain before and after, the events.

    account is who asked, seat where it sits (None if nowhere). command holds all, command_public commitments for
    what the command hides. draw numbers the chance that was used, draws are its results (canonical JSON).
    signature is the seat's Ed25519 signature, if the command carried one. receipt is the server's signed answer.
    """

    match: str
    commit: int
    first: Version
    last: Version
    time: int
    account: str
    seat: Seat | None
    command_id: str
    rules: int
    header: bytes
    command: bytes
    command_public: bytes
    draw: int | None
    draws: bytes | None
    signature: bytes | None
    previous: bytes
    head: bytes
    events: tuple[StoredEvent, ...]
    receipt: bytes = b""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Who asked what: what a commit's header tells beside its events.

    time is in milliseconds since 1970, UTC; seen is the version that the client said it looked at, if it did;
    arbiter says whether the account acted in that role.
    """

    account: str
    seat: Seat | None
    command_id: str
    command: Command
    time: int
    seen: Version | None = None
    signature: bytes | None = None
    arbiter: bool = False


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The public form of a commit's header; fields in canonical order."""

    account: str
    arbiter: bool
    command: str
    command_id: str
    commit: int
    draw: int | None
    draws: str | None
    first: int
    last: int
    match: str
    rules: int
    seat: int | None
    seen: int | None
    signature: str | None
    time: int


class _Envelope(msgspec.Struct, frozen=True):
    """What an event's digest is over; fields in canonical order."""

    body: msgspec.Raw
    commit: int
    hidden: tuple[str, ...]
    match: str
    shape: int
    time: int
    type: str
    version: int


_encode: Final = msgspec.json.Encoder().encode


def envelope(match: str, commit: int, time: int, event: StoredEvent) -> bytes:
    """The canonical bytes that an event's digest is over."""
    fields = (msgspec.Raw(event.public), commit, event.hidden, match, event.shape, time, event.type, event.version)
    return _encode(_Envelope(*fields))


def signed_message(match: str, seat: Seat, command_id: str, seen: Version | None, command: bytes) -> bytes:
    """What a seat's Ed25519 signature of a command is over; command is its full canonical bytes."""
    return b"podesta/signed-command/1\n" + canonical([match, seat, command_id, seen, msgspec.Raw(command)])


def event_digest(previous: bytes, envelope_bytes: bytes) -> bytes:
    """The chain's next digest over an event."""
    return digest("event", previous, envelope_bytes)


def header_digest(previous: bytes, header: bytes) -> bytes:
    """The chain's next digest over a commit's header."""
    return digest("header", previous, header)


def seal(
    match: str,
    rules: int,
    at: tuple[int, Version],
    previous: bytes,
    request: Request,
    events: tuple[Event, ...],
    draws: tuple[Draw, ...],
    draw: int,
    salts: Salts,
) -> Commit:
    """The commit that follows `at` (the last commit number and version) in the chain whose head is `previous`.

    draw: the number of the chance that the commit used, recorded if it drew at all.
    """
    commit, first = at[0] + 1, at[1] + 1
    place = f"c{commit}"
    command, command_public, hidden = _public(request.command, place, salts)
    drawn = canonical(draws) if draws else None
    signature = request.signature
    header = _encode(
        Header(
            account=request.account,
            arbiter=request.arbiter,
            command=salts.commitment(place, "", command_public),
            command_id=request.command_id,
            commit=commit,
            draw=draw if draws else None,
            draws=salts.commitment(place, "/draws", drawn) if drawn else None,
            first=first,
            last=at[1] + len(events),
            match=match,
            rules=rules,
            seat=request.seat,
            seen=request.seen,
            signature=salts.commitment(place, "/signature", canonical(signature.hex())) if signature else None,
            time=request.time,
        )
    )
    head = header_digest(previous, header)
    stored: list[StoredEvent] = []
    for version, event in enumerate(events, first):
        body, public, hidden = _public(event, f"e{version}", salts)
        kind = type(event)
        blank = StoredEvent(version, kind.__name__, kind.shape, body, public, hidden, b"")
        head = event_digest(head, envelope(match, commit, request.time, blank))
        stored.append(msgspec.structs.replace(blank, digest=head))
    return Commit(
        match=match,
        commit=commit,
        first=first,
        last=at[1] + len(events),
        time=request.time,
        account=request.account,
        seat=request.seat,
        command_id=request.command_id,
        rules=rules,
        header=header,
        command=command,
        command_public=command_public,
        draw=draw if draws else None,
        draws=drawn,
        signature=signature,
        previous=previous,
        head=head,
        events=tuple(stored),
    )


def _public(word: Event | Command, place: str, salts: Salts) -> tuple[bytes, bytes, tuple[str, ...]]:
    """(full canonical bytes, public canonical bytes, hidden paths) of an event or a command.

    An event's hidden paths stand in its envelope; a command's in its public form itself, as `hidden`.
    """
    names = hidden_fields(type(word))
    if not names:
        body = canonical(word)
        return body, body, ()
    full: dict[str, Any] = msgspec.to_builtins(word)
    paths = tuple(f"/{name}" for name in names)
    public = {**full, "hidden": paths} if isinstance(word, Command) else dict(full)
    for name in names:
        public[name] = salts.commitment(place, f"/{name}", canonical(full[name]))
    return canonical(full), canonical(public), paths


class Opening(msgspec.Struct, frozen=True):
    """What opens one hidden value: where it stands, its canonical JSON, and its salt as hex."""

    place: str
    path: str
    value: str
    salt: str


def opening(salts: Salts, place: str, path: str, value: bytes) -> Opening:
    """The opening of a hidden value, from its canonical bytes."""
    return Opening(place, path, value.decode(), salts.salt(place, path).hex())


def opens(match: str, found: Opening, expected: str) -> bool:
    """Whether the opening fits the commitment that stands in its place."""
    made = commitment(match, found.place, found.path, found.value.encode(), bytes.fromhex(found.salt))
    return hmac.compare_digest(made, expected)


def leaf(commit: Commit) -> bytes:
    """What the transparency log holds of a commit: its header in public form and the chain head after it."""
    return canonical_trusted({"head": commit.head.hex(), "header": msgspec.Raw(commit.header)})
