"""The server's signatures: Ed25519 keys, named and rotated; and receipts, by which a command's answer can be proved.

A receipt is canonical JSON. Its signature is over `podesta/receipt/1`, a newline, and the canonical bytes of its
other fields; a refusal's likewise, over `podesta/refusal/1`.
"""

import secrets
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.core.canonical import canonical, digest, keyed
from domain.core.sealing import Commit
from infra.files import make_private, read_private

KEY_BYTES: Final = 32


class PublicKey(msgspec.Struct, frozen=True):
    """A key that receipts and checkpoints may be signed with, as hex, and the name they call it by."""

    id: str
    key: str


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed answer to a command; fields in canonical order.

    command: the salted commitment to the command, as in the commit's header. first, version: the range of its events.
    head: the chain head after them. time: of the commit. key: which key signed. signature: empty while being signed.
    """

    command: str
    first: int
    head: str
    key: str
    match: str
    signature: str = ""
    time: int
    version: int


class Refusal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed answer to a command of an authenticated seat that was refused; fields in canonical order.

    command: HMAC-SHA256 of the command under `salt`, so that whoever holds the command can show what was refused.
    code, rule: why. head, version: where the match stood.
    """

    code: str
    command: str
    command_id: str
    head: str
    key: str
    match: str
    rule: str
    salt: str
    signature: str = ""
    time: int
    version: int


class ReceiptError(Exception):
    """The bytes are no receipt of ours: malformed, under an unknown key, or with a wrong signature."""


class _Header(msgspec.Struct):
    command: str


class _KeyFile(msgspec.Struct):
    current: str
    retired: tuple[str, ...] = ()


class Signer:
    """Signs under the current key. retired: the public keys of earlier ones, which still verify."""

    def __init__(self, key: bytes, retired: Iterable[bytes] = ()) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(key)
        public = self._private.public_key().public_bytes_raw()
        self._keys = tuple(PublicKey(key_id(each), each.hex()) for each in (public, *retired))

    @property
    def key_id(self) -> str:
        """The name of the key that signs at present."""
        return self._keys[0].id

    @property
    def public_keys(self) -> tuple[PublicKey, ...]:
        """All keys that signatures may be under, the present one first."""
        return self._keys

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes. The message must begin with a tag that says what it is."""
        return self._private.sign(message)

    def receipt(self, commit: Commit) -> bytes:
        """The receipt of a sealed commit, to be stored with it."""
        unsigned = Receipt(
            command=msgspec.json.decode(commit.header, type=_Header).command,
            first=commit.first,
            head=commit.head.hex(),
            key=self.key_id,
            match=commit.match,
            time=commit.time,
            version=commit.last,
        )
        signature = self.sign(_signed_bytes(unsigned)).hex()
        return canonical(msgspec.structs.replace(unsigned, signature=signature))

    def refusal(self, refused: Refusal, command: bytes) -> bytes:
        """The signed refusal of a command (its canonical bytes). key, salt, command and signature are filled in."""
        salt = secrets.token_bytes(KEY_BYTES)
        unsigned = msgspec.structs.replace(
            refused, key=self.key_id, salt=salt.hex(), command=refused_command(salt, command), signature=""
        )
        signature = self.sign(_signed_bytes(unsigned)).hex()
        return canonical(msgspec.structs.replace(unsigned, signature=signature))


def refused_command(salt: bytes, command: bytes) -> str:
    """What a refusal says of the command: HMAC-SHA256 of its canonical bytes under the salt, as hex."""
    return keyed(salt, "refused-command", msgspec.Raw(command)).hex()


def key_id(public: bytes) -> str:
    """The name of a public key: the beginning of a digest of it."""
    return digest("signing-key", public).hex()[:16]


@lru_cache(maxsize=1024)
def _loaded(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the signature is the key's over the message. A key that is none verifies nothing."""
    try:
        _loaded(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def verify_receipt(receipt: bytes, keys: Iterable[PublicKey]) -> Receipt:
    """What the receipt says, if one of these keys signed it. Raises ReceiptError."""
    return _verified(receipt, Receipt, keys)


def verify_refusal(refusal: bytes, keys: Iterable[PublicKey]) -> Refusal:
    """What the refusal says, if one of these keys signed it. Raises ReceiptError."""
    return _verified(refusal, Refusal, keys)


_Signed = TypeVar("_Signed", Receipt, Refusal)


def _verified(data: bytes, kind: type[_Signed], keys: Iterable[PublicKey]) -> _Signed:
    what = kind.__name__.lower()
    try:
        found = msgspec.json.decode(data, type=kind)
        signature = bytes.fromhex(found.signature)
    except (msgspec.MsgspecError, ValueError) as error:
        raise ReceiptError(f"This is no {what}: {error}") from None
    known: Mapping[str, str] = {key.id: key.key for key in keys}
    if found.key not in known:
        raise ReceiptError(f"The {what} is under key {found.key}, which is not among the server's keys.")
    if not verify(bytes.fromhex(known[found.key]), signature, _signed_bytes(found)):
        raise ReceiptError(f"The {what}'s signature does not fit what it says.")
    return found


def _signed_bytes(signed: Receipt | Refusal) -> bytes:
    fields = msgspec.to_builtins(signed)
    del fields["signature"]
    return _TAGS[type(signed)] + canonical(fields)


_TAGS: Final[Mapping[type, bytes]] = {Receipt: b"podesta/receipt/1\n", Refusal: b"podesta/refusal/1\n"}


def signer_from_file(path: Path) -> Signer:
    """The signer whose keys are in this file, which is made, readable by its owner alone, if there is none.

    Raises ValueError if the file holds something else, or if others may read it.
    """
    if not path.exists():
        make_private(path, _encode(_KeyFile(secrets.token_hex(KEY_BYTES))))
    return _signer(_read(path))


def rotate_key_file(path: Path) -> Signer:
    """Retire the file's key, make a new one, and give the signer that follows. Raises as `signer_from_file`."""
    old = signer_from_file(path)
    retired = tuple(key.key for key in old.public_keys)
    following = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    make_private(following, _encode(_KeyFile(secrets.token_hex(KEY_BYTES), retired)))
    following.replace(path)
    return _signer(_read(path))


def _encode(keys: _KeyFile) -> str:
    return msgspec.json.encode(keys).decode() + "\n"


def _read(path: Path) -> _KeyFile:
    try:
        return msgspec.json.decode(read_private(path), type=_KeyFile)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{path} does not hold signing keys: {error}") from None


def _signer(keys: _KeyFile) -> Signer:
    return Signer(bytes.fromhex(keys.current), [bytes.fromhex(key) for key in keys.retired])
