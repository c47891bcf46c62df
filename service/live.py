"""Matches folded once per process and shared by all who look: a cache over the store, never the truth."""

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from itertools import chain

from domain.core.dispute_words import HiddenViewed
from domain.core.errors import Illegal, NotInThisBuild
from domain.core.past import Codec, Codecs
from domain.core.replay import History
from domain.core.sealing import Commit, Salts
from domain.core.showing import ReadCommit, Reader, SeenCommit, show, shown_event
from domain.core.table import Status
from domain.core.words import GALLERY, Event, Version, Viewer
from infra.ports import Secrets, Store


class NoSuchMatch(Illegal):
    """The id names no match."""

    def __init__(self, match: str) -> None:
        super().__init__("no_such_match", "S3", f"There is no match {match!r}.", "The query `matches` lists them.")


class RulesNotHere(Illegal):
    """The match is played by rules, or told in words, that this build does not have."""

    def __init__(self, match: str, why: str) -> None:
        message = f"Match {match} cannot be played or shown here: {why}."
        super().__init__("rules_not_here", "S5", message, "It goes on wherever a build runs that has its rules.")


class LiveMatch:
    """One match with all its secrets: every commit read, every commit end folded."""

    def __init__(self, codecs: Codecs, match: str, secrets: Secrets) -> None:
        self.match = match
        self.history = History(codecs.games, match)
        self.salts = Salts(secrets.salts, match)
        self.secrets = secrets
        self.seed = secrets.seed
        self.turn = asyncio.Lock()
        """Held while a command of this process is decided and appended."""
        self._reading = asyncio.Lock()
        self._codecs = codecs
        self._reader: Reader | None = None
        self._reads: list[ReadCommit] = []
        self._answered: dict[tuple[str, str], Commit] = {}

    @property
    def over(self) -> bool:
        """Whether the match has ended, so that everything is open."""
        return self.history.table.status is Status.OVER

    @property
    def head(self) -> bytes:
        """The chain head after the last commit."""
        return self._reads[-1].commit.head

    @property
    def codecs(self) -> Codecs:
        """What its events are read with."""
        return self._codecs

    def history_before(self, first: Version) -> History:
        """The match folded afresh, without the commit that begins at this version and what follows."""
        return History(self._codecs.games, self.match).extend(read.facts for read in self.reads(0, first - 1))

    def looked(self, account: str) -> bool:
        """Whether the account has put a look at this match's hidden fields on record."""
        facts = self.history.facts_after(0)
        return any(isinstance(e, HiddenViewed) and e.account == account for each in facts for e in each.events)

    def head_at(self, version: Version) -> bytes:
        """The chain head after the commit that ends at or before the version; empty before the first."""
        index = bisect_right(self.history.ends, version) - 1
        return self._reads[index].commit.head if index >= 0 else b""

    def add(self, commits: Sequence[Commit]) -> None:
        """Fold commits that follow; those known already are passed over."""
        for commit in commits:
            if commit.first != self.history.version + 1:
                continue
            read = self._read(commit)
            self.history.add(read.facts)
            self._reads.append(read)
            self._answered[commit.account, commit.command_id] = commit

    def _read(self, commit: Commit) -> ReadCommit:
        try:
            if self._reader is None:
                self._reader = Reader(self._codecs.of(commit.events[0].body))
            return self._reader.read(commit)
        except NotInThisBuild as error:
            raise RulesNotHere(self.match, str(error)) from error

    async def refresh(self, store: Store) -> None:
        """Fold what others have stored meanwhile."""
        async with self._reading:
            self.add(await store.commits(self.match, self.history.version))

    def answered(self, account: str, command_id: str) -> Commit | None:
        """The commit that answered this command id of the account."""
        return self._answered.get((account, command_id))

    def reads(self, after: Version, version: Version) -> Sequence[ReadCommit]:
        """The commits that end after `after` and not after `version`."""
        ends = self.history.ends
        return self._reads[bisect_right(ends, after) : bisect_right(ends, version)]

    def seen(self, after: Version, version: Version, viewer: Viewer) -> Sequence[SeenCommit]:
        """Source: the commits as the viewer may see them."""
        over = self.over
        return [show(read, viewer, self.salts, over=over) for read in self.reads(after, version)]

    def words(self, after: Version, version: Version, viewer: Viewer) -> Sequence[Event]:
        """Source: the events as the viewer may see them."""
        over = self.over
        events = chain.from_iterable(read.events for read in self.reads(after, version))
        return [shown_event(event, viewer, over=over) for event in events]


