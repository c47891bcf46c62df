"""How fast Calimala is on one core: whole matches, legal, decide, folding, and how much a match stores."""

import random
import statistics
import time
from typing import Any

import msgspec

from domain.calimala import GAME
from domain.core.chance import SeededChance
from domain.core.game import Setup

SECONDS = 5.0
EACH_MS = 1e3


def _match(seats: int, seed: int, times: dict[str, list[float]], sizes: list[int]) -> list[Any]:
    """One match of random listed commands; what `legal` and `decide` took is noted in milliseconds."""
    clock, rng, key = time.perf_counter, random.Random(seed), seed.to_bytes(32, "big")
    setup = Setup(GAME.options(), GAME.data(GAME.options(), seats), seats)
    state, drawn = GAME.blank(setup), 1
    events = list(GAME.opening(setup, SeededChance(key, 0)))
    for event in events:
        state = GAME.evolve(state, event)
    while awaited := GAME.to_act(state):
        seat = rng.choice(sorted(awaited))
        begun = clock()
        legal = GAME.legal(state, seat)
        listed = clock()
        command = rng.choice(legal.commands)
        chance = SeededChance(key, drawn)
        chosen = clock()
        new = GAME.decide(state, seat, command, chance)
        times["decide"].append((clock() - chosen) * EACH_MS)
        times["legal"].append((listed - begun) * EACH_MS)
        sizes.append(len(legal.commands) + len(legal.templates))
        drawn += bool(chance.draws)
        for event in new:
            state = GAME.evolve(state, event)
        events += new
    return events


def measure() -> dict[str, float | int]:
    """Figures over random matches at every number of seats, for a few seconds."""
    times: dict[str, list[float]] = {"legal": [], "decide": []}
    sizes: list[int] = []
    matches: list[list[Any]] = []
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        matches.append(_match(2 + len(matches) % 4, len(matches), times, sizes))
    setup = Setup(GAME.options(), GAME.data(GAME.options(), 4), 4)
    four, folding = matches[2], time.perf_counter()
    state = GAME.blank(setup)
    for event in four:
        state = GAME.evolve(state, event)
    folding = time.perf_counter() - folding
    stored = [sum(len(msgspec.json.encode(event)) for event in events) for events in matches]
    return {
        "matches_per_second": round(len(matches) / spent, 1),
        "legal_ms_median": round(statistics.median(times["legal"]), 4),
        "legal_ms_p99": round(statistics.quantiles(times["legal"], n=100)[98], 4),
        "decide_ms_median": round(statistics.median(times["decide"]), 4),
        "decide_ms_p99": round(statistics.quantiles(times["decide"], n=100)[98], 4),
        "legal_size_median": int(statistics.median(sizes)),
        "legal_size_max": max(sizes),
        "fold_ms": round(folding * EACH_MS, 2),
        "events_per_match": round(statistics.mean(len(events) for events in matches)),
        "bytes_per_match": round(statistics.mean(stored)),
    }


if __name__ == "__main__":
    for name, figure in measure().items():
        print(f"{name:20} {figure}")
