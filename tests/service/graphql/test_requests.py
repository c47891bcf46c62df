"""Playing over HTTP: accounts, the table, commands typed and as JSON, refusals as data."""

import hashlib
import json

import pytest

from tests.service.graphql.served import Served, seated, started

BID = {"parley": {"bid": {"amount": 1}}}
LEGAL = """query ($m: ID!) { match(id: $m) { ... on Match { legal { count json tables { command fields rows }
    templates { base field items atLeast atMost distinct }
    typed { parley { __typename ... on ParleyBid { amount } } } } } } }"""


async def test_a_guest_account_is_made_with_one_call_and_speaks_by_its_token(served: Served) -> None:
    made = await served.stranger().ask(
        'mutation { createGuest(name: "Ada") { ... on Guest { token account { id name guest roles } } } }'
    )
    guest = made["createGuest"]
    assert guest["account"]["name"] == "Ada"
    assert guest["account"]["guest"] is True
    someone = served.stranger()
    assert await someone.ask("{ me { id } }") == {"me": None}
    someone.token = guest["token"]
    assert await someone.ask("{ me { id } }") == {"me": {"id": guest["account"]["id"]}}


async def test_a_name_has_a_length(served: Served) -> None:
    query = "mutation ($n: String) { createGuest(name: $n) { __typename ... on Refused { code } } }"
    for name in ("", "   ", "x" * 41):
        answer = await served.stranger().ask(query, n=name)
        assert answer["createGuest"] == {"__typename": "Refused", "code": "bad_name"}


async def test_a_revoked_token_is_of_no_use(served: Served) -> None:
    person = await served.person()
    revoke = "mutation { revokeToken { ... on TokenRevoked { revoked } ... on Refused { code } } }"
    assert await person.ask(revoke) == {"revokeToken": {"revoked": True}}
    assert await person.ask("{ me { id } }") == {"me": None}
    assert (await person.do("openMatch", game="parley", seats=3))["code"] == "unauthenticated"
    assert await served.stranger().ask(revoke) == {"revokeToken": {"code": "unauthenticated"}}


async def test_a_typed_command_and_the_same_as_json_are_one_command(served: Served) -> None:
    match, people = await started(served)
    moves = (await people[0].ask(LEGAL, m=match))["match"]["legal"]
    assert moves["tables"] == [{"command": "Bid", "fields": ["amount"], "rows": ["[0]", "[1]", "[2]"]}]
    assert moves["json"][1] == '{"amount":1,"type":"Bid"}'
    assert moves["typed"]["parley"][1] == {"__typename": "ParleyBid", "amount": 1}
    assert moves["count"] == 3
    first = await people[0].do("act", match=match, command=BID)
    second = await people[1].do("act", match=match, command={"json": moves["json"][1]})
    assert (first["__typename"], second["__typename"]) == ("Accepted", "Accepted")
    assert second["version"] == first["version"] + 1


async def test_what_cannot_be_listed_is_described_by_a_template(served: Served) -> None:
    match, people = await started(served)
    await people[0].do("act", match=match, command=BID)
    moves = (await people[0].ask(LEGAL, m=match))["match"]["legal"]
    (template,) = moves["templates"]
    assert template["field"] == "words"
    assert (template["atLeast"], template["atMost"], template["distinct"]) == (1, 2, True)
    command = {**json.loads(template["base"]), "words": [json.loads(template["items"][0])]}
    answer = await people[0].do("act", match=match, command={"json": json.dumps(command)})
    assert answer["__typename"] == "Accepted"


async def test_an_answer_shows_its_events_view_and_receipt(served: Served) -> None:
    match, people = await started(served)
    answer = await people[0].do(
        "act",
        """version receipt frame { first version view { parley { amount done } }
            events { version type seat json
                body { table { __typename } parley { ... on ParleyBidMade { seat amount } } } } }""",
        match=match,
        command=BID,
    )
    (event,) = answer["frame"]["events"]
    assert event["body"] == {"table": None, "parley": {"seat": 0, "amount": 1}}
    assert json.loads(event["json"]) == {"type": "BidMade", "seat": 0, "amount": 1}
    assert (event["version"], event["seat"]) == (answer["version"], 0)
    assert answer["frame"]["view"]["parley"] == {"amount": 1, "done": [1, 0, 0]}
    receipt = json.loads(answer["receipt"])
    assert (receipt["match"], receipt["version"]) == (match, answer["version"])


async def test_the_same_command_id_gets_the_same_answer_and_another_command_a_refusal(served: Served) -> None:
    match, people = await started(served)
    first = await people[0].do("act", "version receipt", match=match, command=BID, commandId="once")
    again = await people[0].do("act", "version receipt", match=match, command=BID, commandId="once")
    assert again == first
    other = await people[0].do("act", match=match, command={"parley": {"bid": {"amount": 2}}}, commandId="once")
    assert other["code"] == "command_id_used"


async def test_a_refusal_cites_its_rule_and_says_what_is_legal(served: Served) -> None:
    match, people = await started(served)
    query = """mutation ($m: ID!, $c: CommandInput!) { act(match: $m, commandId: "r", command: $c) {
        ... on Refused { code rule title message hint receipt legal { json } } } }"""
    answer = await people[0].ask(query, m=match, c={"parley": {"bid": {"amount": 9}}})
    refused = answer["act"]
    assert refused["rule"] == "R2"
    assert json.loads(refused["receipt"])["code"] == refused["code"]
    assert refused["title"] == "Bids of 0 to 2 are secret until all have bid and boasted"
    assert refused["legal"]["json"] == [f'{{"amount":{n},"type":"Bid"}}' for n in range(3)]


