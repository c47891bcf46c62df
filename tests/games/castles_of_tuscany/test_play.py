"""Whole matches: the laws under all kinds of options and players, what is conserved, how many choices there are."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.cards import deck_content
from domain.castles_of_tuscany.region import open_spaces
from domain.castles_of_tuscany.state import State, kind_of
from domain.castles_of_tuscany.words import KINDS, WILD_HEX, Kind, PlaceTile
from domain.core.chance import SeededChance
from tests.games.castles_of_tuscany.greedy import busy, collector, curious, greedy
from tests.games.castles_of_tuscany.record import always
from tests.games.castles_of_tuscany.table import given as given_table
from tests.games.castles_of_tuscany.table import having, having_discards, then
from tests.games.castles_of_tuscany.test_effects import placed, ready
from tests.games.castles_of_tuscany.test_worked_examples import dealt, set_up
from tests.laws import laws
from tests.support.play import fold, play

OPTIONS = st.fixed_dictionaries(
    {
        "base_cards": st.sampled_from([2, 3]),
        "lenient_shifts": st.booleans(),
        "lap_limit": st.sampled_from([10, 30, 150]),
        "card_split": st.sampled_from(["by_spaces", "even"]),
        "bonus_values": st.sampled_from(["by_spaces", "green_storage"]),
    }
)
PLAYERS = st.sampled_from([busy, curious, always(greedy), always(collector)])
FEW = settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SEVERAL = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SEEDS = st.integers(0, 2**32)


@pytest.mark.rule("K7", "R17")
@pytest.mark.parametrize("seats", [2, 3, 4])
@FEW
@given(seed=SEEDS, options=OPTIONS, player=PLAYERS)
def test_the_laws_hold_under_all_options(seats: int, seed: int, options: dict[str, Any], player: Any) -> None:
    match = play(GAME, seats, seed, player(random.Random(seed)), **options)
    laws.law_1_ends(match)
    laws.law_2_listed_is_accepted(match, random.Random(seed))
    laws.law_3_events_survive(match)
    laws.law_4_outcome(match)
    laws.law_5_viewers(match)
    laws.law_6_deterministic(match)
    laws.law_7_totals(match)
    laws.law_9_open_decisions_stand(match)


def check_table(state: State) -> None:
    """What holds after every event; hands, decks and discards together are all the cards."""
    data, seats = state.setup.data, len(state.players)
    deck = deck_content(state)
    assert len(deck) == state.region_deck
    for player in state.players:
        assert player.hand is not None
        assert sum(player.hand) == player.hand_size
        assert min(player.hand) >= 0
        assert len(player.storage) <= player.storage_spaces
        assert sum(player.stacks) == len(player.undrawn)
        assert min(player.marble, player.workers) >= 0
    hands = [sum(player.hand[i] for player in state.players if player.hand) for i in range(len(KINDS))]
    everything = [deck.count(kind) + hands[i] + state.region_discards[i] for i, kind in enumerate(KINDS)]
    assert everything == list(data.region_cards)
    assert min(state.marble, state.workers, state.wild_hexes, *state.bonus_supply) >= 0
    tiles = Counter(state.neutral) + Counter(state.box) + Counter(tile for tile in state.display if tile)
    for player in state.players:
        tiles += Counter(player.undrawn) + Counter(player.storage) + Counter(tile for tile in player.cover if tile)
    assert tiles.pop("start_castle", 0) == sum(player.region is not None for player in state.players)
    assert tiles.pop(WILD_HEX, 0) + state.wild_hexes == 10
    assert tiles == {tile.id: tile.neutral + seats * tile.own for tile in data.tiles}
    cards = Counter(state.production_deck) + Counter(state.production_discards)
    assert cards == {card.id: card.count for card in data.production}


@pytest.mark.rule("R2.1", "R2.5", "R2.8", "R9.10", "R7.2")
@pytest.mark.parametrize("seats", [2, 3, 4])
@FEW
@given(seed=SEEDS, player=PLAYERS)
def test_nothing_is_lost_and_nothing_is_made(seats: int, seed: int, player: Any) -> None:
    match = play(GAME, seats, seed, player(random.Random(seed)))
    state = GAME.blank(match.setup)
    points = [(0, 0)] * seats
    totals = GAME.totals(state)
    for event in match.events:
        state = GAME.evolve(state, event)
        check_table(state)
        assert GAME.totals(state) == totals
        now = [(player.green, player.red) for player in state.players]
        assert all(new[0] >= old[0] and new[1] >= old[1] for new, old in zip(now, points, strict=True))
        points = now
    full = [tile for tile in state.display if tile]
    assert len(full) == 8


@pytest.mark.rule("R14.3", "R1.2")
@pytest.mark.parametrize("seats", [2, 3, 4])
@SEVERAL
@given(seed=SEEDS, player=PLAYERS)
def test_all_have_as_many_turns_whenever_a_round_is_scored(seats: int, seed: int, player: Any) -> None:
    turns, rounds = [0] * seats, 0
    for event in play(GAME, seats, seed, player(random.Random(seed))).events:
        if isinstance(event, e.TurnEnded):
            turns[event.seat] += 1
        elif isinstance(event, e.RoundScored):
            rounds += 1
            assert len(set(turns)) == 1
            assert event.round == rounds
    assert 1 <= rounds <= 3


@pytest.mark.rule("R11.3", "R11.4", "R10.4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_points_add_up_event_by_event(seats: int) -> None:
    match = play(GAME, seats, 100 + seats, greedy)
    green, red = [0] * seats, [0] * seats
    for event in match.events:
        if isinstance(event, e.RoundScored):
            red = [have + more for have, more in zip(red, green, strict=True)]
            assert tuple(red) == event.reds_after
        elif hasattr(event, "points"):
            track = green if event.track == "green" else red
            track[event.seat] += event.points
    assert tuple(red) == match.state.outcome.scores
    assert green == [player.green for player in match.state.players]
    colours = Counter((event.kind, event.side) for event in match.events if isinstance(event, e.ColourBonusScored))
    assert max(colours.values()) == 1
    takers = Counter((event.kind, event.seat) for event in match.events if isinstance(event, e.ColourBonusScored))
    assert max(takers.values()) == 1


@pytest.mark.rule("R9.2", "R16")
@pytest.mark.parametrize("seats", [2, 4])
def test_bonus_tiles_never_run_out(seats: int) -> None:
    match = play(GAME, seats, 8, collector)
    owned = [sum(player.bonus_tiles) for player in match.state.players]
    assert max(owned) <= 4
    assert sum(match.state.bonus_supply) == 25 - sum(owned)


def test_totals() -> None:
    """Without the start castles; the stacks hold what was not drawn."""
    for seats in (2, 3, 4):
        assert GAME.totals(given_table(seats)) == {
            "tiles": 32 + 21 * seats,
            "stacked_tiles_unaccounted": 0,
            "wild_hexes": 10,
            "region_cards": 122,
            "production_cards": 27,
            "marble": 12,
            "workers": 12,
            "bonus_tiles": 25,
        }
    state = having(given_table(), 0, stacks=(7, 7, 6), storage=("inn", "wild_hex"), covered={(0, 0): "wild_hex"})
    totals = GAME.totals(replace(state, production_discards=("red_3",), box=("inn", "inn")))
    goods = having_discards(having(given_table(), 1, marble=3, workers=5, hand={"inn": 4}), city=2)
    assert GAME.totals(goods) == GAME.totals(given_table())
    assert (totals["stacked_tiles_unaccounted"], totals["wild_hexes"]) == (-1, 12)
    assert (totals["tiles"], totals["production_cards"]) == (32 + 42 + 3, 28)


@pytest.mark.rule("K4")
def test_every_draw_says_what_for() -> None:
    labels = {draw.label for step in play(GAME, 3, 9, collector).steps for draw in step.draws}
    assert labels == {
        *("board_A", "board_B", "board_C", "region_card", "neutral_tile", "first_player"),
        *("stack_tile", "production_card"),
    }


def choices(state: State, depth: int) -> int:
    """How many sequences of so many commands there are, each with the first draw of a fixed key."""
    total = 0
    for seat in sorted(GAME.to_act(state)):
        commands = GAME.legal(state, seat).commands
        if depth == 1:
            total += len(commands)
            continue
        for command in commands:
            total += choices(fold(GAME, state, GAME.decide(state, seat, command, SeededChance(b"count", 0))), depth - 1)
    return total


def rich() -> State:
    """Seat 0 has to pay for an inn and holds four cards of every kind and two workers; seat 1 has no cards."""
    state = having(
        given_table(), 0, storage=("inn",), hand=dict.fromkeys(map(str, KINDS), 4), workers=2, covered={(2, 0): "inn"}
    )
    state = having(state, 0, covered={(3, 0): "carriage"})
    return then(state, 0, PlaceTile(0, 3, 1))


def crowded() -> State:
    """Seat 0 with three stored things, one of them a wild hex, and cards for two kinds."""
    return having(
        given_table(),
        0,
        storage=("village", "wild_hex", "quarry"),
        bonus={"plus_storage": 2},
        hand={"village": 2, "monastery": 2, "inn": 1},
    )


def castle() -> State:
    """Seat 0's castle may place a tile of the display."""
    return placed(ready("castle"), "castle")


