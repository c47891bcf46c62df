"""Signed notes and checkpoints, as C2SP signed-note, tlog-checkpoint and tlog-cosignature define them (Ed25519)."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ED25519: Final = 1
COSIGNATURE: Final = 4
KEY_BYTES: Final = 32
SIGNATURES_MAX: Final = 64
_DASH: Final = "\N{EM DASH} "


class NoteError(Exception):
    """A note, key or checkpoint is malformed, or no known key has signed it."""


class Verifier(msgspec.Struct, frozen=True):
    """A key that notes are verified with. kind: ED25519 (a log's own) or COSIGNATURE (a witness's)."""

    name: str
    key: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """The key's 4-byte id."""
        return key_id(self.name, self.kind, self.key)

    def __str__(self) -> str:
        """The verifier key as one line of text: NAME+ID+KEY."""
        encoded = base64.b64encode(bytes([self.kind]) + self.key).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"

    def verifies(self, text: str, signature: bytes) -> bool:
        """Whether this is the key's signature of the note text."""
        message = text.encode()
        if self.kind == COSIGNATURE:
            if len(signature) != 8 + 64:
                return False
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            message = cosigned(time, text)
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def key_id(name: str, kind: int, key: bytes) -> bytes:
    """The first 4 bytes of SHA-256(name, newline, kind, key)."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + key).digest()[:4]


def cosigned(time: int, text: str) -> bytes:
    """What a witness's cosignature of a checkpoint at a time (seconds since 1970) is over."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def verifier(line: str) -> Verifier:
    """The key that a line NAME+ID+KEY names. Raises NoteError."""
    try:
        name, id_hex, encoded = line.strip().split("+", 2)
        data = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error):
        raise NoteError(f"{line!r} is no verifier key; one looks like NAME+ID+KEY") from None
    if not name or len(data) != 1 + KEY_BYTES or data[0] not in (ED25519, COSIGNATURE):
        raise NoteError(f"{line!r} is no Ed25519 verifier key")
    made = Verifier(name, data[1:], data[0])
    if made.id.hex() != id_hex:
        raise NoteError(f"{line!r} names the id {id_hex}, but the key's is {made.id.hex()}")
    return made


def signature_line(name: str, kind: int, key: bytes, signature: bytes) -> str:
    """One signature line of a note."""
    return f"{_DASH}{name} {base64.b64encode(key_id(name, kind, key) + signature).decode()}\n"


def sign_note(text: str, name: str, key: bytes, sign: Callable[[bytes], bytes]) -> str:
    """The text, which ends in a newline, as a note signed with the Ed25519 key of that name."""
    return f"{text}\n{signature_line(name, ED25519, key, sign(text.encode()))}"


def open_note(note: str, known: Iterable[Verifier]) -> tuple[str, list[Verifier]]:
    """(text, the known keys that signed it). Raises NoteError if it is malformed, if a known key's signature does not
    verify, or if none of the known keys has signed.
    """
    text, lines = _parts(note)
    by_id = {(v.name, v.id): v for v in known}
    signed: list[Verifier] = []
    for name, id_bytes, signature in lines:
        found = by_id.get((name, id_bytes))
        if found is None or found in signed:
            continue
        if not found.verifies(text, signature):
            raise NoteError(f"the signature of {name} does not verify")
        signed.append(found)
    if not signed:
        raise NoteError("it carries no signature by a known key")
    return text, signed


def _parts(note: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    head, blank, tail = note.rpartition("\n\n")
    if not blank or not tail.endswith("\n") or any(ord(c) < ord(" ") and c != "\n" for c in note):
        raise NoteError("it is no signed note: text, an empty line, signature lines")
    lines = tail[:-1].split("\n")
    if len(lines) > SIGNATURES_MAX:
        raise NoteError(f"it has more than {SIGNATURES_MAX} signatures")
    return f"{head}\n", [_signature(line) for line in lines]


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    try:
        data = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        data = b""
    if not line.startswith(_DASH) or not name or "+" in name or len(data) <= 4:  # noqa: PLR2004 - the id's length
        raise NoteError(f"{line!r} is no signature line")
    return name, data[:4], data[4:]


class Checkpoint(msgspec.Struct, frozen=True):
    """A log's signed tree head: its origin, how many leaves, and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """The checkpoint in a note's text. Raises NoteError."""
    lines = text.split("\n")
    try:
        origin, size, encoded, *rest = lines
        found = Checkpoint(origin, int(size), base64.b64decode(encoded, validate=True))
    except (ValueError, binascii.Error):
        raise NoteError("it is no checkpoint: origin, size, root") from None
    if not origin or str(found.size) != size or found.size < 0 or len(found.root) != KEY_BYTES or rest[-1:] != [""]:
        raise NoteError("it is no checkpoint: origin, size, root")
    return found


def checkpoint_of(note: str, log: Verifier) -> Checkpoint:
    """The checkpoint that the log signed. Raises NoteError, also for another log's checkpoint."""
    text, _ = open_note(note, [log])
    found = read_checkpoint(text)
    if found.origin != log.name:
        raise NoteError(f"it is of the log {found.origin!r}, not {log.name!r}")
    return found
