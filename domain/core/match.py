"""The match: one aggregate, the table and the game on it. `decide` says what a command brings about, or why not."""

import hashlib
from typing import Any

import msgspec

from domain.core.canonical import canonical, digest, keyed
from domain.core.chance import Chance, Draw, SeededChance
from domain.core.dispute_words import AskTakeback, Fork, OpenDispute, RuleDispute, ViewHidden
from domain.core.disputes import ask_takeback, open_dispute, require_arbiter, rule, view_hidden
from domain.core.errors import MATCH_OVER, NOT_YOUR_DECISION, WRONG_PHASE, Illegal
from domain.core.evolution import evolve
from domain.core.game import AnyGame, Outcome, Setup
from domain.core.replay import History
from domain.core.seating import leave_seat, require_ready, require_seat, reveal_entropy, take_seat
from domain.core.table import (
    CancelMatch,
    CancelOffered,
    Ended,
    EndOffered,
    LeaveSeat,
    OfferEnd,
    Opened,
    OpenMatch,
    Resign,
    Resigned,
    RevealEntropy,
    Started,
    StartMatch,
    Status,
    Table,
    TakeSeat,
)
from domain.core.words import Command, Event, Seat

CAUSE_FINISHED = "finished"
CAUSE_RESIGNED = "resigned"
CAUSE_AGREED = "agreed"
CAUSE_CANCELLED = "cancelled"


AnySetup = Setup[Any, Any]


class Decision(msgspec.Struct, frozen=True):
    """What an accepted command brings about: its events, and the draws that went into them."""

    events: tuple[Event, ...]
    draws: tuple[Draw, ...] = ()


def open_match(
    game: AnyGame,
    account: str,
    command: OpenMatch,
    seed: bytes,
    source: Fork | None = None,
    setup: AnySetup | None = None,
) -> Decision:
    """The first commit of a match (T1). source, setup: what a fork begins with, and the setup it keeps (T16).

    Raises Illegal for a seat count or options that the game does not have.
    """
    if command.seats not in game.seats:
        allowed = ", ".join(map(str, game.seats))
        raise Illegal("bad_seats", "T1", f"{game.title} is not played by {command.seats}.", f"Seats: {allowed}.")
    if setup is None:
        options = read_options(game, command.options)
        setup = Setup(options, game.data(options, command.seats), command.seats)
    elif setup.seats != command.seats:
        raise Illegal("bad_seats", "T16", f"The match to be forked has {setup.seats} seats.", "Give the fork as many.")
    plain, data = msgspec.to_builtins(setup.options), msgspec.to_builtins(setup.data)
    opened = Opened(
        game=game.name,
        rules=game.rules,
        options=plain,
        data=data,
        digest=digest("setup", canonical([plain, data])).hex(),
        seats=command.seats,
        opener=account,
        seed_commitment=hashlib.sha256(seed).hexdigest(),
        dispute_halts=command.dispute_halts,
        forked=source,
    )
    return Decision((opened,))


def read_options(game: AnyGame, given: dict[str, Any]) -> Any:
    """The game's options from plain values; Illegal names the option that is unknown or out of range."""
    known = set(game.options.__struct_fields__)
    if unknown := sorted(set(given) - known):
        raise Illegal(
            "bad_options", "T1", f"{game.title} has no option {unknown[0]!r}.", f"Options: {', '.join(sorted(known))}."
        )
    try:
        return msgspec.convert(given, game.options)
    except msgspec.ValidationError as error:
        raise Illegal("bad_options", "T1", f"{error}.", "The query `games` lists every option's values.") from error


def decide(history: History, account: str, command: Command, seed: bytes, *, arbiter: bool = False) -> Decision:
    """What the account's command brings about at this table. Raises Illegal; changes nothing.

    command: a table command, or one of the game's in normal form. seed: the match's server seed.
    arbiter: whether the account acts with the arbiter role.
    """
    table = history.table
    match command:
        case OpenDispute():
            return Decision(open_dispute(history, account, command))
        case RuleDispute():
            require_arbiter(table, account, arbiter=arbiter)
            return Decision(rule(history, account, command))
        case ViewHidden():
            require_arbiter(table, account, arbiter=arbiter)
            return Decision(view_hidden(history, account, command))
    if table.status is Status.OVER:
        raise Illegal(MATCH_OVER, "T11", "The match is over.", "Its events and its record can still be read.")
    return _before_the_end(history, account, command, seed)


def _before_the_end(history: History, account: str, command: Command, seed: bytes) -> Decision:
    game, table = history.game, history.table
    match command:
        case TakeSeat():
            return Decision((take_seat(table, account, command),))
        case LeaveSeat():
            return Decision((leave_seat(table, account, command),))
        case RevealEntropy():
            return Decision((reveal_entropy(table, account, command),))
        case StartMatch():
            require_ready(table, account, command)
            return _Play(game, table, seed).start()
        case CancelMatch():
            return _cancel(game, table, account, seed)
        case OpenMatch():
            raise Illegal(WRONG_PHASE, "T1", "The match is open already.")
        case AskTakeback():
            return Decision(ask_takeback(history, account, command))
        case _:
            return _at_play(game, table, account, command, seed)


