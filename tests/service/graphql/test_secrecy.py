"""Whoever may not see a secret cannot tell by a single byte which of its values it has, whatever it asks for."""

import json
import re
from typing import Any

from tests.service.graphql.served import Person, Served, started

EVERYTHING = """first version status seat awaited moment { round turn seat phase } outcome { places }
    seats { seat account entropyCommitment entropy key resigned opened }
    view { parley { round points prizes done picker card amount words } }
    legal { count json tables { command fields rows } templates { base field items atLeast atMost distinct } }
    events { version commit time type seat json
        body { table { __typename } parley { __typename ... on ParleyCardDealt { seat card }
            ... on ParleyBidMade { seat amount } ... on ParleyBoasted { seat words } } }
        proof { shape publicJson hidden digest openings { place path value salt } } }
    commits { number first last time account seat commandId drew headerJson commandJson previous head
        openings { place path value salt } }"""
WATCH = f"subscription ($m: ID!) {{ watch(match: $m, after: 0) {{ ... on Frame {{ {EVERYTHING} }} }} }}"
AT = f"""query ($m: ID!, $v: Int!) {{ match(id: $m) {{ ... on Match {{
    at(version: $v) {{ ... on Frame {{ {EVERYTHING} }} }} }} }} }}"""
PAGE = """query ($m: ID!) { match(id: $m) { ... on Match { version seedCommitment seed
    events(first: 500) { json body { parley { ... on ParleyBidMade { amount } } }
        proof { openings { value } } } } } }"""


def blurred(answer: Any, match: str, people: list[Person]) -> str:
    """The answer with placeholders of fixed length for ids, times, digests, commitments, salts and signatures."""
    text = json.dumps(answer).replace(match, "M" * len(match))
    for seat, person in enumerate(people):
        text = text.replace(person.account, f"account-of-{seat}")
    text = re.sub(r"\b[0-9a-f]{64}\b", "H" * 64, text)
    return re.sub(r'(\\?"time\\?": ?)\d{13}', r"\g<1>T", text)


async def seen_by(viewer: Person, match: str, people: list[Person]) -> str:
    async with viewer.socket() as line:
        await line.subscribe(WATCH, m=match)
        frame = await line.next()
    at = await viewer.ask(AT, m=match, v=frame["version"])
    page = await viewer.ask(PAGE, m=match)
    return blurred([frame, at, page], match, people)


async def test_to_a_spectator_matches_that_differ_in_secrets_alone_are_equal(served: Served) -> None:
    seen: list[str] = []
    hidden: list[str] = []
    for amounts in ((0, 1, 2), (2, 2, 0)):
        match, people = await started(served)
        for person, amount in zip(people, amounts, strict=True):
            command = {"parley": {"bid": {"amount": amount}}}
            accepted = await person.do("act", match=match, command=command, commandId=f"bid-{person.account}")
            assert accepted["__typename"] == "Accepted"
        seen.append(await seen_by(served.stranger(), match, people))
        hidden.append(await seen_by(people[0], match, people))
    assert seen[0] == seen[1]
    assert hidden[0] != hidden[1], "who may see it sees the difference"
