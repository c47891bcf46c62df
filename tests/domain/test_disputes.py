"""Disputes, rulings, takebacks and forks (rules T12 to T16)."""

import msgspec
import pytest

from domain.core.dispute_words import (
    AskTakeback,
    DisputeOpened,
    DisputeRuled,
    Fork,
    HiddenViewed,
    OpenDispute,
    RolledBack,
    RuleDispute,
    Ruling,
    Shown,
    TakebackAsked,
    ViewHidden,
)
from domain.core.disputes import fork_of
from domain.core.errors import Illegal
from domain.core.match import open_match
from domain.core.table import CancelMatch, OfferEnd, OpenMatch, Status
from domain.core.words import Command, Event
from tests.support.match import TestMatch
from tests.tiny import GAME
from tests.tiny.words import Bid, Boast, CardDealt, PickPrize


def running(*, halts: bool = False) -> TestMatch:
    return TestMatch(GAME).begin(3, dispute_halts=halts)


def refused(match: TestMatch, account: str, command: Command, code: str) -> Illegal:
    before = match.table
    with pytest.raises(Illegal) as error:
        match.send(account, command)
    assert error.value.code == code, error.value
    assert match.table is before
    return error.value


def last(match: TestMatch) -> tuple[Event, ...]:
    return match.reads[-1].events


def all_bid(match: TestMatch) -> None:
    for seat in range(3):
        match.send(f"a{seat}", Bid(seat))
        match.send(f"a{seat}", Boast())


@pytest.mark.rule("T12")
def test_a_seat_disputes_a_version_of_play() -> None:
    match = running()
    begun = match.table.version
    refused(match, "a9", OpenDispute(begun, "why"), "not_seated")
    for version in (0, match.table.floor - 1, begun + 1):
        refused(match, "a0", OpenDispute(version, "why"), "no_such_version")
    match.send("a0", OpenDispute(begun, "the cards were odd"))
    assert last(match) == (DisputeOpened(0, 1, begun, "the cards were odd", halts=False),)
    refused(match, "a0", OpenDispute(begun, "again"), "already_disputing")
    match.send("a1", Bid(1))  # this match's policy lets play go on
    refused(TestMatch(GAME).open(3), "a0", OpenDispute(1, "why"), "not_seated")


@pytest.mark.rule("T12")
def test_where_the_match_says_so_play_halts_until_a_ruling() -> None:
    match = running(halts=True)
    match.send("a0", OpenDispute(match.table.version, "why"))
    refused(match, "a1", Bid(1), "halted")
    match.send("arbiter", RuleDispute(1, Ruling.UPHELD, "all was well"))
    match.send("a1", Bid(1))


@pytest.mark.rule("T13")
def test_an_arbiter_has_the_role_and_no_seat_and_each_look_is_on_record() -> None:
    match = running()
    version = match.table.version
    refused(match, "arbiter", ViewHidden(version), "no_open_dispute")
    match.send("a0", OpenDispute(version, "why"))
    refused(match, "a1", ViewHidden(version), "not_arbiter")
    refused(match, "a1", RuleDispute(1, Ruling.UPHELD, "x"), "not_arbiter")
    refused(match, "arbiter", ViewHidden(version + 9), "no_such_version")
    match.send("arbiter", ViewHidden(version))
    assert last(match) == (HiddenViewed("arbiter", 1, version),)
    refused(match, "arbiter", Bid(1), "not_seated")


@pytest.mark.rule("T13")
def test_an_arbiter_who_sits_in_the_match_is_none() -> None:
    from domain.core.table import TakeSeat

    match = TestMatch(GAME).open(3)
    match.send("arbiter", TakeSeat())
    refused(match, "arbiter", ViewHidden(1), "arbiter_seated")


@pytest.mark.rule("T14")
def test_a_ruling_rolls_a_running_match_back_and_says_what_that_undoes() -> None:
    match = running()
    begun = match.table
    all_bid(match)
    picker = match.table.state.picker
    match.send(f"a{picker}", PickPrize(4))  # deals the next round: a draw
    drew = match.commits[-1].commit
    match.send("a1", OpenDispute(begun.version + 3, "I meant 2"))
    rule = RuleDispute(1, Ruling.ROLLED_BACK, "a slip", begun.version)
    refused(match, "arbiter", msgspec.structs.replace(rule, to_version=None), "bad_rollback")
    refused(match, "arbiter", msgspec.structs.replace(rule, to_version=begun.version + 3), "bad_rollback")
    refused(match, "arbiter", msgspec.structs.replace(rule, to_version=begun.version - 1), "bad_rollback")
    refused(match, "arbiter", msgspec.structs.replace(rule, dispute=2), "no_open_dispute")
    refused(match, "arbiter", msgspec.structs.replace(rule, ruling=Ruling.VERDICT), "bad_ruling")
    match.send("arbiter", rule)
    rolled, ruled = last(match)
    assert isinstance(rolled, RolledBack)
    assert ruled == DisputeRuled("arbiter", 1, Ruling.ROLLED_BACK, "a slip")
    assert rolled.undone == (drew,)
    assert Shown(begun.version + 1, "/amount", (0,)) in rolled.shown
    assert match.table.state == begun.state
    assert match.table.disputes[0].ruling is Ruling.ROLLED_BACK
    assert match.table.draws == 2, "the draws undone are never used again"
    all_bid(match)
    match.send(f"a{match.table.state.picker}", PickPrize(4))
    dealt = [[e.card for e in read.events if isinstance(e, CardDealt)] for read in match.reads]
    first, second = [cards for cards in dealt if cards][1:]
    assert first != second


