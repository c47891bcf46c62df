"""Record the golden matches anew: `python -m tests.games.calimala.record`.

A golden match is one JSON object with a line for each commit. Recording is for a new rules version only; the files
of a rules version in use are never touched, as they are what shows that nothing has changed.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.calimala import GAME
from domain.core.canonical import canonical
from tests.games.calimala.players import greedy, patient
from tests.support.play import Played, play

FOLDER = Path(__file__).parents[2] / "golden" / "calimala"
PLAYERS = {"greedy": greedy, "patient": patient, "random": None}
SEEDS = {2: {"patient": 99}}
"""Where another seed than the number of seats is asked for: in this match a player has to pass."""


def matches() -> Iterator[tuple[str, Played]]:
    """The recorded matches by name."""
    for seats in GAME.seats:
        for name, player in PLAYERS.items():
            seed = SEEDS.get(seats, {}).get(name, seats)
            yield f"{seats}_seats_{name}.json", play(GAME, seats, seed, player and player(random.Random(seed)))


def written(played: Played) -> bytes:
    """A match as it is kept."""
    head: dict[str, Any] = {
        "game": GAME.name,
        "rules": GAME.rules,
        "options": played.setup.options,
        "data": played.setup.data,
        "seats": played.setup.seats,
        "key": played.key.hex(),
    }
    commits = [{"seat": step.seat, "command": step.command, "events": step.events} for step in played.steps]
    lines = b",\n".join(map(canonical, commits))
    return canonical(head)[:-1] + b',"commits":[\n' + lines + b'\n],"outcome":' + canonical(_outcome(played)) + b"}\n"


def _outcome(played: Played) -> Any:
    return msgspec.to_builtins(GAME.outcome(played.state))


def shapes(played: list[Played]) -> bytes:
    """One line for each type of event as it is stored, by name."""
    found = {type(event).__name__: event for match in played for event in match.events}
    return b"".join(canonical(found[name]) + b"\n" for name in sorted(found))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = dict(matches())
    for file, match in kept.items():
        (FOLDER / file).write_bytes(written(match))
    (FOLDER / "shapes.jsonl").write_bytes(shapes(list(kept.values())))
