"""Playing whole matches over REST: the table, the legal list, receipts, records and case files."""

import msgspec
import pytest

from domain.core.record import Record
from infra.signing import verify_receipt
from service.cases import signed_part
from tests.service.desk import SIGNER
from tests.service.rest.served import Rest, play_out, seated, started


@pytest.mark.parametrize(("game", "seats"), [("parley", 3), ("majolica", 2)])
async def test_a_whole_match_is_played_by_the_legal_list_alone(rest: Rest, game: str, seats: int) -> None:
    match, people = await started(rest, game, seats)
    over = await play_out(match, people)
    assert min(over["outcome"]["places"]) == 1
    assert (over["awaited"], over["legal"]) == ([], {"commands": [], "templates": []})
    assert over["seed"]
    record = await rest.stranger().call("GET", f"/matches/{match}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="{match}.podesta"'
    assert msgspec.json.decode(record.content, type=Record).over


async def test_an_accepted_command_brings_its_events_the_view_and_a_receipt(rest: Rest) -> None:
    match, people = await started(rest)
    done = await people[0].done(match, "Bid", amount=1)
    assert done["first"] == done["version"] == done["frame"]["version"]
    assert done["frame"]["events"][0]["event"] == {"type": "BidMade", "seat": 0, "amount": 1}
    assert done["frame"]["view"]["amount"] == 1
    assert verify_receipt(done["receipt"].encode(), SIGNER.public_keys).version == done["version"]


async def test_the_same_id_gets_the_same_answer_by_body_or_header(rest: Rest) -> None:
    match, people = await started(rest)
    first = await people[0].done(match, "Bid", amount=1, command_id="once")
    again = await people[0].call(
        "POST",
        f"/matches/{match}/commands",
        json={"command": {"type": "Bid", "amount": 1}},
        headers={"idempotency-key": "once"},
    )
    assert again.json() == first
    opened = [await people[0].post("/matches", game="parley", seats=3, command_id="open") for _ in range(2)]
    assert opened[0].json()["match"] == opened[1].json()["match"]


async def test_events_come_by_pages_with_proofs_if_wanted(rest: Rest) -> None:
    match, people = await started(rest)
    found, after = [], 0
    while after is not None:
        page = await people[0].get(f"/matches/{match}/events", after=after, first=3)
        assert "commits" not in page
        found += page["events"]
        after = page["next"]
    assert [event["version"] for event in found] == list(range(1, page["version"] + 1))
    proved = await people[0].get(f"/matches/{match}/events", first=500, proofs="true")
    assert [event["version"] for event in proved["events"]] == [event["version"] for event in found]
    assert all(event["proof"]["digest"] for event in proved["events"])
    assert proved["commits"][-1]["last"] == page["version"]
    last = await people[0].get(f"/matches/{match}/events", after=page["version"])
    assert (last["events"], last["next"]) == ([], None)


async def test_replay_stands_at_any_step(rest: Rest) -> None:
    match, people = await started(rest)
    await people[0].done(match, "Bid", amount=1)
    steps = (await people[0].get(f"/matches/{match}/steps", type="BidMade"))["steps"]
    assert [step["seat"] for step in steps] == [0]
    before = await people[0].get(f"/matches/{match}", version=steps[0]["first"] - 1)
    assert (before["view"]["amount"], before["version"]) == (None, steps[0]["first"] - 1)


async def test_a_case_file_is_a_document_or_a_page(rest: Rest) -> None:
    match, people = await started(rest)
    version = (await people[0].done(match, "Bid", amount=1))["version"]
    path = f"/matches/{match}/case/{version}"
    found = await people[0].call("GET", path, params={"command": '{"type":"Bid","amount":9}'})
    assert found.json()["asked"]["legal"] is False
    assert signed_part(found.content)[1] == SIGNER.key_id
    for asked in ({"params": {"format": "html"}}, {"headers": {"accept": "text/html"}}):
        page = await people[0].call("GET", path, **asked)
        assert page.headers["content-type"].startswith("text/html")
    assert (await rest.stranger().call("GET", path)).json()["code"] == "not_your_case"


async def test_disputes_go_the_whole_way(rest: Rest) -> None:
    match, people = await started(rest, dispute_halts=True)
    arbiter = await rest.person("arbiter")
    version = (await people[0].done(match, "Bid", amount=1))["version"]
    await people[1].done(match, "OpenDispute", version=version, reason="That was not one.")
    assert (await people[1].act(match, "Bid", amount=1)).json()["code"] == "halted"
    looked = await arbiter.done(match, "ViewHidden", version=version)
    assert looked["frame"]["events"][-1]["event"]["amount"] == 1
    ruling = {"dispute": 1, "ruling": "upheld", "reason": "It was."}
    assert (await people[2].act(match, "RuleDispute", **ruling)).json()["code"] == "not_arbiter"
    await arbiter.done(match, "RuleDispute", **ruling)
    shown = await rest.stranger().get(f"/matches/{match}")
    assert shown["disputes"][0]["ruling"] == "upheld"
    assert (await people[0].act(match, "AskTakeback", to_version=version - 1)).status_code in (200, 422)


async def test_the_lobby_lists_by_page(rest: Rest) -> None:
    backend = rest.desk.backend
    matches = [(await seated(rest))[0] for _ in range(3)]
    while await backend.sequencer.step():
        pass
    for projector in backend.projectors.values():
        while await projector.step():
            pass
    first = await rest.stranger().get("/matches", first=2, game="parley", status="seating")
    rest_of = await rest.stranger().get("/matches", first=2, after=first["cursor"])
    assert sorted(row["match"] for row in first["matches"] + rest_of["matches"]) == sorted(matches)
    assert rest_of["cursor"] is None


async def test_a_guest_is_made_speaks_and_is_erased(rest: Rest) -> None:
    made = await rest.stranger().call("POST", "/guests", json={"name": "Ada"})
    assert made.status_code == 201
    guest = rest.stranger()
    guest.token = made.json()["token"]
    assert (await guest.get("/me"))["name"] == "Ada"
    assert (await guest.call("DELETE", "/me")).json() == {"erased": True}
    assert (await guest.call("GET", "/me")).status_code == 401
    other = await rest.person()
    assert (await other.call("DELETE", "/token")).json() == {"revoked": True}
    assert (await other.call("DELETE", "/token")).status_code == 401


async def test_the_games_say_how_they_are_opened(rest: Rest) -> None:
    games = {game["name"]: game for game in await rest.stranger().get("/games")}
    assert games["parley"]["options"][0]["name"] == "rounds"
    assert len(games) >= 5
