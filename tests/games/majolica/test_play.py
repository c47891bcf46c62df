"""Laws of this game over whole matches, random and greedy, under all kinds of options."""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.state import State, face_up_count, matches, phase, ready, score
from domain.majolica.tiles import JOKER, counts
from tests.games.majolica import greedy
from tests.laws import laws
from tests.support.play import Played, Step, play

OPTIONS = st.fixed_dictionaries(
    {
        "city_hall_tokens": st.sampled_from(["by_player_count", "all_five"]),
        "city_hall_reward": st.sampled_from(["choose_one", "pair"]),
        "start_card": st.sampled_from(["dealt", "chosen"]),
        "next_starter": st.sampled_from(["left_of_holder", "left_of_last_player"]),
        "incomplete_counting": st.sampled_from(["pooled", "per_card"]),
        "empty_slot_run": st.sampled_from(["allowed", "blocked"]),
        "exterior_rule": st.sampled_from(["outermost", "open_side"]),
        "round_limit": st.integers(1, 7),
    }
)
FEW = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def mixed(seed: int):
    """Greedy for the most part, so that cards are completed, and at random now and then."""
    rng = random.Random(seed)

    def choose(game, state, seat, legal):
        return rng.choice(legal.commands) if rng.random() < 0.1 else greedy.choose(state, seat)

    return choose


def match(seats: int, seed: int, options: dict[str, object]) -> Played:
    return play(GAME, seats, seed, mixed(seed), **options)


@pytest.mark.parametrize("seats", [2, 3, 4])
@FEW
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_the_laws_hold_under_all_options(seats: int, seed: int, options: dict[str, object]) -> None:
    played = match(seats, seed, options)
    laws.law_1_ends(played)
    laws.law_2_listed_is_accepted(played, random.Random(seed))
    laws.law_3_events_survive(played)
    laws.law_4_outcome(played)
    laws.law_6_deterministic(played)
    laws.law_7_totals(played)


@pytest.mark.rule("R2", "R40", "R41", "R45", "R49", "R60", "R61", "R80", "R92", "M9")
@pytest.mark.parametrize("seats", [2, 3, 4])
@FEW
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_the_invariants_of_the_rules_hold_at_every_moment(seats: int, seed: int, options: dict[str, object]) -> None:
    played = match(seats, seed, options)
    every = {*played.steps[0].state.table.cards}
    before: State | None = None
    for step in played.steps:
        state = step.state
        assert Counter(state.grid) == dict.fromkeys("RBYG", 4)
        assert sorted(where_cards_are(state)) == sorted(every)
        cards_are_sound(state)
        if phase(state) == "select":
            turn_is_clean(state)
        if before is not None:
            for seat in range(seats):
                assert len(state.players[seat].finished) >= len(before.players[seat].finished)
                assert score(state, seat) >= score(before, seat)
            shipped_is_empty(played, before, step)
        before = state
    turns_are_counted(played)


def where_cards_are(state: State) -> list[str]:
    found = [*state.pile, *state.start_cards, *(card for card in state.market if card)]
    for player in state.players:
        found += [slot.card for slot in player.slots if slot is not None]
        found += [*player.finished, *([player.dealt] if player.dealt else [])]
    return found


def cards_are_sound(state: State) -> None:
    for player in state.players:
        for slot in player.slots:
            if slot is not None:
                cells = state.table.cells[slot.card]
                covered = [cell - still for cell, still in zip(cells, slot.open, strict=True)]
                assert min(covered) >= 0
                assert sum(slot.open) > 0
                assert all(tiles <= over for tiles, over in zip(slot.on[:JOKER], covered, strict=False))
                assert sum(slot.on) == sum(covered)
        assert all(min(bag) >= 0 for bag in player.workshops)


def turn_is_clean(state: State) -> None:
    shops = state.table.setup.data.workshops
    blocked = state.table.setup.options.empty_slot_run == "blocked"
    assert face_up_count(state) >= 4
    assert not ready(state)
    assert not (state.bonuses or state.running or state.claiming or state.joker_held or state.overflow)
    for player in state.players:
        for bag, shop in zip(player.workshops, shops, strict=True):
            assert sum(bag) <= shop.capacity
            assert blocked or not matches(bag, shop)


def shipped_is_empty(played: Played, before: State, step: Step) -> None:
    state = before
    for event in step.events:
        state = GAME.evolve(state, event)
        if isinstance(event, w.TilesShipped | w.WorkshopEmptied):
            assert state.players[event.seat].workshops[event.workshop - 1] == counts("")
            assert state.running == 0


def turns_are_counted(played: Played) -> None:
    turns = rounds = 0
    for event in played.events:
        if isinstance(event, w.TurnEnded):
            turns += 1
        elif isinstance(event, w.RoundEnded):
            assert 4 <= turns <= 13
            turns, rounds = 0, rounds + 1
            assert event.round == rounds
    assert turns == 0


@pytest.mark.rule("R33", "R45", "R53")
@FEW
@given(seed=st.integers(0, 2**32))
def test_jokers_and_one_point_tiles_are_never_lost_nor_made(seed: int) -> None:
    played = match(4, seed, {"city_hall_tokens": "all_five", "round_limit": 6})
    for step in played.steps:
        found = GAME.totals(step.state)
        assert (found["jokers"], found["one_point_tiles"], found["cards"]) == (5, 5, 54)
    stock = [step.state.hall_jokers for step in played.steps]
    assert stock == sorted(stock, reverse=True)


@pytest.mark.rule("R70", "R93")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_players_finish_as_the_rules_expect(seats: int) -> None:
    """The rules report 9, 13 and 15 rounds, and winners at 33, 32 and 30 points, of such players."""
    played = play(GAME, seats, 1, lambda game, state, seat, legal: greedy.choose(state, seat))
    outcome = GAME.outcome(played.state)
    assert outcome.cause == "five_cards"
    assert 6 <= played.state.round <= 20
    assert 20 <= max(outcome.scores) <= 40
    taken = sum(isinstance(event, w.CardTaken) for event in played.events)
    assert taken <= 24 + seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_defaults_alone_play_a_match_to_its_end(seats: int) -> None:
    played = play(GAME, seats, seats, lambda game, state, seat, legal: game.default(state, seat), round_limit=6)
    assert GAME.outcome(played.state) is not None
    assert not any(isinstance(step.command, c.DeclineBonus) for step in played.steps)


def test_legal_lists_stay_short() -> None:
    sizes = []
    for seed in range(2):
        for step in play(GAME, 2 + seed, seed, mixed(seed), round_limit=8).steps:
            sizes += [len(GAME.legal(step.state, seat).commands) for seat in GAME.to_act(step.state)]
    sizes.sort()
    assert sizes[len(sizes) // 2] <= 12
    assert sizes[-1] <= 126
