"""Folding commits into tables, with every commit end kept, so that any version can be looked at again."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from domain.core.dispute_words import RolledBack
from domain.core.errors import no_rules
from domain.core.evolution import evolve, opened_table
from domain.core.game import AnyGame
from domain.core.secrecy import close_all, members
from domain.core.table import Opened, Started, Status, Table, TableEvent
from domain.core.words import Event, Seat, Version, Viewer

replace = msgspec.structs.replace
_TABLE_TYPES: Final = frozenset(members(TableEvent))
_NOBODY: Final[frozenset[Seat]] = frozenset()


class Facts(msgspec.Struct, frozen=True):
    """One commit as the fold needs it: its number, first version, acting seat, whether it drew, and its events."""

    commit: int
    first: Version
    seat: Seat | None
    drew: bool
    events: tuple[Event, ...]

    @property
    def last(self) -> Version:
        """The version of the commit's last event: a commit end."""
        return self.first + len(self.events) - 1

    def seen_by(self, viewer: Viewer) -> "Facts":
        """The same commit with its events as the viewer may see them."""
        return replace(self, events=close_all(self.events, viewer))


class History:
    """A match folded so far: the table at every commit end. Add commits in order; never share while adding."""

    def __init__(self, games: Mapping[tuple[str, int], AnyGame], match: str) -> None:
        self.match = match
        self._games = games
        self._ends: list[Version] = []
        self._tables: list[Table] = []
        self._facts: list[Facts] = []
        self._game: AnyGame | None = None

    @property
    def game(self) -> AnyGame:
        """The game, at the rules version pinned by the first event."""
        if self._game is None:
            raise LookupError("nothing has been folded yet")
        return self._game

    @property
    def table(self) -> Table:
        """The table after the last commit."""
        return self._tables[-1]

    @property
    def version(self) -> Version:
        """The last version folded; 0 before the first commit."""
        return self._ends[-1] if self._ends else 0

    @property
    def ends(self) -> Sequence[Version]:
        """The versions of all commit ends, rising."""
        return self._ends

    def at(self, version: Version) -> Table:
        """The table at a commit end. Raises LookupError for a version inside a commit or not reached."""
        index = bisect_right(self._ends, version) - 1
        if index < 0 or self._ends[index] != version:
            raise LookupError(f"version {version} is no commit end")
        return self._tables[index]

    def end_at_or_before(self, version: Version) -> Version:
        """The last commit end that is not after the version; 0 if there is none."""
        index = bisect_right(self._ends, version) - 1
        return self._ends[index] if index >= 0 else 0

    def facts_after(self, version: Version) -> Sequence[Facts]:
        """The commits that end after the version."""
        return self._facts[bisect_right(self._ends, version) :]

    def effective(self, version: Version) -> list[tuple[Version, Event]]:
        """The events up to a commit end that still count there, without those rolled back, each with its version."""
        kept: list[tuple[Version, Event]] = []
        for facts in self._facts[: bisect_right(self._ends, version)]:
            for at, event in enumerate(facts.events, facts.first):
                if isinstance(event, RolledBack):
                    kept = [entry for entry in kept if entry[0] <= event.to_version]
                kept.append((at, event))
        return kept

    def add(self, facts: Facts) -> Table:
        """Fold one more commit. Raises NotInThisBuild for an unknown game, ValueError for a commit out of order."""
        if facts.first != self.version + 1 or not facts.events:
            raise ValueError(f"commit {facts.commit} starts at version {facts.first}, not {self.version + 1}")
        before = self._tables[-1] if self._tables else self._begin(facts.events[0])
        if any(type(event) in _TABLE_TYPES for event in facts.events):
            after = self._closed(before, self._evolved(before, facts), facts)
        else:
            after = self._played(before, facts)
        self._ends.append(facts.last)
        self._tables.append(after)
        self._facts.append(facts)
        return after

    def _evolved(self, table: Table, facts: Facts) -> Table:
        for event in facts.events:
            if isinstance(event, RolledBack):
                table = self._back_to(event.to_version, table)
            else:
                table = evolve(self.game, table, event)
        return table

    def _played(self, before: Table, facts: Facts) -> Table:
        """`evolve` and `_closed` in one, for the many commits that hold nothing but the game's events."""
        state = before.state
        for event in facts.events:
            state = self.game.evolve(state, event)
        last, awaited = facts.last, self.game.to_act(state) - before.resigned
        return replace(
            before,
            state=state,
            end_offers=_NOBODY,
            cancel_offers=_NOBODY,
            takeback=None,
            version=last,
            commit=facts.commit,
            draws=before.draws + facts.drew,
            opened=tuple(
                [
                    0 if seat not in awaited else was if was and seat != facts.seat else last
                    for seat, was in enumerate(before.opened)
                ]
            ),
        )

    def extend(self, commits: Iterable[Facts]) -> "History":
        """Fold all these commits; gives itself."""
        for facts in commits:
            self.add(facts)
        return self

    def _begin(self, event: Event) -> Table:
        if not isinstance(event, Opened):
            raise ValueError(f"a match begins with Opened, not {type(event).__name__}")  # noqa: TRY004 - stored data
        try:
            self._game = self._games[event.game, event.rules]
        except KeyError:
            raise no_rules(event.game, event.rules) from None
        return opened_table(self._game, self.match, event)

    def _back_to(self, version: Version, table: Table) -> Table:
        """The table as it was at a commit end; what does not belong to play stays as it is."""
        return replace(
            self.at(version),
            end_offers=frozenset(),
            cancel_offers=frozenset(),
            takeback=None,
            disputes=table.disputes,
        )

    def _closed(self, before: Table, after: Table, facts: Facts) -> Table:
        """The table at the commit's end: counters, and the version at which each open decision opened."""
        started = any(isinstance(event, Started) for event in facts.events)
        rolled = any(isinstance(event, RolledBack) for event in facts.events)
        return replace(
            after,
            version=facts.last,
            commit=facts.commit,
            draws=before.draws + facts.drew,
            floor=facts.last if started else after.floor,
            opened=self._opened(before, after, facts.seat, facts.last, afresh=rolled),
        )

    def _opened(
        self, before: Table, after: Table, actor: Seat | None, last: Version, *, afresh: bool
    ) -> tuple[Version, ...]:
        if after.status is not Status.RUNNING:
            return (0,) * len(after.seats)
        awaited = self.game.to_act(after.state) - after.resigned
        if after.state is before.state:
            actor = None  # what was done at the table answered nobody's decision
        return tuple(
            0 if seat not in awaited else was if was and seat != actor and not afresh else last
            for seat, was in enumerate(before.opened)
        )
