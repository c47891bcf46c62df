"""The table around a game: who may do what when (rules T1 to T11)."""

import hashlib

import pytest

from domain.core.errors import Illegal
from domain.core.match import match_key
from domain.core.table import (
    CancelMatch,
    CancelOffered,
    Ended,
    EndOffered,
    EntropyRevealed,
    LeaveSeat,
    Left,
    OfferEnd,
    OpenMatch,
    Resign,
    Resigned,
    RevealEntropy,
    Seated,
    Started,
    StartMatch,
    Status,
    TakeSeat,
)
from domain.core.words import Command
from tests.support.match import TestMatch
from tests.tiny import GAME
from tests.tiny.words import Bid, BidMade, Boast

ENTROPY = "11" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(ENTROPY)).hexdigest()


def opened() -> TestMatch:
    return TestMatch(GAME).open(3)


def full() -> TestMatch:
    match = opened()
    for account in ("a0", "a1", "a2"):
        match.send(account, TakeSeat())
    return match


def refused(match: TestMatch, account: str, command: Command, code: str) -> Illegal:
    before = match.table
    with pytest.raises(Illegal) as error:
        match.send(account, command)
    assert error.value.code == code
    assert match.table is before
    return error.value


def last(match: TestMatch) -> tuple[object, ...]:
    return match.reads[-1].events


@pytest.mark.rule("T1")
def test_a_match_opens_with_what_the_game_allows() -> None:
    for seats in (1, 2, 5):
        with pytest.raises(Illegal, match="bad_seats"):
            TestMatch(GAME).open(seats)
    with pytest.raises(Illegal, match="no option 'colour'"):
        TestMatch(GAME).open(3, colour="red")
    with pytest.raises(Illegal, match="bad_options"):
        TestMatch(GAME).open(3, rounds=7)
    table = opened().table
    assert table.seed_commitment == hashlib.sha256(b"s" * 32).hexdigest()
    assert table.setup.options.rounds == 2
    refused(opened(), "a0", OpenMatch("parley", 3), "wrong_phase")


@pytest.mark.rule("T2", "T3")
def test_seats_are_taken_and_left_before_the_start() -> None:
    match = opened()
    match.send("a0", TakeSeat(2))
    assert last(match) == (Seated(2, "a0"),)
    refused(match, "a0", TakeSeat(), "already_seated")
    refused(match, "a1", TakeSeat(2), "seat_taken")
    refused(match, "a1", TakeSeat(3), "no_such_seat")
    refused(match, "a1", TakeSeat(-1), "no_such_seat")
    refused(match, "a1", LeaveSeat(), "not_seated")
    match.send("a1", TakeSeat())
    assert last(match) == (Seated(0, "a1"),)
    match.send("a0", LeaveSeat())
    assert last(match) == (Left(2, "a0"),)
    match.send("a0", TakeSeat())
    match.send("a2", TakeSeat())
    refused(match, "a3", TakeSeat(), "table_full")


@pytest.mark.rule("T17")
def test_a_seat_that_signs_everything_needs_a_key() -> None:
    match = opened()
    refused(match, "a0", TakeSeat(signed_only=True), "no_key")
    match.send("a0", TakeSeat(key="ab" * 32, signed_only=True))
    assert last(match) == (Seated(0, "a0", None, "ab" * 32, signed_only=True),)


@pytest.mark.rule("T4", "T5")
def test_committed_entropy_is_revealed_before_the_start_and_enters_the_match_key() -> None:
    match = opened()
    match.send("a0", TakeSeat(entropy_commitment=COMMITMENT))
    refused(match, "a0", RevealEntropy(ENTROPY), "seats_free")
    match.send("a1", TakeSeat())
    match.send("a2", TakeSeat())
    refused(match, "a1", RevealEntropy(ENTROPY), "no_commitment")
    refused(match, "a0", RevealEntropy("22" * 32), "entropy_mismatch")
    refused(match, "a0", StartMatch(), "entropy_not_revealed")
    without = match_key(match.table, match.seed)
    match.send("a0", RevealEntropy(ENTROPY))
    assert last(match) == (EntropyRevealed(0, ENTROPY),)
    refused(match, "a0", RevealEntropy(ENTROPY), "already_revealed")
    assert match_key(match.table, match.seed) != without
    match.send("a2", LeaveSeat())
    refused(match, "a2", TakeSeat(entropy_commitment=COMMITMENT), "entropy_closed")
    match.send("a2", TakeSeat())
    match.send("a1", StartMatch())
    assert last(match)[0] == Started((0,))


