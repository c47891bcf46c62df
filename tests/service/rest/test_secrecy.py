"""While a match runs, no answer depends on what is hidden from the one who asks."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from tests.service.rest.served import Person, Rest, started

PATHS = ("", "?version={v}", "/events?first=500", "/events?first=500&proofs=true", "/steps", "/record")
PUBLIC = ("?as=gallery", "/events?as=gallery&proofs=true", "/record?as=gallery")


async def seen_by(viewer: Person, match: str, people: list[Person], paths: tuple[str, ...]) -> str:
    """All answers, with placeholders of fixed length for ids, times, digests, salts and signatures."""
    found: list[Any] = []
    version = (await viewer.get(f"/matches/{match}"))["version"]
    for path in paths:
        answer = await viewer.get(f"/matches/{match}{path.format(v=version)}")
        answer.pop("checkpoint", None)
        found.append(answer)
    for at in range(version - 2, version + 1):
        case = await viewer.call("GET", f"/matches/{match}/case/{at}")
        found.append([case.status_code, case.json().get("code")])
    refused = await viewer.call(
        "POST", f"/matches/{match}/commands", json={"command_id": "x", "command": {"type": "Bid", "amount": 1}}
    )
    found.append({**refused.json(), "receipt": ""})
    text = json.dumps(found).replace(match, "M" * len(match))
    for seat, person in enumerate(people):
        text = text.replace(person.account, f"account-of-{seat}")
    text = re.sub(r"\b[0-9a-f]{64,128}\b", "H", text)
    return re.sub(r'(\\?"(?:time|issued)\\?": ?)\d{13}', r"\g<1>T", text)


async def test_matches_that_differ_in_secrets_alone_are_equal_to_whoever_may_not_see_them(rest: Rest) -> None:
    strangers, neighbours, own = [], [], []
    for amounts in ((1, 1, 2), (1, 2, 0)):
        match, people = await started(rest)
        for person, amount in zip(people, amounts, strict=True):
            await person.done(match, "Bid", amount=amount, command_id="bid")
        strangers.append(await seen_by(rest.stranger(), match, people, PATHS))
        neighbours.append(await seen_by(people[0], match, people, PUBLIC))
        own.append(await seen_by(people[1], match, people, PATHS))
    assert strangers[0] == strangers[1]
    assert neighbours[0] == neighbours[1]
    assert own[0] != own[1], "who may see it sees the difference"


async def test_no_bid_of_another_seat_is_in_any_answer(rest: Rest) -> None:
    match, people = await started(rest)
    done = await people[1].done(match, "Bid", amount=2)
    for viewer in (rest.stranger(), people[0]):
        page = await viewer.get(f"/matches/{match}/events", after=done["first"] - 1, proofs="true")
        assert page["events"][0]["event"] == {"type": "BidMade", "seat": 1, "amount": None}
        assert page["events"][0]["proof"]["openings"] == []
        assert all(opening["path"] == "" for opening in page["commits"][-1]["openings"])
    mine = await people[1].get(f"/matches/{match}/events", after=done["first"] - 1)
    assert mine["events"][0]["event"]["amount"] == 2


@pytest.mark.parametrize("game", ["calimala", "castles_of_tuscany"])
async def test_of_a_real_game_each_seat_reads_its_own_hidden_fields_and_nobody_elses(rest: Rest, game: str) -> None:
    match, people = await started(rest, game, 2)
    for _ in range(20):
        seat = (await people[0].get(f"/matches/{match}"))["awaited"][0]
        command = (await people[seat].get(f"/matches/{match}"))["legal"]["commands"][0]
        assert (await people[seat].post(f"/matches/{match}/commands", command=command)).status_code == 200
    read: Counter[int] = Counter()
    for viewer, person in ((-1, rest.stranger()), *enumerate(people)):
        for event in (await person.get(f"/matches/{match}/events", first=500, proofs="true"))["events"]:
            for path in event["proof"]["hidden"]:
                value = event["event"][path[1:]]
                own = event["event"]["seat"] == viewer
                assert own or value is None
                opened = [
                    o for o in event["proof"]["openings"] if (o["place"], o["path"]) == (f"e{event['version']}", path)
                ]
                assert bool(opened) == own
                read[viewer] += value is not None
    assert (read[-1], bool(read[0]), bool(read[1])) == (0, True, True)
