"""How a table changes by an event: total, never refuses, also over closed events."""

from typing import Any

import msgspec

from domain.core.dispute_words import (
    Dispute,
    DisputeOpened,
    DisputeRuled,
    Fork,
    HiddenViewed,
    RolledBack,
    TakebackAsked,
)
from domain.core.game import AnyGame, Setup
from domain.core.past import lifted, shapes_of
from domain.core.table import (
    CancelOffered,
    Ended,
    EndOffered,
    EntropyRevealed,
    Left,
    Opened,
    Resigned,
    Seated,
    Seating,
    Started,
    Status,
    Table,
)
from domain.core.words import Event, Seat

replace = msgspec.structs.replace


def opened_table(game: AnyGame, match: str, event: Opened) -> Table:
    """The table that the first event of a match sets up."""
    setup: Setup[Any, Any] = Setup(
        msgspec.convert(event.options, game.options), msgspec.convert(event.data, game.data_type), event.seats
    )
    return Table(
        match=match,
        game=event.game,
        rules=event.rules,
        setup=setup,
        digest=event.digest,
        opener=event.opener,
        seed_commitment=event.seed_commitment,
        seats=(None,) * event.seats,
        opened=(0,) * event.seats,
        dispute_halts=event.dispute_halts,
        fork=_fork_events(game, event.forked) if event.forked else None,
    )


def _fork_events(game: AnyGame, fork: Fork) -> tuple[Event, ...]:
    shapes = shapes_of(game.event)
    return tuple(
        lifted(game, shapes, event["shape"], {name: value for name, value in event.items() if name != "shape"})
        for event in fork.events
    )


def evolve(game: AnyGame, table: Table, event: Event) -> Table:
    """The table after an event. Rollbacks need the past and are handled where commits are folded (replay)."""
    match event:
        case Seated():
            return _seat(
                table, event.seat, Seating(event.account, event.entropy_commitment, None, event.key, event.signed_only)
            )
        case Left():
            return _seat(table, event.seat, None)
        case EntropyRevealed():
            seating = table.seats[event.seat]
            return _seat(table, event.seat, replace(seating, entropy=event.entropy) if seating else None)
        case Started():
            return replace(table, status=Status.RUNNING, state=_beginning(game, table))
        case Resigned():
            return replace(table, resigned=table.resigned | {event.seat})
        case EndOffered():
            return replace(table, end_offers=table.end_offers | {event.seat})
        case CancelOffered():
            return replace(table, cancel_offers=table.cancel_offers | {event.seat})
        case Ended():
            return replace(table, status=Status.OVER, cause=event.cause, outcome=event.outcome, seed=event.seed)
    return _disputed(game, table, event)


def _disputed(game: AnyGame, table: Table, event: Event) -> Table:
    match event:
        case DisputeOpened():
            opened = Dispute(event.dispute, event.seat, event.version, event.reason, event.halts)
            return replace(table, disputes=(*table.disputes, opened))
        case DisputeRuled():
            ruled = tuple(replace(d, ruling=event.ruling) if d.number == event.dispute else d for d in table.disputes)
            return replace(table, disputes=ruled)
        case TakebackAsked():
            return replace(table, takeback=_agreed(table, event))
        case Opened() | RolledBack() | HiddenViewed():
            return table
    return _played(game, table, event)


def _played(game: AnyGame, table: Table, event: Event) -> Table:
    """An event of the game: offers made before it lapse."""
    state = game.evolve(table.state, event)
    return replace(table, state=state, end_offers=frozenset(), cancel_offers=frozenset(), takeback=None)


def _beginning(game: AnyGame, table: Table) -> Any:
    """The state before play, or what a fork begins with."""
    state = game.blank(table.setup)
    for earlier in table.fork or ():
        state = game.evolve(state, earlier)
    return state


def _agreed(table: Table, event: TakebackAsked) -> tuple[int, frozenset[Seat]]:
    """Who agrees to take back to the version: a wish for another version begins anew."""
    before = table.takeback
    agreeing = before[1] if before is not None and before[0] == event.to_version else frozenset()
    return event.to_version, agreeing | {event.seat}


def _seat(table: Table, seat: Seat, seating: Seating | None) -> Table:
    seats = (*table.seats[:seat], seating, *table.seats[seat + 1 :])
    return replace(table, seats=seats)
