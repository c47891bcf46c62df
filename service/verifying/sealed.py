"""Level sealed: the chain, the openings, the signatures and the inclusion proofs of a record fit together."""

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any

import msgspec

from domain.core.canonical import canonical, canonical_trusted
from domain.core.record import FORMAT, Record, RecordCommit, RecordEvent
from domain.core.sealing import (
    Header,
    Opening,
    StoredEvent,
    commitment,
    envelope,
    event_digest,
    genesis,
    header_digest,
    signed_message,
)
from infra.merkle import included, leaf_hash
from infra.notes import NoteError, Verifier, checkpoint_of
from infra.signing import PublicKey, ReceiptError, verify, verify_receipt
from service.verifying.findings import Fault, Kind


class OpenedEvent(msgspec.Struct, frozen=True):
    """An event after its openings were checked: its full body, or None where parts stay closed."""

    version: int
    type: str
    shape: int
    body: bytes | None


class Opened(msgspec.Struct, frozen=True):
    """One commit after its openings were checked: what the holder knows of it.

    command: the full command, or None where parts stay closed.
    """

    header: Header
    head: bytes
    command: bytes | None
    draws: bytes | None
    signature: bytes | None
    events: tuple[OpenedEvent, ...]


class Sealed(msgspec.Struct, frozen=True):
    """What the sealed level gives for the full one, and its counts."""

    commits: tuple[Opened, ...]
    openings: int
    closed: int
    signed: int
    receipts: int
    included: int


