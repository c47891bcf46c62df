"""The lobby as queries, over whichever generation of its projection serves."""

import base64
import binascii
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, or_, select, tuple_

from domain.core.canonical import canonical
from domain.core.words import Version
from infra.database import Database
from infra.ports import MatchFilter, MatchPage, MatchRow
from infra.tables import match_seats, matches, projections

_SERVING = select(projections.c.serving).where(projections.c.name == "lobby").scalar_subquery()
_PROJECTED = select(matches.c.version).where(matches.c.generation == _SERVING, matches.c.match == bindparam("of"))


class SqlReadModels:
    """See infra.ports.ReadModels."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def matches(self, wanted: MatchFilter, first: int, after: str | None) -> MatchPage:
        """See ReadModels. Raises ValueError also for `first` below 1."""
        if first < 1:
            raise ValueError("a page has at least one row")
        conditions = _conditions(wanted)
        if after is not None:
            conditions.append(tuple_(matches.c.created, matches.c.match) < tuple_(*_read_cursor(after)))
        query = (
            select(matches)
            .where(matches.c.generation == _SERVING, *conditions)
            .order_by(matches.c.created.desc(), matches.c.match.desc())
            .limit(first + 1)
        )
        return await self._database.read(lambda connection: _page(connection, query, first))

    async def projected(self, match: str) -> Version:
        """See ReadModels."""
        return await self._database.read(lambda connection: connection.scalar(_PROJECTED, {"of": match})) or 0


def _conditions(wanted: MatchFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.game is not None:
        conditions.append(matches.c.game == wanted.game)
    if wanted.status is not None:
        conditions.append(matches.c.status == wanted.status)
    if wanted.account is not None:
        sits = and_(
            match_seats.c.generation == matches.c.generation,
            match_seats.c.match == matches.c.match,
            match_seats.c.account == wanted.account,
        )
        conditions.append(or_(matches.c.opener == wanted.account, exists().where(sits)))
    return conditions


def _page(connection: Connection, query: Any, first: int) -> MatchPage:
    found = connection.execute(query).all()
    rows = found[:first]
    if not rows:
        return MatchPage((), None)
    taken = select(match_seats).where(
        match_seats.c.generation == rows[0].generation, match_seats.c.match.in_([row.match for row in rows])
    )
    accounts = {(seat.match, seat.seat): seat.account for seat in connection.execute(taken)}
    made = tuple(_row(row, accounts) for row in rows)
    return MatchPage(made, _cursor(rows[-1]) if len(found) > first else None)


def _row(row: Any, accounts: dict[tuple[str, int], str]) -> MatchRow:
    return MatchRow(
        match=row.match,
        game=row.game,
        rules=row.rules,
        status=row.status,
        seats=row.seats,
        seated=tuple(accounts.get((row.match, seat)) for seat in range(row.seats)),
        opener=row.opener,
        version=row.version,
        created=row.created,
        updated=row.updated,
        cause=row.cause,
    )


def _cursor(row: Any) -> str:
    """Where a page ended: the row's own place in the order, so that it stays right whatever comes or goes."""
    return base64.urlsafe_b64encode(canonical([row.created, row.match])).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[int, str]:
    try:
        plain = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(plain, type=tuple[int, str])
    except (binascii.Error, msgspec.DecodeError, ValueError):
        raise ValueError(f"{cursor[:100]!r} is no cursor of this list") from None
