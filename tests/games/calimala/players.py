"""Players for recorded matches: one who is greedy, one who is patient."""

import random
from typing import Any

from domain.calimala.actions import possible
from domain.calimala.board import PALAZZO, STREETS, TILE_GROUPS
from domain.calimala.scoring import cubes, ranking
from domain.calimala.state import State, grid_actions
from domain.calimala.things import Action, Worker
from domain.calimala.words import EndActivation, PlaceWorker, PlayActionCard, SkipAction, TakeAction
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame, Legal
from domain.core.words import Seat
from tests.support.play import Chooser, fold, random_fit

_DELIVERIES = (Action.SHIP, Action.TRANSPORT)


def greedy(rng: random.Random) -> Chooser:
    """Takes what leads to the best position at once: points, majorities of the tiles to come, then useful things."""

    def choose(game: AnyGame, state: State, seat: Seat, legal: Legal[Any]) -> Any:
        tried = list(legal.commands)
        if legal.templates:
            tried += [game.normal(random_fit(rng, rng.choice(legal.templates))) for _ in range(3)]
        best, value = None, float("-inf")
        for command in tried:
            try:
                events = game.decide(state, seat, command, SeededChance(b"?", 0))
            except Illegal:
                continue
            worth = _value(fold(game, state, events), seat) + rng.random()
            if isinstance(command, PlaceWorker):
                pair = grid_actions(state, STREETS[list(type(command.space)).index(command.space)])
                worth += 3 * len(possible(state, seat) & set(pair)) - (command.worker is not Worker.FAMILY_MEMBER)
            if worth > value:
                best, value = command, worth
        return best

    return choose


def _value(state: State, seat: Seat) -> float:
    mat = state.mats[seat]
    value = 10.0 * mat.points + 6 * mat.ships + 6 * sum(mat.houses) + 4 * mat.workshops + sum(mat.cubes[1:])
    value += 2 * mat.hand_size + 3 * state.board[PALAZZO].count(seat)
    for i, tile in enumerate(state.tiles[state.scored :]):
        standings = ranking(state, cubes(state, TILE_GROUPS[tile]), (3, 2, 1))
        value += sum(standing.points for standing in standings if standing.participant == seat) * 8 / (i + 2)
    return value


def patient(rng: random.Random) -> Chooser:
    """Keeps its Hirelings for last, skips nothing, and sends as many cubes as it can: now and then it must pass."""

    def choose(game: AnyGame, state: State, seat: Seat, legal: Legal[Any]) -> Any:
        def order(command: Any) -> tuple[int, float]:
            if isinstance(command, PlaceWorker):
                return 10 * (command.worker is Worker.HIRELING), rng.random()
            if isinstance(command, SkipAction):
                return 5, rng.random()
            if isinstance(command, TakeAction | PlayActionCard):
                return -len(command.choice) if command.action in _DELIVERIES else 0, rng.random()
            return 3 if isinstance(command, EndActivation) else 0, rng.random()

        return min(legal.commands, key=order)

    return choose
