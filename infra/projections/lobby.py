"""The lobby: which matches there are, who sits in them, and how far each has come."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, except_, func, insert, select, update

from domain.core.table import Ended, Left, Opened, Seated, Started, Status
from infra.projections.projection import Entry
from infra.tables import match_seats, matches


class _Opened(msgspec.Struct):
    """What the lobby reads of an Opened event, of any shape."""

    game: str
    rules: int
    seats: int
    opener: str


class _Seat(msgspec.Struct):
    seat: int
    account: str


class _Ended(msgspec.Struct):
    cause: str


_opened: Final = msgspec.json.Decoder(_Opened)
_seat: Final = msgspec.json.Decoder(_Seat)
_ended: Final = msgspec.json.Decoder(_Ended)

_OPENED, _SEATED, _LEFT, _STARTED, _ENDED = (cls.__name__ for cls in (Opened, Seated, Left, Started, Ended))

_HERE: Final = (matches.c.generation == bindparam("g"), matches.c.match == bindparam("m"))
_ADVANCE: Final = update(matches).where(*_HERE).values(version=bindparam("v"), updated=bindparam("u"))
_STATUS: Final = update(matches).where(*_HERE).values(status=bindparam("s"), cause=bindparam("c"))
_LEAVE: Final = delete(match_seats).where(
    match_seats.c.generation == bindparam("g"),
    match_seats.c.match == bindparam("m"),
    match_seats.c.seat == bindparam("s"),
)


class Lobby:
    """See Projection."""

    name = "lobby"
    wanted = frozenset({_OPENED, _SEATED, _LEFT, _STARTED, _ENDED})

    def apply(self, connection: Connection, generation: int, entries: Sequence[Entry]) -> None:
        """See Projection."""
        batch = _Batch(generation)
        for entry in entries:
            batch.add(entry)
        batch.store(connection)

    def clear(self, connection: Connection, generation: int) -> None:
        """See Projection."""
        for table in (matches, match_seats):
            connection.execute(delete(table).where(table.c.generation == generation))

    def differences(self, connection: Connection, one: int, other: int) -> int:
        """See Projection."""
        different = 0
        for table in (matches, match_seats):
            columns = [column for column in table.columns if column.name != "generation"]
            sides = [select(*columns).where(table.c.generation == generation) for generation in (one, other)]
            for left, right in (sides, sides[::-1]):
                only = except_(left, right).subquery()
                different += connection.scalar(select(func.count()).select_from(only)) or 0
        return different


class _Batch:
    """The changes that a run of log entries makes, folded in memory: a match costs one statement however often it is
    in them.
    """

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.new: dict[str, dict[str, Any]] = {}
        self.moved: dict[str, tuple[int, int]] = {}
        self.status: dict[str, tuple[str, str]] = {}
        self.seats: dict[tuple[str, int], str | None] = {}

    def add(self, entry: Entry) -> None:
        self.moved[entry.match] = (entry.last, entry.time)
        for kind, body in entry.events:
            self._event(entry, kind, body)

    def _event(self, entry: Entry, kind: str, body: bytes) -> None:
        match = entry.match
        if kind == _OPENED:
            self.new[match] = self._row(entry, _opened.decode(body))
        elif kind == _SEATED:
            taken = _seat.decode(body)
            self.seats[match, taken.seat] = taken.account
        elif kind == _LEFT:
            self.seats[match, _seat.decode(body).seat] = None
        elif kind == _STARTED:
            self.status[match] = (Status.RUNNING, "")
        elif kind == _ENDED:
            self.status[match] = (Status.OVER, _ended.decode(body).cause)

    def _row(self, entry: Entry, opened: _Opened) -> dict[str, Any]:
        return {
            "generation": self.generation,
            "match": entry.match,
            "game": opened.game,
            "rules": opened.rules,
            "status": str(Status.SEATING),
            "seats": opened.seats,
            "opener": opened.opener,
            "created": entry.time,
            "cause": "",
        }

    def store(self, connection: Connection) -> None:
        for match, row in self.new.items():
            row["version"], row["updated"] = self.moved.pop(match)
            if match in self.status:
                row["status"], row["cause"] = self.status.pop(match)
        key = {"g": self.generation}
        _all(connection, insert(matches), list(self.new.values()))
        _all(connection, _ADVANCE, [key | {"m": m, "v": v, "u": u} for m, (v, u) in sorted(self.moved.items())])
        _all(connection, _STATUS, [key | {"m": m, "s": s, "c": c} for m, (s, c) in sorted(self.status.items())])
        changed = sorted(self.seats)
        _all(connection, _LEAVE, [key | {"m": m, "s": s} for m, s in changed if m not in self.new])
        taken = [(m, s, account) for m, s in changed if (account := self.seats[m, s]) is not None]
        _all(
            connection,
            insert(match_seats),
            [{"generation": self.generation, "match": m, "seat": s, "account": a} for m, s, a in taken],
        )


def _all(connection: Connection, statement: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)
