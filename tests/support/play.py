"""Playing whole games without a server: random legal play, scripted play, and the record of it."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

import tests.tiny
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame, Legal, Setup
from domain.core.registry import Games
from domain.core.words import Seat
from domain.games import GAMES, packages

ALL_GAMES = Games((*packages(), tests.tiny))
"""Every game there is, and the tiny one of the tests."""

EVERY_GAME = [game for _, game in sorted(ALL_GAMES.items())]
assert all(key in ALL_GAMES for key in GAMES)

Chooser = Callable[[AnyGame, Any, Seat, Legal[Any]], Any]


@dataclass(frozen=True)
class Step:
    """One commit: who acted with what (None for the opening), the events, and the state after it."""

    seat: Seat | None
    command: Any
    events: tuple[Any, ...]
    state: Any
    n: int
    draws: tuple[Any, ...]


@dataclass
class Played:
    """A game as it was played, commit by commit."""

    game: AnyGame
    setup: Setup[Any, Any]
    key: bytes
    steps: list[Step] = field(default_factory=list)

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    @property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step.events]

    @property
    def draws(self) -> int:
        return sum(bool(step.draws) for step in self.steps)


def setup_of(game: AnyGame, seats: int, **options: Any) -> Setup[Any, Any]:
    """The setup of a new match."""
    chosen = msgspec.convert(options, game.options)
    return Setup(chosen, game.data(chosen, seats), seats)


def fold(game: AnyGame, state: Any, events: Any) -> Any:
    """The state after the events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def begin(game: AnyGame, setup: Setup[Any, Any], key: bytes) -> Played:
    """A game just opened."""
    chance = SeededChance(key, 0)
    events = tuple(game.opening(setup, chance))
    played = Played(game, setup, key)
    state = fold(game, game.blank(setup), events)
    played.steps.append(Step(None, None, events, state, 0, tuple(chance.draws)))
    return played


def act(played: Played, seat: Seat, command: Any) -> Step:
    """Decide one command and go on from it. Raises Illegal, and then nothing has changed."""
    n = played.draws
    chance = SeededChance(played.key, n)
    events = tuple(played.game.decide(played.state, seat, command, chance))
    state = fold(played.game, played.state, events)
    step = Step(seat, command, events, state, n, tuple(chance.draws))
    played.steps.append(step)
    return step


def random_choice(rng: random.Random) -> Chooser:
    """A player who picks any legal command, now and then one that fits a template."""

    def choose(game: AnyGame, state: Any, seat: Seat, legal: Legal[Any]) -> Any:
        if legal.templates and (not legal.commands or rng.random() < 0.3):
            for _ in range(50):
                command = game.normal(random_fit(rng, rng.choice(legal.templates)))
                try:
                    game.decide(state, seat, command, SeededChance(b"?", 0))
                except Illegal:
                    continue
                return command
        return rng.choice(legal.commands) if legal.commands else game.default(state, seat)

    return choose


def random_fit(rng: random.Random, template: Any) -> Any:
    """A command that fits the template."""
    size = rng.randint(template.at_least, min(template.at_most, template.at_least + 3))
    if template.distinct:
        size = min(size, len(template.items))
        chosen = rng.sample(template.items, size)
    else:
        chosen = [rng.choice(template.items) for _ in range(size)]
    return msgspec.structs.replace(template.base, **{template.field: tuple(chosen)})


def play(
    game: AnyGame,
    seats: int,
    seed: int,
    choose: Chooser | None = None,
    *,
    commits: int | None = None,
    **options: Any,
) -> Played:
    """Play from the opening to the end (or so many commits); who acts among several is chosen by the seed too."""
    rng = random.Random(seed)
    choose = choose or random_choice(rng)
    played = begin(game, setup_of(game, seats, **options), seed.to_bytes(32, "big"))
    while (awaited := game.to_act(played.state)) and (commits is None or len(played.steps) <= commits):
        seat = rng.choice(sorted(awaited))
        act(played, seat, choose(game, played.state, seat, game.legal(played.state, seat)))
    return played
