"""Checking a match where it is stored, with its secrets: everything that the two levels check, running matches too."""

from collections.abc import Iterable, Sequence

import msgspec

from domain.core.canonical import canonical, digest
from domain.core.errors import Illegal, NotInThisBuild
from domain.core.past import Codec, Codecs
from domain.core.replay import Facts, History
from domain.core.sealing import (
    Commit,
    Header,
    Salts,
    StoredEvent,
    envelope,
    event_digest,
    genesis,
    header_digest,
    signed_message,
)
from domain.core.table import Opened
from domain.core.words import Event
from infra.ports import Secrets
from infra.signing import PublicKey, ReceiptError, verify, verify_receipt
from service.verifying.deciding import decide_again
from service.verifying.findings import Fault, Finding, Kind
from service.verifying.full import not_decided, unread


class StoredCheck:
    """Checks one match commit by commit. keys: the server's receipt keys; without any, receipts are not checked."""

    def __init__(self, codecs: Codecs, match: str, secrets: Secrets, keys: Iterable[PublicKey] = ()) -> None:
        self._codecs = codecs
        self._match = match
        self._seed = secrets.seed
        self._salts = Salts(secrets.salts, match)
        self._keys = tuple(keys)
        self._head = genesis(match)
        self._codec: Codec | None = None
        self.history = History(codecs.games, match)
        self.events = 0
        self.pinned = ("", 0)
        """The game and rules version that the match's first event names."""

    def run(self, commits: Iterable[Commit]) -> Finding | None:
        """Check these commits, which follow those checked before; the first fault, or None."""
        try:
            for commit in commits:
                self._commit(commit)
        except Fault as fault:
            return fault.finding
        return None

    def differences(self, commits: Iterable[Commit]) -> list[Finding]:
        """Decide these commits again; every commit that the present code decides otherwise, and not only the first."""
        found: list[Finding] = []
        for commit in commits:
            try:
                self._again(commit, msgspec.json.decode(commit.header, type=Header), found)
            except Fault as fault:
                return [*found, fault.finding]
            except Exception as error:  # noqa: BLE001 - code that is tried out may break in any way
                return [*found, _broken(commit, "events", error)]
        return found

    def _again(self, commit: Commit, header: Header, found: list[Finding]) -> None:
        codec = self._codec = self._codec or self._pinned(commit)
        events = tuple(self._event(codec, event) for event in commit.events)
        try:
            self._decided(codec, commit, header, events)
        except Fault as fault:
            found.append(fault.finding)
        except Exception as error:  # noqa: BLE001 - as above
            found.append(_broken(commit, "command", error))
        self._fold(commit, events)

    def _commit(self, commit: Commit) -> None:
        header = self._chain(commit)
        self._commitments(commit, header)
        self._receipt(commit, header)
        codec = self._codec = self._codec or self._pinned(commit)
        events = tuple(self._event(codec, event) for event in commit.events)
        self._signature(commit, header)
        self._decided(codec, commit, header, events)
        self._fold(commit, events)

    def _fold(self, commit: Commit, events: tuple[Event, ...]) -> None:
        self.history.add(Facts(commit.commit, commit.first, commit.seat, commit.draw is not None, events))
        self.events += len(events)

    def _chain(self, commit: Commit) -> Header:
        header = msgspec.json.decode(commit.header, type=Header)
        says = msgspec.structs.replace(header, arbiter=False, command="", draws=None, seen=None, signature=None)
        holds = Header(
            account=commit.account,
            arbiter=False,
            command="",
            command_id=commit.command_id,
            commit=commit.commit,
            draw=commit.draw,
            draws=None,
            first=commit.first,
            last=commit.last,
            match=self._match,
            rules=commit.rules,
            seat=commit.seat,
            seen=None,
            signature=None,
            time=commit.time,
        )
        if says != holds or commit.first != self.history.version + 1 or commit.previous != self._head:
            why = "The commit does not follow, or its header is not what is stored beside it."
            raise Fault(Kind.CHAIN, commit.first, why, says, holds)
        head = header_digest(self._head, commit.header)
        for event in commit.events:
            head = event_digest(head, envelope(self._match, commit.commit, commit.time, event))
            if head != event.digest:
                why = "The event's digest does not follow."
                raise Fault(Kind.CHAIN, event.version, why, event.digest.hex(), head.hex())
        if head != commit.head:
            why = "The commit's chain head does not follow."
            raise Fault(Kind.CHAIN, commit.first, why, commit.head.hex(), head.hex())
        self._head = head
        return header

    def _commitments(self, commit: Commit, header: Header) -> None:
        place = f"c{commit.commit}"
        expected = self._salts.commitment(place, "", commit.command_public)
        if header.command != expected:
            raise Fault(Kind.OPENING, commit.first, "The header commits to another command.", expected, header.command)
        self._hidden(place, commit.first, commit.command, commit.command_public)
        if commit.draws is not None and header.draws != self._salts.commitment(place, "/draws", commit.draws):
            raise Fault(Kind.OPENING, commit.first, "The header commits to other draws.", "", commit.draws)
        for event in commit.events:
            if event.hidden or event.public is not event.body:
                self._hidden(f"e{event.version}", event.version, event.body, event.public, event.hidden)

    def _hidden(self, place: str, version: int, full: bytes, public: bytes, paths: Sequence[str] | None = None) -> None:
        if full == public:
            return
        plain, shown = msgspec.json.decode(full), msgspec.json.decode(public)
        hidden = shown.pop("hidden", []) if paths is None else paths
        for path in hidden:
            plain[path[1:]] = self._salts.commitment(place, path, canonical(plain[path[1:]]))
        if plain != shown:
            raise Fault(Kind.OPENING, version, "The public form is not that of what is stored.", plain, shown)

    def _receipt(self, commit: Commit, header: Header) -> None:
        if not self._keys:
            return
        try:
            receipt = verify_receipt(commit.receipt, self._keys)
        except ReceiptError as error:
            raise Fault(Kind.RECEIPT, commit.first, str(error)) from None
        if (receipt.match, receipt.version, receipt.head, receipt.command) != (
            self._match,
            commit.last,
            commit.head.hex(),
            header.command,
        ):
            why = "The server signed something else for this commit."
            raise Fault(Kind.RECEIPT, commit.first, why, receipt.head, commit.head.hex())

    def _pinned(self, commit: Commit) -> Codec:
        first = commit.events[0]
        try:
            opened = msgspec.json.decode(first.body, type=Opened)
            self.pinned = (opened.game, opened.rules)
            codec = self._codecs.by_name(opened.game, opened.rules)
        except msgspec.MsgspecError as error:
            raise Fault(Kind.EVENTS, 1, f"The first event opens no match: {error}.", "Opened", first.type) from None
        except NotInThisBuild:
            raise not_decided(self._codecs.games, opened) from None
        made = digest("setup", canonical([opened.options, opened.data])).hex()
        if made != opened.digest:
            raise Fault(Kind.PINNED, 1, "The component data are not those whose digest is pinned.", opened.digest, made)
        return codec

    def _event(self, codec: Codec, event: StoredEvent) -> Event:
        try:
            return codec.event(event.type, event.shape, event.body)
        except NotInThisBuild as error:
            raise unread(event.version, event.type, error) from None
        except ValueError as error:
            raise Fault(Kind.EVENTS, event.version, f"The event cannot be read: {error}.", "", event.type) from None

    def _signature(self, commit: Commit, header: Header) -> None:
        seating = self.history.table.seats[commit.seat] if commit.seat is not None and self.history.version else None
        if commit.signature is None:
            if seating is not None and seating.signed_only:
                raise Fault(Kind.SIGNATURE, commit.first, "A seat that signs everything did not sign this command.")
            return
        message = signed_message(self._match, commit.seat or 0, commit.command_id, header.seen, commit.command)
        if seating is None or seating.key is None or not verify(bytes.fromhex(seating.key), commit.signature, message):
            raise Fault(Kind.SIGNATURE, commit.first, "The signature is not by the seat's registered key.")

    def _decided(self, codec: Codec, commit: Commit, header: Header, events: tuple[Event, ...]) -> None:
        try:
            command = codec.command(commit.command)
        except msgspec.MsgspecError as error:
            raise Fault(Kind.ILLEGAL, commit.first, f"The stored command is none: {error}.") from None
        bodies = [event.body for event in commit.events]
        try:
            decide_again(self._codecs, self.history, header, command, commit.draws, events, bodies, self._seed)
        except Illegal as error:
            why = f"The rules refuse the command by {error.rule}: {error.message}"
            raise Fault(Kind.ILLEGAL, commit.first, why, "a legal command", commit.command) from None


def _broken(commit: Commit, on: str, error: Exception) -> Finding:
    return Finding(Kind.EVENTS, commit.first, f"The present code breaks on the {on}: {error!r}.")
