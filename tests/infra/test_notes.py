"""Signed notes and checkpoints against published ones."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from infra.notes import (
    COSIGNATURE,
    Checkpoint,
    NoteError,
    Verifier,
    checkpoint_of,
    cosigned,
    open_note,
    read_checkpoint,
    sign_note,
    signature_line,
    verifier,
)

PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""The published example of the note package that the format comes from."""

KEY = Ed25519PrivateKey.from_private_bytes(b"l" * 32)
LOG = Verifier("podesta.example/log", KEY.public_key().public_bytes_raw())


def test_the_published_note_verifies() -> None:
    key = verifier(PETER)
    assert str(key) == PETER
    text, signed = open_note(PETER_NOTE, [key])
    assert text.endswith("your problem is.\n")
    assert signed == [key]


def test_a_changed_note_does_not() -> None:
    with pytest.raises(NoteError, match="does not verify"):
        open_note(PETER_NOTE.replace("answer", "problem"), [verifier(PETER)])
    with pytest.raises(NoteError, match="known key"):
        open_note(PETER_NOTE, [LOG])


def test_what_we_sign_is_a_note_and_a_checkpoint() -> None:
    made = Checkpoint(LOG.name, 20852163, b"\x0a" * 32)
    note = sign_note(made.text, LOG.name, LOG.key, KEY.sign)
    assert note.startswith("podesta.example/log\n20852163\n")
    assert checkpoint_of(note, LOG) == made
    other = Verifier("elsewhere.example", LOG.key)
    with pytest.raises(NoteError):
        checkpoint_of(note, other)
    foreign = sign_note(made.text, other.name, other.key, KEY.sign)
    with pytest.raises(NoteError, match="of the log"):
        checkpoint_of(foreign, other)


def test_a_witness_cosigns_with_a_time() -> None:
    witness_key = Ed25519PrivateKey.from_private_bytes(b"w" * 32)
    witness = Verifier("witness.example/w1", witness_key.public_key().public_bytes_raw(), COSIGNATURE)
    text = Checkpoint(LOG.name, 7, b"\x0a" * 32).text
    signature = (1679315147).to_bytes(8, "big") + witness_key.sign(cosigned(1679315147, text))
    note = sign_note(text, LOG.name, LOG.key, KEY.sign)
    note += signature_line(witness.name, COSIGNATURE, witness.key, signature)
    assert open_note(note, [LOG, witness]) == (text, [LOG, witness])
    assert cosigned(1679315147, text).startswith(b"cosignature/v1\ntime 1679315147\npodesta.example/log\n7\n")
    for bad in (signature[:-1], b"\0" * 8 + signature[8:]):
        broken = sign_note(text, LOG.name, LOG.key, KEY.sign)
        broken += signature_line(witness.name, COSIGNATURE, witness.key, bad)
        with pytest.raises(NoteError, match="does not verify"):
            open_note(broken, [LOG, witness])
    assert verifier(str(witness)) == witness


@pytest.mark.parametrize(
    "note",
    ["", "text\n", "text\n\n", "text\n\nno dash\n", "a\tb\n\n— x AAAAAAA=\n", "t\n\n— x !!!\n", "t\n\n— x AAAA\n"],
)
def test_what_is_no_note_is_refused(note: str) -> None:
    with pytest.raises(NoteError):
        open_note(note, [LOG])


@pytest.mark.parametrize(
    "text", ["", "o\n1\n", "o\nx\nAAAA\n", "o\n01\n" + "A" * 43 + "=\n", "\n1\n" + "A" * 43 + "=\n", "o\n1\nAAAA\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        read_checkpoint(text)


@pytest.mark.parametrize("line", ["", "a+b", "a+00000000+" + base64.b64encode(b"\1" + b"k" * 32).decode(), "n+00+AAAA"])
def test_what_is_no_key_is_refused(line: str) -> None:
    with pytest.raises(NoteError):
        verifier(line)