@pytest.mark.rule("T5")
def test_play_starts_when_all_seats_are_taken_and_not_before() -> None:
    match = opened()
    match.send("a0", TakeSeat())
    refused(match, "a0", StartMatch(), "seats_free")
    refused(match, "a9", StartMatch(), "not_seated")
    refused(match, "a0", Bid(1), "wrong_phase")
    match = full()
    match.send("a0", StartMatch())
    assert match.table.status is Status.RUNNING
    assert match.table.floor == match.table.version
    refused(match, "a0", StartMatch(), "wrong_phase")
    refused(match, "a0", LeaveSeat(), "wrong_phase")


@pytest.mark.rule("T6", "T7")
def test_decisions_open_at_a_version_and_stay_open_until_that_seat_acts() -> None:
    match = full()
    match.send("a0", StartMatch())
    begun = match.table.version
    assert match.table.opened == (begun, begun, begun)
    match.send("a1", Bid(2))
    assert last(match) == (BidMade(1, 2),)
    assert match.table.opened == (begun, begun + 1, begun)
    match.send("a1", Boast())
    assert match.table.opened == (begun, 0, begun)
    refused(match, "a1", Bid(0), "not_your_decision")
    refused(match, "a9", Bid(0), "not_seated")


@pytest.mark.rule("T8")
def test_in_a_larger_match_a_resigned_seats_default_plays_on_and_it_ranks_last() -> None:
    match = full()
    match.send("a0", StartMatch())
    match.send("a1", Resign())
    assert last(match)[:2] == (Resigned(1), BidMade(1, 0))
    refused(match, "a1", Resign(), "resigned")
    refused(match, "a1", Bid(0), "resigned")
    while not match.over:
        seat = next(i for i, at in enumerate(match.table.opened) if at)
        match.send(f"a{seat}", GAME.legal(match.table.state, seat).commands[-1])
    outcome = match.table.outcome
    assert outcome is not None
    assert outcome.places[1] == 3


@pytest.mark.rule("T8")
def test_the_last_one_who_has_not_resigned_wins_at_once() -> None:
    match = full()
    match.send("a0", StartMatch())
    match.send("a1", Resign())
    match.send("a0", Resign())
    ended = last(match)[-1]
    assert isinstance(ended, Ended)
    assert ended.cause == "resigned"
    assert ended.outcome is not None
    assert ended.outcome.places == (2, 2, 1)
    assert ended.seed == match.seed.hex()


@pytest.mark.rule("T9")
def test_the_match_ends_undecided_when_all_remaining_seats_agree() -> None:
    match = full()
    match.send("a0", StartMatch())
    match.send("a0", OfferEnd())
    assert last(match) == (EndOffered(0),)
    refused(match, "a0", OfferEnd(), "already_offered")
    match.send("a1", Bid(0))
    assert match.table.end_offers == frozenset(), "an offer lapses when somebody moves"
    for account in ("a0", "a1", "a2"):
        match.send(account, OfferEnd())
    ended = last(match)[-1]
    assert isinstance(ended, Ended)
    assert (ended.cause, ended.outcome and ended.outcome.places) == ("agreed", (1, 1, 1))


@pytest.mark.rule("T10", "T11")
def test_cancelling_is_the_openers_before_the_start_and_everybodys_after() -> None:
    match = full()
    refused(match, "a1", CancelMatch(), "not_opener")
    match.send("a0", CancelMatch())
    assert last(match) == (Ended("cancelled", None, match.seed.hex()),)
    refused(match, "a0", StartMatch(), "match_over")
    refused(match, "a0", TakeSeat(), "match_over")
    match = full()
    match.send("a0", StartMatch())
    match.send("a0", CancelMatch())
    assert last(match) == (CancelOffered(0),)
    match.send("a1", CancelMatch())
    match.send("a2", CancelMatch())
    assert match.over
    assert match.table.cause == "cancelled"
    refused(match, "a0", Bid(0), "match_over")
