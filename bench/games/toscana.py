"""How fast Toscana is: `python -m bench.games.toscana`. One core, about ten seconds."""

import json
import random
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Setup
from domain.toscana import GAME
from domain.toscana.options import Options
from domain.toscana.words import NextVeto, PlaceTile

SETUP = Setup(Options(), GAME.data(Options(), 2), 2)
MIDDLE = range(8, 20)
"""Tiles on the board in the middle of a game."""


def match(seed: int) -> tuple[list[Any], list[tuple[Any, int, Any]]]:
    """A random match: its events, and for each commit the state before, the seat and the command."""
    rng = random.Random(seed)
    key = seed.to_bytes(32, "big")
    state = GAME.blank(SETUP)
    events: list[Any] = []
    taken: list[tuple[Any, int, Any]] = []
    now = GAME.opening(SETUP, SeededChance(key, 0))
    while True:
        for event in now:
            state = GAME.evolve(state, event)
        events += now
        if not (awaited := GAME.to_act(state)):
            return events, taken
        (seat,) = awaited
        command = rng.choice(GAME.legal(state, seat).commands)
        taken.append((state, seat, command))
        now = GAME.decide(state, seat, command, SeededChance(key, len(taken)))


def microseconds(work: Callable[..., Any], calls: list[tuple[Any, ...]]) -> float:
    """The median time of a call."""
    times = []
    for call in calls:
        start = perf_counter()
        work(*call)
        times.append(perf_counter() - start)
    return round(1e6 * statistics.median(times), 1)


def measure() -> dict[str, float | int]:
    """The figures, by name."""
    seeds = range(400)
    start = perf_counter()
    played = [match(seed) for seed in seeds]
    seconds = perf_counter() - start
    middle = [
        step for _, taken in played for step in taken if isinstance(step[2], PlaceTile) and len(step[0].laid) in MIDDLE
    ]
    lists = [GAME.legal(state, seat).commands for state, seat, _ in middle]
    sizes = [len(commands) for commands in lists]
    spots = [sum(command.next_veto is NextVeto.ASK for command in commands) for commands in lists]
    start = perf_counter()
    for events, _ in played:
        state = GAME.blank(SETUP)
        for event in events:
            state = GAME.evolve(state, event)
    folding = perf_counter() - start
    count = sum(len(events) for events, _ in played)
    size = sum(len(canonical(event)) for events, _ in played for event in events)
    return {
        "random matches per second": round(len(played) / seconds, 1),
        "commits per match": round(statistics.mean(len(taken) for _, taken in played), 1),
        "legal, middle, median us": microseconds(GAME.legal, [(state, seat) for state, seat, _ in middle]),
        "decide, middle, median us": microseconds(
            GAME.decide, [(state, seat, command, SeededChance(b"bench", 0)) for state, seat, command in middle]
        ),
        "view, middle, median us": microseconds(GAME.view, [(state, seat) for state, seat, _ in middle]),
        "legal list, middle, median": int(statistics.median(sizes)),
        "legal list, middle, largest": max(sizes),
        "placements, middle, median": int(statistics.median(spots)),
        "fold of a match, us": round(1e6 * folding / len(played), 1),
        "events folded per second": round(count / folding),
        "events per match": round(count / len(played), 1),
        "bytes of events per match": round(size / len(played)),
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
