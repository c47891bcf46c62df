"""Plays the recorded matches and writes them down: python -m tests.games.majolica.record

Three for each seat count, the third by greedy players. Run it after a change of rules or of an event's shape, and
read the difference as one reads a contract.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Setup
from domain.majolica import GAME
from domain.majolica.commands import DeclineBonus
from domain.majolica.state import State
from tests.games.majolica import greedy

FOLDER = Path(__file__).parents[2] / "golden" / "majolica"
OTHERS = {
    "city_hall_tokens": "all_five",
    "city_hall_reward": "pair",
    "start_card": "chosen",
    "next_starter": "left_of_last_player",
    "incomplete_counting": "per_card",
    "empty_slot_run": "blocked",
    "exterior_rule": "open_side",
}
Player = Callable[[State, int], Any]


def matches() -> dict[str, dict[str, Any]]:
    """Every recorded match by its file's name."""
    found = {}
    for seats in GAME.seats:
        key = f"majolica, {seats} seats".encode().ljust(32, b".")
        found[f"{seats}-random"] = played(seats, {"round_limit": 4}, key, random_player(seats))
        found[f"{seats}-options"] = played(seats, {**OTHERS, "round_limit": 12}, key[::-1], mixed(seats))
        found[f"{seats}-greedy"] = played(seats, {}, key, greedy.choose)
    return found


def random_player(seats: int) -> Player:
    """Any legal command."""
    return greedy.at_random(random.Random(seats))


def mixed(seats: int) -> Player:
    """Greedy in most commands, at random in some, and at times without the bonus."""
    rng = random.Random(-seats)
    dice = greedy.at_random(rng)

    def choose(state: State, seat: int) -> Any:
        if state.bonuses and rng.randrange(3) == 0:
            return DeclineBonus() if DeclineBonus() in GAME.legal(state, seat).commands else greedy.choose(state, seat)
        return (greedy.choose if rng.randrange(6) else dice)(state, seat)

    return choose


def played(seats: int, options: dict[str, Any], key: bytes, choose: Player) -> dict[str, Any]:
    """A match as it is stored: every command with its events, so that it can be decided again."""
    chosen = msgspec.convert(options, GAME.options)
    setup = Setup(chosen, GAME.data(chosen, seats), seats)
    chance = SeededChance(key, 0)
    events = GAME.opening(setup, chance)
    commits = [_commit(None, None, events)]
    state, drew = _folded(GAME.blank(setup), events), 1
    while awaited := GAME.to_act(state):
        seat = min(awaited)
        command = choose(state, seat)
        chance = SeededChance(key, drew)
        events = GAME.decide(state, seat, command, chance)
        drew += bool(chance.draws)
        commits.append(_commit(seat, command, events))
        state = _folded(state, events)
    return {
        "game": GAME.name,
        "rules": GAME.rules,
        "options": msgspec.to_builtins(chosen),
        "data": msgspec.to_builtins(setup.data),
        "seats": seats,
        "key": key.hex(),
        "commits": commits,
        "outcome": msgspec.to_builtins(GAME.outcome(state)),
    }


def _commit(seat: int | None, command: Any, events: tuple[Any, ...]) -> dict[str, Any]:
    return {"seat": seat, "command": msgspec.to_builtins(command), "events": msgspec.to_builtins(events)}


def _folded(state: State, events: tuple[Any, ...]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def shapes(records: dict[str, dict[str, Any]]) -> bytes:
    """One stored event of each type, by type."""
    first: dict[str, Any] = {}
    for record in records.values():
        for commit in record["commits"]:
            for event in commit["events"]:
                first.setdefault(event["type"], event)
    return b"".join(canonical(first[name]) + b"\n" for name in sorted(first))


def main() -> None:
    records = matches()
    for name, record in records.items():
        (FOLDER / f"{name}.json").write_bytes(canonical(record) + b"\n")
    (FOLDER / "shapes.jsonl").write_bytes(shapes(records))


if __name__ == "__main__":
    main()
