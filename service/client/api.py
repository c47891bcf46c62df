"""GraphQL over HTTP: an account's requests, repeated under the same command id until they are answered."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self
from uuid import uuid4

import httpx2

FIRST_WAIT_S: Final = 0.1
LONGEST_WAIT_S: Final = 2.0
ANSWER_S: Final = 20.0
OVERLOADED: Final = 429


class ServerError(Exception):
    """The server cannot be reached, is no Podestà, or answered with an error that it does not explain."""


class RefusedError(Exception):
    """The server refused a request: the refusal's code and message."""

    def __init__(self, refusal: Mapping[str, Any]) -> None:
        super().__init__(f"{refusal['code']}: {refusal['message']} {refusal.get('hint') or ''}".strip())
        self.code = refusal["code"]


class Api:
    """The API at one of these URLs, as the account that a token speaks for (nobody's, if there is none).

    After each failure it turns to the next URL. patience_s: how long an unanswered request is repeated. Queries may
    be repeated freely; commands may because they carry their id. waited: told whenever a request is repeated.
    """

    def __init__(
        self,
        urls: Sequence[str],
        token: str | None = None,
        *,
        patience_s: float = 60.0,
        waited: Callable[[], None] = lambda: None,
    ) -> None:
        self.token = token
        self._urls = tuple(url.rstrip("/") for url in urls)
        self._at = 0
        self._patience_s = patience_s
        self._waited = waited
        self._http = httpx2.AsyncClient(timeout=ANSWER_S, trust_env=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self._http.aclose()

    @property
    def url(self) -> str:
        """The server that is asked at present."""
        return self._urls[self._at % len(self._urls)]

    def turn(self) -> None:
        """Ask another server from now on, if there is one."""
        self._at += 1

    @property
    def socket_url(self) -> str:
        """Where subscriptions are."""
        return f"ws{self.url.removeprefix('http')}/graphql"

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        """The data that a query or mutation gives. Raises ServerError, for an error or once patience ran out."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_s
        wait = FIRST_WAIT_S
        while True:
            try:
                return await self._once(document, variables)
            except _UnansweredError as error:
                if loop.time() + wait > until:
                    raise ServerError(f"{self.url} does not answer: {error}.") from None
            self._waited()
            self.turn()
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    async def _once(self, document: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            response = await self._http.post(
                f"{self.url}/graphql", json={"query": document, "variables": variables}, headers=headers
            )
        except httpx2.InvalidURL as error:
            raise ServerError(f"{self.url!r} is no URL: {error}.") from None
        except httpx2.TransportError as error:
            raise _UnansweredError(str(error) or type(error).__name__) from None
        if response.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR or response.status_code == OVERLOADED:
            raise _UnansweredError(f"HTTP status {response.status_code}")
        body: Any = None
        with contextlib.suppress(ValueError):
            body = response.json()
        if not isinstance(body, dict) or not ("data" in body or "errors" in body):
            raise ServerError(f"{self.url}/graphql speaks no GraphQL (HTTP status {response.status_code}).")
        if body.get("errors"):
            raise ServerError(f"{self.url}: {body['errors'][0].get('message')}")
        data: dict[str, Any] = body["data"]
        return data

    async def document(self, path: str) -> dict[str, Any]:
        """A JSON document beside the API. Raises ServerError."""
        try:
            response = await self._http.get(f"{self.url}{path}")
            found: dict[str, Any] = response.raise_for_status().json()
        except (httpx2.HTTPError, ValueError) as error:
            raise ServerError(f"{self.url}{path} cannot be read: {error}.") from None
        return found

    async def command(self, document: str, **variables: Any) -> dict[str, Any]:
        """What a mutation with one field answers, a refusal too; its document takes `$id`, a new command id."""
        data = await self.ask(document, id=str(uuid4()), **variables)
        answer: dict[str, Any]
        [answer] = data.values()
        return answer


class _UnansweredError(Exception):
    """No answer came: it is not known whether the request was heeded."""


def accepted(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, if it is an acceptance. Raises RefusedError."""
    if "code" in answer:
        raise RefusedError(answer)
    return answer
