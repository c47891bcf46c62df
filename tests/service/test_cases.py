"""The case file: what the position was, what was legal and by which rule, signed; for those who may have it."""

import msgspec
import pytest

from domain.core.dispute_words import OpenDispute, RuleDispute, Ruling, ViewHidden
from domain.core.errors import Illegal
from domain.core.table import CancelMatch
from domain.core.words import ARBITER, GALLERY
from infra.signing import verify
from service.case_page import case_page
from service.cases import Cases, case_bytes, signed_part
from tests.service.desk import SIGNER, Desk, accepted
from tests.tiny.words import Bid, Boast, PickPrize

CASES = Cases(SIGNER, lambda: 1_000_000)


async def disputed(desk: Desk) -> tuple[str, int]:
    """A match in which seat 1 has bid 2, and the version of that."""
    match = await desk.begin()
    version = accepted(await desk.send("a1", match, Bid(2))).version
    return match, version


async def test_the_case_tells_all_about_a_move(desk: Desk) -> None:
    match, version = await disputed(desk)
    case = CASES.case(await desk.live.fresh(match), version, 1)
    assert case.command == {"type": "Bid", "amount": 2}
    assert case.events == ({"type": "BidMade", "seat": 1, "amount": 2},)
    assert case.before.view["done"] == (0, 0, 0)
    assert case.after.view["done"] == (0, 1, 0)
    assert [c["amount"] for c in case.legal] == [0, 1, 2]
    assert [(c.rule, c.title) for c in case.grounds] == [
        ("R2", "Bids of 0 to 2 are secret until all have bid and boasted")
    ]
    assert case.verdict.startswith("Decided again")
    assert case.draws.draws == ()
    assert "round 1" in case.before.sketch


async def test_the_case_is_signed_and_a_changed_one_is_not(desk: Desk) -> None:
    match, version = await disputed(desk)
    data = case_bytes(CASES.case(await desk.live.fresh(match), version, 1))
    message, key, signature = signed_part(data)
    public = next(bytes.fromhex(k.key) for k in SIGNER.public_keys if k.id == key)
    assert verify(public, signature, message)
    message, _, signature = signed_part(data.replace(b'"amount":2', b'"amount":1'))
    assert not verify(public, signature, message)
    for other in (b"{}", b"[]", b'{"format":"x"}'):
        with pytest.raises(ValueError, match="no case file"):
            signed_part(other)


async def test_another_command_is_judged_there_by_the_rule(desk: Desk) -> None:
    match, version = await disputed(desk)
    live = await desk.live.fresh(match)
    asked = CASES.case(live, version, 1, Bid(7)).asked
    assert asked is not None
    assert (asked.legal, asked.code, asked.rule) == (False, "bad_bid", "R2")
    assert asked.title
    asked = CASES.case(live, version, 1, Bid(0)).asked
    assert asked is not None
    assert asked.legal
    asked = CASES.case(live, version, 1, PickPrize(1)).asked
    assert asked is not None
    assert asked.code == "wrong_phase"


async def test_who_may_have_the_case_of_a_move(desk: Desk) -> None:
    match, version = await disputed(desk)
    live = await desk.live.fresh(match)
    for viewer in (0, GALLERY):
        with pytest.raises(Illegal, match="not_your_case"):
            CASES.case(live, version, viewer)
    assert CASES.case(live, version, ARBITER).command["amount"] == 2
    for account in ("a0", "a1", "a2"):
        accepted(await desk.send(account, match, CancelMatch()))
    live = await desk.live.fresh(match)
    assert CASES.case(live, version, GALLERY).over
    for bad in (0, 1, live.history.table.floor, live.history.version + 1):
        with pytest.raises(Illegal, match="no_such_version"):
            CASES.case(live, bad, ARBITER)
    with pytest.raises(Illegal, match="no_such_version"):
        CASES.case(await desk.live.fresh((await desk.open(command_id="x")).match), 1, ARBITER)


async def test_the_history_of_the_dispute_is_in_it_and_draws_are_shown_after_the_end(desk: Desk) -> None:
    match, version = await disputed(desk)
    accepted(await desk.send("a1", match, OpenDispute(version, "<b>I</b> meant 1")))
    accepted(await desk.send("judge", match, ViewHidden(version), arbiter=True))
    accepted(await desk.send("judge", match, RuleDispute(1, Ruling.UPHELD, "it stands"), arbiter=True))
    for seat in (1, 0, 2):
        if seat != 1:
            accepted(await desk.send(f"a{seat}", match, Bid(0)))
        accepted(await desk.send(f"a{seat}", match, Boast()))
    live = await desk.live.fresh(match)
    picker = live.history.table.state.picker
    drew = accepted(await desk.send(f"a{picker}", match, PickPrize(4))).version
    live = await desk.live.fresh(match)
    running = CASES.case(live, drew, picker)
    assert running.draws.attested
    assert running.draws.draws == ()
    assert [event["type"] for event in running.disputes] == ["DisputeOpened", "HiddenViewed", "DisputeRuled"]
    page = case_page(running)
    assert "&lt;b&gt;I&lt;/b&gt; meant 1" in page
    assert "<b>I</b>" not in page
    for account in ("a0", "a1", "a2"):
        accepted(await desk.send(account, match, CancelMatch()))
    ended = CASES.case(await desk.live.fresh(match), drew, GALLERY)
    assert [draw.label for draw in ended.draws.draws] == ["card"] * 3
    assert not ended.draws.attested
    assert msgspec.json.decode(case_bytes(ended))["draws"]["draws"]
    assert "of 6" in case_page(ended)
