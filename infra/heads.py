"""Which matches there are, and where each stands: for work over a whole store."""

from functools import partial

import msgspec
from sqlalchemy import Connection, func, select

from infra.database import Database
from infra.tables import heads


class Head(msgspec.Struct, frozen=True):
    """A match's last version and chain head (hex)."""

    match: str
    version: int
    head: str


async def heads_after(database: Database, after: str = "", limit: int = 500) -> list[Head]:
    """The next matches in the order of their ids, behind `after`."""
    return await database.read(partial(_heads, after=after, limit=limit))


async def count_heads(database: Database) -> int:
    """How many matches there are."""
    return await database.read(lambda connection: int(connection.scalar(select(func.count()).select_from(heads)) or 0))


def _heads(connection: Connection, after: str, limit: int) -> list[Head]:
    rows = connection.execute(
        select(heads.c.match, heads.c.version, heads.c.head)
        .where(heads.c.match > after)
        .order_by(heads.c.match)
        .limit(limit)
    )
    return [Head(row.match, row.version, bytes(row.head).hex()) for row in rows]