@pytest.mark.rule("T14")
def test_after_the_end_a_dispute_closes_with_a_verdict_or_a_fork() -> None:
    match = running()
    for account in ("a0", "a1", "a2"):
        match.send(account, OfferEnd())
    match.send("a2", OpenDispute(match.table.floor, "unfair"))
    refused(match, "arbiter", RuleDispute(1, Ruling.ROLLED_BACK, "x", match.table.floor), "bad_ruling")
    refused(match, "arbiter", RuleDispute(1, Ruling.VERDICT, "x", 3), "bad_ruling")
    match.send("arbiter", RuleDispute(1, Ruling.VERDICT, "seat 2 was right"))
    assert match.table.status is Status.OVER
    refused(match, "arbiter", RuleDispute(1, Ruling.UPHELD, "x"), "no_open_dispute")


@pytest.mark.rule("T15")
def test_a_takeback_needs_all_seats() -> None:
    match = running()
    begun = match.table
    match.send("a0", Bid(1))
    match.send("a0", AskTakeback(begun.version))
    assert last(match) == (TakebackAsked(0, begun.version),)
    refused(match, "a0", AskTakeback(begun.version), "already_offered")
    match.send("a1", AskTakeback(begun.version))
    match.send("a2", AskTakeback(begun.version))
    assert [type(e) for e in last(match)] == [TakebackAsked, RolledBack]
    assert match.table.state == begun.state
    match.send("a0", Bid(2))
    match.send("a0", AskTakeback(begun.version))
    match.send("a1", Bid(2))
    assert match.table.takeback is None, "a move in between lets the wish lapse"


@pytest.mark.rule("T15")
def test_a_takeback_does_not_reach_across_draws_reveals_or_other_seats_acts() -> None:
    match = running()
    begun = match.table.version
    match.send("a0", Bid(1))
    match.send("a1", Bid(1))
    assert "act of seat 1" in refused(match, "a0", AskTakeback(begun), "takeback_blocked").message
    refused(match, "a0", AskTakeback(begun - 1), "bad_rollback")
    refused(match, "a0", AskTakeback(match.table.version), "bad_rollback")
    match.send("a1", Boast())
    match.send("a0", Boast())
    match.send("a2", Bid(0))
    before = match.table.version
    match.send("a2", Boast())
    assert "revealed" in refused(match, "a2", AskTakeback(before), "takeback_blocked").message
    picker, before = match.table.state.picker, match.table.version
    match.send(f"a{picker}", PickPrize(1))
    assert "chance" in refused(match, f"a{picker}", AskTakeback(before), "takeback_blocked").message


@pytest.mark.rule("T16")
def test_a_fork_begins_where_a_finished_match_stood_under_a_new_seed() -> None:
    match = running()
    match.send("a0", Bid(2))
    at, state = match.table.version, match.table.state
    with pytest.raises(Illegal, match="not_over"):
        fork_of(match.history, at, "")
    for account in ("a0", "a1", "a2"):
        match.send(account, CancelMatch())
    for version in (at + 99, match.table.floor - 1):
        with pytest.raises(Illegal, match="no_such_version"):
            fork_of(match.history, version, "")
    fork = fork_of(match.history, at, match.commits[-4].head.hex())
    forked = started(fork, match)
    assert forked.table.state == state
    assert forked.commits[-1].draw is None, "nothing is drawn: the cards are those of the source"
    forked.send("a1", Bid(0))
    opened = msgspec.json.decode(forked.commits[0].events[0].body)
    assert (opened["forked"]["match"], opened["forked"]["version"]) == ("m1", at)
    forked.send("a0", OfferEnd())
    with pytest.raises(Illegal, match="bad_seats"):
        open_match(GAME, "a0", OpenMatch("parley", 4), b"x" * 32, fork, match.table.setup)


def started(fork: Fork, source: TestMatch) -> TestMatch:
    return TestMatch(GAME, match="m2", seed=b"n" * 32, fork=fork, setup=source.table.setup).begin(3)


@pytest.mark.rule("T16")
def test_a_fork_of_a_fork_begins_with_all_that_came_before() -> None:
    match = running()
    match.send("a0", Bid(2))
    at = match.table.version
    for account in ("a0", "a1", "a2"):
        match.send(account, CancelMatch())
    second = started(fork_of(match.history, at, ""), match)
    second.send("a1", Bid(1))
    state, at = second.table.state, second.table.version
    for account in ("a0", "a1", "a2"):
        second.send(account, CancelMatch())
    third = started(fork_of(second.history, at, ""), second)
    assert third.table.state == state
