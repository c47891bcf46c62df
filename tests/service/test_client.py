"""The demo's clients: they play any game to its end by what the API says, and notice whatever was tampered with."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from infra.signing import Signer
from service.client import demo, documents
from service.client.chain import BrokenChainError, Chain
from service.client.player import choose, fit
from service.client.receipts import Keys
from service.client.table import Table, Tally
from service.graphql.limits import Limits
from service.site.page import Page
from service.site.routes import site_routes
from tests.service.desk import SIGNER, Desk
from tests.service.graphql.served import Served
from tests.support.play import ALL_GAMES


def serving(desk: Desk) -> Served:
    """The API and what the demo needs beside it."""
    served = Served(desk, Limits())
    served.routes += site_routes(Page(ALL_GAMES.current.values()), desk.backend.database, desk.bell, SIGNER)
    return served


async def test_random_players_play_a_game_they_know_nothing_of(desk: Desk) -> None:
    """Parley has hidden cards, secret bids, templates and several seats that act at once."""
    async with serving(desk).running() as served:
        tally = Tally()
        tables: list[Table] = []
        plan = await demo.plan([served.url], "parley", 3, {"rounds": 2}, 10)
        await demo.play_all(plan, 3, 2, 60, tally, lambda _, table: tables.append(table))
    assert tally.problems == []
    assert (tally.matches, len(tables)) == (3, 3)
    assert all(table.done for table in tables)
    assert tally.openings > 0
    assert tally.frames >= 4 * 3 * 10, "everybody has a watcher"


async def test_a_match_that_does_not_end_in_time_is_a_problem(desk: Desk) -> None:
    async with serving(desk).running() as served:
        tally = Tally()
        plan = await demo.plan([served.url], "parley", 3, {}, 10)
        await demo.play_all(plan, 1, 1, 0.01, tally, lambda _, table: None)
    assert [problem.split(": ")[1] for problem in tally.problems] == ["it did not end in time"]
    assert tally.matches == 0


@pytest.fixture
async def seen(desk: Desk) -> dict[str, Any]:
    """A match of Parley in its first round, as seat 0 received it."""
    async with Served(desk, Limits()).running() as served:
        people = [await served.person(f"p{seat}") for seat in range(3)]
        match = (await people[0].do("openMatch", game="parley", seats=3))["match"]
        for person in people:
            assert (await person.do("joinMatch", match=match))["__typename"] == "Accepted"
        assert (await people[0].do("startMatch", match=match))["__typename"] == "Accepted"
        for bid, person in enumerate(people):
            command = {"json": json.dumps({"type": "Bid", "amount": bid})}
            assert (await person.do("act", match=match, command=command))["__typename"] == "Accepted"
        async with people[0].socket() as line:
            document = documents.watch("", seat=False)
            await line.send(
                id="1", type="subscribe", payload={"query": document, "variables": {"match": match, "after": 0}}
            )
            frame: dict[str, Any] = (await line.receive())["payload"]["data"]["watch"]
    return {"match": match, **frame}


def check(seen: dict[str, Any]) -> Chain:
    chain = Chain(seen["match"])
    chain.add(seen["commits"], seen["events"])
    return chain


async def test_what_was_received_holds(seen: dict[str, Any]) -> None:
    chain = check(seen)
    assert chain.version == seen["version"] == len(seen["events"])
    assert chain.head == seen["commits"][-1]["head"]
    assert any(event["proof"]["hidden"] for event in seen["events"])


def other(text: str) -> str:
    """The same with another last hex digit."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def spoil(name: str, value: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def change(thing: dict[str, Any]) -> None:
        thing[name] = value(thing[name])

    return change


def replaced(name: str, **changes: Any) -> Callable[[dict[str, Any]], None]:
    return spoil(name, lambda text: json.dumps({**json.loads(text), **changes}, separators=(",", ":"), sort_keys=True))


COMMIT = {
    "head": spoil("head", other),
    "previous": spoil("previous", other),
    "header": replaced("headerJson", time=1),
    "who": spoil("account", lambda _: "somebody"),
    "seat": spoil("seat", lambda _: 9),
    "time": spoil("time", lambda time: time + 1),
    "command": replaced("commandJson", type="Resign"),
    "no opening": spoil("openings", lambda _: []),
    "opened value": spoil("openings", lambda found: [{**found[0], "value": '{"type":"Resign"}'}, *found[1:]]),
    "salt": spoil("openings", lambda found: [{**found[0], "salt": other(found[0]["salt"])}, *found[1:]]),
}


