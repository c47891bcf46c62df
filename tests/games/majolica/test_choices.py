"""Legal choices counted to depth 2 from five fixed positions: what changes here has changed the rules."""

from collections.abc import Callable

import pytest

from domain.core.chance import SeededChance
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica.state import State
from tests.games.majolica.helpers import line, play, player, state, tile
from tests.support.play import play as played


def opening() -> State:
    return played(GAME, 2, 7, commits=2).state


def mid_round() -> State:
    return state(
        player("RRRBB YY RRG GGG", "D01[R|RBB] - D07[|RRBY]"),
        player("BB - YYG -", "ST1[|BYG] - -"),
        grid="..R. BY.G BRYG .YR.",
        market="D02 D03 - D45 - D50",
    )


def overflow() -> State:
    now = state(player("RBYG** - - -"))
    return play(now, line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(1))[0]


def joker_delivery() -> State:
    now = state(player("- RB*** - -", "- D35[|RRBBYG] -"))
    return play(now, tile(1, 3), c.KeepCards(), c.PlaceTiles(2))[0]


def bonuses() -> State:
    now = state(player("RRRBB R RRGG GGG", "D01[RBB|R] D25[RRBB|Y] -"), bonuses=1)
    return play(now, tile(1, 1), c.KeepCards(), c.PlaceTiles(1))[0]


def counted(now: State, depth: int) -> int:
    if depth == 0 or not GAME.to_act(now):
        return 1
    total = 0
    for command in GAME.legal(now, now.seat).commands:
        after = now
        for event in GAME.decide(now, now.seat, command, SeededChance(b"count", 0)):
            after = GAME.evolve(after, event)
        total += counted(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("position", "one", "two"),
    [
        # 4 lines and 12 tiles; a line goes to 4 workshops, a tile comes with 12 cards, 2 moves or neither
        (opening, 16, 4 * 4 + 12 * 15),
        # 3 lines and 7 tiles; one slot is empty, for 4 cards or 2 moves
        (mid_round, 10, 3 * 4 + 7 * 7),
        # 4 of RRBBYYGG**; where two pairs and both jokers are left, they run on and 2 of RRBB** are discarded
        (overflow, 45, 39 * 14 + 6 * 6),
        # 7 ways to lay one of RBY*** on RRBBYG, 22 for two, 40 for three; of five tiles left one is discarded from
        # workshop 3, four run on if a colour or two are left, and from workshop 4 if one, where the City Hall asks
        (joker_delivery, 7 + 22 + 40, (4 * 4 + 3 * 3) + (19 * 15 + 3 * 2) + 40 * 15),
        # run 1 or 3, 16 ways to use the bonus, declining it
        (bonuses, 19, 18 + 18 + 2 + 4 * 2 + (3 * 2 + 3) + (2 + 2 + 3 + 3) + (2 + 2 + 3 + 3)),
    ],
)
def test_choices_to_depth_2(position: Callable[[], State], one: int, two: int) -> None:
    now = position()
    assert (counted(now, 1), counted(now, 2)) == (one, two)
