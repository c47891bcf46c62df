"""Every edge has a limit and names it; what goes wrong here is masked; strangers cannot fill the log."""

import json
from typing import Any

import httpx2
import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Subprotocol

from service.graphql.limits import Limits
from tests.service.desk import Desk
from tests.service.graphql.served import PROTOCOL, Served, schema_for


def message(response: httpx2.Response) -> str:
    return str(response.json()["errors"][0]["message"])


@pytest.fixture
async def narrow(desk: Desk) -> Any:
    limits = Limits(
        body_bytes=4096, tokens=200, depth=3, aliases=2, selections=12, string=100, items=5, subscriptions=2, sockets=2
    )
    async with Served(desk, limits).running() as made:
        yield made


DEEP = "{ games { options { allowed } } match(id: 1) { ... on Match { offer { options { name } } } } }"
WIDE = "{ games { name key title rules maturity seats name key title rules maturity seats } }"
SPREAD = "query { me { ...a ...a ...a } } fragment a on Account { id name guest roles }"
ALIASED = "query { me { ...a } } fragment a on Account { x: id ...b } fragment b on Account { y: id z: id }"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (DEEP, "depth: 4. Allowed: 3"),
        ("{ a: me { id } b: me { id } c: me { id } }", "aliases: 3. Allowed: 2"),
        (WIDE, "selections: 13. Allowed: 12"),
        (SPREAD, "selections: 13. Allowed: 12"),
        (ALIASED, "aliases: 3"),
        ("{ " + "me " * 250 + "}", "more than 200 tokens"),
    ],
)
async def test_a_document_that_is_too_large_is_refused_by_name(narrow: Served, query: str, says: str) -> None:
    assert says in message(await narrow.stranger().post(query))


async def test_fragments_that_spread_each_other_end(narrow: Served) -> None:
    query = "query { me { ...a } } fragment a on Account { ...b } fragment b on Account { ...a }"
    assert "fragment" in message(await narrow.stranger().post(query))


async def test_texts_and_lists_among_the_variables_are_bounded(narrow: Served) -> None:
    query = "query ($x: String) { matches(after: $x) { __typename } }"
    assert "101 characters. Allowed: 100" in message(await narrow.stranger().post(query, x="a" * 101))
    for value, says in (([1] * 6, "6 items. Allowed: 5"), ({"a": [["b" * 101]]}, "101 characters")):
        opened = 'mutation ($o: JSON) { openMatch(game: "x", seats: 2, commandId: "1", options: $o) { __typename } }'
        assert says in message(await narrow.stranger().post(opened, o=value))
    nested: Any = 1
    for _ in range(40):
        nested = [nested]
    assert "nest deeper" in message(await narrow.stranger().post(opened, o=nested))


async def test_a_body_beyond_the_limit_is_not_read(narrow: Served) -> None:
    response = await narrow.stranger().post("{ me { id } }" + " " * 5000)
    assert response.status_code == 413
    assert "4096 bytes" in response.text


async def test_a_message_beyond_the_limit_closes_the_socket(narrow: Served) -> None:
    async with narrow.stranger().socket() as line:
        await line.subscribe("{ me { id } }" + " " * 5000)
        with pytest.raises(ConnectionClosedError) as closed:
            await line.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


async def test_subscriptions_on_a_socket_are_bounded(narrow: Served) -> None:
    match = await narrow.desk.begin()
    async with narrow.stranger().socket() as line:
        for number in range(3):
            query = "subscription ($m: ID!) { watch(match: $m) { __typename } }"
            await line.subscribe(query, id=str(number), m=match)
        answers = [await line.receive() for _ in range(3)]
    refused = next(answer for answer in answers if answer["type"] == "error")
    assert refused["payload"][0]["message"] == "Subscription limit reached"


async def test_sockets_of_an_account_are_bounded(narrow: Served) -> None:
    person = await narrow.person()
    async with person.socket(), person.socket():
        with pytest.raises(ConnectionClosedError) as closed:
            async with person.socket() as line:
                await line.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4429
    async with person.socket():
        pass


@pytest.mark.parametrize("authorization", ["Bearer nonsense", "nonsense", 7, ""])
async def test_a_socket_with_a_token_that_does_not_hold_is_turned_away(served: Served, authorization: object) -> None:
    with pytest.raises((ConnectionClosedError, AssertionError)) as closed:
        async with served.stranger().socket(authorization=authorization):
            pass
    assert isinstance(closed.value, ConnectionClosedError)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


