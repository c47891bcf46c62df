"""Replay, proof and dispute through GraphQL: steps, changes, reruns, takebacks, rulings, forks, records, cases."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.canonical import canonical
from domain.core.sealing import signed_message
from domain.core.table import LeaveSeat
from service.verifying.check import Trust, check
from service.verifying.findings import Level
from tests.service.desk import SIGNER
from tests.service.graphql.served import Person, Served, started
from tests.support.match import CODECS

BID = {"parley": {"bid": {"amount": 1}}}
BOAST = {"parley": {"boast": {"words": ["gold"]}}}
PLACE = "query ($m: ID!) { match(id: $m) { ... on Match { version seat disputes { number halts ruling } } } }"
STEPS = """query ($m: ID!, $type: String, $seat: Int, $back: Boolean!, $after: Int!) { match(id: $m) { ... on Match {
    steps(type: $type, seat: $seat, backwards: $back, after: $after, first: 3) { version seat types moment { phase } }
} } }"""
CHANGES = """query ($m: ID!, $a: Int!, $b: Int!) { match(id: $m) { ... on Match {
    changes(fromVersion: $a, toVersion: $b) { __typename ... on ChangeList { changes { path before after } }
    ... on Refused { code } } } } }"""
RECORD = """query ($m: ID!, $as: ViewerInput) { match(id: $m) { ... on Match {
    record(as: $as) { __typename ... on RecordFile { text } ... on Refused { code } } } } }"""
CASE = """query ($m: ID!, $v: Int!, $c: String) { match(id: $m) { ... on Match {
    case(version: $v, command: $c) { __typename ... on CaseFile { json html verdict } ... on Refused { code } } } } }"""
WATCH = """subscription ($m: ID!, $after: Int, $speed: Float) { watch(match: $m, after: $after, speed: $speed) {
    __typename ... on Frame { first version events { version } } ... on StreamEnded { reason version }
    ... on Refused { code } } }"""


async def version(person: Person, match: str) -> int:
    return (await person.ask(PLACE, m=match))["match"]["version"]


async def arbiter(served: Served) -> Person:
    account = await served.desk.backend.accounts.create("judge", guest=False, roles=["arbiter"])
    return Person(served.url, account.id, await served.desk.backend.accounts.issue(account.id))


async def ended(people: list[Person], match: str) -> None:
    for person in people:
        await person.do("cancel", match=match)


async def test_a_dispute_is_opened_looked_into_and_ruled(served: Served) -> None:
    match, people = await started(served)
    judge = await arbiter(served)
    begun = await version(people[0], match)
    bid = await people[1].do("act", match=match, command=BID)
    opened = await people[1].do("openDispute", match=match, version=bid["version"], reason="I meant 2")
    assert opened["__typename"] == "Accepted", opened
    looked = await judge.do("viewHidden", "frame { version events { type json } }", match=match, version=bid["version"])
    assert looked["__typename"] == "Accepted", looked
    seen = [json.loads(e["json"]) for e in looked["frame"]["events"] if e["type"] == "BidMade"]
    assert seen == [{"type": "BidMade", "seat": 1, "amount": 1}]
    refused = await people[0].do("viewHidden", match=match, version=bid["version"])
    assert refused["code"] == "not_arbiter"
    case = (await judge.ask(CASE, m=match, v=bid["version"], c='{"type":"Bid","amount":9}'))["match"]["case"]
    assert json.loads(case["json"])["asked"]["rule"] == "R2"
    assert case["verdict"].startswith("Decided again")
    assert (await people[0].ask(CASE, m=match, v=bid["version"]))["match"]["case"]["code"] == "not_your_case"
    ruled = await judge.do(
        "ruleDispute", match=match, dispute=1, ruling="ROLLED_BACK", reason="a slip", toVersion=begun
    )
    assert ruled["__typename"] == "Accepted", ruled
    place = (await people[1].ask(PLACE, m=match))["match"]
    assert place["disputes"] == [{"number": 1, "halts": False, "ruling": "ROLLED_BACK"}]
    again = await people[1].do("act", match=match, command={"parley": {"bid": {"amount": 2}}})
    assert again["__typename"] == "Accepted"


@pytest.mark.parametrize(
    ("field", "arguments", "code"),
    [
        ("openDispute", {"version": 10**6, "reason": "x"}, "no_such_version"),
        ("openDispute", {"version": 1, "reason": ""}, "bad_command"),
        ("openDispute", {"version": 1, "reason": "x" * 501}, "bad_command"),
        ("ruleDispute", {"dispute": 1, "ruling": "UPHELD", "reason": "x"}, "not_arbiter"),
        ("askTakeback", {"toVersion": -1}, "bad_rollback"),
    ],
)
async def test_what_is_wrong_is_said(served: Served, field: str, arguments: dict[str, object], code: str) -> None:
    match, people = await started(served)
    assert (await people[0].do(field, match=match, **arguments))["code"] == code


async def test_a_takeback_by_consent(served: Served) -> None:
    match, people = await started(served)
    begun = await version(people[0], match)
    await people[0].do("act", match=match, command=BID)
    for person in people:
        answer = await person.do("askTakeback", match=match, toVersion=begun)
        assert answer["__typename"] == "Accepted", answer
    assert (await people[0].do("act", match=match, command=BID))["__typename"] == "Accepted"


async def test_replay_goes_to_steps_and_shows_what_changed(served: Served) -> None:
    match, people = await started(served)
    begun = await version(people[0], match)
    for person in people:
        await person.do("act", match=match, command=BID)
    steps = (await people[0].ask(STEPS, m=match, type="BidMade", back=False, after=0))["match"]["steps"]
    assert [step["seat"] for step in steps] == [0, 1, 2]
    back = (await people[0].ask(STEPS, m=match, seat=1, back=True, after=10**6))["match"]["steps"]
    assert back[0]["version"] == steps[1]["version"]
    found = await people[0].ask(CHANGES, m=match, a=begun, b=steps[0]["version"])
    assert found["match"]["changes"]["changes"] == [
        {"path": "/done/0", "before": "0", "after": "1"},
        {"path": "/amount", "before": "null", "after": "1"},
    ]
    bad = await people[0].ask(CHANGES, m=match, a=begun, b=10**6)
    assert bad["match"]["changes"]["code"] == "no_such_version"


async def test_a_finished_match_is_watched_again_forked_recorded_and_proved(served: Served) -> None:
    match, people = await started(served)
    bid = await people[0].do("act", match=match, command=BID)
    async with people[0].socket() as line:
        await line.subscribe(WATCH, m=match, after=0, speed=100)
        assert (await line.next())["code"] == "not_over"
    await ended(people, match)
    last = await version(people[0], match)
    async with served.stranger().socket() as line:
        await line.subscribe(WATCH, m=match, after=0, speed=10000)
        versions = []
        while (item := await line.next())["__typename"] == "Frame":
            versions += [event["version"] for event in item["events"]]
    assert versions == list(range(1, last + 1))
    assert item == {"__typename": "StreamEnded", "reason": "OVER", "version": last}
    fork = {"match": match, "version": bid["version"]}
    forked = await people[2].do("openMatch", game="parley", seats=3, fork=fork)
    assert forked["__typename"] == "Accepted", forked
    refused = await people[2].do("openMatch", game="parley", seats=3, fork={"match": match, "version": 1})
    assert refused["code"] == "no_such_version"
    text = (await served.stranger().ask(RECORD, m=match))["match"]["record"]["text"]
    report = check(text.encode(), CODECS, Trust(SIGNER.public_keys))
    assert report.finding is None, report.finding
    assert report.level is Level.FULL


async def test_a_record_of_a_running_match_holds_what_its_holder_may_know(served: Served) -> None:
    match, people = await started(served)
    await people[1].do("act", match=match, command=BID)
    own = (await people[1].ask(RECORD, m=match))["match"]["record"]["text"]
    gallery = (await people[1].ask(RECORD, m=match, **{"as": {"gallery": "YES"}}))["match"]["record"]["text"]
    reports = [check(text.encode(), CODECS, Trust(SIGNER.public_keys)) for text in (own, gallery)]
    assert [report.finding for report in reports] == [None, None]
    assert reports[1].closed == reports[0].closed + 3, "a card, a bid, and the bid in the command"
    other = (await people[0].ask(RECORD, m=match, **{"as": {"seat": 1}}))["match"]["record"]
    assert other["code"] == "not_your_seat"


async def test_a_seat_that_signs_everything_is_not_spoken_for(served: Served) -> None:
    key = Ed25519PrivateKey.generate()
    person = await served.person()
    match = (await person.do("openMatch", game="parley", seats=3))["match"]
    refused = await person.do("joinMatch", match=match, signedOnly=True)
    assert refused["code"] == "no_key"
    public = key.public_key().public_bytes_raw().hex()
    joined = await person.do("joinMatch", match=match, signedOnly=True, key=public)
    assert joined["__typename"] == "Accepted"
    assert (await person.do("leaveMatch", match=match))["code"] == "signature_required"
    assert (await person.do("leaveMatch", match=match, signature="zz"))["code"] == "bad_signature"
    message = signed_message(match, 0, "mine", None, canonical(LeaveSeat()))
    left = await person.do("leaveMatch", match=match, commandId="mine", signature=key.sign(message).hex())
    assert left["__typename"] == "Accepted", left


async def test_an_erased_account_is_gone_and_what_it_played_still_verifies(served: Served) -> None:
    match, people = await started(served)
    await people[0].do("act", match=match, command=BID)
    answer = await people[0].ask("mutation { eraseAccount { __typename ... on AccountErased { erased } } }")
    assert answer["eraseAccount"]["erased"] is True
    assert (await people[0].do("act", match=match, command=BOAST))["code"] == "unauthenticated"
    text = (await served.stranger().ask(RECORD, m=match))["match"]["record"]["text"]
    assert check(text.encode(), CODECS, Trust(SIGNER.public_keys)).finding is None
    gone = await served.stranger().ask("mutation { eraseAccount { __typename ... on Refused { code } } }")
    assert gone["eraseAccount"]["code"] == "unauthenticated"
