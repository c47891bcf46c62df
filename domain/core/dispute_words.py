"""The words of disputes, takebacks and forks: part of every table's language."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from domain.core.words import Command, Event

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=500, description="In plain words, for the record")]


class Ruling(StrEnum):
    """How an arbiter settles a dispute. Rolled back while the match runs; a verdict or a fork after its end."""

    UPHELD = "upheld"
    ROLLED_BACK = "rolled_back"
    VERDICT = "verdict"
    FORKED = "forked"


class Fork(msgspec.Struct, frozen=True):
    """What a forked match begins with: the game events of a finished match up to a commit end, as they were stored.

    match, version and head name the source and its chain head there. Each of events has its `type` and `shape`.
    """

    match: str
    version: int
    head: str
    events: tuple[dict[str, Any], ...]


class ForkFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The finished match and the version (a commit end) at which another is to begin."""

    match: str
    version: int


class Shown(msgspec.Struct, frozen=True):
    """A hidden value that a rollback undid, and the seats that had seen it by then."""

    version: int
    path: str
    seen_by: tuple[int, ...]


class DisputeOpened(Event, frozen=True):
    """A seat disputes what happened at a version. While `halts`, nobody moves until an arbiter has ruled."""

    seat: int
    dispute: int
    version: int
    reason: str
    halts: bool


class HiddenViewed(Event, frozen=True):
    """An arbiter looked at hidden fields, as they stood at this version, to settle a dispute."""

    account: str
    dispute: int
    version: int


class DisputeRuled(Event, frozen=True):
    """An arbiter settled a dispute."""

    account: str
    dispute: int
    ruling: Ruling
    reason: str


class TakebackAsked(Event, frozen=True):
    """A seat asks, or agrees, to take play back to a commit end; it happens when every remaining seat has."""

    seat: int
    to_version: int


class RolledBack(Event, frozen=True):
    """Play went back to the commit end `to_version`. Nothing is removed, versions grow on, later draws are new.

    undone: the commits whose draws no longer count. shown: the hidden values undone, and who had seen them.
    """

    to_version: int
    reason: str
    undone: tuple[int, ...] = ()
    shown: tuple[Shown, ...] = ()


DisputeEvent = DisputeOpened | HiddenViewed | DisputeRuled | TakebackAsked | RolledBack


class OpenDispute(Command, frozen=True):
    """Dispute what happened at a version, with a reason."""

    version: int
    reason: Reason


class ViewHidden(Command, frozen=True):
    """As an arbiter: look at everything, as it stood at a version, to settle an open dispute."""

    version: int


class RuleDispute(Command, frozen=True):
    """As an arbiter: settle an open dispute. to_version: where to roll back to, for that ruling."""

    dispute: int
    ruling: Ruling
    reason: Reason
    to_version: int | None = None


class AskTakeback(Command, frozen=True):
    """Ask to take play back to a commit end, or agree to what was asked."""

    to_version: int


DisputeCommand = OpenDispute | ViewHidden | RuleDispute | AskTakeback


class Dispute(msgspec.Struct, frozen=True):
    """A dispute as it stands: who opened it, on which version, why, whether play halts, and the ruling if any."""

    number: int
    seat: int
    version: int
    reason: str
    halts: bool
    ruling: Ruling | None = None
