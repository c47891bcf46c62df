"""The stored bytes and the chain: what a viewer receives is enough to check it, and any change is noticed.

The checks here are written again from the words of domain/core/sealing.py, not by calling it.
"""

import hashlib
import hmac
import json
from typing import Any

import msgspec
import pytest

from domain.core.canonical import canonical
from domain.core.sealing import leaf, signed_message
from domain.core.showing import SeenCommit
from domain.core.words import ARBITER, GALLERY
from tests.support.match import TestMatch
from tests.tiny import GAME
from tests.tiny.words import Bid, Boast


def canon(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check_chain(match: str, commits: list[SeenCommit]) -> int:
    """Verify chain, headers and openings of what a viewer has; gives the number of openings checked."""
    head = hashlib.sha256(b"podesta/genesis/1\n" + match.encode()).digest()
    publics: dict[tuple[str, str], str] = {}
    openings = []
    for commit in commits:
        assert commit.previous == head
        header = json.loads(commit.header)
        assert canon(header) == commit.header
        head = hashlib.sha256(b"podesta/header/1\n" + head + commit.header).digest()
        place = f"c{commit.commit}"
        publics[place, ""] = header["command"]
        publics[place, "/draws"] = header["draws"]
        publics[place, "/signature"] = header["signature"]
        command = json.loads(commit.command)
        for path in command.get("hidden", ()):
            publics[place, path] = command[path[1:]]
        openings += commit.openings
        for event in commit.events:
            envelope = {
                "body": json.loads(event.public),
                "commit": commit.commit,
                "hidden": list(event.hidden),
                "match": match,
                "shape": event.shape,
                "time": commit.time,
                "type": event.type,
                "version": event.version,
            }
            head = hashlib.sha256(b"podesta/event/1\n" + head + canon(envelope)).digest()
            assert event.digest == head
            for path in event.hidden:
                publics[f"e{event.version}", path] = json.loads(event.public)[path[1:]]
            openings += event.openings
        assert (header["first"], header["last"]) == (commit.events[0].version, commit.events[-1].version)
        assert commit.head == head
    for opening in openings:
        message = b"podesta/commitment/1\n" + canon([match, opening.place, opening.path, json.loads(opening.value)])
        made = hmac.new(bytes.fromhex(opening.salt), message, hashlib.sha256).hexdigest()
        assert made == publics[opening.place, opening.path], opening
    return len(openings)


def played(rounds: int = 1) -> TestMatch:
    match = TestMatch(GAME).begin(3, rounds=rounds)
    while not match.over:
        seat = next(i for i, at in enumerate(match.table.opened) if at)
        match.send(f"a{seat}", GAME.legal(match.table.state, seat).commands[-1])
    return match


@pytest.mark.parametrize("viewer", [0, 1, 2, GALLERY, ARBITER])
def test_every_viewer_can_check_the_chain_and_every_opening_it_gets(viewer: int) -> None:
    match = played()
    for over in (False, True):
        assert check_chain("m1", match.seen(viewer, over=over)) > 0


def test_openings_come_to_those_who_may_read_and_to_all_in_the_end() -> None:
    match = TestMatch(GAME).begin(3)
    match.send("a1", Bid(2))
    dealt, bid = match.seen(GALLERY)[-2:], match.seen(1)[-1]
    assert [o.path for o in dealt[-1].openings] == [""]
    assert all(not e.openings and json.loads(e.body).get("amount") is None for e in dealt[-1].events)
    assert {(o.place, o.path, o.value) for e in bid.events for o in e.openings} == {
        (f"e{match.table.version}", "/amount", "2")
    }
    assert {(o.path, o.value) for o in bid.openings if o.path} == {("/amount", "2")}
    ended = played()
    paths = {o.path for c in ended.seen(GALLERY) for o in c.openings}
    assert "/draws" in paths
    assert "/draws" not in {o.path for c in ended.seen(0, over=False) for o in c.openings}


def test_an_event_that_reveals_carries_the_opening_of_what_was_hidden() -> None:
    match = TestMatch(GAME).begin(3)
    for seat in range(3):
        match.send(f"a{seat}", Bid(seat))
        match.send(f"a{seat}", Boast(("gold",)))
    shown = [event for event in match.seen(GALLERY)[-1].events if event.type == "HandShown"]
    assert [[(o.path, o.value) for o in event.openings][1:] for event in shown] == [
        [("/amount", str(seat)), ("/words", '["gold"]')] for seat in range(3)
    ]
    assert check_chain("m1", match.seen(GALLERY)) > 9


def test_a_closed_value_is_a_commitment_with_a_salt_of_its_own() -> None:
    match = TestMatch(GAME).begin(3)
    match.send("a0", Bid(1))
    match.send("a1", Bid(1))
    first, second = (json.loads(c.events[0].public)["amount"] for c in match.commits[-2:])
    assert first != second, "equal values must not look equal"
    assert len(first) == 64


def test_hidden_values_leave_no_trace_in_lengths_or_digests_of_the_header() -> None:
    seen = []
    for amount in (0, 2):
        match = TestMatch(GAME).begin(3)
        match.send("a0", Bid(amount))
        seen.append(match.seen(GALLERY)[-1])
    one, other = seen
    assert [len(x) for x in (one.header, one.command)] == [len(x) for x in (other.header, other.command)]
    assert one.events[0].body == other.events[0].body


def test_the_header_binds_who_asked_what_and_the_signature_is_hidden_with_a_hidden_command() -> None:
    match = TestMatch(GAME).begin(3)
    commit = match.send("a0", Bid(1), seen=match.table.version, signature=b"\x05" * 64)
    header = json.loads(commit.header)
    assert header["account"] == "a0"
    assert header["seat"] == 0
    assert header["seen"] == commit.first - 1
    assert len(header["signature"]) == 64
    assert "/signature" not in {o.path for o in match.seen(1)[-1].openings}
    assert "/signature" in {o.path for o in match.seen(0)[-1].openings}


def test_the_leaf_of_the_log_is_the_public_header_with_the_head() -> None:
    commit = TestMatch(GAME).open(3).commits[0]
    assert json.loads(leaf(commit)) == {"head": commit.head.hex(), "header": json.loads(commit.header)}


def test_a_signed_command_names_match_seat_id_and_version() -> None:
    message = signed_message("m", 1, "id", None, canonical(Bid(1)))
    assert message == b'podesta/signed-command/1\n["m",1,"id",null,{"amount":1,"type":"Bid"}]'


@pytest.mark.parametrize("field", ["body", "public"])
def test_what_is_stored_is_canonical(field: str) -> None:
    for commit in played().commits:
        for event in commit.events:
            assert canon(json.loads(getattr(event, field))) == getattr(event, field)
        assert canon(json.loads(commit.command)) == commit.command
        assert msgspec.json.decode(commit.header)
