"""A frame: what a viewer receives for one commit, or for several at once when catching up. Computed when asked."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import msgspec

from domain.core.game import AnyGame, Legal, Moment, Outcome
from domain.core.replay import History
from domain.core.showing import SeenCommit, SeenEvent
from domain.core.table import Status, Table
from domain.core.words import Event, Seat, Version, Viewer


class FrameEvent(msgspec.Struct, frozen=True):
    """One event of a frame: when and by whom, the word itself as the viewer may see it, and its bytes and proof."""

    version: Version
    commit: int
    time: int
    actor: Seat | None
    word: Event
    seen: SeenEvent

    @property
    def type(self) -> str:
        """The stored type's name."""
        return self.seen.type

    @property
    def json(self) -> str:
        """The event's JSON with null for what is closed."""
        return self.seen.body.decode()


class Source(Protocol):
    """Where frames come from: a match folded for whoever looks."""

    history: History

    def seen(self, after: Version, version: Version, viewer: Viewer) -> Sequence[SeenCommit]:
        """The commits that end after `after` and not after `version`, as the viewer may see them."""

    def words(self, after: Version, version: Version, viewer: Viewer) -> Sequence[Event]:
        """The events of those commits, as the viewer may see them."""


class Frame:
    """Where a viewer stands at a commit end, and the events `first` to `version` that led there."""

    def __init__(self, source: Source, viewer: Viewer, first: Version, version: Version) -> None:
        self._source = source
        self.viewer = viewer
        self.first = first
        self.version = version
        self.table: Table = source.history.at(version)
        self.game: AnyGame = source.history.game

    @property
    def audience(self) -> tuple[str, Viewer, Version, Version, bool]:
        """All that a frame's content depends on: what was made of one serves every equal one."""
        is_open = self._source.history.table.status is Status.OVER
        return self.table.match, self.viewer, self.first, self.version, is_open

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.match

    @property
    def status(self) -> Status:
        """Where the match stands at this version."""
        return self.table.status

    @cached_property
    def commits(self) -> Sequence[SeenCommit]:
        """The commits of this frame with their proofs; the first may begin before `first`."""
        return self._source.seen(self.first - 1, self.version, self.viewer)

    @cached_property
    def events(self) -> Sequence[FrameEvent]:
        """The events from `first` to `version`."""
        words = iter(self._source.words(self.first - 1, self.version, self.viewer))
        return [
            FrameEvent(event.version, commit.commit, commit.time, commit.seat, word, event)
            for commit in self.commits
            for event, word in zip(commit.events, words, strict=False)
            if event.version >= self.first
        ]

    @cached_property
    def view(self) -> Any:
        """The game as the viewer may see it; None before the start."""
        return None if self.table.state is None else self.game.view(self.table.state, self.viewer)

    @property
    def awaited(self) -> list[Seat]:
        """The seats that are asked to decide."""
        return [seat for seat, opened in enumerate(self.table.opened) if opened]

    @cached_property
    def legal(self) -> Legal[Any]:
        """What the viewer's seat may do; nothing if it is not asked."""
        if self.viewer < 0 or not self.table.opened[self.viewer]:
            return Legal()
        return self.game.legal(self.table.state, self.viewer)

    @property
    def moment(self) -> Moment | None:
        """Round, turn and phase; None before the start."""
        return None if self.table.state is None else self.game.moment(self.table.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, once it has."""
        return self.table.outcome
