"""What accounts do at a table before play starts."""

import hashlib

from domain.core.errors import MATCH_OVER, WRONG_PHASE, Illegal
from domain.core.table import (
    EntropyRevealed,
    LeaveSeat,
    Left,
    RevealEntropy,
    Seated,
    StartMatch,
    Status,
    Table,
    TakeSeat,
)
from domain.core.words import Seat


def require_seating(table: Table, what: str) -> None:
    """Raises Illegal unless the match has not started."""
    if table.status is Status.OVER:
        raise Illegal(MATCH_OVER, "T11", f"The match is over; {what} is not possible any more.")
    if table.status is Status.RUNNING:
        raise Illegal(WRONG_PHASE, "T3", f"The match has started; {what} is possible before the start only.")


def require_seat(table: Table, account: str) -> Seat:
    """The account's seat; raises Illegal if it has none."""
    seat = table.seat_of(account)
    if seat is None:
        raise Illegal("not_seated", "T2", "You have no seat in this match.", "Join it first, while it is seating.")
    return seat


def take_seat(table: Table, account: str, command: TakeSeat) -> Seated:
    """An account sits down (T2, T3, T4)."""
    require_seating(table, "joining")
    if table.seat_of(account) is not None:
        raise Illegal("already_seated", "T2", f"You already have seat {table.seat_of(account)} in this match.")
    free = [i for i, s in enumerate(table.seats) if s is None]
    if not free:
        raise Illegal("table_full", "T2", f"All {len(table.seats)} seats are taken.")
    seat = free[0] if command.seat is None else command.seat
    if not 0 <= seat < len(table.seats):
        raise Illegal("no_such_seat", "T2", f"There is no seat {seat}.", f"Seats are 0 to {len(table.seats) - 1}.")
    if seat not in free:
        raise Illegal("seat_taken", "T2", f"Seat {seat} is taken.", f"Free: {', '.join(map(str, free))}.")
    if command.entropy_commitment and any(s and s.entropy for s in table.seats):
        raise Illegal(
            "entropy_closed",
            "T4",
            "Another seat has revealed its entropy, so a new commitment could depend on it.",
            "Join without an entropy commitment.",
        )
    if command.signed_only and command.key is None:
        raise Illegal("no_key", "T17", "Who signs everything needs a key.", "Send your Ed25519 public key with it.")
    return Seated(seat, account, command.entropy_commitment, command.key, command.signed_only)


def leave_seat(table: Table, account: str, command: LeaveSeat) -> Left:
    """An account leaves before the start (T3)."""
    del command
    require_seating(table, "leaving")
    return Left(require_seat(table, account), account)


def reveal_entropy(table: Table, account: str, command: RevealEntropy) -> EntropyRevealed:
    """A seat shows what it committed to: SHA-256 of the 32 bytes is the commitment (T4)."""
    require_seating(table, "revealing entropy")
    seat = require_seat(table, account)
    seating = table.seats[seat]
    if seating is None or seating.entropy_commitment is None:
        raise Illegal("no_commitment", "T4", "You made no entropy commitment when you sat down.")
    if seating.entropy is not None:
        raise Illegal("already_revealed", "T4", "You have revealed your entropy already.")
    if None in table.seats:
        raise Illegal("seats_free", "T4", "Entropy is revealed once all seats are taken.", "Wait for the others.")
    if hashlib.sha256(bytes.fromhex(command.entropy)).hexdigest() != seating.entropy_commitment:
        raise Illegal(
            "entropy_mismatch",
            "T4",
            "The SHA-256 of this entropy is not your commitment.",
            "Send the 32 bytes whose SHA-256 you committed to, as hex.",
        )
    return EntropyRevealed(seat, command.entropy)


def require_ready(table: Table, account: str, command: StartMatch) -> None:
    """Raises Illegal unless play can start (T5)."""
    del command
    require_seating(table, "starting")
    require_seat(table, account)
    free = [str(i) for i, s in enumerate(table.seats) if s is None]
    if free:
        raise Illegal("seats_free", "T5", f"Seats are still free: {', '.join(free)}.", "Wait until they are taken.")
    waiting = [str(i) for i, s in enumerate(table.seats) if s and s.entropy_commitment and not s.entropy]
    if waiting:
        raise Illegal(
            "entropy_not_revealed",
            "T5",
            f"Seats have not revealed their entropy: {', '.join(waiting)}.",
            "They reveal it or leave; the opener may cancel.",
        )
