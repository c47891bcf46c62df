"""Level full: a finished match was fair and legal. Every draw is drawn again and every command decided again."""

import hashlib

import msgspec

from domain.core.canonical import canonical, digest
from domain.core.errors import Illegal, NotInThisBuild
from domain.core.game import AnyGame
from domain.core.past import Codec, Codecs
from domain.core.registry import Games
from domain.core.replay import Facts, History
from domain.core.table import Ended, Opened, Status
from domain.core.words import Command, Event
from service.verifying.deciding import decide_again
from service.verifying.findings import Fault, Kind
from service.verifying.sealed import Opened as Read
from service.verifying.sealed import OpenedEvent

OTHER_DATA = (
    "The match was played with component data other than this build has for its options. The record holds them, they "
    "are those that were pinned at the start, and the commands were decided again with them."
)


class FullCheck:
    """Plays the match again from its commands, under the rules version that its first event pins."""

    def __init__(self, codecs: Codecs, match: str, commits: tuple[Read, ...]) -> None:
        self._codecs = codecs
        self._match = match
        self._commits = commits
        self.draws = 0
        self.entropy = (0, 0)
        self.notes: list[str] = []

    def run(self) -> History:
        """Check everything; the match as folded. Raises Fault at the first command, draw or event that differs."""
        opened = self._opened()
        codec = self._codec(opened)
        game = self._codecs.games[opened.game, opened.rules]
        self._pinned(game, opened)
        seed = self._seed(codec, opened)
        history = History(self._codecs.games, self._match)
        for commit in self._commits:
            self._commit(codec, game, history, commit, seed)
        if history.table.status is not Status.OVER:
            raise Fault(Kind.INCOMPLETE, history.version, "The match has not ended: only its seal can be checked.")
        seats = history.table.seats
        self.entropy = (sum(bool(seat and seat.entropy) for seat in seats), len(seats))
        return history

    def _opened(self) -> Opened:
        first = self._commits[0].events[0]
        try:
            return msgspec.json.decode(first.body or b"", type=Opened)
        except msgspec.MsgspecError as error:
            raise Fault(Kind.EVENTS, 1, f"The first event opens no match: {error}.", "Opened", first.type) from None

    def _codec(self, opened: Opened) -> Codec:
        try:
            return self._codecs.by_name(opened.game, opened.rules)
        except NotInThisBuild:
            raise not_decided(self._codecs.games, opened) from None

    def _pinned(self, game: AnyGame, opened: Opened) -> None:
        """Whether the record's data are those it names, and those of this build."""
        made = digest("setup", canonical([opened.options, opened.data])).hex()
        if made != opened.digest:
            raise Fault(Kind.PINNED, 1, "The component data are not those whose digest is pinned.", opened.digest, made)
        try:
            options = msgspec.convert(opened.options, game.options)
            mine = msgspec.to_builtins(game.data(options, opened.seats))
        except (Illegal, msgspec.ValidationError):
            mine = None
        if canonical(mine) != canonical(opened.data):
            self.notes.append(OTHER_DATA)
        if (newer := self._codecs.games.current[game.name].rules) != game.rules:
            self.notes.append(
                f"Decided again by rules version {game.rules} of {game.name}, to which the match is pinned; "
                f"new matches get version {newer} in this build."
            )

    def _seed(self, codec: Codec, opened: Opened) -> bytes:
        """The seed that the match's end reveals, checked against the commitment of its first event."""
        last = self._commits[-1].header.last
        for event in (event for commit in self._commits for event in commit.events if event.type == "Ended"):
            ended = self._event(codec, event)
            assert isinstance(ended, Ended)
            made = hashlib.sha256(bytes.fromhex(ended.seed)).hexdigest()
            if made != opened.seed_commitment:
                raise Fault(
                    Kind.SEED,
                    event.version,
                    "The seed is not the one that was committed to.",
                    opened.seed_commitment,
                    made,
                )
            return bytes.fromhex(ended.seed)
        raise Fault(Kind.INCOMPLETE, last, "The match has not ended: only its seal can be checked.")

    def _commit(self, codec: Codec, game: AnyGame, history: History, commit: Read, seed: bytes) -> None:
        header = commit.header
        closed = any(event.body is None for event in commit.events)
        if commit.command is None or closed or (header.draws is not None and commit.draws is None):
            raise Fault(Kind.INCOMPLETE, header.first, "Hidden values are closed: take the record after the end.")
        command = self._command(codec, commit.command, header.first)
        events = tuple(self._event(codec, event) for event in commit.events)
        bodies = [event.body or b"" for event in commit.events]
        try:
            self.draws += decide_again(self._codecs, history, header, command, commit.draws, events, bodies, seed)
        except Illegal as error:
            rule = game.rulebook.get(error.rule)
            title = f" ({rule.title})" if rule else ""
            why = f"The rules refuse the command by {error.rule}{title}: {error.message}"
            raise Fault(Kind.ILLEGAL, header.first, why, "a legal command", commit.command) from None
        history.add(Facts(header.commit, header.first, header.seat, header.draw is not None, events))

    def _command(self, codec: Codec, body: bytes, version: int) -> Command:
        try:
            return codec.command(body)
        except msgspec.MsgspecError as error:
            raise Fault(Kind.ILLEGAL, version, f"The stored command is none: {error}.", "", body.decode()) from None

    def _event(self, codec: Codec, event: OpenedEvent) -> Event:
        try:
            return codec.event(event.type, event.shape, event.body or b"")
        except NotInThisBuild as error:
            raise unread(event.version, event.type, error) from None
        except ValueError as error:
            raise Fault(Kind.EVENTS, event.version, f"The event cannot be read: {error}.", "", event.type) from None


def not_decided(games: Games, opened: Opened) -> Fault:
    """The fault where this build lacks the match's rules: the record may be sound, but not all of it can be checked."""
    known = sorted(rules for name, rules in games if name == opened.game)
    here = f"{opened.game} with rules version {', '.join(map(str, known))}" if known else f"no game {opened.game}"
    return Fault(
        Kind.PINNED,
        1,
        f"The match is pinned to rules version {opened.rules} of {opened.game}, which this build does not have: its "
        "commands were not decided again. Verify it with a build that has that version.",
        f"{opened.game} with rules version {opened.rules}",
        here,
    )


def unread(version: int, kind: str, error: NotInThisBuild) -> Fault:
    """An event in a shape that this build does not know: most likely the record is newer than the build."""
    why = f"The event is of a shape that this build cannot read ({error}): commands were not decided again."
    return Fault(Kind.PINNED, version, why, "a shape known here", kind)
