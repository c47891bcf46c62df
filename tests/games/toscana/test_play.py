"""What holds in every match, whatever the options: properties over random play, and counts of choices."""

import random
import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.game import Legal
from domain.toscana import GAME
from domain.toscana.board import BOARD
from domain.toscana.options import Options
from domain.toscana.placing import placeable
from domain.toscana.state import State
from domain.toscana.words import (
    DecideVeto,
    GameScored,
    GameStarted,
    NextVeto,
    PassReason,
    Phase,
    PlaceTile,
    Side,
    TilePlaced,
    TopRevealed,
    TurnPassed,
    VetoDecision,
    VetoUsed,
)
from tests.games.toscana.table import by_id, options, replayed, side_of
from tests.laws import laws
from tests.support.play import play

CHOICES = {name: get_args(hint.__origin__) for name, hint in Options.__annotations__.items()}
ANY_OPTIONS = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})
SEEDS = st.integers(0, 2**32)


@settings(max_examples=25, deadline=None, derandomize=True)
@over(seed=SEEDS, chosen=ANY_OPTIONS)
def test_the_laws_hold_under_all_options(seed: int, chosen: dict[str, str]) -> None:
    played = play(GAME, 2, seed, **chosen)
    laws.law_1_ends(played)
    laws.law_2_listed_is_accepted(played, random.Random(seed), samples=2)
    laws.law_3_events_survive(played)
    laws.law_4_outcome(played)
    laws.law_5_viewers(played)
    laws.law_6_deterministic(played)
    laws.law_7_totals(played)
    laws.law_9_open_decisions_stand(played)


@pytest.mark.rule("R11", "R16", "R17", "R18", "R19", "R21", "R24", "R26")
@settings(max_examples=30, deadline=None, derandomize=True)
@over(seed=SEEDS, chosen=ANY_OPTIONS)
def test_what_every_match_obeys(seed: int, chosen: dict[str, str]) -> None:
    played = play(GAME, 2, seed, **chosen)
    state = GAME.blank(played.setup)
    tops: dict[Side, str] = {}
    vetoes: Counter[Side] = Counter()
    last: Any = None
    for event in played.events:
        if isinstance(event, GameStarted):
            vetoes.clear()
        elif isinstance(event, TopRevealed):
            tops[event.side] = event.tile
        elif isinstance(event, TilePlaced):
            assert event.tile == tops[event.side]
            assert placeable(state, event.side)
            assert event.ordinal == len(state.laid) + 1
        elif isinstance(event, TurnPassed):
            assert not placeable(state, event.side)
            assert (event.blocked is None) == (event.reason is PassReason.EMPTY_PILE)
        elif isinstance(event, VetoUsed):
            vetoes[event.side] += 1
            assert chosen["veto"] == "on"
            assert side_of(event.tile) is not event.side
        elif isinstance(event, GameScored):
            assert isinstance(last, TurnPassed)
            assert not any(placeable(state, side) for side in Side)
        state, last = GAME.evolve(state, event), event
        assert max(vetoes.values(), default=0) <= 1
        assert not state.courtyard & state.building
        assert (state.courtyard | state.building) & ~BOARD == 0
        assert (state.courtyard | state.building).bit_count() == 8 * len(state.laid)


@pytest.mark.rule("R28", "R29", "R30")
@settings(max_examples=25, deadline=None, derandomize=True)
@over(seed=SEEDS)
def test_scores_counted_another_way(seed: int) -> None:
    """Squares are joined one by one, and the tiles of each group are looked up in the numbers of the view."""
    state = play(GAME, 2, seed).state
    view = GAME.view(state, 0)
    for letter, pile in (("c", view.courtyard), ("B", view.building)):
        todo = {(x, y) for y in range(17) for x in range(17) if view.colours[y][x] == letter}
        sizes: dict[frozenset[str], int] = {}
        while todo:
            group, edge = set(), [todo.pop()]
            while edge:
                x, y = edge.pop()
                group.add((x, y))
                near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & todo
                todo -= near
                edge += near
            tiles = frozenset(view.numbers[y][x] for x, y in group)
            sizes[tiles] = max(sizes.get(tiles, 0), len(group))
        most = max(map(len, sizes))
        assert pile.points == most
        assert {frozenset(".123456789abcdefghijklmnopqrstuvw"[n] for n in area) for area in pile.areas} == {
            tiles for tiles in sizes if len(tiles) == most
        }


