"""Commands put together at random, from the words of the table and of each game: answered as data, all of them."""

import random
from collections import Counter
from typing import Any

import pytest

from domain.core.secrecy import members
from domain.core.table import CancelMatch, OfferEnd, Resign, TableCommand
from domain.games import GAMES
from tests.service.rest.served import Rest, started

VALUES: list[Any] = [0, 1, 7, -1, 2**52, -(2**52), None, True, "", "ä" * 50, "a" * 64, [], [0], [1, 1], [[0]], {}]
ENDING = (Resign, OfferEnd, CancelMatch)
COMMANDS = 60


@pytest.mark.parametrize("name", sorted(GAMES.current))
async def test_no_command_of_whatever_form_is_an_error_of_ours(rest: Rest, name: str) -> None:
    chance = random.Random(name)
    game = GAMES.current[name]
    match, people = await started(rest, name, min(game.seats))
    kinds: list[Any] = [kind for kind in (*members(game.command), *members(TableCommand)) if kind not in ENDING]
    seen: Counter[int] = Counter()
    for n in range(COMMANDS):
        person = chance.choice(people)
        legal = (await person.get(f"/matches/{match}"))["legal"]["commands"]
        if legal and n % 2:
            command = dict(chance.choice(legal))
            command[chance.choice(list(command))] = chance.choice(VALUES)
        elif legal and n % 4 == 0:
            command = chance.choice(legal)
        else:
            kind = chance.choice(kinds)
            fields = {field: chance.choice(VALUES) for field in kind.__struct_fields__}
            command = {"type": kind.__name__, **fields}
        answer = await person.post(f"/matches/{match}/commands", command=command)
        assert answer.status_code in {200, 400, 403, 404, 409, 422}, (command, answer.text)
        seen[answer.status_code] += 1
    assert seen[200]
    assert seen[400]
