"""Matches that play nothing: commits sealed like real ones, for tests and measurements of what stores them."""

import secrets
from typing import Annotated

import msgspec

from domain.core.chance import Draw
from domain.core.sealing import Commit, Request, Salts, genesis, seal
from domain.core.secrecy import OnlyFor
from domain.core.table import Ended, LeaveSeat, Left, Opened, OpenMatch, Resign, Seated, Started, TakeSeat
from domain.core.words import Command, Event
from infra.ports import Secrets


class Moved(Event, frozen=True):
    """Something small happened."""

    seat: int
    to: int
    note: str = ""


class Dealt(Event, frozen=True):
    """Something that only a seat may see."""

    seat: int
    cards: Annotated[tuple[str, ...] | None, OnlyFor("seat")]


class Move(Command, frozen=True):
    """Ask for something small."""

    to: int


class Line:
    """One match and where it stands. `opening` and `move` make the next commit, `advance` accepts one."""

    def __init__(self, match: str | None = None, *, account: str = "a_0", time: int = 1_000, game: str = "toy") -> None:
        self.match = match or f"m_{secrets.token_hex(8)}"
        self.account = account
        self.game = game
        self.time = time
        self.secrets = Secrets(secrets.token_bytes(32), secrets.token_bytes(32))
        self.number = self.version = 0
        self.head = genesis(self.match)

    def opening(self, command_id: str | None = None, *, seats: int = 2) -> Commit:
        """The first commit."""
        opened = Opened(self.game, 1, {}, {}, "00", seats, self.account, "00")
        command = OpenMatch(self.game, seats)
        return self._seal(command, command_id or secrets.token_hex(8), self.account, None, (opened,))

    def sit(self, seat: int, account: str, command_id: str = "sit") -> Commit:
        """The account takes the seat."""
        return self._seal(TakeSeat(seat), command_id, account, seat, (Seated(seat, account),))

    def leave(self, seat: int, account: str, command_id: str = "leave") -> Commit:
        """The account leaves the seat."""
        return self._seal(LeaveSeat(), command_id, account, seat, (Left(seat, account),))

    def start(self, command_id: str = "start") -> Commit:
        """Play begins, with something dealt that is hidden."""
        events = (Started(()), Dealt(0, ("red", "blue")), Dealt(1, ("green",)))
        return self._seal(Move(0), command_id, self.account, 0, events, (Draw("deal", 10, 3),))

    def move(self, command_id: str | None = None, account: str | None = None, *, events: int = 3) -> Commit:
        """A commit of so many small events."""
        made = tuple(Moved(0, self.version + n, "a word or two about it") for n in range(events))
        return self._seal(Move(self.version), command_id or secrets.token_hex(8), account or self.account, 0, made)

    def end(self, command_id: str = "end") -> Commit:
        """The match is over."""
        return self._seal(Resign(), command_id, self.account, 0, (Ended("finished", None, "00"),))

    def advance(self, commit: Commit) -> Commit:
        """Take the commit as accepted."""
        self.number, self.version, self.head = commit.commit, commit.last, commit.head
        self.time += 10
        return commit

    def _seal(
        self,
        command: Command,
        command_id: str,
        account: str,
        seat: int | None,
        events: tuple[Event, ...],
        draws: tuple[Draw, ...] = (),
    ) -> Commit:
        request = Request(account=account, seat=seat, command_id=command_id, command=command, time=self.time)
        salts = Salts(self.secrets.salts, self.match)
        commit = seal(self.match, 1, (self.number, self.version), self.head, request, events, draws, 0, salts)
        return msgspec.structs.replace(commit, receipt=b'{"receipt":"of %s"}' % command_id.encode())
