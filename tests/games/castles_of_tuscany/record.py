"""Plays the recorded matches and writes them down: python -m tests.games.castles_of_tuscany.record

Three for each seat count, one of them by greedy players. Run it after a change of rules or of an event's form, and
read the difference as one reads a contract.
"""

import random
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain.castles_of_tuscany import GAME
from domain.core.canonical import canonical
from tests.games.castles_of_tuscany.greedy import Chooser, busy, collector, curious, greedy
from tests.games.castles_of_tuscany.table import HERE
from tests.support.play import Played, play

FOLDER = HERE.parents[1] / "golden" / "castles_of_tuscany"


def always(chooser: Chooser) -> Callable[[random.Random], Chooser]:
    """The player without dice."""
    return lambda _dice: chooser


MATCHES: dict[str, tuple[int, Callable[[random.Random], Chooser], int, dict[str, Any]]] = {
    "2-greedy": (2, always(greedy), 3, {}),
    "2-busy": (2, busy, 2, {"lenient_shifts": True, "card_split": "even"}),
    "2-short": (2, curious, 9, {"lap_limit": 25}),
    "3-greedy": (3, always(greedy), 0, {}),
    "3-busy": (3, busy, 3, {"base_cards": 3, "bonus_values": "green_storage"}),
    "3-curious": (3, curious, 39, {}),
    "4-greedy": (4, always(greedy), 56, {}),
    "4-collector": (4, always(collector), 33, {}),
    "4-curious": (4, curious, 13, {}),
}
"""Name, seats, player by its dice, seed, options."""


def played(name: str) -> Played:
    """The match, played again from its seed."""
    seats, player, seed, options = MATCHES[name]
    return play(GAME, seats, seed, player(random.Random(seed)), **options)


def record(match: Played) -> dict[str, Any]:
    """The match as plain values."""
    return {
        "game": GAME.name,
        "rules": GAME.rules,
        "options": msgspec.to_builtins(match.setup.options),
        "data": msgspec.to_builtins(match.setup.data),
        "seats": match.setup.seats,
        "key": match.key.hex(),
        "commits": [
            {
                "seat": step.seat,
                "command": None if step.command is None else msgspec.to_builtins(step.command),
                "events": [msgspec.to_builtins(event) for event in step.events],
            }
            for step in match.steps
        ],
        "outcome": msgspec.to_builtins(GAME.outcome(match.state)),
    }


def written(content: dict[str, Any]) -> str:
    """The record as a file: one line for each commit."""
    head = {name: value for name, value in content.items() if name not in ("commits", "outcome")}
    commits = ",\n".join(canonical(commit).decode() for commit in content["commits"])
    outcome = canonical(content["outcome"]).decode()
    return f'{canonical(head).decode()[:-1]},"commits":[\n{commits}\n],"outcome":{outcome}}}\n'


def shapes(records: Iterable[dict[str, Any]]) -> str:
    """For every event type the first event of the records, as it is stored."""
    found: dict[str, str] = {}
    for content in records:
        for commit in content["commits"]:
            for event in commit["events"]:
                found.setdefault(event["type"], canonical(event).decode())
    return "".join(f"{found[name]}\n" for name in sorted(found))


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    records = {name: record(played(name)) for name in MATCHES}
    for name, content in records.items():
        (FOLDER / f"{name}.json").write_text(written(content), "utf-8")
    (FOLDER / "shapes.jsonl").write_text(shapes(records.values()), "utf-8")


if __name__ == "__main__":
    main()
