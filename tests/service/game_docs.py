"""The requests on the games' pages with the answers they get: `python -m tests.service.game_docs` writes them anew.

A page is a walk through one match on a real server, from top to bottom. What is between a comment and `<!-- / -->` is
made by sending the `graphql` block above it:

- `<!-- ann: {"seats": 2} -->`: who sends it, with which variables. `$match`, `$id` and `$seen` are filled in. `awaited`
  stands for whoever is asked to decide, `quiet` after the variables shows nothing, `first 3` cuts lists.
- `<!-- PlaceTile {"o": 1} @7 -->`: the first legal command of that type with these fields (`"some"`: not empty), by
  whoever may send it. Until there is one, play goes on, at random by the number after `@`; without a number the one
  that leads there soonest is looked for and written down. `until` before the type: play goes on, nothing is sent.

Every draw is fixed, as the server's secrets are made from the game's name.
"""

import asyncio
import hashlib
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
from graphql import OperationDefinitionNode, parse

import service.play
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame
from domain.core.match import match_key
from domain.core.words import Command, Seat
from domain.games import GAMES
from service.graphql.hints import camel, lower_first
from service.graphql.limits import Limits
from service.play import Ask
from tests.service.desk import accepted, sqlite_desk
from tests.service.graphql.served import Person, Served

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "games"
PAGES = sorted(FOLDER.glob("*.md"))
NAMES = ("ann", "bea", "cid", "dan", "eve")
TRIED, FAR, LOOKED_AT = 200, 300, 8
WIDTH = 118

MADE = re.compile(
    r"^```graphql\n(?P<document>.*?)^```\n"
    r"|^<!-- (?P<who>[a-z]+): (?P<given>\{.*?\})(?: first (?P<cut>\d+))?(?P<quiet> quiet)? -->\n.*?^<!-- / -->\n"
    r"|^<!-- (?P<until>until )?(?P<type>[A-Z]\w+)(?: (?P<fields>\{.*?\}))?(?: @(?P<seed>\d+))? -->\n.*?^<!-- / -->\n",
    re.DOTALL | re.MULTILINE,
)

Moves = list[tuple[Seat, Command]]


def game_of(page: Path) -> AnyGame:
    """The game that a page is about."""
    return GAMES.current[page.stem.replace("-", "_")]


@contextmanager
def secrets_made_from(name: str) -> Iterator[None]:
    """Within, what the server draws is always the same."""
    count = iter(range(1 << 20))

    def token_bytes(size: int) -> bytes:
        return hashlib.sha256(f"{name} {next(count)}".encode()).digest()[:size]

    fixed = SimpleNamespace(token_bytes=token_bytes, token_hex=lambda size: token_bytes(size).hex())
    with patch.object(service.play, "secrets", fixed):
        yield


