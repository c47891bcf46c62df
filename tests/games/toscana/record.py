"""Writes the golden files of Toscana: `python -m tests.games.toscana.record`.

Run it for new files only. Those that are there must fold to the same outcome for ever: a change of them is a change of
what is stored, or of the rules.
"""

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from domain.core.canonical import canonical
from domain.core.secrecy import members
from domain.toscana import GAME
from tests.games.toscana.players import greedy, late_vetoer
from tests.support.play import Played, play

GOLDEN = Path(__file__).parents[2] / "golden" / "toscana"


def matches() -> dict[str, Played]:
    """Late announced vetoes, one of them lapsing; two games with everything optional; two greedy players."""
    return {
        "announced": play(GAME, 2, 1319, late_vetoer(random.Random(1319))),
        "double": play(GAME, 2, 2430, games="double", veto_timing="after", first_side="random", tie_break="squares"),
        "greedy": play(GAME, 2, 7, greedy, side_assignment="host_building"),
    }


def recorded(played: Played) -> dict[str, Any]:
    """The match as plain values."""
    plain = msgspec.to_builtins
    return {
        "game": GAME.name,
        "rules": GAME.rules,
        "options": plain(played.setup.options),
        "data": plain(played.setup.data),
        "seats": played.setup.seats,
        "key": played.key.hex(),
        "commits": [
            {"seat": step.seat, "command": plain(step.command), "events": plain(step.events)} for step in played.steps
        ],
        "outcome": plain(GAME.outcome(played.state)),
    }


def written(record: dict[str, Any]) -> str:
    """The match as text: a line for each commit."""
    head = {key: value for key, value in record.items() if key != "commits"}
    lines = ",\n".join(json.dumps(commit) for commit in record["commits"])
    return json.dumps(head)[:-1] + ', "commits": [\n' + lines + "\n]}\n"


def shapes(played: list[Played]) -> str:
    """A stored event of every type, a line each."""
    first = {type(event): event for match in reversed(played) for event in reversed(match.events)}
    return "".join(canonical(first[cls]).decode() + "\n" for cls in members(GAME.event))


def main() -> None:
    """Write what is not there."""
    found = matches()
    texts = {f"{name}.json": written(recorded(played)) for name, played in found.items()}
    texts["shapes.jsonl"] = shapes(list(found.values()))
    for name, text in texts.items():
        if not (path := GOLDEN / name).exists():
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
