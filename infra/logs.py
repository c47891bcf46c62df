"""What may stand in a log line: plain values only, and never a secret, whatever was handed to the logger."""

import re
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from typing import Any, Final

from structlog.contextvars import bound_contextvars

HIDDEN: Final = "[hidden]"

_SECRET_NAME: Final = re.compile(
    r"(^|_)(seeds?|salts?|secrets?|tokens?|passwords?|authorization|cookie|bearer|entropy|keys?|credentials?|openings?)($|_)",
    re.IGNORECASE,
)
_SECRET_TEXT: Final = (
    re.compile(r"(?<=://)[^/@\s]+(?=@)"),  # user and password in a URL
    re.compile(r"\bpt_[A-Za-z0-9_-]{16,}"),  # our bearer tokens
    re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/=-]{8,}"),
)
_TEXT_MAX: Final = 20_000


def safe(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor, to stand last before the renderer: hides what is secret by its name or by its look.

    Objects are shown by the name of their type only: their repr could hold anything.
    """
    for name, value in event.items():
        event[name] = HIDDEN if _SECRET_NAME.search(name) else _shown(value)
    return event


def bound(
    match: str | None = None, version: int | None = None, command: str | None = None
) -> AbstractContextManager[None]:
    """Within the block every log line carries the match, version and command id that are given."""
    given = {"match": match, "version": version, "command": command}
    return bound_contextvars(**{name: value for name, value in given.items() if value is not None})


def _shown(value: object) -> object:
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            for pattern in _SECRET_TEXT:
                value = pattern.sub(HIDDEN, value)
            return value if len(value) <= _TEXT_MAX else f"{value[:_TEXT_MAX]}… ({len(value)} characters)"
        case bytes() | bytearray() | memoryview():
            return f"[{len(value)} bytes]"
        case Mapping():
            return {str(key): HIDDEN if _SECRET_NAME.search(str(key)) else _shown(each) for key, each in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_shown(each) for each in value]
        case BaseException():
            return f"{type(value).__name__}: {_shown(str(value))}"
        case _:
            return f"[{type(value).__name__}]"