async def test_the_legacy_protocol_is_off(served: Served) -> None:
    url = f"ws{served.url.removeprefix('http')}/graphql"
    async with connect(url, subprotocols=[Subprotocol("graphql-ws")], proxy=None) as ws:
        with pytest.raises(ConnectionClosedError) as closed:
            await ws.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4406


@pytest.mark.parametrize(
    "sent",
    [
        "no JSON",
        "[]",
        "{}",
        '{"type": 7}',
        '{"type": "unheard"}',
        '{"type": "subscribe", "id": ["1"], "payload": {"query": "{ me { id } }"}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 7}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ me { id } }", "variables": []}}',
        '{"type": "subscribe", "id": "1"}',
        '{"type": "complete"}',
    ],
)
async def test_a_message_of_no_known_form_closes_the_socket(served: Served, sent: str) -> None:
    async with served.stranger().socket() as line:
        await line.ws.send(sent)
        with pytest.raises(ConnectionClosedError) as closed:
            await line.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4400


async def test_a_socket_that_never_says_who_it_is_is_closed(desk: Desk) -> None:
    async with Served(desk, Limits(init_s=0.05)).running() as served:
        url = f"ws{served.url.removeprefix('http')}/graphql"
        async with connect(url, subprotocols=[PROTOCOL], proxy=None) as ws:
            with pytest.raises(ConnectionClosedError) as closed:
                await ws.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408


class Broken:
    """A read model that has fallen over."""

    async def matches(self, *_: object) -> None:
        raise RuntimeError("the password is hunter2")


async def test_what_goes_wrong_here_is_masked_and_logged_under_the_id_that_the_client_is_given(desk: Desk) -> None:
    async with Served(desk, Limits(), read_models=Broken()).running() as served:
        with structlog.testing.capture_logs() as logs:
            response = await served.stranger().post("{ matches { __typename } }")
            async with served.stranger().socket() as line:
                await line.subscribe("{ matches { __typename } }")
                told = (await line.receive())["payload"]["errors"][0]
    assert "hunter2" not in response.text + json.dumps(told)
    error = response.json()["errors"][0]
    assert error["extensions"]["code"] == "internal"
    assert error["extensions"]["id"] in error["message"]
    assert [entry["error_id"] for entry in logs] == [error["extensions"]["id"], told["extensions"]["id"]]


async def test_bad_queries_do_not_fill_the_log(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    with structlog.testing.capture_logs() as logs:
        for query in ("{", "{ nothing }", "query ($x: Int!) { me { id } }", "{ match(id: null) { __typename } }", ""):
            response = await served.stranger().post(query)
            assert response.status_code in {200, 400}
        async with served.stranger().socket() as line:
            for number, query in enumerate(("{", "{ nothing }", "subscription { watch { x } }")):
                await line.subscribe(query, id=str(number))
                assert (await line.receive())["type"] == "error"
    assert logs == []
    printed = capfd.readouterr()
    assert printed.out + printed.err == ""


async def test_the_schema_can_be_downloaded(served: Served) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        response = await http.get(f"{served.url}/schema.graphql")
    assert response.text == schema_for(Limits()).as_str() + "\n"
    assert response.headers["content-type"].startswith("text/plain")


async def test_a_browser_gets_a_page_to_try_queries(served: Served) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        response = await http.get(f"{served.url}/graphql", headers={"accept": "text/html"})
    assert response.status_code == 200
    assert "text/html" in response.headers["content-type"]
    assert response.text.count("</body>") == 1
    assert '<template id="console">' in response.text, "the page works where no CDN can be reached"


async def test_queries_may_come_by_get_but_nothing_is_changed_by_it(served: Served) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        asked = await http.get(f"{served.url}/graphql", params={"query": "{ me { id } }"})
        changed = await http.get(f"{served.url}/graphql", params={"query": "mutation { createGuest { __typename } }"})
    assert asked.json() == {"data": {"me": None}}
    assert changed.status_code == 400


async def test_requests_of_no_known_form_are_refused(served: Served) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        for body, kind in (
            (b"{", "application/json"),
            (b"\xff", "application/json"),
            (b'{"query": 7}', "application/json"),
            (b"{}", "application/json"),
            (b"[]", "application/json"),
            (b'[{"query": "{ me { id } }"}]', "application/json"),
            (b"query=x", "text/plain"),
        ):
            response = await http.post(f"{served.url}/graphql", content=body, headers={"content-type": kind})
            assert response.status_code == 400, body
        assert (await http.put(f"{served.url}/graphql")).status_code == 405
