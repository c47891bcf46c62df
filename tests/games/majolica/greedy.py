"""A player that looks no further than its own placing and values completing cards: for records and speed."""

import random

from domain.core.chance import SeededChance
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica.state import State, phase, workshop_of
from domain.majolica.tiles import JOKER, NONE

FINISHED, LAID, ONE_POINT, BONUS, FITTING, HELD = 600, 45, 12, 15, 7, 20


def choose(state: State, seat: int) -> c.MajolicaCommand:
    """The command whose result, as far as this turn's taking and placing goes, is worth most."""
    listed = GAME.legal(state, seat).commands
    return max(listed, key=lambda command: _after(state, seat, command)) if len(listed) > 1 else listed[0]


def at_random(rng: random.Random) -> object:
    """A player that picks any legal command."""
    return lambda state, seat: rng.choice(GAME.legal(state, seat).commands)


def _after(state: State, seat: int, command: c.MajolicaCommand) -> int:
    now = state
    for event in GAME.decide(state, seat, command, SeededChance(b"thinking", 0)):
        now = GAME.evolve(now, event)
    if now.seat == seat and phase(now) in ("cards", "place"):
        return max(_after(now, seat, follow) for follow in GAME.legal(now, seat).commands)
    return worth(now, seat)


def worth(state: State, seat: int) -> int:
    """How good a seat's board looks."""
    player = state.players[seat]
    total = FINISHED * len(player.finished) + LAID * player.finished_points // 2 + ONE_POINT * player.one_points
    if state.seat == seat:
        total += BONUS * state.bonuses + (HELD - 4 * len(player.finished)) * state.joker_held
    for number, bag in enumerate(player.workshops, 1):
        shop = workshop_of(state, number)
        best = sorted((min(count, shop.set_size) for count in bag[:JOKER]), reverse=True)[: shop.set_count]
        matched = sum(best) + bag[JOKER]
        held = player.slots[number - 1] if number <= len(player.slots) else None
        fits = sum(min(have, want) for have, want in zip(bag, held.open, strict=True)) if held is not None else 0
        total += (matched * matched if fits or number > len(player.slots) else 2 * matched) - 6 * (sum(bag) - matched)
        if held is not None:
            total += 20 + LAID * sum(held.on) * sum(held.on) // 3 + FITTING * fits
    total += 5 * sum(1 for bag in player.workshops if bag == NONE)
    return total
