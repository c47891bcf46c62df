"""Players for recorded matches: a greedy one, and one who tries all kinds of commands."""

import random
from collections.abc import Callable
from typing import Any

from domain.castles_of_tuscany.fitting import reachable
from domain.castles_of_tuscany.state import State, kind_of
from domain.castles_of_tuscany.words import (
    ArrangeRegion,
    ChooseFirstBonusTile,
    ChooseStartCastle,
    DeclineCastle,
    DrawCards,
    EndTurn,
    Pay,
    PlaceFromDisplay,
    PlaceTile,
    TakeBonusTile,
    TakeTile,
    UseMarble,
)
from domain.core.game import AnyGame, Legal

Chooser = Callable[[AnyGame, Any, int, Legal[Any]], Any]


def greedy(game: AnyGame, state: State, seat: int, legal: Legal[Any]) -> Any:
    """Takes the command that it likes best: points first, then what helps to get them."""
    scored = [(likes(game, state, seat, command), -number) for number, command in enumerate(legal.commands)]
    return legal.commands[-max(scored)[1]]


def likes(game: AnyGame, state: State, seat: int, command: Any) -> float:
    """How much the greedy player likes a command."""
    player = state.players[seat]
    match command:
        case PlaceTile():
            return 10 + _area(state, seat, command.q, command.r)
        case PlaceFromDisplay():
            return 10 + _area(state, seat, command.q, command.r)
        case Pay():
            return 5 - command.workers - len(command.pairs)
        case DrawCards():
            return 4 if player.hand_size < 5 else 2
        case TakeTile():
            return _want(state, seat, command) - (3 if command.give_up is not None else 0)
        case TakeBonusTile() | ChooseFirstBonusTile():
            return {"plus_storage": 3, "plus_card": 2}.get(command.bonus, 1) - 1.5 * player.bonus(command.bonus)
        case UseMarble():
            return 1
        case ArrangeRegion() | ChooseStartCastle() | EndTurn() | DeclineCastle():
            return 0
    raise AssertionError(command)


def _area(state: State, seat: int, q: int, r: int) -> float:
    player = state.players[seat]
    assert player.region is not None
    space = player.region.grid.spaces.index((q, r))
    area = player.region.areas[space]
    left = sum(not player.cover[other] for other in area)
    return {1: 1, 2: 3, 3: 6}[len(area)] / left


def _want(state: State, seat: int, command: TakeTile) -> float:
    player = state.players[seat]
    assert player.region is not None
    kind = kind_of(state.display[command.slot])
    spaces = [space for space in reachable(state, seat) if player.region.kinds[space] is kind]
    stored = sum(kind_of(tile) is kind for tile in player.storage)
    if len(spaces) <= stored:
        return 1
    assert player.hand is not None
    return 3 + min(2, player.hand[list(type(kind)).index(kind)]) if kind else 3


def curious(rng: random.Random) -> Chooser:
    """Picks the type of a command first, then the command, so that rare types come up."""

    def choose(game: AnyGame, state: Any, seat: int, legal: Legal[Any]) -> Any:
        kinds = sorted({type(command) for command in legal.commands}, key=lambda cls: cls.__name__)
        chosen = rng.choice(kinds)
        return rng.choice([command for command in legal.commands if type(command) is chosen])

    return choose


def collector(game: AnyGame, state: Any, seat: int, legal: Legal[Any]) -> Any:
    """As greedy, but above all after production cards: their bonus tiles, cities for more of those, and carriages."""

    def wish(command: Any) -> int:
        match command:
            case TakeBonusTile(bonus="plus_production_card") | ChooseFirstBonusTile(bonus="plus_production_card"):
                return 2
            case PlaceTile(stored=stored) if state.players[seat].storage[stored] in ("carriage", "city"):
                return 2
            case TakeTile(slot=slot) if state.display[slot] in ("carriage", "city"):
                return 1 if _want(state, seat, command) > 1 else 0
            case _:
                return 0

    wishes = [command for command in legal.commands if wish(command)]
    best = max(map(wish, wishes), default=0)
    return greedy(game, state, seat, Legal(tuple(c for c in wishes if wish(c) == best)) if wishes else legal)


def busy(rng: random.Random) -> Chooser:
    """Places whenever it can, draws when it cannot, and takes tiles that fit: fills its region."""

    def choose(game: AnyGame, state: Any, seat: int, legal: Legal[Any]) -> Any:
        for wanted in (PlaceTile, PlaceFromDisplay):
            if found := [command for command in legal.commands if type(command) is wanted]:
                return rng.choice(found)
        if rng.random() < 0.6 and (found := [c for c in legal.commands if type(c) is DrawCards]):
            return found[0]
        return rng.choice(legal.commands)

    return choose
