"""Accounts and bearer tokens: ids that tell nothing, names that can be erased, tokens kept as hashes.

A name is encrypted under a key of its account's own, which the vault encrypts in turn. Erasing an account destroys
that key: whoever kept a copy of the accounts without the keys can read no name of it any more.
"""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, Row, Select, bindparam, delete, insert, select, update

from infra.clock import SystemClock
from infra.database import Database
from infra.ports import Account
from infra.tables import account_keys, accounts, erasures, tokens
from infra.vault import Vault, decrypted, encrypted

_ID_BYTES = 16
_TOKEN_BYTES = 32

_LIVE = (
    tokens.c.hash == bindparam("given"),
    tokens.c.revoked.is_(None),
    tokens.c.expires.is_(None) | (tokens.c.expires > bindparam("now")),
)
_WITH_KEY = select(accounts, account_keys.c.key, account_keys.c.sealed.label("own_key")).outerjoin(
    account_keys, account_keys.c.account == accounts.c.id
)
_BEARER = _WITH_KEY.join(tokens, tokens.c.account == accounts.c.id).where(*_LIVE)
_FIND = _WITH_KEY.where(accounts.c.id == bindparam("id"))


class SqlAccounts:
    """See infra.ports.Accounts."""

    def __init__(self, database: Database, clock: SystemClock, vault: Vault) -> None:
        self._database = database
        self._clock = clock
        self._vault = vault

    async def create(self, name: str | None, *, guest: bool, roles: Sequence[str] = ()) -> Account:
        """See Accounts. Raises ValueError for a role with a space in it, or an empty one."""
        if any(not role or " " in role for role in roles):
            raise ValueError("a role is one word")
        account = Account(f"a_{secrets.token_hex(_ID_BYTES)}", name, guest, tuple(roles))
        own = AESGCM.generate_key(256)
        key, sealed = self._vault.wrap(_whose(account.id), own)
        row = {
            "id": account.id,
            "sealed": None if name is None else encrypted(AESGCM(own), _whose(account.id), name.encode()),
            "guest": guest,
            "roles": " ".join(roles),
            "created": self._clock.now(),
        }

        def work(connection: Connection) -> None:
            connection.execute(insert(accounts), row)
            connection.execute(insert(account_keys), {"account": account.id, "key": key, "sealed": sealed})

        await self._database.write(work)
        return account

    async def find(self, account: str) -> Account | None:
        """See Accounts."""
        return await self._database.read(lambda connection: self._account(connection, _FIND, {"id": account}))

    async def erase(self, account: str) -> bool:
        """See Accounts."""
        now = self._clock.now()

        def work(connection: Connection) -> bool:
            if not connection.execute(delete(account_keys).where(account_keys.c.account == account)).rowcount:
                return False
            change = update(accounts).where(accounts.c.id == account)
            connection.execute(change.values(sealed=None, roles=""))
            connection.execute(delete(tokens).where(tokens.c.account == account))
            connection.execute(insert(erasures), {"account": account, "time": now})
            return True

        return await self._database.write(work)

    async def erased(self, account: str) -> int | None:
        """See Accounts."""
        query = select(erasures.c.time).where(erasures.c.account == account)
        return await self._database.read(lambda connection: connection.scalar(query))

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
        return await self._database.read(lambda connection: self._account(connection, _BEARER, values))

    def _account(self, connection: Connection, query: Select[Any], values: dict[str, Any]) -> Account | None:
        row = connection.execute(query, values).first()
        return Account(row.id, self._name(row), row.guest, tuple(row.roles.split())) if row else None

    def _name(self, row: Row[Any]) -> str | None:
        if row.sealed is None or row.own_key is None:
            return None
        whose = _whose(row.id)
        own = self._vault.unwrap(whose, row.key, bytes(row.own_key))
        return decrypted(AESGCM(own), whose, bytes(row.sealed)).decode()

    async def revoke(self, token: str) -> bool:
        """See Accounts."""
        now = self._clock.now()
        change = update(tokens).where(*_LIVE).values(revoked=now)
        values = {"given": _hash(token), "now": now}
        return bool(await self._database.write(lambda connection: connection.execute(change, values).rowcount))


def _whose(account: str) -> str:
    return f"account {account}"


def _hash(token: str) -> bytes:
    """A token has 256 random bits, so a plain hash of it cannot be searched."""
    return hashlib.sha256(token.encode()).digest()
