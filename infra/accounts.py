"""Accounts and bearer tokens: ids that tell nothing, names that can be erased, tokens kept as hashes."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, insert, select, update

from infra.clock import SystemClock
from infra.database import Database
from infra.ports import Account
from infra.tables import accounts, tokens

_ID_BYTES = 16
_TOKEN_BYTES = 32

_LIVE = (
    tokens.c.hash == bindparam("given"),
    tokens.c.revoked.is_(None),
    tokens.c.expires.is_(None) | (tokens.c.expires > bindparam("now")),
)
_BEARER = select(accounts).join(tokens, tokens.c.account == accounts.c.id).where(*_LIVE)
_FIND = select(accounts).where(accounts.c.id == bindparam("id"))


class SqlAccounts:
    """See infra.ports.Accounts."""

    def __init__(self, database: Database, clock: SystemClock) -> None:
        self._database = database
        self._clock = clock

    async def create(self, name: str | None, *, guest: bool, roles: Sequence[str] = ()) -> Account:
        """See Accounts. Raises ValueError for a role with a space in it, or an empty one."""
        if any(not role or " " in role for role in roles):
            raise ValueError("a role is one word")
        account = Account(f"a_{secrets.token_hex(_ID_BYTES)}", name, guest, tuple(roles))
        row = {
            "id": account.id,
            "name": name,
            "guest": guest,
            "roles": " ".join(roles),
            "created": self._clock.now(),
        }
        await self._database.write(lambda connection: connection.execute(insert(accounts), row))
        return account

    async def find(self, account: str) -> Account | None:
        """See Accounts."""
        return await self._database.read(lambda connection: _account(connection, _FIND, {"id": account}))

    async def erase_name(self, account: str) -> bool:
        """Forget the account's name, for good; False if there is no such account."""
        change = update(accounts).where(accounts.c.id == account).values(name=None)
        return bool(await self._database.write(lambda connection: connection.execute(change).rowcount))

    async def issue(self, account: str, lifetime_s: int | None = None) -> str:
        """See Accounts. Raises LookupError for an unknown account."""
        token = f"pt_{secrets.token_urlsafe(_TOKEN_BYTES)}"
        now = self._clock.now()
        expires = None if lifetime_s is None else now + 1000 * lifetime_s
        row = {"hash": _hash(token), "account": account, "created": now, "expires": expires}

        def work(connection: Connection) -> None:
            if connection.scalar(select(accounts.c.id).where(accounts.c.id == account)) is None:
                raise LookupError(f"there is no account {account}")
            connection.execute(insert(tokens), row)

        await self._database.write(work)
        return token

    async def bearer(self, token: str) -> Account | None:
        """See Accounts."""
        values = {"given": _hash(token), "now": self._clock.now()}
        return await self._database.read(lambda connection: _account(connection, _BEARER, values))

    async def revoke(self, token: str) -> bool:
        """See Accounts."""
        now = self._clock.now()
        change = update(tokens).where(*_LIVE).values(revoked=now)
        values = {"given": _hash(token), "now": now}
        return bool(await self._database.write(lambda connection: connection.execute(change, values).rowcount))


def _hash(token: str) -> bytes:
    """A token has 256 random bits, so a plain hash of it cannot be searched."""
    return hashlib.sha256(token.encode()).digest()


def _account(connection: Connection, query: Select[Any], values: dict[str, Any]) -> Account | None:
    row = connection.execute(query, values).first()
    return Account(row.id, row.name, row.guest, tuple(row.roles.split())) if row else None