def read_record(data: bytes) -> Record:
    """The record in a file's bytes. Raises Fault: unreadable."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except msgspec.MsgspecError as error:
        raise Fault(Kind.UNREADABLE, 0, f"The file is no whole record: {error}.", FORMAT, data[:60]) from None
    if record.format != FORMAT:
        raise Fault(Kind.UNREADABLE, 0, "The record is in a format unknown here.", FORMAT, record.format)
    if not record.commits:
        raise Fault(Kind.UNREADABLE, 0, "The record holds no commit.", "at least one", "none")
    return record


class SealedCheck:
    """Checks one record, commit by commit. keys: the server's receipt keys. log: verifies its checkpoints."""

    def __init__(self, record: Record, keys: Iterable[PublicKey], log: Verifier | None) -> None:
        self.record = record
        self._keys = tuple(keys)
        self._log = log
        self._head = genesis(record.match)
        self._commit = 0
        self._version = 0
        self._publics: dict[tuple[str, str], str] = {}
        self._openings: dict[tuple[str, str], Opening] = {}
        self._opened = 0
        self._closed = 0
        self._signed = 0
        self._receipts = 0
        self._included = 0
        self._seat_keys: dict[int, tuple[str, bool, int]] = {}

    def run(self) -> Sealed:
        """Check everything. Raises Fault at the first thing that does not fit."""
        headers = [self._chain(commit) for commit in self.record.commits]
        self._claims()
        self._all_openings()
        opened = tuple(self._open(c, h) for c, h in zip(self.record.commits, headers, strict=True))
        for commit in opened:
            self._signature(commit)
        self._log_proofs(headers)
        return Sealed(opened, self._opened, self._closed, self._signed, self._receipts, self._included)

    def _chain(self, commit: RecordCommit) -> Header:
        at = self._version + 1
        header = self._header(commit, at)
        self._head = header_digest(self._head, commit.header.encode())
        place = f"c{header.commit}"
        self._publics[place, ""] = header.command
        for path, value in (("/draws", header.draws), ("/signature", header.signature)):
            if value is not None:
                self._publics[place, path] = value
        for event in commit.events:
            self._event(event, header)
        if header.last != self._version:
            raise Fault(
                Kind.CHAIN,
                at,
                "The commit does not hold the versions that its header names.",
                f"{header.first} to {header.last}",
                f"{at} to {self._version}",
            )
        if commit.head != self._head.hex():
            raise Fault(
                Kind.CHAIN, at, "The chain head does not follow from header and events.", commit.head, self._head.hex()
            )
        self._receipt(commit, header)
        return header

    def _claims(self) -> None:
        """What the file says of itself must be what its events say."""
        opened = msgspec.json.decode(self.record.commits[0].events[0].public)
        ended = any(event.type == "Ended" for commit in self.record.commits for event in commit.events)
        says = (self.record.game, self.record.rules, self.record.digest, self.record.over)
        holds = (opened.get("game"), opened.get("rules"), opened.get("digest"), ended)
        if says != holds:
            raise Fault(
                Kind.CHAIN, 1, "The file's own words (game, rules, digest, over) are not its events'.", holds, says
            )

    def _header(self, commit: RecordCommit, at: int) -> Header:
        try:
            header = msgspec.json.decode(commit.header, type=Header)
        except msgspec.MsgspecError as error:
            raise Fault(
                Kind.CHAIN, at, f"A header cannot be read: {error}.", "a commit's header", commit.header
            ) from None
        if canonical(msgspec.json.decode(commit.header)) != commit.header.encode():
            raise Fault(Kind.CHAIN, at, "A header is not in canonical form.", "RFC 8785", commit.header)
        expected = (self.record.match, self._commit + 1, at, self.record.rules)
        found = (header.match, header.commit, header.first, header.rules)
        if expected != found:
            raise Fault(
                Kind.CHAIN, at, "A header does not follow (match, commit, first version, rules).", expected, found
            )
        self._commit += 1
        return header

    def _event(self, event: RecordEvent, header: Header) -> None:
        version = self._version + 1
        if event.version != version:
            raise Fault(Kind.CHAIN, version, "A version is missing, doubled or out of order.", version, event.version)
        plain = self._plain(event)
        for path in event.hidden:
            value = plain.get(path[1:])
            if not isinstance(value, str):
                raise Fault(Kind.CHAIN, version, f"The hidden field {path} has no commitment.", "64 hex digits", value)
            self._publics[f"e{version}", path] = value
        stored = StoredEvent(version, event.type, event.shape, b"", event.public.encode(), event.hidden, b"")
        self._head = event_digest(self._head, envelope(header.match, header.commit, header.time, stored))
        if event.type == "Seated" and plain.get("key"):
            self._seat_keys[plain["seat"]] = (plain["key"], bool(plain.get("signed_only")), version)
        self._version = version

    def _plain(self, event: RecordEvent) -> dict[str, Any]:
        try:
            plain = msgspec.json.decode(event.public)
        except msgspec.MsgspecError:
            plain = None
        if not isinstance(plain, dict) or canonical(plain) != event.public.encode() or plain.get("type") != event.type:
            raise Fault(
                Kind.CHAIN,
                event.version,
                "An event's public form is not canonical JSON of its type.",
                event.type,
                event.public,
            )
        return plain

    def _receipt(self, commit: RecordCommit, header: Header) -> None:
        try:
            receipt = verify_receipt(commit.receipt.encode(), self._keys)
        except ReceiptError as error:
            raise Fault(
                Kind.RECEIPT, header.first, str(error), "a receipt under the server's key", commit.receipt
            ) from None
        if canonical(msgspec.json.decode(commit.receipt)) != commit.receipt.encode():
            raise Fault(Kind.RECEIPT, header.first, "A receipt is not in canonical form.", "RFC 8785", commit.receipt)
        says = (receipt.match, receipt.first, receipt.version, receipt.head, receipt.command, receipt.time)
        holds = (header.match, header.first, header.last, commit.head, header.command, header.time)
        if says != holds:
            raise Fault(Kind.RECEIPT, header.first, "The server signed something else for this commit.", says, holds)
        self._receipts += 1

    def _all_openings(self) -> None:
        for commit in self.record.commits:
            place = f"c{msgspec.json.decode(commit.header, type=Header).commit}"
            first = commit.events[0].version if commit.events else 0
            command = _command(commit, first)
            for path in command.get("hidden", ()):
                self._publics[place, path] = command[path[1:]]
            for opening in commit.openings:
                self._check(opening, first)
            for event in commit.events:
                for opening in event.openings:
                    self._check(opening, event.version)

    def _check(self, opening: Opening, version: int) -> None:
        expected = self._publics.get((opening.place, opening.path))
        if expected is None:
            raise Fault(
                Kind.OPENING,
                version,
                "An opening is for nothing that is hidden.",
                "a commitment",
                f"{opening.place}{opening.path}",
            )
        try:
            salt, value = unhex(opening.salt), opening.value.encode()
            regular = canonical(msgspec.json.decode(value)) == value
        except (ValueError, msgspec.MsgspecError):
            regular = False
            salt, value = b"", b""
        if not regular or not hmac.compare_digest(
            commitment(self.record.match, opening.place, opening.path, value, salt), expected
        ):
            raise Fault(
                Kind.OPENING,
                version,
                f"What is said of {opening.path or 'the command'} is not what was committed to.",
                expected,
                f"{opening.value} with salt {opening.salt}",
            )
        self._openings[opening.place, opening.path] = opening
        self._opened += 1

    def _open(self, commit: RecordCommit, header: Header) -> Opened:
        place = f"c{header.commit}"
        whole = self._openings.get((place, ""))
        if whole is None or whole.value != commit.command:
            raise Fault(
                Kind.OPENING,
                header.first,
                "The command shown is not the one that the header commits to.",
                whole.value if whole else header.command,
                commit.command,
            )
        hidden = set(msgspec.json.decode(commit.command).get("hidden", ()))
        closed = {path for path in hidden if (place, path) not in self._openings}
        self._closed += len(closed)
        command = None if closed else self._filled(commit.command, place, hidden)
        draws = self._openings.get((place, "/draws"))
        signature = self._openings.get((place, "/signature"))
        events = []
        for event in commit.events:
            here = f"e{event.version}"
            known = {path for path in event.hidden if (here, path) in self._openings}
            self._closed += len(event.hidden) - len(known)
            body = self._filled(event.public, here, known) if len(known) == len(event.hidden) else None
            events.append(OpenedEvent(event.version, event.type, event.shape, body))
        return Opened(
            header,
            bytes.fromhex(commit.head),
            command,
            draws.value.encode() if draws else None,
            bytes.fromhex(msgspec.json.decode(signature.value, type=str)) if signature else None,
            tuple(events),
        )

    def _filled(self, public: str, place: str, paths: Iterable[str]) -> bytes:
        plain = msgspec.json.decode(public)
        plain.pop("hidden", None)
        for path in paths:
            plain[path[1:]] = msgspec.json.decode(self._openings[place, path].value)
        return canonical_trusted(plain)

    def _signature(self, commit: Opened) -> None:
        header = commit.header
        key, signs_all, since = self._seat_keys.get(-1 if header.seat is None else header.seat, ("", False, 0))
        if header.signature is None:
            if signs_all and header.first > since:
                why = f"Seat {header.seat} signs everything, but this command in its name is not signed."
                raise Fault(Kind.SIGNATURE, header.first, why, f"a signature by {key}", "none")
            return
        if commit.signature is None or commit.command is None:
            return  # hidden from this holder, with the command it is over
        message = signed_message(header.match, header.seat or 0, header.command_id, header.seen, commit.command)
        if not key or not verify(bytes.fromhex(key), commit.signature, message):
            why = "A command's signature is not by its seat's registered key."
            raise Fault(Kind.SIGNATURE, header.first, why, f"a signature by {key}", commit.signature.hex())
        self._signed += 1

    def _log_proofs(self, headers: list[Header]) -> None:
        if not self.record.checkpoint:
            return
        if self._log is None:
            return
        try:
            checkpoint = checkpoint_of(self.record.checkpoint, self._log)
        except NoteError as error:
            raise Fault(Kind.INCLUSION, 0, f"The checkpoint is not the log's: {error}") from None
        for commit, header in zip(self.record.commits, headers, strict=True):
            if commit.inclusion is None:
                continue  # stored after the checkpoint was signed
            leaf = canonical_trusted({"head": commit.head, "header": msgspec.Raw(commit.header.encode())})
            try:
                proof = [unhex(node) for node in commit.inclusion.proof]
            except ValueError as error:
                raise Fault(Kind.INCLUSION, header.first, f"An inclusion proof is malformed: {error}.") from None
            if not included(leaf_hash(leaf), commit.inclusion.index, checkpoint.size, proof, checkpoint.root):
                raise Fault(
                    Kind.INCLUSION,
                    header.first,
                    "The commit is not in the tree of the signed checkpoint.",
                    f"leaf {commit.inclusion.index} of {checkpoint.size}",
                    hashlib.sha256(leaf).hexdigest(),
                )
            self._included += 1


def unhex(text: str) -> bytes:
    """32 bytes in their one spelling, lower-case hex. Raises ValueError."""
    data = bytes.fromhex(text)
    if data.hex() != text or len(data) != 32:  # noqa: PLR2004
        raise ValueError(f"{text[:80]!r} is not 64 lower-case hex digits")
    return data


def _command(commit: RecordCommit, version: int) -> dict[str, Any]:
    try:
        plain = msgspec.json.decode(commit.command)
    except msgspec.MsgspecError:
        plain = None
    hidden = plain.get("hidden", []) if isinstance(plain, dict) else None
    if not isinstance(hidden, list) or not all(isinstance(plain.get(str(path)[1:]), str) for path in hidden):
        raise Fault(Kind.OPENING, version, "A command is not in public form.", "an object", commit.command)
    return dict(plain)