class Walk:
    """One match, as the page's requests bring it about."""

    def __init__(self, served: Served, game: AnyGame) -> None:
        self.served = served
        self.game = game
        self.people: dict[str, Person] = {}
        self.match = ""
        self.document = ""
        self._ids = 0

    async def made(self, found: re.Match[str]) -> str:
        """The text of the page for what was found on it."""
        if found["document"] is not None:
            self.document = found["document"]
            return found[0]
        if found["type"] is None:
            who = NAMES[min(await self.awaited())] if found["who"] == "awaited" else found["who"]
            variables, answer = await self.ask(who, json.loads(found["given"]))
            head = found[0].partition("\n")[0]
            shown = answer if found["cut"] is None else shortened(answer, int(found["cut"]))
            body = "" if found["quiet"] else f"\n{who.capitalize()}:\n{blocks(variables, shown)}"
            return f"{head}\n{body}<!-- / -->\n"
        return await self.acted(found["type"], found["fields"] or "{}", found["seed"], sending=not found["until"])

    async def acted(self, kind: str, given: str, seed: str | None, *, sending: bool) -> str:
        """Go on until there is such a command, send it if asked to, and say so."""
        fields = json.loads(given)
        chosen = int(seed) if seed else await self.soonest(kind, fields)
        try:
            moves, (seat, command) = await self.way(kind, fields, chosen)
        except LookupError:  # the rules have changed since the number was written down
            chosen = await self.soonest(kind, fields)
            moves, (seat, command) = await self.way(kind, fields, chosen)
        for mover, move in moves:
            self._ids += 1
            ask = Ask(command_id=f"more-{self._ids}")
            account = self.people[NAMES[mover]].account
            accepted(await self.served.desk.play.command(account, self.match, move, ask))
        more = "one more command" if len(moves) == 1 else f"{len(moves)} more commands"
        head = f"{kind}{f' {given}' if fields else ''} @{chosen}"
        if not sending:
            return f"<!-- until {head} -->\n\nAfter {more}:\n\n<!-- / -->\n"
        typed = {camel(self.game.name): {lower_first(kind): plain(command) or "YES"}}
        variables, answer = await self.ask(NAMES[seat], {"command": typed})
        assert "version" in answer["act"], answer
        who = f"{NAMES[seat].capitalize()}, seat {seat}{f', after {more}' if moves else ''}"
        return f"<!-- {head} -->\n\n{who}:\n{blocks(variables, answer)}<!-- / -->\n"

    async def ask(self, who: str, given: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        """(variables, data) of the request, sent by that person."""
        if who not in self.people:
            self.people[who] = await self.served.person(who)
        [operation] = [node for node in parse(self.document).definitions if isinstance(node, OperationDefinitionNode)]
        declared = {variable.variable.name.value for variable in operation.variable_definitions}
        self._ids += "id" in declared
        filled = {"match": self.match, "id": f"{who}-{self._ids}"}
        if "seen" in declared:
            filled["seen"] = (await self.served.desk.play.look(self.match, None)).version
        variables = {name: value for name, value in {**filled, **given}.items() if name in declared}
        answer = await self.people[who].ask(self.document, **variables)
        self.match = answer.get("openMatch", {}).get("match", self.match)
        return variables, answer

    async def table(self) -> Any:
        """Where the match stands, with the key of its draws."""
        live = await self.served.desk.live.fresh(self.match)
        return live.history.table, match_key(live.history.table, live.seed)

    async def awaited(self) -> frozenset[Seat]:
        """Who is asked to decide."""
        table, _ = await self.table()
        return self.game.to_act(table.state)

    async def soonest(self, kind: str, fields: dict[str, Any]) -> int:
        """The number that leads there after the fewest commands."""
        best, least = None, FAR
        for seed in range(1, TRIED + 1):
            try:
                moves, _ = await self.way(kind, fields, seed, least)
            except LookupError:
                continue
            best, least = seed, len(moves) - 1
            if not moves:
                break
        if best is None:
            raise LookupError(f"no way to {kind} {fields} was found; ask for it earlier on the page")
        return best

    async def way(
        self, kind: str, fields: dict[str, Any], seed: int, far: int = FAR
    ) -> tuple[Moves, tuple[Seat, Command]]:
        """The commands on the way to the first of that kind, and that one with its seat."""
        table, key = await self.table()
        state, draws, moves = table.state, table.draws, Moves()
        rng = random.Random(seed)
        mood = rng.random()
        while (there := wanted(self.game, state, kind, fields)) is None:
            if not self.game.to_act(state) or len(moves) >= far:
                raise LookupError(f"no {kind} on the way {seed}")
            seat, command = livelier(self.game, state, SeededChance(key, draws), rng, mood)
            chance = SeededChance(key, draws)
            for event in self.game.decide(state, seat, command, chance):
                state = self.game.evolve(state, event)
            draws += bool(chance.draws)
            moves.append((seat, command))
        return moves, there


def wanted(game: AnyGame, state: Any, kind: str, fields: dict[str, Any]) -> tuple[Seat, Command] | None:
    """The first legal command of that kind with such fields, and whose it is."""
    for seat in sorted(game.to_act(state)):
        legal = game.legal(state, seat)
        fits = [
            msgspec.structs.replace(template.base, **{template.field: (item,)})
            for template in legal.templates
            if "some" in fields.values()
            for item in template.items
        ]
        for command in (*legal.commands, *fits):
            values = msgspec.json.decode(msgspec.json.encode(command))
            if type(command).__name__ == kind and all(
                bool(values[name]) if value == "some" else values[name] == value for name, value in fields.items()
            ):
                try:
                    game.decide(state, seat, command, SeededChance(b"?", 0))
                except Illegal:
                    continue
                return seat, command
    return None


def livelier(game: AnyGame, state: Any, chance: SeededChance, rng: random.Random, mood: float) -> tuple[Seat, Command]:
    """A command of any type that there is: in a lively mood the one that brings the most about, else just any."""
    seat = rng.choice(sorted(game.to_act(state)))
    legal = game.legal(state, seat).commands
    kind = rng.choice(list(dict.fromkeys(map(type, legal))))
    commands = [command for command in legal if type(command) is kind]
    some = rng.sample(commands, min(LOOKED_AT, len(commands)))
    if rng.random() > mood:
        return seat, some[0]
    return seat, max(some, key=lambda command: len(game.decide(state, seat, command, chance)))


def plain(value: Any) -> Any:
    """A command, or a part of one, as the typed input takes it."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, msgspec.Struct):
        return {camel(name): plain(getattr(value, name)) for name in value.__struct_fields__}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def shortened(value: Any, most: int) -> Any:
    """The value with long lists cut."""
    if isinstance(value, dict):
        return {name: shortened(each, most) for name, each in value.items()}
    return [shortened(each, most) for each in value[:most]] if isinstance(value, list) else value


def blocks(variables: dict[str, Any], answer: Any) -> str:
    """What was sent, if anything, and what came back."""
    return "".join(f"\n```json\n{laid_out(each)}\n```\n" for each in (variables, answer) if each)


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON, in as few lines as it fits into; what does not fit into one stands by itself."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    step = indent + 2
    if isinstance(value, list):
        parts = [laid_out(each, step) for each in value]
    else:
        parts = [f"{json.dumps(name)}: {laid_out(each, step)}" for name, each in value.items()]
    lines = [parts[0]]
    for part in parts[1:]:
        if "\n" in part or "\n" in lines[-1] or len(lines[-1]) + len(part) + step + 3 > WIDTH:
            lines.append(part)
        else:
            lines[-1] += f", {part}"
    start, end = "[]" if isinstance(value, list) else "{}"
    return f"{start}\n{' ' * step}" + f",\n{' ' * step}".join(lines) + f"\n{' ' * indent}{end}"


def page(path: Path) -> str:
    """The page with all answers as they should be."""
    return asyncio.run(walked(game_of(path), path.read_text(encoding="utf-8")))


async def walked(game: AnyGame, text: str) -> str:
    """The text with its requests sent to a server of its own."""
    made, done = [], 0
    with TemporaryDirectory() as folder, secrets_made_from(game.name):
        async with sqlite_desk(Path(folder)) as desk, Served(desk, Limits()).running() as served:
            walk = Walk(served, game)
            for found in MADE.finditer(text):
                made += [text[done : found.start()], await walk.made(found)]
                done = found.end()
    return "".join((*made, text[done:]))


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(page(each), encoding="utf-8")