def _at_play(game: AnyGame, table: Table, account: str, command: Command, seed: bytes) -> Decision:
    seat = require_seat(table, account)
    if table.status is not Status.RUNNING:
        raise Illegal(WRONG_PHASE, "T5", "The match has not started.", "Start it once all seats are taken.")
    if seat in table.resigned:
        raise Illegal("resigned", "T8", "You have resigned; your seat's default plays on.")
    play = _Play(game, table, seed)
    match command:
        case Resign():
            return play.resign(seat)
        case OfferEnd():
            return play.offer_end(seat)
        case _:
            if any(d.halts and d.ruling is None for d in table.disputes):
                raise Illegal("halted", "T12", "A dispute is open and play halts.", "Wait for the arbiter's ruling.")
            return play.act(seat, command)


def _cancel(game: AnyGame, table: Table, account: str, seed: bytes) -> Decision:
    play = _Play(game, table, seed)
    if table.status is Status.RUNNING:
        return play.offer_cancel(require_seat(table, account))
    if account != table.opener:
        raise Illegal("not_opener", "T10", "Only the account that opened the match may cancel it before the start.")
    return play.end(CAUSE_CANCELLED, None)


def match_key(table: Table, seed: bytes) -> bytes:
    """What every draw of the match comes from: the seed, all that was fixed, and the entropies in seat order."""
    entropies = [seating.entropy if seating else None for seating in table.seats]
    return keyed(seed, "match-key", [table.match, table.game, table.rules, table.digest, entropies])


class _Play:
    """One decision in the making: the table as it evolves, the events so far, and the chance they are given."""

    def __init__(self, game: AnyGame, table: Table, seed: bytes) -> None:
        self.game = game
        self.table = table
        self.seed = seed
        self.chance: Chance = SeededChance(match_key(table, seed), table.draws)
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        for event in events:
            self.table = evolve(self.game, self.table, event)
            self.events.append(event)

    def done(self) -> Decision:
        return Decision(tuple(self.events), tuple(self.chance.draws))

    def start(self) -> Decision:
        self.add(Started(tuple(i for i, s in enumerate(self.table.seats) if s and s.entropy)))
        if self.table.fork is None:
            self.add(*self.game.opening(self.table.setup, self.chance))
        return self.settle()

    def act(self, seat: Seat, command: Command) -> Decision:
        events = self.game.decide(self.table.state, seat, command, self.chance)
        awaited = self.game.to_act(self.table.state)
        if seat not in awaited:  # decide went first: it may know a more telling reason
            names = ", ".join(f"seat {s}" for s in sorted(awaited))
            raise Illegal(NOT_YOUR_DECISION, "T6", "You are not asked to decide now.", f"Awaited: {names}.")
        self.add(*events)
        return self.settle()

    def resign(self, seat: Seat) -> Decision:
        self.add(Resigned(seat))
        return self.settle()

    def offer_end(self, seat: Seat) -> Decision:
        if seat in self.table.end_offers:
            raise Illegal("already_offered", "T9", "You have agreed to end already.", "It ends when all seats have.")
        self.add(EndOffered(seat))
        if self.table.end_offers >= self.table.remaining:
            size = len(self.table.seats)
            self.end(CAUSE_AGREED, self.ranked(Outcome((1,) * size, (0,) * size, CAUSE_AGREED)))
        return self.done()

    def offer_cancel(self, seat: Seat) -> Decision:
        if seat in self.table.cancel_offers:
            raise Illegal("already_offered", "T10", "You have agreed to cancel already.", "All seats must.")
        self.add(CancelOffered(seat))
        if self.table.cancel_offers >= self.table.remaining:
            self.end(CAUSE_CANCELLED, None)
        return self.done()

    def settle(self) -> Decision:
        """Let resigned seats' defaults play, and end the match when play or the players are over."""
        while True:
            if (outcome := self.game.outcome(self.table.state)) is not None:
                return self.end(CAUSE_FINISHED, self.ranked(outcome))
            if len(self.table.remaining) == 1:
                size = len(self.table.seats)
                return self.end(CAUSE_RESIGNED, self.ranked(Outcome((1,) * size, (0,) * size, CAUSE_RESIGNED)))
            absent = self.game.to_act(self.table.state) & self.table.resigned
            if not absent:
                return self.done()
            seat = min(absent)
            command = self.game.default(self.table.state, seat)
            self.add(*self.game.decide(self.table.state, seat, command, self.chance))

    def ranked(self, outcome: Outcome) -> Outcome:
        """The outcome with resigned seats after all others (T8)."""
        if not self.table.resigned:
            return outcome
        keys = [(seat in self.table.resigned, place) for seat, place in enumerate(outcome.places)]
        return msgspec.structs.replace(outcome, places=tuple(1 + sum(k < key for k in keys) for key in keys))

    def end(self, cause: str, outcome: Outcome | None) -> Decision:
        self.add(Ended(cause, outcome, self.seed.hex()))
        return self.done()
