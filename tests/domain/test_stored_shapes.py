"""What is stored and signed at the table keeps its form: words, header, receipt, refusal are as tests/golden/table has
them, byte for byte. A form that must change gets a new shape (and a lift), never another content under the old one.

`python -m tests.domain.test_stored_shapes` writes what is not there; it changes nothing.
"""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from domain.core import past
from domain.core.canonical import canonical
from domain.core.chance import Draw
from domain.core.dispute_words import (
    AskTakeback,
    DisputeOpened,
    DisputeRuled,
    Fork,
    ForkFrom,
    HiddenViewed,
    OpenDispute,
    RolledBack,
    RuleDispute,
    Ruling,
    Shown,
    TakebackAsked,
    ViewHidden,
)
from domain.core.game import Outcome
from domain.core.past import Codec
from domain.core.sealing import Request, Salts, StoredEvent, envelope, genesis, leaf, seal
from domain.core.secrecy import members
from domain.core.table import (
    CancelMatch,
    CancelOffered,
    Ended,
    EndOffered,
    EntropyRevealed,
    LeaveSeat,
    Left,
    OfferEnd,
    Opened,
    OpenMatch,
    Resign,
    Resigned,
    RevealEntropy,
    Seated,
    Started,
    StartMatch,
    TableCommand,
    TableEvent,
    TakeSeat,
)
from domain.core.words import Command, Event
from infra.signing import Refusal, Signer
from tests.tiny import GAME
from tests.tiny.words import Bid, BidMade

FOLDER = Path(__file__).parents[1] / "golden" / "table"
HEX = "ab" * 32
FORK = Fork("m0", 7, HEX, ({"type": "BidMade", "shape": 1, "seat": 0, "amount": 2},))

EVENTS: tuple[Event, ...] = (
    Opened("parley", 1, {"rounds": 2}, {"cards": [1]}, HEX, 3, "a0", HEX, dispute_halts=True, forked=FORK),
    Seated(0, "a0", HEX, HEX, signed_only=True),
    Left(0, "a0"),
    EntropyRevealed(0, HEX),
    Started((0, 2)),
    Resigned(1),
    EndOffered(1),
    CancelOffered(1),
    DisputeOpened(1, 1, 9, "He bid twice.", halts=True),
    HiddenViewed("a9", 1, 9),
    DisputeRuled("a9", 1, Ruling.ROLLED_BACK, "So he did."),
    TakebackAsked(1, 8),
    RolledBack(8, "So he did.", (5,), (Shown(9, "/amount", (1,)),)),
    Ended("finished", Outcome((1, 2, 2), (4, 1, 1), "rounds_played", "points"), HEX),
)
COMMANDS: tuple[Command, ...] = (
    OpenMatch("parley", 3, {"rounds": 2}, dispute_halts=True, fork=ForkFrom("m0", 7)),
    TakeSeat(0, HEX, HEX, signed_only=True),
    LeaveSeat(),
    RevealEntropy(HEX),
    StartMatch(),
    Resign(),
    OfferEnd(),
    CancelMatch(),
    OpenDispute(9, "He bid twice."),
    ViewHidden(9),
    RuleDispute(1, Ruling.ROLLED_BACK, "So he did.", 8),
    AskTakeback(8),
)


def made() -> dict[str, bytes]:
    """Every file's content as the present code makes it."""
    request = Request(
        account="a0", seat=0, command_id="c1", command=Bid(2), time=1000, seen=7, signature=b"s" * 64, arbiter=False
    )
    salts, draws = Salts(b"t" * 32, "m1"), (Draw("card", 9, 4),)
    commit = seal("m1", 1, (4, 7), genesis("m1"), request, (BidMade(0, 2),), draws, 1, salts)
    unsigned = Refusal(
        code="bad_bid", command="", command_id="c2", head=HEX, key="", match="m1", rule="R2", salt="", time=1, version=8
    )
    signer = Signer(b"k" * 32)
    with patch("infra.signing.secrets.token_bytes", return_value=b"r" * 32):
        refusal = signer.refusal(unsigned, canonical(Bid(7)))
    lines = {
        "shapes.jsonl": [canonical({"shape": type(event).shape, "body": event}) for event in EVENTS],
        "commands.jsonl": [canonical(command) for command in COMMANDS],
        "commit.jsonl": [commit.command_public, commit.draws or b"", *(event.public for event in commit.events)],
        "envelope.json": [envelope("m1", 5, 1000, commit.events[0])],
        "header.json": [commit.header],
        "leaf.json": [leaf(commit)],
        "receipt.json": [signer.receipt(commit)],
        "refusal.json": [refusal],
    }
    return {name: b"".join(line + b"\n" for line in content) for name, content in lines.items()}


@pytest.mark.parametrize("name", sorted(made()))
def test_what_is_stored_and_signed_has_the_form_it_had(name: str) -> None:
    assert made()[name].decode() == (FOLDER / name).read_text(encoding="utf-8")


def test_every_word_of_the_table_is_among_them_with_every_field_filled() -> None:
    assert [type(event) for event in EVENTS] == list(members(TableEvent))
    assert [type(command) for command in COMMANDS] == list(members(TableCommand))
    for word in (*EVENTS, *COMMANDS):
        fields = msgspec.structs.asdict(word)
        assert None not in fields.values(), type(word).__name__


def test_every_stored_shape_is_read_and_means_the_same() -> None:
    codec = Codec(GAME)
    lines = (FOLDER / "shapes.jsonl").read_bytes().splitlines()
    for line, event in zip(lines, EVENTS, strict=True):
        stored = json.loads(line)
        assert codec.event(stored["body"]["type"], stored["shape"], canonical(stored["body"])) == event
    for line, command in zip((FOLDER / "commands.jsonl").read_bytes().splitlines(), COMMANDS, strict=True):
        assert codec.command(line) == command


def test_a_retired_shape_of_the_table_is_lifted_for_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def resigned_0(fields: dict[str, Any]) -> dict[str, Any]:
        return {"type": "Resigned", "seat": fields["who"], "shape": 1}

    monkeypatch.setattr(past, "TABLE_PAST", {("Resigned", 0): resigned_0, ("GaveUp", 1): resigned_0})
    codec = Codec(GAME)
    assert codec.event("Resigned", 0, b'{"type":"Resigned","who":1}') == Resigned(1)
    assert codec.event("GaveUp", 1, b'{"type":"GaveUp","who":1}') == Resigned(1)


def test_each_file_would_notice_a_changed_field() -> None:
    """A field more, a field less, another name: each is another line."""

    class Resigned(Event, frozen=True):
        seat: int
        why: str = ""

    body = canonical({"shape": 1, "body": Resigned(1)})
    assert body not in (FOLDER / "shapes.jsonl").read_bytes().splitlines()
    event = StoredEvent(8, "BidMade", 1, b"", b"{}", (), b"")
    assert envelope("m1", 5, 1000, event) + b"\n" != (FOLDER / "envelope.json").read_bytes()


def main() -> None:
    """Write what is not there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in made().items():
        if not (path := FOLDER / name).exists():
            path.write_bytes(content)


if __name__ == "__main__":
    main()
