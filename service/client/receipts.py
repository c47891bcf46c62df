"""Checking receipts: the server's signed word for what it did with a command, under its published keys."""

import json
from collections.abc import Mapping
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.core.canonical import canonical
from service.client.chain import BrokenChainError, Chain

PATH: Final = "/.well-known/podesta-keys.json"
_TAG: Final = b"podesta/receipt/1\n"


class Keys:
    """The server's public keys, as the document at PATH lists them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._keys = {
            each["id"]: Ed25519PublicKey.from_public_bytes(bytes.fromhex(each["key"])) for each in document["keys"]
        }

    def check(self, receipt: str, chain: Chain) -> None:
        """Check that one of these keys signed the receipt and that it is of this chain. Raises BrokenChainError."""
        said = json.loads(receipt)
        what = f"the receipt for version {said['version']}"
        if said["key"] not in self._keys:
            raise BrokenChainError(f"{what} is under a key that the server does not publish")
        unsigned = {name: value for name, value in said.items() if name != "signature"}
        try:
            self._keys[said["key"]].verify(bytes.fromhex(said["signature"]), _TAG + canonical(unsigned))
        except InvalidSignature:
            raise BrokenChainError(f"{what}: its signature does not fit what it says") from None
        chain.check_receipt(said)
