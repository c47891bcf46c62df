"""What is asked wrongly: a problem document with the code, the rule and the right status, never an error of ours."""

from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.graphql.limits import Limits
from service.rest.problems import STATUSES, status_of
from tests.service.desk import Desk
from tests.service.rest.served import Person, Rest, seated, started
from tests.test_tidy import documented

HUGE = "9" * 400
BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "bad UTF-8": b'{"command":{"type":"Bid\xff"},"command_id":"a"}',
    "a lone surrogate": b'{"command":{"type":"\\ud800"},"command_id":"a"}',
    "nested deeply": b'{"command":' + b'{"a":' * 9000 + b"1" + b"}" * 9001,
    "nested": b'{"command_id":"a","command":{"type":"Bid","amount":' + b"[" * 40 + b"]" * 40 + b"}}",
    "a huge number": b'{"command_id":"a","command":{"type":"Bid","amount":' + HUGE.encode() + b"}}",
    "beyond 2^53": b'{"command_id":"a","command":{"type":"Bid","amount":9007199254740993}}',
    "a float": b'{"command_id":"a","command":{"type":"Bid","amount":1.5}}',
    "beyond a float": b'{"command_id":"a","command":{"type":"Bid","amount":1e999}}',
    "a text for a number": b'{"command_id":"a","command":{"type":"Bid","amount":"1"}}',
    "no type": b'{"command_id":"a","command":{}}',
    "a type that is none": b'{"command_id":"a","command":{"type":7}}',
    "a list as type": b'{"command_id":"a","command":{"type":["Bid"]}}',
    "an unknown type": b'{"command_id":"a","command":{"type":"Cheat"}}',
    "an event's type": b'{"command_id":"a","command":{"type":"BidMade","seat":0,"amount":1}}',
    "an unknown field": b'{"command_id":"a","command":{"type":"Bid","amount":1,"x":1}}',
    "an unknown field beside": b'{"command_id":"a","command":{"type":"Bid","amount":1},"arbiter":true}',
    "no id": b'{"command":{"type":"Bid","amount":1}}',
    "a bad id": b'{"command_id":"a b","command":{"type":"Bid","amount":1}}',
    "an empty id": b'{"command_id":"","command":{"type":"Bid","amount":1}}',
    "a number as id": b'{"command_id":7,"command":{"type":"Bid","amount":1}}',
    "a version that is none": b'{"command_id":"a","version":"1","command":{"type":"Bid","amount":1}}',
    "a NUL": b'{"command_id":"a","command":{"type":"OpenDispute","version":5,"reason":"\\u0000"}}',
    "no reason": b'{"command_id":"a","command":{"type":"OpenDispute","version":5,"reason":""}}',
    "a key that is none": b'{"command_id":"a","command":{"type":"TakeSeat","key":"zz"}}',
    "a key beyond ASCII": '{"command_id":"a","command":{"type":"Bid","ämount":1}}'.encode(),
}


@pytest.mark.parametrize("name", BODIES)
async def test_an_odd_body_is_refused_for_its_form(rest: Rest, name: str) -> None:
    match, people = await started(rest)
    before = await people[0].get(f"/matches/{match}")
    answer = await people[0].call("POST", f"/matches/{match}/commands", content=BODIES[name])
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] in {"bad_request", "bad_command", "bad_command_id"}
    assert answer.json()["rule"] == "S1"
    assert await people[0].get(f"/matches/{match}") == before


OPENINGS: list[tuple[dict[str, Any], int, str]] = [
    ({"game": "chess", "seats": 2}, 422, "no_such_game"),
    ({"game": "parley", "seats": 77}, 422, "bad_seats"),
    ({"game": "parley", "seats": -(2**52)}, 422, "bad_seats"),
    ({"game": "parley", "seats": "3"}, 400, "bad_request"),
    ({"game": "parley", "seats": 3, "options": {"rounds": 9}}, 422, "bad_options"),
    ({"game": "parley", "seats": 3, "options": {"x": 9}}, 422, "bad_options"),
    ({"game": "parley", "seats": 3, "options": {"rounds": 1.0}}, 400, "bad_request"),
    ({"game": "parley", "seats": 3, "options": []}, 400, "bad_request"),
    ({"game": "parley", "seats": 3, "fork": {"match": "\x01", "version": 1}}, 404, "no_such_match"),
    ({"game": "parley", "seats": 3, "fork": {"match": "ab", "version": 1}}, 404, "no_such_match"),
    ({"game": "x" * 20000, "seats": 3}, 400, "bad_request"),
]


