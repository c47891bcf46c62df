"""How a table changes by an event: total, never refuses, also over closed events."""

from typing import Any

import msgspec

from domain.core.game import AnyGame, Setup
from domain.core.table import (
    CancelOffered,
    Ended,
    EndOffered,
    EntropyRevealed,
    Left,
    Opened,
    Resigned,
    RolledBack,
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
    )


def evolve(game: AnyGame, table: Table, event: Event) -> Table:
    """The table after an event. Rollbacks need the past and are handled where commits are folded (replay)."""
    match event:
        case Seated():
            return _seat(table, event.seat, Seating(event.account, event.entropy_commitment, None, event.key))
        case Left():
            return _seat(table, event.seat, None)
        case EntropyRevealed():
            seating = table.seats[event.seat]
            return _seat(table, event.seat, replace(seating, entropy=event.entropy) if seating else None)
        case Started():
            return replace(table, status=Status.RUNNING, state=game.blank(table.setup))
        case Resigned():
            return replace(table, resigned=table.resigned | {event.seat})
        case EndOffered():
            return replace(table, end_offers=table.end_offers | {event.seat})
        case CancelOffered():
            return replace(table, cancel_offers=table.cancel_offers | {event.seat})
        case Ended():
            return replace(table, status=Status.OVER, cause=event.cause, outcome=event.outcome, seed=event.seed)
        case Opened() | RolledBack():
            return table
        case _:
            return replace(
                table,
                state=game.evolve(table.state, event),
                end_offers=frozenset(),
                cancel_offers=frozenset(),
            )


def _seat(table: Table, seat: Seat, seating: Seating | None) -> Table:
    seats = (*table.seats[:seat], seating, *table.seats[seat + 1 :])
    return replace(table, seats=seats)
