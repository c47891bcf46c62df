"""The REST surface over a desk, and people who speak to it."""

from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from service.auth import Auth
from service.graphql.context import Services
from service.graphql.limits import Limits
from service.rest.routes import rest_routes
from service.site.problems import explained, masked
from tests.service.desk import Desk
from tests.support.play import ALL_GAMES

PREFIX = "/api/v1"


class Rest:
    """One process that serves REST over a desk; an unexpected error is raised into the test."""

    def __init__(self, desk: Desk, limits: Limits | None = None, **changes: Any) -> None:
        self.desk = desk
        services: dict[str, Any] = {
            "games": ALL_GAMES.current,
            "play": desk.play,
            "watching": desk.watching,
            "auth": Auth(desk.backend.accounts, ttl_s=0),
            "accounts": desk.backend.accounts,
            "read_models": desk.backend.read_models,
            "records": desk.records,
            "cases": desk.cases,
        }
        handlers: Any = {HTTPException: explained, Exception: masked}
        app = Starlette(routes=rest_routes(Services(**{**services, **changes}), limits), exception_handlers=handlers)
        self.web = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://podesta.test")

    async def person(self, *roles: str) -> "Person":
        """A new account with a token."""
        accounts = self.desk.backend.accounts
        account = await accounts.create("p", guest=True, roles=roles)
        return Person(self, account.id, await accounts.issue(account.id))

    def stranger(self) -> "Person":
        """Somebody without an account."""
        return Person(self, "", None)


class Person:
    """A client with or without a token."""

    def __init__(self, rest: Rest, account: str, token: str | None) -> None:
        self.rest = rest
        self.account = account
        self.token = token
        self._ids = 0

    async def call(self, method: str, path: str, **given: Any) -> httpx2.Response:
        """One request; whatever is wrong is told as a problem document."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= given.pop("headers", {})
        answer = await self.rest.web.request(method, PREFIX + path, headers=headers, **given)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["status"] == answer.status_code
        return answer

    async def get(self, path: str, **params: Any) -> Any:
        """What a GET that must succeed gives."""
        answer = await self.call("GET", path, params=params or None)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, **body: Any) -> httpx2.Response:
        """A POST under a command id of its own."""
        self._ids += 1
        return await self.call("POST", path, json={"command_id": f"{self._ids}", **body})

    async def act(self, match: str, kind: str, **fields: Any) -> httpx2.Response:
        """A command."""
        extra: dict[str, Any] = {
            name: fields.pop(name) for name in ("command_id", "version", "signature") if name in fields
        }
        if kind in ("OpenDispute", "ViewHidden"):
            fields, extra = {**fields, **extra}, {}
        return await self.post(f"/matches/{match}/commands", command={"type": kind, **fields}, **extra)

    async def done(self, match: str, kind: str, **fields: Any) -> Any:
        """A command that must be accepted."""
        answer = await self.act(match, kind, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()


async def seated(rest: Rest, game: str = "parley", seats: int = 3, **opening: Any) -> tuple[str, list[Person]]:
    """A match with a person on each seat, not started."""
    people = [await rest.person() for _ in range(seats)]
    answer = await people[0].post("/matches", game=game, seats=seats, **opening)
    assert answer.status_code == 200, answer.text
    match = answer.json()["match"]
    for person in people:
        await person.done(match, "TakeSeat")
    return match, people


async def started(rest: Rest, game: str = "parley", seats: int = 3, **opening: Any) -> tuple[str, list[Person]]:
    """The same, started."""
    match, people = await seated(rest, game, seats, **opening)
    await people[0].done(match, "StartMatch")
    return match, people


async def play_out(match: str, people: list[Person], most: int = 2000) -> Any:
    """Play by the lists of what is legal alone, to the end: the match as it then stands."""
    for turn in range(most):
        now = await people[0].get(f"/matches/{match}")
        if now["status"] == "over":
            return now
        seat = now["awaited"][0]
        legal = (await people[seat].get(f"/matches/{match}"))["legal"]
        command = legal["commands"][turn * 7 % len(legal["commands"])] if legal["commands"] else _fit(legal)
        answer = await people[seat].post(f"/matches/{match}/commands", command=command, version=now["version"])
        assert answer.status_code == 200, answer.text
    raise AssertionError("the match does not end")


def _fit(legal: Any) -> Any:
    template = legal["templates"][0]
    return {**template["base"], template["field"]: template["items"][: template["at_least"]]}