@pytest.mark.parametrize(("body", "status", "code"), OPENINGS)
async def test_an_opening_is_refused_by_form_or_rule(rest: Rest, body: Any, status: int, code: str) -> None:
    answer = await (await rest.person()).post("/matches", **body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


PATHS = [
    ("/matches/nowhere", 404, "no_such_match"),
    ("/matches/abc123", 404, "no_such_match"),
    ("/matches/%00", 404, "no_such_match"),
    ("/matches/%ff%fe", 404, "no_such_match"),
    ("/matches/{m}?version=0", 404, "no_such_version"),
    ("/matches/{m}?version=-5", 404, "no_such_version"),
    ("/matches/{m}?version=999999999999999", 404, "no_such_version"),
    (f"/matches/{{m}}?version={HUGE}", 400, "bad_request"),
    ("/matches/{m}?version=x", 400, "bad_request"),
    ("/matches/{m}?version=%D9%A1", 400, "bad_request"),
    ("/matches/{m}?version=1&version=2", 400, "bad_request"),
    ("/matches/{m}?versoin=1", 400, "bad_request"),
    ("/matches/{m}?as=1", 403, "not_your_seat"),
    ("/matches/{m}?as=-1", 404, "no_such_viewer"),
    ("/matches/{m}?as=99", 404, "no_such_viewer"),
    ("/matches/{m}?as=arbiter", 400, "bad_request"),
    ("/matches/{m}/record?as=1", 403, "not_your_seat"),
    ("/matches/{m}/events?as=1", 403, "not_your_seat"),
    ("/matches/{m}/events?after=9999", 404, "no_such_version"),
    ("/matches/{m}/events?first=0", 400, "bad_page"),
    ("/matches/{m}/events?first=501", 400, "bad_page"),
    ("/matches/{m}/events?proofs=1", 400, "bad_request"),
    ("/matches/{m}/steps?first=-1", 400, "bad_page"),
    ("/matches/{m}/case/1", 404, "no_such_version"),
    ("/matches/{m}/case/x", 400, "bad_request"),
    ("/matches/{m}/case/{v}?format=pdf", 400, "bad_request"),
    ("/matches/{m}/case/{v}?command=%7B", 400, "bad_command"),
    ("/matches/{m}/case/{v}?command=[1e400]", 400, "bad_command"),
    ("/matches/{m}/case/{v}?command=" + "[" * 3000, 400, "bad_command"),
    ("/matches?first=101", 400, "bad_page"),
    ("/matches?after=zz", 400, "bad_cursor"),
    ("/matches?after=%00", 400, "bad_request"),
    ("/matches?status=won", 400, "bad_request"),
    ("/matches?game=%00", 400, "bad_request"),
    (f"/matches?account={'x' * 17000}", 400, "bad_request"),
]


@pytest.mark.parametrize(("path", "status", "code"), PATHS)
async def test_what_cannot_be_looked_at_is_refused(rest: Rest, path: str, status: int, code: str) -> None:
    match, people = await started(rest)
    version = (await people[0].get(f"/matches/{match}"))["version"]
    answer = await people[0].call("GET", path.replace("{m}", match).replace("{v}", str(version)))
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_whoever_must_say_who_they_are_is_told(rest: Rest) -> None:
    match, _ = await seated(rest)
    liar = Person(rest, "", "no-such-token")
    for person, method, path in (
        (rest.stranger(), "POST", "/matches"),
        (rest.stranger(), "POST", f"/matches/{match}/commands"),
        (rest.stranger(), "DELETE", "/me"),
        (rest.stranger(), "DELETE", "/token"),
        (liar, "GET", f"/matches/{match}"),
        (liar, "POST", "/matches"),
    ):
        answer = await person.call(method, path)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_command_out_of_its_time_or_place_is_a_conflict_or_forbidden(rest: Rest) -> None:
    match, people = await seated(rest)
    outsider = await rest.person()
    assert await told(people[0].act(match, "TakeSeat")) == (409, "already_seated")
    assert await told(outsider.act(match, "TakeSeat")) == (409, "table_full")
    assert await told(outsider.act(match, "CancelMatch")) == (403, "not_opener")
    assert await told(people[0].act(match, "Bid", amount=1)) == (409, "wrong_phase")
    await people[0].done(match, "StartMatch")
    assert await told(outsider.act(match, "Bid", amount=1)) == (403, "not_seated")
    done = await people[0].done(match, "Bid", amount=1, command_id="once")
    assert await told(people[0].act(match, "Bid", amount=2, command_id="once")) == (409, "command_id_used")
    assert await told(people[0].act(match, "PickPrize", prize=1)) == (409, "wrong_phase")
    assert await told(people[1].act(match, "Bid", amount=1, signature="00" * 64)) == (403, "no_key")
    assert await told(people[1].act(match, "Bid", amount=1, signature="zz")) == (403, "bad_signature")
    assert await told(people[1].act(match, "AskTakeback", to_version=2**50)) == (422, "bad_rollback")
    assert await told(people[1].act(match, "ViewHidden", version=1)) == (403, "not_arbiter")
    assert await told(people[1].act(match, "OpenMatch", game="parley", seats=2)) == (409, "wrong_phase")
    stale = await people[0].act(match, "Boast", words=[], version=done["first"] - 1)
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["frame"]["version"] == done["version"]
    for person in people:
        await person.done(match, "OfferEnd")
    assert await told(people[0].act(match, "Boast", words=[])) == (409, "match_over")


async def told(answer: Any) -> tuple[int, str]:
    answer = await answer
    return answer.status_code, answer.json()["code"]


async def test_the_rules_refuse_as_data_with_rule_receipt_and_what_is_legal(rest: Rest) -> None:
    match, people = await started(rest)
    answer = await people[0].act(match, "Bid", amount=9)
    found = answer.json()
    assert answer.status_code == 422
    assert (found["rule"], found["type"]) == ("R2", f"urn:podesta:refusal:{found['code']}")
    assert found["title"] == "Bids of 0 to 2 are secret until all have bid and boasted"
    assert found["detail"]
    assert found["receipt"]
    assert found["legal"]["commands"] == [{"type": "Bid", "amount": n} for n in range(3)]


async def test_other_methods_and_paths_are_problems_too(rest: Rest) -> None:
    someone = rest.stranger()
    for method, path, status in (
        ("PUT", "/matches", 405),
        ("DELETE", "/matches/abc", 405),
        ("PATCH", "/me", 405),
        ("GET", "/token", 405),
        ("GET", "/nowhere", 404),
    ):
        assert (await someone.call(method, path)).status_code == status
    assert set((await someone.call("PUT", "/matches")).headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert (await rest.web.head("/api/v1/games")).status_code == 200


async def test_a_body_has_a_limit(desk: Desk) -> None:
    rest = Rest(desk, Limits(body_bytes=1000))
    answer = await rest.stranger().call("POST", "/guests", content=b" " * 1001)
    assert answer.status_code == 413
    assert "1000" in answer.json()["detail"]
    await rest.web.aclose()


@pytest.mark.parametrize("name", ["", "   ", "x" * 41])
async def test_a_name_has_a_length(rest: Rest, name: str) -> None:
    assert await told(rest.stranger().call("POST", "/guests", json={"name": name})) == (400, "bad_name")


async def test_guests_can_be_turned_away(desk: Desk) -> None:
    rest = Rest(desk, guests=False)
    assert await told(rest.stranger().call("POST", "/guests")) == (403, "no_guests")
    await rest.web.aclose()


def test_every_code_that_has_a_status_of_its_own_is_documented() -> None:
    codes = {code for found in STATUSES.values() for code in found}
    assert codes - documented(Path("docs/refusals.md")) == set()
    assert sum(len(found) for found in STATUSES.values()) == len(codes)
    assert (status_of("bad_page", "S1"), status_of("bad_seats", "T1"), status_of("no_gold", "R3")) == (400, 422, 422)


async def test_two_ids_that_differ_are_one_too_many(rest: Rest) -> None:
    match, people = await started(rest)
    body = {"command": {"type": "Bid", "amount": 1}, "command_id": "a"}
    answer = await people[0].call("POST", f"/matches/{match}/commands", json=body, headers={"idempotency-key": "b"})
    assert await told(_given(answer)) == (400, "bad_request")


async def _given(answer: httpx2.Response) -> httpx2.Response:
    return answer
