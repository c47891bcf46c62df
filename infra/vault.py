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
        nonce = random.token_bytes(_NONCE_BYTES)
        plain = secrets.seed + secrets.salts
        return self._name, nonce + self._ciphers[self._name].encrypt(nonce, plain, _bound_to(match))

    def open(self, match: str, key: str, sealed: bytes) -> Secrets:
        """What `seal` was given. Raises VaultError."""
        cipher = self._ciphers.get(key)
        if cipher is None:
            raise VaultError(f"the secrets of match {match} are under key {key}, which is not among the vault's keys")
        try:
            plain = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound_to(match))
        except InvalidTag:
            raise VaultError(f"the secrets of match {match} are damaged") from None
        return Secrets(plain[:KEY_BYTES], plain[KEY_BYTES:])


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


def _bound_to(match: str) -> bytes:
    return f"podesta/vault/1\n{match}".encode()
