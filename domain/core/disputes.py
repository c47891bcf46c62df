"""Disputes, rulings, takebacks and forks: what may be taken back, by whom, and what that undoes."""

from typing import Any

import msgspec

from domain.core.dispute_words import (
    AskTakeback,
    Dispute,
    DisputeOpened,
    DisputeRuled,
    Fork,
    HiddenViewed,
    OpenDispute,
    RolledBack,
    RuleDispute,
    Ruling,
    Shown,
    TakebackAsked,
    ViewHidden,
)
from domain.core.errors import WRONG_PHASE, Illegal
from domain.core.evolution import evolve
from domain.core.replay import Facts, History
from domain.core.seating import require_seat
from domain.core.secrecy import hidden_fields, members, readers, reveals
from domain.core.table import Status, Table, TableEvent
from domain.core.words import Event, Seat, Version

_TABLE_EVENTS = members(TableEvent)


def is_game_event(event: Event) -> bool:
    """Whether the event is the game's and not the table's."""
    return not isinstance(event, _TABLE_EVENTS)


def open_dispute(history: History, account: str, command: OpenDispute) -> tuple[Event, ...]:
    """A seat disputes a version (T12), during the match or after it."""
    table = history.table
    seat = require_seat(table, account)
    if table.status is Status.SEATING:
        raise Illegal(WRONG_PHASE, "T12", "Nothing has been played yet.", "Dispute a version of the running match.")
    if not table.floor <= command.version <= table.version:
        raise Illegal(
            "no_such_version",
            "T12",
            f"Version {command.version} is not one of play.",
            f"Dispute a version from {table.floor} to {table.version}.",
        )
    if any(d.seat == seat and d.ruling is None for d in table.disputes):
        raise Illegal("already_disputing", "T12", "You have an open dispute.", "Wait for the arbiter's ruling.")
    halts = table.dispute_halts and table.status is Status.RUNNING
    return (DisputeOpened(seat, len(table.disputes) + 1, command.version, command.reason, halts),)


def require_arbiter(table: Table, account: str, *, arbiter: bool) -> None:
    """Raises Illegal unless the account may act as arbiter of this match (T13)."""
    if not arbiter:
        raise Illegal("not_arbiter", "T13", "Only an account with the arbiter role may do that.")
    if table.seat_of(account) is not None:
        raise Illegal("arbiter_seated", "T13", "You sit in this match, so you cannot be its arbiter.")


def open_one(table: Table, number: int | None = None) -> Dispute:
    """The open dispute of that number, or the first open one. Raises Illegal if there is none."""
    for dispute in table.disputes:
        if dispute.ruling is None and number in (None, dispute.number):
            return dispute
    wanted = f"Dispute {number} is not open." if number is not None else "No dispute is open."
    raise Illegal("no_open_dispute", "T14", wanted, "The match's `disputes` lists them.")


def view_hidden(history: History, account: str, command: ViewHidden) -> tuple[Event, ...]:
    """An arbiter's look is put on record before it happens (T13)."""
    table = history.table
    if not 1 <= command.version <= table.version:
        raise Illegal("no_such_version", "T13", f"There is no version {command.version}.", f"Last: {table.version}.")
    return (HiddenViewed(account, open_one(table).number, command.version),)


def rule(history: History, account: str, command: RuleDispute) -> tuple[Event, ...]:
    """An arbiter settles a dispute (T14)."""
    table = history.table
    dispute = open_one(table, command.dispute)
    running = table.status is Status.RUNNING
    allowed = {Ruling.UPHELD, Ruling.ROLLED_BACK} if running else {Ruling.UPHELD, Ruling.VERDICT, Ruling.FORKED}
    if command.ruling not in allowed:
        when = "While the match runs" if running else "After the end"
        names = " or ".join(sorted(allowed))
        raise Illegal("bad_ruling", "T14", f"{when} a dispute is not settled by {command.ruling}.", f"Rule {names}.")
    ruled = DisputeRuled(account, dispute.number, command.ruling, command.reason)
    if command.ruling is not Ruling.ROLLED_BACK:
        if command.to_version is not None:
            raise Illegal("bad_ruling", "T14", "Only a rollback has a version to go back to.", "Leave it out.")
        return (ruled,)
    if command.to_version is None or command.to_version >= dispute.version:
        raise Illegal(
            "bad_rollback",
            "T14",
            "A rollback goes back to a commit end before the disputed version.",
            f"Name one from {table.floor} to {dispute.version - 1}.",
        )
    return roll_back(history, command.to_version, f"dispute {dispute.number}"), ruled


