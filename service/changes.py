"""What differs between two versions, as a list of changes that a client can show: JSON pointers with both values."""

from typing import Any

import msgspec


class Change(msgspec.Struct, frozen=True):
    """One difference: where (a JSON pointer, RFC 6901, into the view), and both values as JSON; null where absent."""

    path: str
    before: str | None
    after: str | None


def changes(before: Any, after: Any) -> list[Change]:
    """The differences between two views (Structs, or None before the start), in the order of the fields.

    Objects are compared key by key; lists of equal length item by item, others as a whole.
    """
    found: list[Change] = []
    _compare("", msgspec.to_builtins(before), msgspec.to_builtins(after), found)
    return found


def _compare(path: str, before: Any, after: Any, found: list[Change]) -> None:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*before, *(key for key in after if key not in before)):
            _pair(f"{path}/{_escaped(key)}", key in before, before.get(key), key in after, after.get(key), found)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            _compare(f"{path}/{index}", one, other, found)
    else:
        found.append(Change(path, _json(before), _json(after)))


def _pair(path: str, was: bool, before: Any, now: bool, after: Any, found: list[Change]) -> None:
    if was and now:
        _compare(path, before, after, found)
    else:
        found.append(Change(path, _json(before) if was else None, _json(after) if now else None))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _escaped(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
