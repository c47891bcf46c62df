"""Reading a request: who asks, its parameters, its body. Whatever has not the right form is refused here."""

import re
from typing import Any, Final, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from domain.core.canonical import SAFE
from domain.core.errors import Illegal
from domain.core.words import GALLERY, Viewer
from infra.ports import Account
from service.graphql.context import Context, Services, bearer
from service.graphql.limits import NESTED, Limits
from service.live import NoSuchMatch

T = TypeVar("T")

MATCH_ID: Final = re.compile(r"[0-9a-f]{1,64}")
NUMBER: Final = re.compile(r"-?[0-9]{1,15}")


class Unauthenticated(Exception):
    """The request needs an account, or came with a token that does not hold."""


class Asked:
    """One request."""

    def __init__(self, request: Request, services: Services, limits: Limits, known: frozenset[str]) -> None:
        self.request = request
        self.services = services
        self.context = Context(services, bearer(request.headers.get("authorization")))
        self.limits = limits
        if unknown := sorted(set(request.query_params) - known):
            names = ", ".join(sorted(known)) or "none"
            raise bad(f"There is no parameter {unknown[0]!r} here.", f"Parameters: {names}.")

    async def anyone(self) -> Account | None:
        """Who asks; None for a stranger. Raises Unauthenticated for credentials that do not hold."""
        account = await self.context.account()
        if account is None and "authorization" in self.request.headers:
            raise Unauthenticated
        return account

    async def asker(self) -> str | None:
        """The id of who asks; None for a stranger. Raises Unauthenticated as `anyone` does."""
        account = await self.anyone()
        return account.id if account else None

    async def account(self) -> Account:
        """Who asks. Raises Unauthenticated for a stranger."""
        account = await self.anyone()
        if account is None:
            raise Unauthenticated
        return account

    @property
    def match(self) -> str:
        """The match in the path. Raises NoSuchMatch for what is no id of one."""
        return match_id(self.request.path_params["match"])

    @property
    def viewer(self) -> Viewer | None:
        """`as`: a seat's number or `gallery`; None if it is not given."""
        given = self.text("as")
        if given is None or given == "gallery":
            return None if given is None else GALLERY
        seat = number("as", given, "A seat's number, or `gallery`.")
        if seat < 0:
            raise Illegal("no_such_viewer", "S3", f"There is no seat {seat}.", "Seats are numbered from 0.")
        return seat

    def text(self, name: str) -> str | None:
        """A parameter as text. Raises Illegal if it is too long, given twice or holds a NUL."""
        given = self.request.query_params.getlist(name)
        if len(given) > 1:
            raise bad(f"The parameter {name!r} is given {len(given)} times.", "Give it once.")
        if given:
            check_plain(given[0], self.limits)
        return given[0] if given else None

    def number(self, name: str, default: int) -> int:
        """A parameter as an integer. Raises Illegal for what is none."""
        given = self.text(name)
        return default if given is None else number(name, given)

    def optional_number(self, name: str) -> int | None:
        """The same, None if it is not given."""
        given = self.text(name)
        return None if given is None else number(name, given)

    def flag(self, name: str) -> bool:
        """A parameter that is `true` or `false`, the latter if not given."""
        given = self.text(name)
        if given not in (None, "true", "false"):
            raise bad(f"{name!r} is true or false, not {given!r}.")
        return given == "true"

    async def body(self, kind: type[T]) -> T:
        """The body; an empty one stands for an empty object. Raises Illegal for one of another form."""
        try:
            plain = msgspec.json.decode(await self._bytes() or b"{}")
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise bad(f"The body is no JSON that is understood: {error}.") from error
        check_plain(plain, self.limits)
        return convert(plain, kind)

    async def _bytes(self) -> bytes:
        most, taken = self.limits.body_bytes, bytearray()
        try:
            async for chunk in self.request.stream():
                taken += chunk
                if len(taken) > most:
                    raise HTTPException(413, f"The request is larger than the {most} bytes that are allowed.")
        except ClientDisconnect:
            raise HTTPException(400, "The request broke off.") from None
        return bytes(taken)

    def command_id(self, given: str | None) -> str:
        """The command's id, from the body or the header `Idempotency-Key`. Raises Illegal if there is none, or two."""
        header = self.request.headers.get("idempotency-key")
        if given is None and header is None:
            raise bad("The command has no id.", "Give it as `command_id`, or in the header `Idempotency-Key`.")
        if None not in (given, header) and given != header:
            raise bad("`command_id` and the header `Idempotency-Key` differ.", "Give one of them.")
        return given or header or ""


def bad(message: str, hint: str = "") -> Illegal:
    """A request without the form of one."""
    return Illegal("bad_request", "S1", message, hint or "The form is in /api/v1/openapi.json.")


def convert(plain: Any, kind: type[T]) -> T:
    """Plain values as a Struct. Raises Illegal for another form."""
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise bad(f"The request is not understood: {error}.") from error


def match_id(given: str) -> str:
    """The id of a match, if it can be one. Raises NoSuchMatch."""
    if not MATCH_ID.fullmatch(given):
        raise NoSuchMatch(given[:64])
    return given


def number(name: str, given: str, hint: str = "") -> int:
    """An integer in a URL. Raises Illegal for what is none, or has more than 15 digits."""
    if not NUMBER.fullmatch(given):
        raise bad(f"{name!r} is an integer of at most 15 digits, not {given[:40]!r}.", hint)
    return int(given)


def check_plain(value: Any, limits: Limits, depth: int = 0) -> None:
    """Raises Illegal for values beyond the limits, or without an exact form: floats, integers beyond 2^53, NULs."""
    if isinstance(value, bool | None):
        return
    if isinstance(value, str):
        if len(value) > limits.string:
            raise bad(f"A text has {len(value)} characters.", f"Allowed: {limits.string}.")
        if "\0" in value:
            raise bad("A text holds a NUL.")
    elif isinstance(value, int):
        if abs(value) >= SAFE:
            raise bad("An integer is not below 2^53.")
    elif isinstance(value, float):
        raise bad(f"{value!r} is no integer, and there are no other numbers here.")
    else:
        if len(value) > limits.items or depth >= NESTED:
            raise bad("A list is too long, or nests too deep.", f"Allowed: {limits.items} items, {NESTED} levels.")
        if isinstance(value, dict) and not all(key.isascii() and "\0" not in key for key in value):
            raise bad("A key is not ASCII.")
        for item in value.values() if isinstance(value, dict) else value:
            check_plain(item, limits, depth + 1)
