"""Looking: games, a match at any version as any viewer one may be, its events and proofs, the lobby."""

import json
from typing import Any

import pytest

from domain.core.sealing import Opening, StoredEvent, envelope, event_digest, header_digest, opens
from service.graphql.plans import Planner
from tests.service.graphql.served import Person, Served, seated, started

BID = {"parley": {"bid": {"amount": 1}}}
FRAME = "first version status seat awaited view { parley { card round } } moment { round phase } seats { seat opened }"
AT = f"""query ($m: ID!, $v: Int!, $as: ViewerInput) {{ match(id: $m) {{ ... on Match {{
    at(version: $v, as: $as) {{ __typename ... on Frame {{ {FRAME} }} ... on Refused {{ code }} }} }} }} }}"""
PROOF = """query ($m: ID!) { match(id: $m) { ... on Match { version at(version: 1) { __typename }
    events(first: 500) { version commit time type json proof { shape publicJson hidden digest
        openings { place path value salt } } } } } }"""


async def test_the_games_say_what_their_options_mean(served: Served) -> None:
    games = await served.stranger().ask(
        """{ games { name key title rules maturity seats rulebook { number title origin }
            options { name type default allowed minimum maximum description rule origin } } }"""
    )
    parley = next(game for game in games["games"] if game["name"] == "parley")
    assert parley["seats"] == [3, 4]
    assert parley["maturity"] == "ALPHA"
    assert parley["rulebook"][0] == {
        "number": "R1",
        "title": "Everybody is dealt one card a round",
        "origin": "OWN",
    }
    assert parley["options"] == [
        {
            "name": "rounds",
            "type": "integer",
            "default": 2,
            "allowed": None,
            "minimum": 1,
            "maximum": 2,
            "description": "How many rounds",
            "rule": "R1",
            "origin": None,
        }
    ]
    toscana = next(game for game in games["games"] if game["name"] == "toscana")
    contact = next(option for option in toscana["options"] if option["name"] == "contact")
    assert contact["allowed"] == ["own_colour", "any_colour"]


async def test_a_match_at_any_version_as_the_viewer_saw_it_then(served: Served) -> None:
    match, people = await started(served)
    before = (await people[0].ask(AT, m=match, v=4))["match"]["at"]
    assert (before["version"], before["status"], before["view"], before["moment"]) == (4, "SEATING", None, None)
    now = (await people[0].ask("query ($m: ID!) { match(id: $m) { ... on Match { version } } }", m=match))["match"]
    inside = (await people[0].ask(AT, m=match, v=now["version"] - 1))["match"]["at"]
    assert inside["version"] == 4, "inside a commit one stands at the commit end before it"
    after = (await people[0].ask(AT, m=match, v=now["version"]))["match"]["at"]
    assert after["view"]["parley"]["card"] is not None
    assert after["seats"][1]["opened"] == now["version"]


@pytest.mark.parametrize(
    ("viewer", "says"),
    [
        ({"gallery": "YES"}, "Frame"),
        ({"seat": 0}, "Frame"),
        ({"seat": 1}, "not_your_seat"),
        ({"seat": 9}, "no_such_viewer"),
        ({"seat": -1}, "no_such_viewer"),
        ({"seat": -2}, "no_such_viewer"),
    ],
)
async def test_one_may_look_as_oneself_and_as_the_gallery(served: Served, viewer: Any, says: str) -> None:
    match, people = await started(served)
    found = (await people[0].ask(AT, m=match, v=5, **{"as": viewer}))["match"]["at"]
    assert says in (found["__typename"], found.get("code"))
    query = "query ($m: ID!, $as: ViewerInput) { match(id: $m) { ... on Match { view(as: $as) { parley { card } } } } }"
    answer = (await people[0].post(query, m=match, **{"as": viewer})).json()
    if says == "Frame":
        card = answer["data"]["match"]["view"]["parley"]["card"]
        assert (card is None) == ("gallery" in viewer)
    else:
        assert answer["errors"][0]["extensions"]["code"] == says