@pytest.mark.parametrize("how", COMMIT)
@pytest.mark.parametrize("at", [1, -1])
async def test_a_commit_that_was_tampered_with_is_noticed(seen: dict[str, Any], how: str, at: int) -> None:
    spoiled = deepcopy(seen)
    COMMIT[how](spoiled["commits"][at])
    with pytest.raises(BrokenChainError):
        check(spoiled)


EVENT = {
    "type": spoil("type", lambda _: "RoundWon"),
    "json": replaced("json", seat=9),
    "public": lambda event: replaced("publicJson", seat=9)(event["proof"]),
    "digest": lambda event: spoil("digest", other)(event["proof"]),
    "shape": lambda event: spoil("shape", lambda shape: shape + 1)(event["proof"]),
    "hidden": lambda event: spoil("hidden", lambda _: ["/seat"])(event["proof"]),
    "version": spoil("version", lambda version: version + 1),
    "opened value": lambda event: spoil("openings", lambda found: [{**found[0], "value": "99"}])(event["proof"]),
    "no opening": lambda event: spoil("openings", lambda _: [])(event["proof"]),
    "opening of what has not come": lambda event: spoil("openings", lambda found: [{**found[0], "place": "e999"}])(
        event["proof"]
    ),
}


@pytest.mark.parametrize("how", EVENT)
async def test_an_event_that_was_tampered_with_is_noticed(seen: dict[str, Any], how: str) -> None:
    spoiled = deepcopy(seen)
    EVENT[how](
        next(event for event in spoiled["events"] if event["type"] == "CardDealt" and event["proof"]["openings"])
    )
    with pytest.raises(BrokenChainError):
        check(spoiled)


async def test_commits_left_out_swapped_or_doubled_are_noticed(seen: dict[str, Any]) -> None:
    commits = seen["commits"]
    for wrong in (
        commits[1:],
        [*commits[:2], *commits[3:]],
        [commits[0], commits[2], commits[1], *commits[3:]],
        [*commits, commits[-1]],
    ):
        with pytest.raises(BrokenChainError):
            check({**seen, "commits": wrong})
    with pytest.raises(BrokenChainError):
        check({**seen, "events": seen["events"][:-1]})


async def test_another_matchs_chain_is_noticed(seen: dict[str, Any]) -> None:
    with pytest.raises(BrokenChainError):
        check({**seen, "match": "another"})


async def test_a_receipt_for_another_history_is_noticed(seen: dict[str, Any], desk: Desk) -> None:
    chain = check(seen)
    keys = Keys({"keys": [{"id": key.id, "key": key.key} for key in SIGNER.public_keys]})
    commits = await desk.backend.store.commits(seen["match"])
    for commit in commits:
        keys.check(commit.receipt.decode(), chain)
    first = json.loads(commits[0].receipt)
    another = Signer(b"x" * 32).receipt(commits[0]).decode()
    for wrong in (
        json.dumps({**first, "head": "00" * 32}),
        json.dumps({**first, "time": 1}),
        json.dumps({**first, "signature": other(first["signature"])}),
        another,
    ):
        with pytest.raises(BrokenChainError):
            keys.check(wrong, chain)


def test_a_player_takes_listed_commands_and_fits_of_templates() -> None:
    legal = {
        "tables": [{"command": "Bid", "fields": ["amount"], "rows": ["[1]", "[2]"]}],
        "templates": [
            {
                "base": '{"type":"Boast","words":[]}',
                "field": "words",
                "items": ['"a"', '"b"', '"c"'],
                "atLeast": 1,
                "atMost": 2,
                "distinct": True,
            }
        ],
    }
    chance = random.Random(1)
    chosen = [choose(legal, chance) for _ in range(200)]
    listed = {command for command, is_listed in chosen if is_listed}
    assert listed == {'{"type": "Bid", "amount": 1}', '{"type": "Bid", "amount": 2}'}
    for command, is_listed in chosen:
        if not is_listed:
            words = json.loads(command)["words"]
            assert 1 <= len(set(words)) == len(words) <= 2
    assert {len(json.loads(fit(legal["templates"][0], chance))["words"]) for _ in range(50)} == {1, 2}
