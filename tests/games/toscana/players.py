"""Players for whole matches: one that grabs what it can, one that vetoes late."""

import random
from typing import Any

from domain.core.words import Seat
from domain.toscana import GAME
from domain.toscana.scoring import score
from domain.toscana.state import OTHER, State
from domain.toscana.words import DecideVeto, NextVeto, PlaceTile, Side, TilePlaced, VetoDecision
from tests.games.toscana.table import with_top

WORTH_A_VETO = 3
LATE = 20


def lead(state: State, side: Side) -> int:
    """How far the side is ahead."""
    return score(state, side, 0).points - score(state, OTHER[side], 0).points


def best(state: State, side: Side, commands: list[PlaceTile]) -> tuple[int, PlaceTile]:
    """The lead that the best placement gives, and the first such placement."""
    ranked = []
    for at, c in enumerate(commands):
        event = TilePlaced(seat=0, side=side, ordinal=1, tile=c.tile, x=c.x, y=c.y, o=c.o)
        ranked.append((-lead(GAME.evolve(state, event), side), at, c))
    gain, _, command = min(ranked)
    return -gain, command


def placements(state: State, seat: Seat) -> list[PlaceTile]:
    legal = GAME.legal(state, seat).commands
    return [c for c in legal if isinstance(c, PlaceTile) and c.next_veto is NextVeto.ASK]


def greedy(_game: Any, state: State, seat: Seat, _legal: Any) -> Any:
    """Take the largest lead; veto a tile by which the opponent would gain much."""
    if state.against is None:
        return best(state, state.side, placements(state, seat))[1]
    victim = OTHER[state.decider]
    seen = with_top(state, state.against)
    lead_after, _ = best(seen, victim, placements(seen, seen.camp(victim).seat))
    gain = lead_after - lead(state, victim)
    return DecideVeto(state.against, VetoDecision.VETO if gain >= WORTH_A_VETO else VetoDecision.WAIVE)


def late_vetoer(rng: random.Random) -> Any:
    """Anything legal, but vetoes only late, and then by announcing them."""

    def choose(_game: Any, state: State, _seat: Seat, legal: Any) -> Any:
        if state.against is not None:
            return DecideVeto(state.against, VetoDecision.WAIVE)
        wanted = NextVeto.VETO if len(state.laid) >= LATE else rng.choice((NextVeto.ASK, NextVeto.WAIVE))
        return rng.choice([c for c in legal.commands if c.next_veto is wanted] or legal.commands)

    return choose