async def test_a_stale_command_gets_the_fresh_position(served: Served) -> None:
    match, people = await started(served)
    accepted = await people[0].do("act", match=match, command=BID)
    stale = await people[0].do(
        "act", match=match, command={"parley": {"boast": {"words": []}}}, version=accepted["first"] - 1
    )
    assert (stale["__typename"], stale["code"], stale["rule"]) == ("StaleVersion", "stale", "T7")
    assert stale["frame"]["version"] == accepted["version"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"json": "{"}, "bad_command"),
        ({"json": "[1]"}, "bad_command"),
        ({"json": '{"type":"Unheard"}'}, "bad_command"),
        ({"json": '{"type":"Bid","amount":1,"more":2}'}, "bad_command"),
        ({"json": '{"type":"Resign"}'}, "bad_command"),
        ({"toscana": {"decideVeto": {"tile": "C01", "decision": "WAIVE"}}}, "wrong_game"),
    ],
)
async def test_what_is_no_command_of_the_game_is_refused(served: Served, command: object, code: str) -> None:
    match, people = await started(served)
    assert (await people[0].do("act", match=match, command=command))["code"] == code


async def test_refusals_of_the_table_are_data_too(served: Served) -> None:
    match, people = await seated(served)
    for field, arguments, code in (
        ("joinMatch", {}, "already_seated"),
        ("joinMatch", {"key": "nonsense"}, "bad_command"),
        ("revealEntropy", {"entropy": "nonsense"}, "bad_command"),
        ("revealEntropy", {"entropy": "00" * 32}, "no_commitment"),
        ("act", {"command": BID}, "wrong_phase"),
        ("act", {"command": BID, "signature": "nonsense"}, "bad_signature"),
        ("resign", {}, "wrong_phase"),
        ("startMatch", {"match": "nowhere"}, "no_such_match"),
        ("startMatch", {"commandId": "not an id"}, "bad_command_id"),
    ):
        assert (await people[0].do(field, **{"match": match, **arguments}))["code"] == code, field
    for arguments, code in (
        ({"game": "chess", "seats": 2}, "no_such_game"),
        ({"game": "parley", "seats": 9}, "bad_seats"),
        ({"game": "parley", "seats": 3, "options": {"rounds": 9}}, "bad_options"),
        ({"game": "parley", "seats": 3, "options": 7}, "bad_options"),
    ):
        assert (await people[0].do("openMatch", **arguments))["code"] == code
    assert (await served.stranger().do("act", match=match, command=BID))["code"] == "unauthenticated"
    assert (await served.stranger().do("startMatch", match=match))["code"] == "unauthenticated"


async def test_entropy_is_committed_revealed_and_shown(served: Served) -> None:
    people = [await served.person(f"p{i}") for i in range(3)]
    match = (await people[0].do("openMatch", game="parley", seats=3))["match"]
    entropy = "ab" * 32
    commitment = hashlib.sha256(bytes.fromhex(entropy)).hexdigest()
    await people[0].do("joinMatch", match=match, entropyCommitment=commitment)
    for person in people[1:]:
        await person.do("joinMatch", match=match)
    await people[0].do("revealEntropy", match=match, entropy=entropy)
    query = "query ($m: ID!) { match(id: $m) { ... on Match { seats { seat account entropyCommitment entropy } } } }"
    seats = (await people[1].ask(query, m=match))["match"]["seats"]
    assert seats[0] == {
        "seat": 0,
        "account": people[0].account,
        "entropyCommitment": commitment,
        "entropy": entropy,
    }
    assert seats[1]["entropyCommitment"] is None


async def test_leaving_resigning_and_ending_by_agreement(served: Served) -> None:
    match, people = await seated(served)
    await people[2].do("leaveMatch", match=match)
    await people[2].do("joinMatch", match=match)
    await people[0].do("startMatch", match=match)
    await people[2].do("resign", match=match)
    await people[0].do("offerEnd", match=match)
    last = await people[1].do(
        "offerEnd", "version frame { status outcome { places cause } seats { resigned } }", match=match
    )
    assert last["frame"]["status"] == "OVER"
    assert last["frame"]["outcome"] == {"places": [1, 1, 3], "cause": "agreed"}
    assert [seat["resigned"] for seat in last["frame"]["seats"]] == [False, False, True]


@pytest.mark.parametrize(
    "command",
    ['{"type":"Bid","amount":9007199254740993}', '{"type":"Bid","amount":1e999}', "[" * 5000, '{"type":"Bid"'],
)
async def test_json_without_an_exact_form_is_no_command(served: Served, command: str) -> None:
    match, people = await started(served)
    answer = await people[0].do("act", match=match, command={"json": command})
    assert answer["code"] == "bad_command"


@pytest.mark.parametrize("value", [1.0, 1.5, 2**60, "x", None])
async def test_an_option_without_an_exact_form_is_refused(served: Served, value: object) -> None:
    person = await served.person()
    answer = await person.do("openMatch", game="parley", seats=3, options={"rounds": value})
    assert answer["code"] == "bad_options"
