"""Who is asking: bearer tokens to accounts, with a memory of a few seconds so that a token costs one read, not many."""

import asyncio
from collections import OrderedDict
from typing import Final

from infra.ports import Account, Accounts

REMEMBERED: Final = 10_000


class Auth:
    """Answers which account a token speaks for. A revoked token is noticed within `ttl_s` in every process."""

    def __init__(self, accounts: Accounts, ttl_s: float = 2.0) -> None:
        self._accounts = accounts
        self._ttl_s = ttl_s
        self._known: OrderedDict[str, tuple[float, Account | None]] = OrderedDict()

    async def bearer(self, token: str) -> Account | None:
        """The account that the token speaks for; None if it is unknown, expired or revoked."""
        now = asyncio.get_running_loop().time()
        known = self._known.get(token)
        if known is not None and known[0] > now:
            return known[1]
        account = await self._accounts.bearer(token)
        self._known[token] = (now + self._ttl_s, account)
        self._known.move_to_end(token)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return account

    def forget(self, account: str) -> None:
        """Drop what is remembered of the account's tokens, here at once."""
        for token in [token for token, (_, known) in self._known.items() if known and known.id == account]:
            del self._known[token]

    async def revoke(self, token: str) -> bool:
        """End a token, here at once; False if there was nothing to end."""
        self._known.pop(token, None)
        return await self._accounts.revoke(token)
