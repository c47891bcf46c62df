"""A witness outside: asked by C2SP tlog-witness to cosign each checkpoint, so that the log cannot tell two stories.

The request is `old SIZE`, the consistency proof from that size, an empty line, and the note. A witness that has seen
another size answers 409 with it, and is asked once more from there.
"""

import base64
from collections.abc import Callable, Sequence
from http import HTTPStatus

import httpx2
import structlog

from infra.notes import COSIGNATURE, Checkpoint, NoteError, Verifier, open_note, verifier

log = structlog.get_logger(__name__)


class HttpWitness:
    """Asks one witness over HTTP. It is never waited for longer than timeout_s, and never needed."""

    def __init__(self, url: str, key: Verifier, timeout_s: float = 3.0) -> None:
        self._url = f"{url.rstrip('/')}/add-checkpoint"
        self._key = key
        self._timeout_s = timeout_s
        self._seen: dict[str, int] = {}

    async def cosign(self, note: str, checkpoint: Checkpoint, prove: Callable[[int], list[bytes]]) -> str:
        """The note with the witness's line; unchanged, and logged, if it cannot be had."""
        try:
            async with httpx2.AsyncClient(timeout=self._timeout_s) as client:
                return await self._asked(client, note, checkpoint, prove)
        except (httpx2.HTTPError, NoteError, ValueError) as error:
            log.warning("witness_failed", witness=self._key.name, error=str(error))
            return note

    async def _asked(
        self, client: httpx2.AsyncClient, note: str, checkpoint: Checkpoint, prove: Callable[[int], list[bytes]]
    ) -> str:
        old = self._seen.get(checkpoint.origin, 0)
        for _ in range(2):
            response = await client.post(self._url, content=request(old, prove(old) if old else [], note))
            if response.status_code != HTTPStatus.CONFLICT:
                break
            old = int(response.text)
        response.raise_for_status()
        signed = note + response.text
        _, by = open_note(signed, [self._key])
        if self._key not in by:
            raise NoteError("the answer carries no signature of the witness")
        self._seen[checkpoint.origin] = checkpoint.size
        return signed


def request(old: int, proof: Sequence[bytes], note: str) -> bytes:
    """The body of an add-checkpoint request."""
    lines = "".join(f"{base64.b64encode(node).decode()}\n" for node in proof)
    return f"old {old}\n{lines}\n{note}".encode()


def make_witness(url: str | None, key: str | None) -> HttpWitness | None:
    """The witness that is configured, if any. Raises ValueError or NoteError for half a configuration or a bad key."""
    if url is None and key is None:
        return None
    if url is None or key is None:
        raise ValueError("a witness needs both PODESTA_WITNESS_URL and PODESTA_WITNESS_KEY")
    found = verifier(key)
    if found.kind != COSIGNATURE:
        raise NoteError(f"{key!r} is no cosignature key (type 4)")
    return HttpWitness(url, found)
