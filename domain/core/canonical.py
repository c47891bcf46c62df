"""The one spelling of a value as bytes (RFC 8785), and the tags that keep digests of different things apart.

Values are JSON with ASCII keys, integers below 2^53 and no floats, so msgspec's sorted encoding is the canonical
one; `canonical` checks what the encoder does not.
"""

import hashlib
import hmac
from typing import Any, Final

import msgspec

SAFE: Final = 1 << 53
"""Integers at or beyond this, either sign, are not exact in every JSON reader."""

_encoder: Final = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of a value made of Structs, mappings, sequences, str, int, bool and None.

    Raises ValueError for floats, for integers of 2^53 or more, and for keys that are not ASCII.
    """
    data = _encoder.encode(value)
    _check(msgspec.json.decode(data))
    return data


def canonical_trusted(value: object) -> bytes:
    """As `canonical`, for values whose types already rule out what it checks: no second pass."""
    return _encoder.encode(value)


def _check(value: Any) -> None:
    if isinstance(value, bool | str | None):
        return
    if isinstance(value, int):
        if abs(value) >= SAFE:
            raise ValueError(f"{value} is not below 2^53")
    elif isinstance(value, list):
        for item in value:
            _check(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not key.isascii():
                raise ValueError(f"the key {key!r} is not ASCII")
            _check(item)
    else:
        raise ValueError(f"{value!r} is no integer, and floats have no canonical form here")  # noqa: TRY004


def digest(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of `podesta/TAG/1`, a newline, and the parts: the tag keeps digests of different things apart.

    All parts but the last must have a length that the tag fixes.
    """
    return hashlib.sha256(b"".join((f"podesta/{tag}/1\n".encode(), *parts))).digest()


def keyed(key: bytes, tag: str, value: object) -> bytes:
    """HMAC-SHA256 under the key of `podesta/TAG/1`, a newline, and the canonical bytes of the value."""
    return hmac.digest(key, f"podesta/{tag}/1\n".encode() + canonical_trusted(value), "sha256")
