"""What resolvers work with: the services of the process, and who is asking."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import strawberry

from domain.core.game import AnyGame
from infra.ports import Account, Accounts, ReadModels
from service.answers import SERVICE_TITLES, Refused
from service.auth import Auth
from service.cases import Cases
from service.play import Play
from service.records import Records
from service.watching import Watching

BEARER: Final = "Bearer "


class Services(msgspec.Struct, frozen=True, kw_only=True):
    """The use cases and ports that the API stands on, and whether strangers may make guest accounts."""

    games: Mapping[str, AnyGame]
    play: Play
    watching: Watching
    auth: Auth
    accounts: Accounts
    read_models: ReadModels
    records: Records
    cases: Cases
    guests: bool = True


class Context:
    """One HTTP request, or one socket for as long as it is open."""

    def __init__(self, services: Services, token: str | None = None) -> None:
        self.services = services
        self.token = token
        self.connection_params: dict[str, Any] | None = None

    async def account(self) -> Account | None:
        """Who is asking, by the token's state of now; None for a stranger. Revoked tokens make strangers."""
        return None if self.token is None else await self.services.auth.bearer(self.token)

    async def account_id(self) -> str | None:
        """The id of who is asking."""
        account = await self.account()
        return account.id if account else None

    async def valid(self) -> bool:
        """Whether the credentials, if there are any, still hold."""
        return self.token is None or await self.account() is not None


Info = strawberry.Info[Context, None]


def bearer(header: object) -> str | None:
    """The token in an `Authorization` value; None if it holds none."""
    if isinstance(header, str) and header[: len(BEARER)].lower() == BEARER.lower():
        return header[len(BEARER) :].strip() or None
    return None


def unauthenticated() -> Refused:
    """The refusal for whoever must say who they are."""
    return Refused(
        code="unauthenticated",
        rule="S3",
        title=SERVICE_TITLES["S3"],
        message="This needs an account, and no valid token came with the request.",
        hint="`createGuest` gives you one; send it as `Authorization: Bearer …`, on a socket in connection_init.",
    )