def roll_back(history: History, version: Version, reason: str) -> RolledBack:
    """The rollback to a commit end at or after the start, with what it undoes. Raises Illegal for another version."""
    table = history.table
    if not table.floor <= version < table.version or version not in history.ends:
        near = history.end_at_or_before(min(max(version, table.floor), table.version))
        raise Illegal(
            "bad_rollback",
            "T14",
            f"Version {version} is no commit end of play that lies behind.",
            f"The one at or before it is {near}.",
        )
    counting = history.effective(table.version)
    since = [(at, event) for at, event in counting if at > version]
    commits = [facts for facts in history.facts_after(version) if facts.drew and _counts(facts, since)]
    shown = tuple(
        Shown(at, f"/{name}", tuple(sorted(readers(event, name))))
        for at, event in since
        for name in hidden_fields(type(event))
    )
    return RolledBack(version, reason, tuple(facts.commit for facts in commits), shown)


def _counts(facts: Facts, since: list[tuple[Version, Event]]) -> bool:
    return any(facts.first <= at <= facts.last for at, _ in since)


def ask_takeback(history: History, account: str, command: AskTakeback) -> tuple[Event, ...]:
    """A seat asks or agrees to take play back; with the last one's consent it happens (T15)."""
    table = history.table
    seat = require_seat(table, account)
    if table.status is not Status.RUNNING:
        raise Illegal(WRONG_PHASE, "T15", "Only a running match can be taken back.")
    asked = TakebackAsked(seat, command.to_version)
    back = roll_back(history, command.to_version, "takeback")
    before = table.takeback
    if before is None or before[0] != command.to_version:
        _require_own(history, command.to_version, seat)
    elif seat in before[1]:
        raise Illegal("already_offered", "T15", "You have asked for this already.", "It needs all other seats.")
    after = evolve(history.game, table, asked)
    agreed = after.takeback is not None and after.takeback[1] >= table.remaining
    return (asked, back) if agreed else (asked,)


def _require_own(history: History, version: Version, seat: Seat) -> None:
    """Raises Illegal if a draw, a reveal, or another seat's act lies after the version: it names which."""
    for facts in history.facts_after(version):
        if not any(map(is_game_event, facts.events)):
            continue
        what = ""
        if facts.drew:
            what = "was drawn from chance"
        elif any(reveals(type(event)) for event in facts.events):
            what = "revealed something hidden"
        elif facts.seat != seat:
            what = f"was an act of seat {facts.seat}"
        if what:
            raise Illegal(
                "takeback_blocked",
                "T15",
                f"The commit that ends at version {facts.last} {what}.",
                f"You can go back to version {facts.last} at the earliest, or open a dispute.",
            )


def fork_of(history: History, version: Version, head: str) -> Fork:
    """What a fork of this match at this commit end begins with (T16). Raises Illegal."""
    table = history.table
    if table.status is not Status.OVER or table.state is None:
        raise Illegal("not_over", "T16", "Only a match that was played and has ended can be forked.")
    if not table.floor <= version <= table.version or version not in history.ends:
        near = history.end_at_or_before(min(max(version, table.floor), table.version))
        raise Illegal("no_such_version", "T16", f"Version {version} is no commit end of play.", f"{near} is one.")
    if history.game.outcome(history.at(version).state) is not None:
        raise Illegal("already_decided", "T16", f"At version {version} the game was over.", "Fork an earlier one.")
    events: list[dict[str, Any]] = [
        {**msgspec.to_builtins(event), "shape": event.shape}
        for _, event in history.effective(version)
        if is_game_event(event)
    ]
    return Fork(history.match, version, head, (*_before(table), *events))


def _before(table: Table) -> tuple[dict[str, Any], ...]:
    """A fork of a fork begins with what the first began with."""
    return tuple({**msgspec.to_builtins(event), "shape": event.shape} for event in table.fork or ())
