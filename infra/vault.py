"""Seeds and salt secrets, encrypted at rest with AES-256-GCM; and keys kept in files, for who configures none.

The match's id is authenticated with its secrets, so that a row cannot be moved to another match. Keys are named by a
digest of themselves: a new key can be put in front while rows under the old one stay readable.
"""

import secrets as random
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.core.canonical import digest
from infra.files import make_private, read_private
from infra.ports import Secrets

KEY_BYTES = 32
_NONCE_BYTES = 12


class VaultError(Exception):
    """Secrets cannot be decrypted: the key is not among the vault's, or the row was tampered with."""


class Vault:
    """Encrypts under the first of its keys, decrypts under any."""

    def __init__(self, key: bytes, *older: bytes) -> None:
        for each in (key, *older):
            if len(each) != KEY_BYTES:
                raise ValueError(f"a vault key has {KEY_BYTES} bytes, not {len(each)}")
        self._name = _name(key)
        self._ciphers = {_name(each): AESGCM(each) for each in (key, *older)}

    def seal(self, match: str, secrets: Secrets) -> tuple[str, bytes]:
        """(the key's name, nonce and ciphertext) of the match's secrets. Raises ValueError for wrong lengths."""
        if len(secrets.seed) != KEY_BYTES or len(secrets.salts) != KEY_BYTES:
            raise ValueError(f"a seed and a salt secret have {KEY_BYTES} bytes each")
        return self.wrap(match, secrets.seed + secrets.salts)

    def open(self, match: str, key: str, sealed: bytes) -> Secrets:
        """What `seal` was given. Raises VaultError."""
        plain = self.unwrap(match, key, sealed)
        return Secrets(plain[:KEY_BYTES], plain[KEY_BYTES:])

    def wrap(self, whose: str, plain: bytes) -> tuple[str, bytes]:
        """(the key's name, nonce and ciphertext) of something that belongs to `whose`."""
        return self._name, encrypted(self._ciphers[self._name], whose, plain)

    def unwrap(self, whose: str, key: str, sealed: bytes) -> bytes:
        """What `wrap` was given. Raises VaultError."""
        cipher = self._ciphers.get(key)
        if cipher is None:
            raise VaultError(f"the secrets of {whose} are under key {key}, which is not among the vault's keys")
        return decrypted(cipher, whose, sealed)


def encrypted(cipher: AESGCM, whose: str, plain: bytes) -> bytes:
    """Nonce and ciphertext, bound to whose it is."""
    nonce = random.token_bytes(_NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, plain, _bound_to(whose))


def decrypted(cipher: AESGCM, whose: str, sealed: bytes) -> bytes:
    """What `encrypted` was given. Raises VaultError for another key or owner, and for changed bytes."""
    try:
        return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound_to(whose))
    except InvalidTag:
        raise VaultError(f"the secrets of {whose} are damaged") from None


def key_file(path: Path) -> bytes:
    """The 32-byte key in this file, which is made, readable by its owner alone, if there is none.

    Raises ValueError if the file holds something else, or if others may read it.
    """
    if not path.exists():
        make_private(path, random.token_hex(KEY_BYTES) + "\n")
    text = read_private(path)
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError(f"{path} does not hold a key of {KEY_BYTES} bytes in hex")
    return key


def _name(key: bytes) -> str:
    return digest("vault-key", key).hex()[:16]


def _bound_to(whose: str) -> bytes:
    return f"podesta/vault/1\n{whose}".encode()