@pytest.mark.rule("R7", "R20")
def test_figures_of_random_play() -> None:
    """The rules dossier's figures over 100,000 games: 26.84 tiles laid, 47.11 placements a move, 2.04 passes."""
    laid, choices, passes = [], [], []
    for seed in range(300):
        played = play(GAME, 2, seed, asking(random.Random(seed)), veto="off", side_assignment="host_courtyard")
        laid.append(len(played.state.laid))
        passes.append(sum(isinstance(event, TurnPassed) for event in played.events))
        for step in played.steps[:-1]:
            (seat,) = GAME.to_act(step.state)
            choices.append(len(GAME.legal(step.state, seat).commands) // 2)
    assert statistics.mean(laid) == pytest.approx(26.84, abs=0.3)
    assert statistics.mean(choices) == pytest.approx(47.11, abs=1.5)
    assert statistics.mean(passes) == pytest.approx(2.04, abs=0.1)


def asking(rng: random.Random) -> Any:
    def choose(_game: Any, _state: State, _seat: int, legal: Legal[Any]) -> Any:
        return rng.choice([c for c in legal.commands if c.next_veto is NextVeto.ASK])

    return choose


def positions() -> dict[str, State]:
    """Five positions: an opening, the second tile, a middle, a tile that may be taken back, an ending."""
    games = by_id("game")
    tables = {
        "opening": replayed(games["G1"], 0, options(veto="off", first_tile="free")),
        "second": replayed(games["G2"], 1),
        "middle": replayed(games["G1"], 12),
        "taken back": replayed(games["G4"], 20, options(veto_timing="after")),
        "ending": replayed(games["G5"], 25),
    }
    for name in ("second", "middle", "ending"):
        if tables[name].state.phase is Phase.VETO_DECISION:
            tables[name].waive(tables[name].awaited)
    return {name: table.state for name, table in tables.items()}


def every_command(tiles: set[Any]) -> Iterator[Any]:
    """Every command in normal form about those tiles on and around the board."""
    for tile in sorted(tiles):
        yield from (DecideVeto(tile, decision) for decision in VetoDecision)
        for x, y, o, decision in product(range(-1, 18), range(-1, 18), range(-1, 5), NextVeto):
            command = PlaceTile(tile, x, y, o, decision)
            if GAME.normal(command) == command:
                yield command


PERFT = {
    "opening": (1792, 73280),
    "second": (96, 11248),
    "middle": (150, 29004),
    "taken back": (2, 184),
    "ending": (18, 46),
}


@pytest.mark.parametrize("name", PERFT)
def test_counts_of_choices_to_depth_two(name: str) -> None:
    state = positions()[name]
    (seat,) = GAME.to_act(state)
    legal = GAME.legal(state, seat).commands
    below = 0
    for command in legal:
        after = state
        for event in GAME.decide(state, seat, command, SeededChance(b"perft", 0)):
            after = GAME.evolve(after, event)
        below += sum(len(GAME.legal(after, s).commands) for s in GAME.to_act(after))
    assert (len(legal), below) == PERFT[name]


@pytest.mark.rule("R10", "R17", "K8")
@pytest.mark.parametrize("name", PERFT)
def test_no_command_but_the_listed_ones_is_accepted(name: str) -> None:
    state = positions()[name]
    (seat,) = GAME.to_act(state)
    accepted = set()
    for command in every_command({state.camp(state.side).top, state.against, "C01", "B07"} - {None}):
        try:
            GAME.decide(state, seat, command, SeededChance(b"perft", 0))
        except Illegal:
            continue
        accepted.add(str(command))
    assert accepted == {str(command) for command in GAME.legal(state, seat).commands}
