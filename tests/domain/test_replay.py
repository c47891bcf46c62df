"""Replay: every commit end again, rollbacks, and refusal of what does not follow."""

import msgspec
import pytest

from domain.core.chance import SeededChance
from domain.core.dispute_words import RolledBack
from domain.core.match import match_key
from domain.core.past import Codec
from domain.core.replay import Facts, History
from domain.core.table import Opened, Seated
from domain.core.words import GALLERY
from tests.support.match import TestMatch
from tests.support.play import ALL_GAMES
from tests.tiny import GAME
from tests.tiny.words import Bid, BidMade, Boast


def test_any_commit_end_can_be_looked_at_again() -> None:
    match = TestMatch(GAME).begin(3)
    begun = match.table
    match.send("a0", Bid(1))
    match.send("a0", Boast())
    assert match.history.at(begun.version) is begun
    assert match.history.end_at_or_before(begun.version + 1) == begun.version + 1
    assert match.history.end_at_or_before(begun.version - 1) < begun.version
    with pytest.raises(LookupError, match="no commit end"):
        match.history.at(begun.version - 1)
    with pytest.raises(LookupError):
        match.history.at(10**6)


def test_a_rollback_restores_the_table_but_not_the_draws() -> None:
    match = TestMatch(GAME).begin(3)
    begun = match.table
    match.send("a0", Bid(1))
    facts = Facts(
        commit=match.table.commit + 1,
        first=match.table.version + 1,
        seat=None,
        drew=False,
        events=(RolledBack(begun.version, "by consent"),),
    )
    after = match.history.add(facts)
    assert after.state == begun.state
    assert (after.version, after.commit) == (facts.first, facts.commit)
    assert after.draws == 1, "what was drawn is never drawn again"
    assert after.opened == (facts.first,) * 3, "every decision opens anew"


def test_later_draws_after_a_rollback_are_new_ones() -> None:
    match = TestMatch(GAME).begin(3)
    key = match_key(match.table, match.seed)
    first = SeededChance(key, 0).take("card", tuple(range(1, 10)), 3)[0]
    assert match.table.state.hands[0].card == first[0]
    assert SeededChance(key, match.table.draws).take("card", tuple(range(1, 10)), 3)[0] != first


def test_commits_out_of_order_are_refused() -> None:
    history = History(ALL_GAMES, "m")
    with pytest.raises(LookupError):
        _ = history.game
    with pytest.raises(ValueError, match="starts at version 2"):
        history.add(Facts(1, 2, None, False, (Seated(0, "a"),)))
    with pytest.raises(ValueError, match="begins with Opened"):
        history.add(Facts(1, 1, None, False, (Seated(0, "a"),)))
    opened = Opened("chess", 9, {}, {}, "", 2, "a", "")
    with pytest.raises(LookupError, match="does not know chess at rules version 9"):
        history.add(Facts(1, 1, None, False, (opened,)))


def test_folding_what_a_viewer_saw_gives_what_it_sees() -> None:
    match = TestMatch(GAME).begin(3)
    match.send("a0", Bid(1))
    for viewer in (0, 1, GALLERY):
        history = History(ALL_GAMES, "m1").extend(read.facts.seen_by(viewer) for read in match.reads)
        assert GAME.view(history.table.state, viewer) == GAME.view(match.table.state, viewer)
        assert history.table.opened == match.table.opened


def test_a_stored_event_of_a_retired_shape_is_lifted() -> None:
    def raise_amount(fields: dict[str, object]) -> dict[str, object]:
        return {"type": "BidMade", "seat": fields["who"], "amount": fields["amount"], "shape": 1}

    lifted = msgspec.structs.replace(GAME, past={("BidMade", 0): raise_amount, ("BidPlaced", 1): raise_amount})
    codec = Codec(lifted)
    assert codec.event("BidMade", 0, b'{"type":"BidMade","who":2,"amount":1}') == BidMade(2, 1)
    assert codec.event("BidPlaced", 1, b'{"type":"BidPlaced","who":2,"amount":1}') == BidMade(2, 1)
    assert codec.event("BidMade", 1, b'{"type":"BidMade","seat":2,"amount":1}') == BidMade(2, 1)
    for kind, shape in (("BidMade", 9), ("Unknown", 1)):
        with pytest.raises(LookupError, match="no lift leads"):
            codec.event(kind, shape, b"{}")


def test_a_word_that_stands_for_two_things_is_refused() -> None:
    class Seated(BidMade, frozen=True):
        pass

    with pytest.raises(TypeError, match="Seated stands for two things"):
        Codec(msgspec.structs.replace(GAME, event=GAME.event | Seated))
