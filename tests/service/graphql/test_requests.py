"""Playing over HTTP: accounts, the table, commands typed and as JSON, refusals as data."""

from tests.service.graphql.served import Served, started


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


async def test_a_typed_command_and_the_same_as_json_are_one_command(served: Served) -> None:
    match, people = await started(served)
    legal = await people[0].ask(
        "query ($m: ID!) { match(id: $m) { ... on Match { legal { count json tables { command fields rows } typed "
        "{ parley { __typename ... on ParleyBid { amount } } } } } } }",
        m=match,
    )
    moves = legal["match"]["legal"]
    assert moves["tables"] == [{"command": "Bid", "fields": ["amount"], "rows": ["[0]", "[1]", "[2]"]}]
    assert moves["json"][1] == '{"amount":1,"type":"Bid"}'
    assert moves["typed"]["parley"][1] == {"__typename": "ParleyBid", "amount": 1}
    assert moves["count"] == 3
    first = await people[0].do("act", match=match, command={"parley": {"bid": {"amount": 1}}})
    second = await people[1].do("act", match=match, command={"json": moves["json"][1]})
    assert (first["__typename"], second["__typename"]) == ("Accepted", "Accepted")
    assert second["version"] == first["version"] + 1
