"""From a command to its answer: idempotence, staleness, races, signatures, who may look as whom."""

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.canonical import canonical
from domain.core.errors import Illegal
from domain.core.sealing import signed_message
from domain.core.table import CancelMatch, OpenMatch, StartMatch, Status, TakeSeat
from domain.core.words import ARBITER, GALLERY
from infra.signing import ReceiptError, refused_command, verify_receipt, verify_refusal
from service.answers import Accepted, Refused
from service.play import Ask
from tests.service.desk import SIGNER, Desk, accepted
from tests.tiny.words import Bid, Boast


def refused(answer: object, code: str) -> Refused:
    assert isinstance(answer, Refused), answer
    assert answer.code == code, answer
    assert answer.message
    assert answer.title, f"{answer.code} cites {answer.rule!r}, which has no title"
    return answer


async def test_an_accepted_command_tells_its_versions_view_and_receipt(desk: Desk) -> None:
    match = await desk.begin()
    answer = accepted(await desk.send("a1", match, Bid(2)))
    assert answer.version == answer.first
    assert [e.type for e in answer.frame.events] == ["BidMade"]
    assert answer.frame.view.amount == 2
    receipt = verify_receipt(answer.receipt.encode(), SIGNER.public_keys)
    assert (receipt.match, receipt.first, receipt.version) == (match, answer.first, answer.version)


async def test_the_same_command_id_gives_the_same_answer_for_ever(desk: Desk) -> None:
    match = await desk.begin()
    first = accepted(await desk.send("a1", match, Bid(2), command_id="once"))
    accepted(await desk.send("a1", match, Boast()))
    again = accepted(await desk.send("a1", match, Bid(2), command_id="once"))
    assert (again.first, again.version, again.receipt) == (first.first, first.version, first.receipt)
    assert again.frame.view == first.frame.view
    refused(await desk.send("a1", match, Bid(1), command_id="once"), "command_id_used")
    accepted(await desk.send("a0", match, Bid(1), command_id="once"))


async def test_opening_is_idempotent_by_account_and_id(desk: Desk) -> None:
    one, again, other = [await desk.open(account=a) for a in ("a0", "a0", "a1")]
    assert one.match == again.match != other.match
    assert one.receipt == again.receipt
    refused(await desk.play.open("a0", OpenMatch("parley", 4), "open"), "command_id_used")
    refused(await desk.play.open("a0", OpenMatch("parley", 2), "new"), "bad_seats")
    refused(await desk.play.open("a0", OpenMatch("chess", 2), "new"), "no_such_game")


async def test_opening_twice_at_once_opens_one_match(desk: Desk) -> None:
    both = await asyncio.gather(desk.open(), desk.open())
    assert both[0].match == both[1].match


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a b", "é", "a\n"])
async def test_a_command_id_has_a_form(desk: Desk, command_id: str) -> None:
    match = await desk.begin()
    refused(await desk.send("a1", match, Bid(2), command_id=command_id), "bad_command_id")


async def test_refusals_are_data_and_change_nothing(desk: Desk) -> None:
    match = await desk.begin()
    before = (await desk.play.look(match, None)).version
    refused(await desk.send("a1", match, Bid(7)), "bad_bid")
    refused(await desk.send("a1", match, Boast()), "wrong_phase")
    refused(await desk.send("a9", match, Bid(1)), "not_seated")
    refused(await desk.send("a0", match, StartMatch()), "wrong_phase")
    refused(await desk.send("a0", "nosuch", Bid(1)), "no_such_match")
    assert (await desk.play.look(match, None)).version == before
    refused(await desk.send("a1", match, Bid(7), command_id="again"), "bad_bid")
    accepted(await desk.send("a1", match, Bid(2), command_id="again"))


async def test_a_seat_gets_a_signed_refusal_that_shows_what_was_refused(desk: Desk) -> None:
    match = await desk.begin()
    answer = refused(await desk.send("a1", match, Bid(7), command_id="bad"), "bad_bid")
    found = verify_refusal(answer.receipt.encode(), SIGNER.public_keys)
    assert (found.match, found.code, found.command_id, found.rule) == (match, "bad_bid", "bad", "R2")
    assert found.version == (await desk.play.look(match, None)).version
    assert found.command == refused_command(bytes.fromhex(found.salt), canonical(Bid(7)))
    assert found.command != refused_command(bytes.fromhex(found.salt), canonical(Bid(6)))
    forged = answer.receipt.replace('"version":', '"version":1').encode()
    with pytest.raises(ReceiptError):
        verify_refusal(forged, SIGNER.public_keys)
    with pytest.raises(ReceiptError):
        verify_receipt(answer.receipt.encode(), SIGNER.public_keys)
    assert refused(await desk.send("a9", match, Bid(1)), "not_seated").receipt == ""


