"""Golden matches: how they are kept, and the same matches as a store would hold them, to be decided again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.core import match as deciding
from domain.core.canonical import canonical
from domain.core.chance import Draw, SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame, Outcome, Setup
from domain.core.match import open_match
from domain.core.past import Codec, Codecs
from domain.core.registry import Games
from domain.core.sealing import Commit, Header, StoredEvent
from domain.core.table import Ended, OpenMatch, Seated, Started, StartMatch, TakeSeat
from infra.ports import Secrets
from service.verifying.findings import Finding
from service.verifying.stored import StoredCheck
from tests.support.play import Played

GOLDEN = Path(__file__).parents[1] / "golden"
FIRST_SHAPE = 1
"""The shape of a golden event that does not name its own."""

Shaped = tuple[tuple[str, int, bytes], ...]
"""Events by type, shape and body."""


def golden_files() -> list[Path]:
    """Every golden match of every game."""
    return sorted(path for path in GOLDEN.glob("*/*.json") if path.parent.name != "table")


def read(path: Path) -> dict[str, Any]:
    """A golden match as plain values."""
    content: dict[str, Any] = json.loads(path.read_bytes())
    return content


def written(played: Played) -> bytes:
    """A match as it is kept: a line for each commit."""
    game, plain = played.game, msgspec.to_builtins
    head = {
        "game": game.name,
        "rules": game.rules,
        "options": plain(played.setup.options),
        "data": plain(played.setup.data),
        "seats": played.setup.seats,
        "key": played.key.hex(),
    }
    lines = [
        {"seat": step.seat, "command": plain(step.command), "events": [_event(event) for event in step.events]}
        for step in played.steps
    ]
    commits, outcome = b",\n".join(map(canonical, lines)), canonical(game.outcome(played.state))
    return canonical(head)[:-1] + b',"commits":[\n' + commits + b'\n],"outcome":' + outcome + b"}\n"


def _event(event: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain if type(event).shape == FIRST_SHAPE else {**plain, "shape": type(event).shape}


def stored(games: Games, content: dict[str, Any], name: str) -> list[Commit]:
    """A golden match as stored commits: the table around it is put on, the game's events are as they were kept.

    What was drawn is in the events; a golden match does not keep it apart. So the commits say of it what these games
    draw: a build that draws otherwise differs in the events, those of this commit or of later ones.
    """
    return _Stored(games, content, name).commits()


def differences(games: Games, content: dict[str, Any], name: str, commits: list[Commit]) -> list[Finding]:
    """What these games decide otherwise, as `podesta shadow-replay` finds it.

    A golden match keeps the match key itself, which here takes the place of what is derived from a seed.
    """
    key = bytes.fromhex(content["key"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deciding, "match_key", lambda _table, _seed: key)
        return StoredCheck(Codecs(games), name, Secrets(key, bytes(32))).differences(commits)


class _Stored:
    """The commits of one golden match in the making."""

    def __init__(self, games: Games, content: dict[str, Any], name: str) -> None:
        self._content = content
        self._name = name
        self._game: AnyGame = games[content["game"], content["rules"]]
        self._codec = Codec(self._game)
        self._key = bytes.fromhex(content["key"])
        self._version = 0
        self._drew = 0
        self._commits: list[Commit] = []

    def commits(self) -> list[Commit]:
        game, content = self._game, self._content
        options, seats = content["options"], content["seats"]
        setup = Setup(msgspec.convert(options, game.options), msgspec.convert(content["data"], game.data_type), seats)
        opening = OpenMatch(game.name, seats, options)
        self._add("a0", None, opening, _shaped(open_match(game, "a0", opening, self._key, None, setup).events))
        for seat in range(seats):
            self._add(f"a{seat}", None, TakeSeat(), _shaped((Seated(seat, f"a{seat}"),)))
        state = game.blank(setup)
        for number, commit in enumerate(content["commits"]):
            command = None if commit["command"] is None else msgspec.convert(commit["command"], game.command)
            draws = self._draws(setup, state, commit["seat"], command)
            events = self._kept(commit)
            for kind, shape, body in events:
                state = game.evolve(state, self._codec.event(kind, shape, body))
            if command is None:
                events = (*_shaped((Started(()),)), *events)
            if number == len(content["commits"]) - 1:
                outcome = msgspec.convert(content["outcome"], Outcome)
                events = (*events, *_shaped((Ended("finished", outcome, self._key.hex()),)))
            self._add(f"a{commit['seat'] or 0}", commit["seat"] or 0, command or StartMatch(), events, draws)
        return self._commits

    def _draws(self, setup: Any, state: Any, seat: Any, command: Any) -> tuple[Draw, ...]:
        chance = SeededChance(self._key, self._drew)
        try:
            if command is None:
                self._game.opening(setup, chance)
            else:
                self._game.decide(state, seat, command, chance)
        except Illegal:
            return ()
        return tuple(chance.draws)

    def _kept(self, commit: dict[str, Any]) -> Shaped:
        kept = [dict(event) for event in commit["events"]]
        return tuple((event["type"], event.pop("shape", FIRST_SHAPE), canonical(event)) for event in kept)

    def _add(self, account: str, seat: int | None, command: Any, events: Shaped, draws: Any = ()) -> None:
        number, first = len(self._commits) + 1, self._version + 1
        header = Header(
            account=account,
            arbiter=False,
            command="",
            command_id=f"c{number}",
            commit=number,
            draw=self._drew if draws else None,
            draws=None,
            first=first,
            last=self._version + len(events),
            match=self._name,
            rules=self._game.rules,
            seat=seat,
            seen=None,
            signature=None,
            time=0,
        )
        self._commits.append(
            Commit(
                match=self._name,
                commit=number,
                first=first,
                last=header.last,
                time=0,
                account=account,
                seat=seat,
                command_id=header.command_id,
                rules=self._game.rules,
                header=canonical(header),
                command=canonical(command),
                command_public=b"",
                draw=header.draw,
                draws=canonical(draws) if draws else None,
                signature=None,
                previous=b"",
                head=b"",
                events=tuple(
                    StoredEvent(version, kind, shape, body, body, (), b"")
                    for version, (kind, shape, body) in enumerate(events, first)
                ),
            )
        )
        self._version = header.last
        self._drew += bool(draws)


def _shaped(events: tuple[Any, ...]) -> Shaped:
    return tuple((type(event).__name__, type(event).shape, canonical(event)) for event in events)


def listed(content: dict[str, Any], name: str, findings: list[Finding]) -> Iterator[str]:
    """A line for each difference: match, version, and what would be otherwise."""
    for found in findings:
        yield (
            f"{name} ({content['game']}, rules {content['rules']}): {found.kind.name.lower()} at version "
            f"{found.version}: {found.message} expected {found.expected}, found {found.found}"
        )
