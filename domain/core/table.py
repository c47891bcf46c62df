"""The words of the table around a game: the same events, commands and state for every title."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec

from domain.core.dispute_words import Dispute, DisputeCommand, DisputeEvent, Fork, ForkFrom
from domain.core.game import Origin, Outcome, Rule, Setup
from domain.core.words import Command, Event, Seat, Version

Entropy = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as lower-case hex")]
PublicKey = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="An Ed25519 public key as hex")]


class Opened(Event, frozen=True):
    """A match was opened: all that is fixed before play, and the commitment to the server's seed (SHA-256 of it).

    dispute_halts: whether play halts while a dispute is open. forked: what it begins with, if it is a fork.
    """

    game: str
    rules: int
    options: dict[str, Any]
    data: dict[str, Any]
    digest: str
    seats: int
    opener: str
    seed_commitment: str
    dispute_halts: bool = False
    forked: Fork | None = None


class Seated(Event, frozen=True):
    """An account took a seat, perhaps committing to entropy of its own and registering a key for its commands.

    signed_only: every command of the seat is signed with the key; one that is not is nobody's.
    """

    seat: int
    account: str
    entropy_commitment: str | None = None
    key: str | None = None
    signed_only: bool = False


class Left(Event, frozen=True):
    """An account left its seat before the start; the seat is free again."""

    seat: int
    account: str


class EntropyRevealed(Event, frozen=True):
    """A seat showed the entropy it had committed to."""

    seat: int
    entropy: str


class Started(Event, frozen=True):
    """Play began: the match key is fixed by the server's seed and the entropy of the contributing seats."""

    contributors: tuple[int, ...]


class Resigned(Event, frozen=True):
    """A seat gave up. In a match of two the other seat wins; in a larger one the seat ranks last."""

    seat: int


class EndOffered(Event, frozen=True):
    """A seat agreed to end the match as it stands, undecided; it ends when every remaining seat has."""

    seat: int


class CancelOffered(Event, frozen=True):
    """A seat agreed to cancel the running match; it is cancelled when every remaining seat has."""

    seat: int


class Ended(Event, frozen=True):
    """The match is over: why, with what outcome (None if cancelled), and the seed, so that all draws can be checked."""

    cause: str
    outcome: Outcome | None
    seed: str


TableEvent = (
    Opened | Seated | Left | EntropyRevealed | Started | Resigned | EndOffered | CancelOffered | DisputeEvent | Ended
)


class OpenMatch(Command, frozen=True):
    """Open a match of a game with these options for this many seats."""

    game: str
    seats: int
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    dispute_halts: bool = False
    fork: ForkFrom | None = None


class TakeSeat(Command, frozen=True):
    """Sit down at a free seat: the lowest one unless a seat is named.

    signed_only: from now on the server refuses whatever comes in your name without a signature by your key.
    """

    seat: int | None = None
    entropy_commitment: Entropy | None = None
    key: PublicKey | None = None
    signed_only: bool = False


class LeaveSeat(Command, frozen=True):
    """Leave the table before the start."""


class RevealEntropy(Command, frozen=True):
    """Show the entropy that the seat committed to when it sat down; all seats must be taken."""

    entropy: Entropy


class StartMatch(Command, frozen=True):
    """Begin play: every seat is taken and every committed entropy is revealed."""


class Resign(Command, frozen=True):
    """Give up."""


class OfferEnd(Command, frozen=True):
    """Agree to end the match as it stands."""


class CancelMatch(Command, frozen=True):
    """Cancel: before the start the opener may, afterwards every remaining seat must agree."""


TableCommand = (
    OpenMatch | TakeSeat | LeaveSeat | RevealEntropy | StartMatch | Resign | OfferEnd | CancelMatch | DisputeCommand
)


class Status(StrEnum):
    """Where a match stands."""

    SEATING = "seating"
    RUNNING = "running"
    OVER = "over"


class Seating(msgspec.Struct, frozen=True):
    """Who sits at a seat, with the entropy commitment, the revealed entropy and the key, where given."""

    account: str
    entropy_commitment: str | None = None
    entropy: str | None = None
    key: str | None = None
    signed_only: bool = False


class Table(msgspec.Struct, frozen=True):
    """A match as its events tell it, at a commit end.

    state is the game's state from the start on. opened[seat] is the version at which the seat's open decision
    opened, 0 if it has none. draws counts the commits that drew, rolled-back ones included. floor is the version
    at which play began: no rollback reaches below it. takeback: the commit end asked for, and who agrees. fork: the
    game events that a forked match begins with.
    """

    match: str
    game: str
    rules: int
    setup: Setup[Any, Any]
    digest: str
    opener: str
    seed_commitment: str
    seats: tuple[Seating | None, ...]
    status: Status = Status.SEATING
    state: Any = None
    opened: tuple[Version, ...] = ()
    resigned: frozenset[Seat] = frozenset()
    end_offers: frozenset[Seat] = frozenset()
    cancel_offers: frozenset[Seat] = frozenset()
    version: Version = 0
    commit: int = 0
    draws: int = 0
    floor: Version = 0
    cause: str = ""
    outcome: Outcome | None = None
    seed: str = ""
    dispute_halts: bool = False
    disputes: tuple[Dispute, ...] = ()
    takeback: tuple[Version, frozenset[Seat]] | None = None
    fork: tuple[Event, ...] | None = None

    def seat_of(self, account: str) -> Seat | None:
        """The seat on which the account sits, or None."""
        return next((i for i, s in enumerate(self.seats) if s and s.account == account), None)

    @property
    def remaining(self) -> frozenset[Seat]:
        """The seats that have not resigned."""
        return frozenset(range(len(self.seats))) - self.resigned


TABLE_RULES: Final[Mapping[str, Rule]] = {
    number: Rule(title, Origin.HOUSE)
    for number, title in {
        "T1": "A match is opened with a game, its options and a number of seats that the game allows",
        "T2": "An account has one seat in a match; a seat has one account",
        "T3": "Before the start, seats are taken and left freely",
        "T4": "Entropy is committed when sitting down and revealed once all seats are taken",
        "T5": "Play starts when all seats are taken and every committed entropy is revealed",
        "T6": "Only a seat that is asked to decide may act",
        "T7": "A command names what the seat saw; it is stale if the seat's decision opened later",
        "T8": "A resignation ends a match of two; in a larger match the seat's default plays on, and it ranks last",
        "T9": "The match ends undecided when all remaining seats agree",
        "T10": "Before the start the opener may cancel; afterwards all remaining seats must agree",
        "T11": "After the end nobody acts, and everything dealt is open",
        "T12": "A seat may dispute a version; if the match says so, play halts until an arbiter has ruled",
        "T13": "An arbiter has that role and no seat in the match; each look at hidden fields is recorded",
        "T14": "A ruling upholds, rolls a running match back to a commit end, or ends in a verdict or a fork",
        "T15": "A takeback needs all seats, and does not reach across a draw, a reveal or another seat's act",
        "T17": "A seat that signs everything is not spoken for without its signature",
        "T16": "A fork begins at a commit end of a finished match, with its game, options and seats",
    }.items()
}
