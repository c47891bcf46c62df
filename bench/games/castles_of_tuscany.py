"""How fast The Castles of Tuscany is: random whole matches, single decisions, and what a match takes to store.

python -m bench.games.castles_of_tuscany
"""

import json
import random
from statistics import median
from time import perf_counter

import msgspec

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.events import AnyEvent
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import AnyCommand
from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Setup

SECONDS = 4.0
KEY = bytes(32)
SETUP_COMMITS = 13


def measure() -> dict[str, float | int]:
    """Figures of random legal play at four seats with the default options; mid-game is all after setup."""
    legal_us: list[float] = []
    decide_us: list[float] = []
    sizes: list[int] = []
    largest = 0
    folds: list[float] = []
    reaches: list[float] = []
    counts: list[tuple[int, int, int]] = []
    started = perf_counter()
    seed = 0
    while perf_counter() - started < SECONDS:
        commits, events, largest_here = _match(seed, legal_us, decide_us, sizes)
        largest = max(largest, largest_here)
        counts.append((commits, len(events), sum(len(canonical(event)) for event in events)))
        folds.append(_fold_ms(events))
        reaches.append(_fold_ms(events[: random.Random(seed).randrange(len(events))]))
        seed += 1
    return {
        "matches_per_s": round(_matches_per_s(), 2),
        "legal_median_us": round(median(legal_us), 1),
        "legal_largest_us": round(max(legal_us), 1),
        "decide_median_us": round(median(decide_us), 1),
        "decide_largest_us": round(max(decide_us), 1),
        "legal_list_median": int(median(sizes)),
        "legal_list_largest": max(sizes),
        "legal_list_largest_in_setup": largest,
        "fold_ms_per_match": round(median(folds), 2),
        "reach_any_version_ms": round(median(reaches), 2),
        "commits_per_match": int(median(each[0] for each in counts)),
        "events_per_match": int(median(each[1] for each in counts)),
        "bytes_per_match": int(median(each[2] for each in counts)),
    }


def _setup() -> Setup:
    options = GAME.options()
    return Setup(options, GAME.data(options, 4), 4)


def _choice(rng: random.Random, commands: tuple[AnyCommand, ...]) -> AnyCommand:
    """The type of command first, so that drawing and placing are not drowned by the eight tiles to take."""
    chosen = rng.choice(sorted({type(command) for command in commands}, key=lambda cls: cls.__name__))
    return rng.choice([command for command in commands if type(command) is chosen])


def _match(
    seed: int, legal_us: list[float], decide_us: list[float], sizes: list[int]
) -> tuple[int, list[AnyEvent], int]:
    rng = random.Random(seed)
    setup = _setup()
    events = list(GAME.opening(setup, SeededChance(KEY, seed)))
    state = _folded(GAME.blank(setup), events)
    commits, largest = 1, 0
    while awaited := GAME.to_act(state):
        seat = min(awaited)
        begun = perf_counter()
        commands = GAME.legal(state, seat).commands
        listed = perf_counter()
        command = _choice(rng, commands)
        chance = SeededChance(KEY, seed + commits)
        chosen = perf_counter()
        new = GAME.decide(state, seat, command, chance)
        decided = perf_counter()
        if commits >= SETUP_COMMITS:
            legal_us.append((listed - begun) * 1e6)
            decide_us.append((decided - chosen) * 1e6)
            sizes.append(len(commands))
        else:
            largest = max(largest, len(commands))
        state = _folded(state, new)
        events += new
        commits += 1
    return commits, events, largest


def _folded(state: State, events: object) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _fold_ms(events: list[AnyEvent]) -> float:
    blank = GAME.blank(_setup())
    begun = perf_counter()
    _folded(blank, events)
    return (perf_counter() - begun) * 1e3


def _matches_per_s() -> float:
    """Without the watch around every call."""
    begun = perf_counter()
    played = 0
    while perf_counter() - begun < SECONDS:
        rng = random.Random(played)
        setup = _setup()
        state = _folded(GAME.blank(setup), GAME.opening(setup, SeededChance(KEY, played)))
        n = 1
        while awaited := GAME.to_act(state):
            seat = min(awaited)
            command = _choice(rng, GAME.legal(state, seat).commands)
            state = _folded(state, GAME.decide(state, seat, command, SeededChance(KEY, n)))
            n += 1
        played += 1
    return played / (perf_counter() - begun)


if __name__ == "__main__":
    print(json.dumps(msgspec.to_builtins(measure()), indent=2))
