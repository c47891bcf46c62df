"""A witness outside cosigns the log's heads, as C2SP tlog-witness has it; without its answer the log goes on."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from infra.clock import SystemClock
from infra.merkle import consistent
from infra.notes import COSIGNATURE, ED25519, NoteError, Verifier, checkpoint_of, cosigned, open_note, signature_line
from infra.transparency import LogSigner, Transparency
from infra.witness import HttpWitness, make_witness
from tests.infra.test_transparency import KEY, SIGNER, fill

WITNESS_KEY = Ed25519PrivateKey.from_private_bytes(b"w" * 32)
WITNESS = Verifier("witness.test/w1", WITNESS_KEY.public_key().public_bytes_raw(), COSIGNATURE)
LOG = SIGNER.of(0)
TIME = 1_700_000_000


class Watching:
    """A witness of one log: it remembers one head, and cosigns what provably continues it."""

    def __init__(self) -> None:
        self.size = 0
        self.root = b""
        self.asked: list[int] = []
        self.broken = False

    def answer(self, body: bytes) -> tuple[int, str]:
        if self.broken:
            return 500, "out of order"
        head, _, note = body.decode().partition("\n\n")
        old, *proof = head.split("\n")
        self.asked.append(int(old.removeprefix("old ")))
        found = checkpoint_of(note, LOG)
        if self.asked[-1] != self.size:
            return 409, f"{self.size}\n"
        path = [base64.b64decode(line) for line in proof]
        if self.size and not consistent(self.size, self.root, found.size, found.root, path):
            return 422, "no consistent history"
        self.size, self.root = found.size, found.root
        text, _ = open_note(note, [LOG])
        signature = TIME.to_bytes(8, "big") + WITNESS_KEY.sign(cosigned(TIME, text))
        return 200, signature_line(WITNESS.name, COSIGNATURE, WITNESS.key, signature)


@contextmanager
def serving(witness: Watching) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, text = witness.answer(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(status if self.path == "/add-checkpoint" else 404)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


async def test_each_head_is_cosigned_and_the_log_proves_that_it_grew(sqlite_place) -> None:
    backend = await sqlite_place.open()
    witness = Watching()
    with serving(witness) as url:
        log = Transparency(backend.database, SIGNER, SystemClock(), witness=HttpWitness(url, WITNESS))
        for size in (2, 5, 9):
            await fill(backend, 1, size - 1)
            await log.step()
            text, signed = open_note(await log.checkpoint(), [LOG, WITNESS])
            assert signed == [LOG, WITNESS]
            assert text == checkpoint_of(await log.checkpoint(), LOG).text
        assert witness.size == 16
        restarted = Transparency(backend.database, SIGNER, SystemClock(), witness=HttpWitness(url, WITNESS))
        await fill(backend, 1, 0)
        await restarted.step()
        assert witness.asked[-2:] == [0, 16], "one that has forgotten is told where the witness stands"
        assert len(open_note(await restarted.checkpoint(), [LOG, WITNESS])[1]) == 2


async def test_a_witness_that_fails_is_not_waited_for(sqlite_place) -> None:
    backend = await sqlite_place.open()
    witness = Watching()
    witness.broken = True
    with serving(witness) as url:
        log = Transparency(backend.database, SIGNER, SystemClock(), witness=HttpWitness(url, WITNESS))
        await fill(backend, 1, 1)
        await log.step()
    await fill(backend, 1, 1)
    await log.step()  # nobody listens there any more
    text, signed = open_note(await log.checkpoint(), [LOG, WITNESS])
    assert signed == [LOG]
    assert checkpoint_of(await log.checkpoint(), LOG).size == 4
    assert text


async def test_an_answer_by_somebody_else_is_not_kept(sqlite_place) -> None:
    backend = await sqlite_place.open()
    other = Verifier("witness.test/other", WITNESS.key, COSIGNATURE)
    with serving(Watching()) as url:
        log = Transparency(backend.database, SIGNER, SystemClock(), witness=HttpWitness(url, other))
        await fill(backend, 1, 1)
        await log.step()
    assert "witness" not in await log.checkpoint()


def test_half_a_configuration_is_refused() -> None:
    assert make_witness(None, None) is None
    assert make_witness("http://127.0.0.1:1", str(WITNESS)) is not None
    with pytest.raises(ValueError, match="both"):
        make_witness("http://127.0.0.1:1", None)
    with pytest.raises(NoteError, match="cosignature"):
        make_witness("http://127.0.0.1:1", str(Verifier("w", WITNESS.key, ED25519)))
    assert LogSigner("o", KEY.public_key().public_bytes_raw(), KEY.sign).of(2).name == "o/2"
