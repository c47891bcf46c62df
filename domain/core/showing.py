"""The one way out: a commit as a viewer may see it, with what the viewer needs to check it against the chain.

Serves queries, watchers, history, records and rings alike. While the match runs a hidden value is shown to its
readers only; once it is over everything is open to all. An event that reveals what an earlier one hid carries the
opening of the earlier value.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.core.canonical import canonical
from domain.core.past import Codec
from domain.core.replay import Facts
from domain.core.sealing import Commit, Opening, Salts, StoredEvent, opening
from domain.core.secrecy import close, hidden_fields, may_read, reveals
from domain.core.words import ARBITER, Event, Seat, Version, Viewer


class Hidden(msgspec.Struct, frozen=True):
    """Where a hidden value stands and what it is, in canonical bytes."""

    place: str
    path: str
    value: bytes


class ReadCommit(msgspec.Struct, frozen=True):
    """A stored commit with its events as today's words, and per event the earlier hidden values that it reveals."""

    commit: Commit
    events: tuple[Event, ...]
    revealed: tuple[tuple[Hidden, ...], ...]

    @property
    def facts(self) -> Facts:
        """What the fold needs of it."""
        stored = self.commit
        return Facts(stored.commit, stored.first, stored.seat, stored.draw is not None, self.events)


class Reader:
    """Reads one match's commits in order, and remembers where its hidden values stand."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._hidden: dict[tuple[str, Seat], list[tuple[Version, Event]]] = {}

    def read(self, commit: Commit) -> ReadCommit:
        """The commit with decoded events. Raises LookupError for an event type or shape that nothing leads from."""
        events: list[Event] = []
        revealed: list[tuple[Hidden, ...]] = []
        for stored in commit.events:
            event = self._codec.event(stored.type, stored.shape, stored.body)
            revealed.append(tuple(self._revealed(event, stored.version)))
            if stored.hidden:
                self._remember(event, stored)
            events.append(event)
        return ReadCommit(commit, tuple(events), tuple(revealed))

    def _remember(self, event: Event, stored: StoredEvent) -> None:
        seat = getattr(event, "seat", None)
        if isinstance(seat, int):
            self._hidden.setdefault((stored.type, seat), []).append((stored.version, event))

    def _revealed(self, event: Event, version: Version) -> Iterable[Hidden]:
        for _, mark in reveals(type(event)):
            earlier = self._hidden.get((mark.event, getattr(event, mark.owner)), [])
            at = bisect_left(earlier, version, key=lambda entry: entry[0]) - 1
            if at >= 0:
                hidden_version, hidden = earlier[at]
                value = canonical(msgspec.to_builtins(getattr(hidden, mark.field)))
                yield Hidden(f"e{hidden_version}", f"/{mark.field}", value)


class SeenEvent(msgspec.Struct, frozen=True):
    """An event as a viewer may see it.

    body is its JSON with None for what is closed. public and digest are what the chain holds: the digest is over the
    public form, in which each hidden field is its commitment. openings open the hidden values this viewer may read.
    """

    version: Version
    type: str
    shape: int
    body: bytes
    public: bytes
    hidden: tuple[str, ...]
    digest: bytes
    openings: tuple[Opening, ...]


class SeenCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit as a viewer may see it. command is its public form; openings open it, and its hidden values."""

    match: str
    commit: int
    first: Version
    last: Version
    time: int
    account: str
    seat: Seat | None
    command_id: str
    drew: bool
    header: bytes
    command: bytes
    previous: bytes
    head: bytes
    openings: tuple[Opening, ...]
    events: tuple[SeenEvent, ...]

    def facts(self, words: tuple[Event, ...]) -> Facts:
        """What the fold needs, given the events' words."""
        return Facts(self.commit, self.first, self.seat, self.drew, words)


def show(read: ReadCommit, viewer: Viewer, salts: Salts, *, over: bool) -> SeenCommit:
    """The commit as the viewer may see it. over: the match has ended, so everything is open."""
    commit = read.commit
    pairs = zip(commit.events, read.events, read.revealed, strict=True)
    return SeenCommit(
        match=commit.match,
        commit=commit.commit,
        first=commit.first,
        last=commit.last,
        time=commit.time,
        account=commit.account,
        seat=commit.seat,
        command_id=commit.command_id,
        drew=commit.draw is not None,
        header=commit.header,
        command=commit.command_public,
        previous=commit.previous,
        head=commit.head,
        openings=tuple(_commit_openings(commit, viewer, salts, over=over)),
        events=tuple(_event(s, e, r, viewer, salts, over=over) for s, e, r in pairs),
    )


def shown_event(event: Event, viewer: Viewer, *, over: bool) -> Event:
    """The event itself as the viewer may see it."""
    return event if over else close(event, viewer)


def _event(
    stored: StoredEvent, event: Event, revealed: Sequence[Hidden], viewer: Viewer, salts: Salts, *, over: bool
) -> SeenEvent:
    openings = [opening(salts, h.place, h.path, h.value) for h in revealed]
    body = stored.body
    if stored.hidden:
        body = _closed_body(stored, event, viewer, over=over)
        plain: dict[str, Any] = msgspec.json.decode(stored.body)
        openings += [
            opening(salts, f"e{stored.version}", path, canonical(plain[path[1:]]))
            for path in stored.hidden
            if over or _reads(event, path[1:], viewer)
        ]
    return SeenEvent(
        stored.version, stored.type, stored.shape, body, stored.public, stored.hidden, stored.digest, tuple(openings)
    )


def _reads(event: Event, field: str, viewer: Viewer) -> bool:
    """Whether the viewer may read the field; a field that only an old shape hid is open to the arbiter alone."""
    return may_read(event, field, viewer) if field in hidden_fields(type(event)) else viewer == ARBITER


def _closed_body(stored: StoredEvent, event: Event, viewer: Viewer, *, over: bool) -> bytes:
    closed = [] if over else [path[1:] for path in stored.hidden if not _reads(event, path[1:], viewer)]
    if not closed:
        return stored.body
    plain = msgspec.json.decode(stored.body)
    return canonical({**plain, **dict.fromkeys(closed)})


def _commit_openings(commit: Commit, viewer: Viewer, salts: Salts, *, over: bool) -> Iterable[Opening]:
    place = f"c{commit.commit}"
    yield opening(salts, place, "", commit.command_public)
    secret = commit.command != commit.command_public
    own = over or (viewer >= 0 and viewer == commit.seat) or viewer == ARBITER
    if secret and own:
        full, public = msgspec.json.decode(commit.command), msgspec.json.decode(commit.command_public)
        for path in public["hidden"]:
            yield opening(salts, place, path, canonical(full[path[1:]]))
    if commit.signature is not None and (own or not secret):
        yield opening(salts, place, "/signature", canonical(commit.signature.hex()))
    if over and commit.draws is not None:
        yield opening(salts, place, "/draws", commit.draws)