async def test_stale_is_what_was_decided_on_before_the_seats_decision_opened(desk: Desk) -> None:
    match = await desk.begin()
    begun = (await desk.play.look(match, None)).version
    accepted(await desk.send("a0", match, Bid(1), seen=begun))
    accepted(await desk.send("a1", match, Bid(1), seen=begun))  # another seat's choice makes nothing stale
    answer = refused(await desk.send("a0", match, Boast(), seen=begun), "stale")
    assert answer.frame is not None
    assert answer.frame.view.amount == 1
    refused(await desk.send("a0", match, Boast(), seen=10**6), "stale")
    accepted(await desk.send("a0", match, Boast(), seen=answer.frame.version))


async def test_two_processes_accept_simultaneous_choices_and_one_answer_an_id(desk: Desk) -> None:
    match = await desk.begin()
    other = Desk(desk.backend, desk.bell)
    await other.play.look(match, None)
    answers = await asyncio.gather(
        desk.send("a0", match, Bid(1), command_id="x"),
        other.send("a1", match, Bid(2)),
        desk.send("a2", match, Bid(0)),
        other.send("a0", match, Bid(1), command_id="x"),
    )
    first, *_, again = [accepted(answer) for answer in answers]
    assert (first.first, first.receipt) == (again.first, again.receipt)
    versions = sorted(accepted(a).version for a in answers[:3])
    assert versions == list(range(versions[0], versions[0] + 3))


async def test_what_was_known_here_may_be_old(desk: Desk) -> None:
    match = await desk.begin()
    other = Desk(desk.backend, desk.bell)
    await other.play.look(match, None)
    accepted(await desk.send("a0", match, Bid(1)))
    accepted(await other.send("a0", match, Boast()))


async def test_commands_may_be_signed_by_the_seats_own_key(desk: Desk) -> None:
    key = Ed25519PrivateKey.generate()
    match = (await desk.open()).match
    accepted(await desk.send("a0", match, TakeSeat(key=key.public_key().public_bytes_raw().hex())))
    for account in ("a1", "a2"):
        accepted(await desk.send(account, match, TakeSeat()))
    accepted(await desk.send("a0", match, StartMatch()))
    message = signed_message(match, 0, "mine", None, canonical(Bid(1)))
    refused(await desk.send("a0", match, Bid(2), command_id="mine", signature=key.sign(message)), "bad_signature")
    refused(await desk.send("a1", match, Bid(2), signature=key.sign(message)), "no_key")
    accepted(await desk.send("a0", match, Bid(1), command_id="mine", signature=key.sign(message)))


async def test_who_may_look_as_whom(desk: Desk) -> None:
    match = await desk.begin(rounds=1)
    accepted(await desk.send("a1", match, Bid(2)))
    assert (await desk.play.look(match, "a1")).view.amount == 2
    assert (await desk.play.look(match, "a1", GALLERY)).view.amount is None
    assert (await desk.play.look(match, None)).view.amount is None
    for account, viewer in (("a0", 1), (None, 0), ("a1", 0)):
        with pytest.raises(Illegal, match="not_your_seat"):
            await desk.play.look(match, account, viewer)
    for viewer in (3, ARBITER, -7):
        with pytest.raises(Illegal, match="no_such_viewer"):
            await desk.play.look(match, "a0", viewer)
    for account in ("a0", "a1", "a2"):
        accepted(await desk.send(account, match, CancelMatch()))
    assert (await desk.play.look(match, None, 1)).view.amount == 2
    assert await desk.play.status(match) is Status.OVER


async def test_any_version_can_be_looked_at_again(desk: Desk) -> None:
    match = await desk.begin()
    begun = (await desk.play.look(match, None)).version
    accepted(await desk.send("a1", match, Bid(2)))
    assert (await desk.play.look(match, "a1", None, begun)).view.done == (0, 0, 0)
    assert (await desk.play.look(match, "a1", None, begun - 1)).version < begun - 1, "inside a commit: the end before"
    for version in (0, -1, 10**9):
        with pytest.raises(Illegal, match="no_such_version"):
            await desk.play.look(match, None, None, version)


async def test_a_game_command_in_plain_values_is_checked_for_form(desk: Desk) -> None:
    match = await desk.begin()
    live = await desk.live.fresh(match)
    assert desk.play.game_command(live, {"type": "Boast", "words": ["silk", "gold"]}) == Boast(("gold", "silk"))
    for plain in ({"type": "Fly"}, {"type": "Bid", "amount": "2"}, {"type": "Bid", "amount": 2, "x": 1}, 7):
        with pytest.raises(Illegal, match="bad_command"):
            desk.play.game_command(live, plain)


async def test_a_match_survives_the_process(desk: Desk) -> None:
    match = await desk.begin()
    answer = await desk.send("a1", match, Bid(2), command_id="before")
    after = Desk(desk.backend, desk.bell)
    again = await after.send("a1", match, Bid(2), command_id="before")
    assert isinstance(answer, Accepted)
    assert accepted(again).receipt == answer.receipt
    assert (await after.play.look(match, "a1")).view.amount == 2
    assert Ask(command_id="x").seen is None