async def test_after_the_end_everybody_may_look_as_anybody(served: Served) -> None:
    match, people = await started(served)
    version = (await people[0].do("act", match=match, command=BID))["version"]
    for person in people:
        await person.do("cancel", match=match)
    found = (await served.stranger().ask(AT, m=match, v=version, **{"as": {"seat": 1}}))["match"]["at"]
    assert found["view"]["parley"]["card"] is not None
    query = "query ($m: ID!) { match(id: $m) { ... on Match { seed seedCommitment cause outcome { cause } opener } } }"
    over = (await served.stranger().ask(query, m=match))["match"]
    assert (over["cause"], over["outcome"], over["opener"]) == ("cancelled", None, people[0].account)
    assert len(over["seed"]) == 64


async def test_events_come_in_pages_without_a_hole(served: Served) -> None:
    match, people = await started(served)
    await people[0].do("act", match=match, command=BID)
    query = """query ($m: ID!, $a: Int!) { match(id: $m) { ... on Match { version
        events(after: $a, first: 3) { version type } } } }"""
    seen: list[int] = []
    while True:
        found = (await people[0].ask(query, m=match, a=len(seen)))["match"]
        if not found["events"]:
            break
        seen += [event["version"] for event in found["events"]]
    assert seen == list(range(1, found["version"] + 1))
    for arguments, code in (
        ("after: 999", "no_such_version"),
        ("after: -1", "no_such_version"),
        ("first: 0", "bad_page"),
    ):
        text = f'{{ match(id: "{match}") {{ ... on Match {{ events({arguments}) {{ version }} }} }} }}'
        assert (await people[0].post(text)).json()["errors"][0]["extensions"]["code"] == code


async def test_what_a_client_selects_is_enough_to_check_the_chain(served: Served) -> None:
    match, people = await started(served)
    await people[0].do("act", match=match, command=BID)
    async with people[0].socket() as line:
        await line.subscribe(
            """subscription ($m: ID!) { watch(match: $m, after: 0) { ... on Frame {
                commits { number first last headerJson previous head openings { place path value salt } }
                events { version commit time type json proof { shape publicJson hidden digest
                    openings { place path value salt } } } } } }""",
            m=match,
        )
        frame = await line.next()
    events = {event["version"]: event for event in frame["events"]}
    opened = 0
    for commit in frame["commits"]:
        head = header_digest(bytes.fromhex(commit["previous"]), commit["headerJson"].encode())
        for version in range(commit["first"], commit["last"] + 1):
            event = events[version]
            proof = event["proof"]
            stored = StoredEvent(
                version,
                event["type"],
                proof["shape"],
                b"",
                proof["publicJson"].encode(),
                tuple(proof["hidden"]),
                b"",
            )
            head = event_digest(head, envelope(match, event["commit"], event["time"], stored))
            assert head.hex() == proof["digest"]
            for opening in proof["openings"]:
                place = json.loads(events[int(opening["place"][1:])]["proof"]["publicJson"])
                assert opens(match, Opening(**opening), place[opening["path"][1:]])
                assert json.loads(event["json"])[opening["path"][1:]] == json.loads(opening["value"])
                opened += 1
        assert head.hex() == commit["head"]
    assert opened == 2, "the own card and the own bid"