class GalleryMatch:
    """One match as everybody may see it, folded from closed commits alone: what rings carry is enough for it."""

    def __init__(self, codecs: Codecs, match: str) -> None:
        self.history = History(codecs.games, match)
        self._codecs = codecs
        self._codec: Codec | None = None
        self._seen: list[SeenCommit] = []
        self._words: list[tuple[Event, ...]] = []

    def add(self, commit: SeenCommit) -> None:
        """Fold the next commit as the gallery sees it; one known already is passed over."""
        if commit.first != self.history.version + 1:
            return
        if self._codec is None:
            self._codec = self._codecs.of(commit.events[0].body)
        codec = self._codec
        words = tuple(codec.event(event.type, event.shape, event.body) for event in commit.events)
        self.history.add(commit.facts(words))
        self._seen.append(commit)
        self._words.append(words)

    def seen(self, after: Version, version: Version, viewer: Viewer) -> Sequence[SeenCommit]:
        """Source: the commits as everybody may see them."""
        del viewer
        ends = self.history.ends
        return self._seen[bisect_right(ends, after) : bisect_right(ends, version)]

    def words(self, after: Version, version: Version, viewer: Viewer) -> Sequence[Event]:
        """Source: the events as everybody may see them."""
        del viewer
        ends = self.history.ends
        return list(chain.from_iterable(self._words[bisect_right(ends, after) : bisect_right(ends, version)]))


class Live:
    """The matches that this process holds folded, at most `capacity` of them, least recently used first out."""

    def __init__(self, store: Store, codecs: Codecs, capacity: int = 1000) -> None:
        self.store = store
        self.codecs = codecs
        self._capacity = capacity
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}

    @property
    def size(self) -> int:
        """How many matches are held."""
        return len(self._matches)

    def adopt(self, match: str, secrets: Secrets, commit: Commit) -> LiveMatch:
        """A match that this process has just opened."""
        live = LiveMatch(self.codecs, match, secrets)
        live.add([commit])
        return self._keep(live)

    async def cached(self, match: str) -> LiveMatch:
        """The match as this process last saw it, loaded if need be. Raises NoSuchMatch."""
        live = self._matches.get(match)
        if live is not None:
            self._matches.move_to_end(match)
            return live
        async with self._loading.setdefault(match, asyncio.Lock()):
            try:
                return self._matches.get(match) or await self._load(match)
            finally:
                self._loading.pop(match, None)

    async def fresh(self, match: str) -> LiveMatch:
        """The match with all that is stored at this moment. Raises NoSuchMatch."""
        live = self._matches.get(match)
        if live is None:
            return await self.cached(match)
        self._matches.move_to_end(match)
        await live.refresh(self.store)
        return live

    async def gallery(self, match: str) -> GalleryMatch:
        """A new fold of the match as everybody may see it. Raises NoSuchMatch."""
        live = await self.fresh(match)
        gallery = GalleryMatch(self.codecs, match)
        for seen in live.seen(0, live.history.version, GALLERY):
            gallery.add(seen)
        return gallery

    async def _load(self, match: str) -> LiveMatch:
        secrets = await self.store.secrets(match) if "\0" not in match else None  # PostgreSQL has no NUL in a text
        if secrets is None:
            raise NoSuchMatch(match)
        live = LiveMatch(self.codecs, match, secrets)
        await live.refresh(self.store)
        return self._keep(live)

    def _keep(self, live: LiveMatch) -> LiveMatch:
        self._matches[live.match] = live
        while len(self._matches) > self._capacity:
            self._matches.popitem(last=False)
        return live