@pytest.mark.rule("R3.9", "R4.6")
def test_how_many_choices_there_are_in_setup() -> None:
    """Each seat has 192 arrangements, 3 castles and 5 bonus tiles; then the other seat, or what it has left."""
    state = dealt()
    assert choices(state, 1) == 2 * 200
    assert choices(state, 2) == 2 * (192 * (8 + 200) + 3 * (197 + 200) + 5 * (195 + 200))


@pytest.mark.rule("R1.3", "R7.1")
def test_how_many_choices_there_are_in_the_first_turn() -> None:
    """Draw, or one of eight tiles; then the same for the other seat."""
    assert (choices(set_up(), 1), choices(set_up(), 2)) == (9, 9 * 9)


@pytest.mark.rule("R8.3")
def test_how_many_choices_there_are_for_the_richest_payment() -> None:
    """Two cards; one with a worker or one of 7 pairs; none with 2 workers, a worker and a pair, or 28 times two pairs.

    Then the other seat draws, or takes one of eight tiles.
    """
    assert choices(rich(), 1) == 1 + (1 + 7) + (1 + 7 + 28) == 45
    assert choices(rich(), 2) == 45 * 9


@pytest.mark.rule("R7.3", "R8.1")
def test_how_many_choices_there_are_with_full_storage() -> None:
    """Draw; 8 tiles for 3 stored things; the village on 3 spaces, the wild hex on those, on 2 monasteries, and on the
    carriage, which two pairs pay; nothing for the quarry. Then the other seat has 9, and each payment follows.
    """
    state = crowded()
    assert choices(state, 1) == 1 + 8 * 3 + 3 + (3 + 2 + 1)
    villages = (3 + 3) * len(("two villages", "a village and two monasteries"))
    monasteries = 2 * len(("two monasteries", "a monastery and two villages"))
    assert choices(state, 2) == (1 + 8 * 3) * 9 + villages + monasteries + 1


@pytest.mark.rule("R9.1")
def test_how_many_choices_there_are_for_a_castle() -> None:
    """One of 7 displayed tiles that fit somewhere, or none; the city asks for a bonus tile, all else for a turn."""
    state = castle()
    land, cover = state.players[0].region, state.players[0].cover
    assert land is not None
    kinds = Counter(land.kinds[space] for space in open_spaces(land, cover))
    fitting = [kinds[kind] for kind in (kind_of(tile) for tile in state.display) if kind is not None]
    assert choices(state, 1) == sum(fitting) + 1
    assert choices(state, 2) == (sum(fitting) - kinds[Kind.CITY] + 1) * 9 + kinds[Kind.CITY] * 5 + extra(state)


def extra(state: State) -> int:
    """A quarry brings a marble, so two choices instead of nine; so may a carriage."""
    found = 0
    for command in GAME.legal(state, 0).commands:
        after = fold(GAME, state, GAME.decide(state, 0, command, SeededChance(b"count", 0)))
        found += {"marble": 2 - 9}.get(after.phase, 0)
    return found