async def test_the_lobby_lists_filters_and_pages(served: Served) -> None:
    person = await served.person()
    matches = [(await person.do("openMatch", game="parley", seats=3))["match"] for _ in range(3)]
    toscana = (await person.do("openMatch", game="toscana", seats=2))["match"]
    backend = served.desk.backend
    await backend.sequencer.drain()
    await backend.projectors["lobby"].drain()
    query = """query ($f: MatchFilterInput, $n: Int!, $a: String) { matches(filter: $f, first: $n, after: $a) {
        ... on MatchConnection { nodes { id game status seats seated opener version cause } pageInfo
            { hasNextPage endCursor } } ... on Refused { code } } }"""
    first = (await person.ask(query, n=3))["matches"]
    rest = (await person.ask(query, n=3, a=first["pageInfo"]["endCursor"]))["matches"]
    ids = [node["id"] for node in [*first["nodes"], *rest["nodes"]]]
    assert sorted(ids) == sorted([*matches, toscana])
    assert (first["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"]) == (True, False)
    found = (await person.ask(query, n=10, f={"game": "toscana", "status": "seating"}))["matches"]["nodes"]
    assert found == [
        {
            "id": toscana,
            "game": "toscana",
            "status": "SEATING",
            "seats": 2,
            "seated": [None, None],
            "opener": person.account,
            "version": 1,
            "cause": None,
        }
    ]
    mine = await person.ask("{ me { matches(first: 2) { ... on MatchConnection { nodes { id } } } } }")
    assert len(mine["me"]["matches"]["nodes"]) == 2
    for variables, code in (({"n": 0}, "bad_page"), ({"n": 101}, "bad_page"), ({"n": 1, "a": "no"}, "bad_cursor")):
        assert (await person.ask(query, **variables))["matches"]["code"] == code


async def test_one_can_wait_for_one_s_own_writes(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.graphql.lobby.PROJECTED_WITHIN_S", 0.05)
    person = await served.person()
    match = (await person.do("openMatch", game="parley", seats=3))["match"]
    query = """query ($l: AtLeastInput) { matches(atLeast: $l) { ... on MatchConnection { nodes { id } }
        ... on Refused { code message } } }"""
    refused = (await person.ask(query, l={"match": match, "version": 1}))["matches"]
    assert refused["code"] == "not_projected"
    await served.desk.backend.sequencer.drain()
    await served.desk.backend.projectors["lobby"].drain()
    found = (await person.ask(query, l={"match": match, "version": 1}))["matches"]
    assert found == {"nodes": [{"id": match}]}


PLAIN = f"""query ($m: ID!) {{ match(id: $m) {{ ... on Match {{ {FRAME.replace("first", "")} a: awaited
    legal {{ typed {{ parley {{ __typename ... on ParleyBid {{ amount }} }} }} tables {{ rows }}
        json count }} }} }} }}"""
FRAGMENTS = """query ($m: ID!) { match(id: $m) { ... on Match { events { ...e body { ...b } } } } }
    fragment e on Event { version ...t }
    fragment t on Event { type seat }
    fragment b on EventBody { table { ... on Seated { seat account } ... on Opened { options data seats } __typename }
        parley { ... on ParleyCardDealt { seat card } } }"""
DIRECTIVES = """query ($m: ID!) { match(id: $m) { ... on Match {
    seats @include(if: true) { seat @skip(if: true) account } } } }"""
MIXED = """query ($m: ID!) { match(id: $m) { ... on Match { offer { key options { name default } }
    at(version: 4) { ...f } } } }
    fragment f on FrameResult { ... on Frame { seats { seat key } outcome { places } } __typename }"""


@pytest.mark.parametrize("query", [PROOF, PLAIN, FRAGMENTS, DIRECTIVES, MIXED])
async def test_a_compiled_selection_answers_as_the_executor_does(
    served: Served, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, people = await started(served)
    await people[0].do("act", match=match, command=BID)

    async def everybody() -> list[Any]:
        return [await person.ask(query, m=match) for person in (*people, served.stranger())]

    compiled = await everybody()
    used = 0

    def no_plan(*_: object) -> None:
        nonlocal used
        used += 1

    monkeypatch.setattr(Planner, "plan", no_plan)
    assert await everybody() == compiled
    assert used


async def test_a_match_that_is_not_there(served: Served) -> None:
    person: Person = served.stranger()
    query = '{ match(id: "nowhere") { __typename ... on Refused { code rule } } }'
    assert (await person.ask(query))["match"] == {"__typename": "Refused", "code": "no_such_match", "rule": "S3"}
    match, _ = await seated(served)
    assert (await person.ask(f'{{ match(id: "{match}") {{ __typename }} }}'))["match"] == {"__typename": "Match"}
