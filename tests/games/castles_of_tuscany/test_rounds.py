"""The end of a round, of the match, and who won."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import DrawCards, TakeTile, Track, UseMarble
from domain.core.game import Outcome
from tests.games.castles_of_tuscany.table import given, having, names, of, then, when
from tests.support.play import fold, play

NO_BONUS: dict[str, int] = {}


def in_round(number: int, seats: int = 2, first: int = 0, lap: int = 20, **options: Any) -> State:
    """The first player's turn in that round; everybody's earlier stacks are empty."""
    state = given(seats, first=first, **options)
    for seat in range(seats):
        stacks = (0,) * (number - 1) + (7,) * (4 - number)
        state = having(state, seat, stacks=stacks, undrawn=state.players[seat].undrawn[: sum(stacks)], bonus=NO_BONUS)
    return GAME.evolve(state, e.TurnBegan(first, number, lap))


def near(state: State, seat: int, number: int) -> State:
    """The seat's stack of that number has one tile left."""
    stacks = tuple(1 if n == number else height for n, height in enumerate(state.players[seat].stacks, 1))
    return having(state, seat, stacks=stacks, undrawn=("inn",) * sum(stacks))


def draw(state: State, seat: int) -> State:
    return then(state, seat, DrawCards(), 0, 0)


@pytest.mark.rule("R14.1", "R14.2", "R7.5")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_emptying_the_stack_of_the_round_announces_its_end(number: int) -> None:
    state = near(in_round(number), 0, number)
    script = (0,) if sum(state.players[0].stacks) > 1 else ()
    events = when(state, 0, TakeTile(0), *script)
    assert of(events, e.RoundEndTriggered) == [e.RoundEndTriggered(0, number)]
    assert fold(GAME, state, events).ending
    assert GAME.view(fold(GAME, state, events), 1).last_lap


@pytest.mark.rule("R14.1", "R14.2")
def test_two_tiles_left_announce_nothing() -> None:
    state = having(in_round(1), 0, stacks=(2, 7, 7), undrawn=("inn",) * 16)
    assert of(when(state, 0, TakeTile(0), 0), e.RoundEndTriggered) == []


@pytest.mark.rule("R14.2", "R14.5")
@pytest.mark.parametrize(("round_", "stack"), [(2, 1), (3, 1), (3, 2)])
def test_w3_emptying_another_stack_does_nothing(round_: int, stack: int) -> None:
    state = in_round(round_)
    stacks = tuple(0 if n < stack else 1 if n == stack else 7 for n in (1, 2, 3))
    state = having(state, 0, stacks=stacks, undrawn=("inn",) * sum(stacks))
    events = when(state, 0, TakeTile(0), 0)
    assert of(events, e.SlotRefilled)[0].stack == stack
    assert names(events) == ["TileTaken", "SlotRefilled", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("R14.3")
def test_w3_the_lap_is_played_out() -> None:
    """Three seats, first player seat 0; seat 1 empties stack 1: seat 2 has one turn, then scoring; seat 0 none."""
    state = near(draw(in_round(1, 3), 0), 1, 1)
    state = then(state, 1, TakeTile(0), 0)
    assert GAME.to_act(state) == {2}
    events = when(state, 2, DrawCards(), 0, 0)
    assert names(events) == ["RegionCardsDrawn", "TurnEnded", "RoundScored", "TurnBegan"]
    assert events[-1] == e.TurnBegan(0, 2, 21)


@pytest.mark.rule("R14.3", "R14.5")
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_all_have_the_same_number_of_turns(first: int, after: int) -> None:
    state = in_round(1, 3, first)
    trigger = (first + after) % 3
    for turn in range(3):
        seat = (first + turn) % 3
        assert state.round == 1
        state = then(near(state, seat, 1), seat, TakeTile(0), 0) if seat == trigger else draw(state, seat)
    assert (state.round, state.active, state.lap) == (2, first, 21)
    assert not state.ending


@pytest.mark.rule("R14.2", "R16")
def test_the_second_seat_to_empty_its_stack_announces_nothing() -> None:
    state = then(near(in_round(1, 3), 0, 1), 0, TakeTile(0), 0)
    events = when(near(state, 1, 1), 1, TakeTile(1), 0)
    assert of(events, e.RoundEndTriggered) == []


@pytest.mark.rule("R12.5", "R16")
def test_marble_may_be_used_in_the_last_lap_also_by_who_ended_it() -> None:
    state = having(near(in_round(1), 0, 1), 0, marble=1)
    events = when(state, 0, TakeTile(0), 0)
    assert names(events) == ["TileTaken", "SlotRefilled", "RoundEndTriggered", "MarbleOffered"]
    state = then(fold(GAME, state, events), 0, UseMarble())
    state = draw(state, 0)
    assert (state.active, state.round) == (1, 1)
    assert names(when(state, 1, DrawCards(), 0, 0))[-2:] == ["RoundScored", "TurnBegan"]


@pytest.mark.rule("R14.4", "R1.2")
def test_green_is_added_to_red_and_kept() -> None:
    state = having(having(in_round(1, 3), 0, green=4, red=1), 1, green=0, red=7)
    state = having(state, 2, green=9)
    state = then(near(draw(draw(state, 0), 1), 2, 1), 2, TakeTile(0), 0)
    assert [(player.green, player.red) for player in state.players] == [(4, 5), (0, 7), (9, 9)]


@pytest.mark.rule("R14.4")
def test_round_scored_tells_green_and_red_before_and_after() -> None:
    state = having(having(in_round(2), 0, green=4, red=1), 1, green=3, red=7)
    state = then(near(state, 0, 2), 0, TakeTile(0), 0)
    events = when(state, 1, DrawCards(), 0, 0)
    assert of(events, e.RoundScored) == [e.RoundScored(2, (4, 3), (1, 7), (5, 10), "R14.4")]


@pytest.mark.rule("R14.5")
def test_everything_stays_for_the_next_round() -> None:
    state = having(in_round(1), 1, marble=2, workers=1, storage=("inn",))
    state = then(near(state, 0, 1), 0, TakeTile(0), 0)
    state = GAME.evolve(state, e.MarbleUsed(1))
    after = fold(GAME, state, when(replace(state, phase="action"), 1, DrawCards(), 0, 0))
    assert after.round == 2
    assert after.players[1].storage == ("inn",)
    assert (after.players[1].marble, after.players[1].workers) == (1, 1)
    assert after.players[1].stacks == (7, 7, 7)
    assert after.display == state.display
    assert not after.marble_used


@pytest.mark.rule("R14.2", "K3")
def test_a_round_that_begins_with_its_stack_empty_ends_with_its_first_lap() -> None:
    state = having(in_round(1, 3), 2, stacks=(1, 0, 7), undrawn=("inn",) * 8)
    state = having(state, 1, stacks=(7, 0, 7), undrawn=("inn",) * 14)
    state = then(near(draw(draw(state, 0), 1), 2, 1), 2, TakeTile(0), 0)
    assert state.ending
    assert (state.round, state.lap) == (2, 21)
    for seat in (0, 1):
        state = draw(state, seat)
    events = when(state, 2, DrawCards(), 0, 0)
    assert names(events)[-2:] == ["RoundScored", "TurnBegan"]
    assert events[-1] == e.TurnBegan(0, 3, 22)


@pytest.mark.rule("R14.2")
def test_the_first_seat_with_an_empty_stack_is_named() -> None:
    state = having(in_round(1, 3), 1, stacks=(7, 0, 7), undrawn=("inn",) * 14)
    state = having(state, 2, stacks=(1, 0, 7), undrawn=("inn",) * 8)
    events = when(near(draw(draw(state, 0), 1), 2, 1), 2, TakeTile(0), 0)
    assert names(events)[-3:] == ["RoundScored", "RoundEndTriggered", "TurnBegan"]
    assert events[-2] == e.RoundEndTriggered(1, 2)


def final(**seats: dict[str, Any]) -> tuple[State, tuple[Any, ...]]:
    """The last commit of round 3, in which the last seat draws no card, for seats with these things."""
    state = in_round(3, len(seats))
    for seat, things in enumerate(seats.values()):
        size = things.pop("cards", 0)
        state = having(state, seat, **things)
        state = having(state, seat, hand_size=size)
    last = len(seats) - 1
    state = replace(state, active=last, ending=True, region_deck=0, region_discards=(0,) * 8)
    events = when(state, last, DrawCards())
    return fold(GAME, state, events), events


@pytest.mark.rule("R15.1", "R15.2", "R10.4", "R1.1")
def test_final_scoring_item_by_item() -> None:
    state, events = final(
        a={"storage": ("inn", "wild_hex", "wild_hex"), "marble": 2, "workers": 4, "cards": 8, "green": 5, "red": 10},
        b={"storage": (), "cards": 2, "bonus": {"plus_card": 0, "plus_storage": 3}, "green": 1},
    )
    assert of(events, e.FinalScored) == [
        e.FinalScored(0, 1, 2, 2, 4, 2, 11, Track.RED, "R15.1"),
        e.FinalScored(1, 0, 0, 0, 0, 0, 0, Track.RED, "R15.1"),
    ]
    assert [player.red for player in state.players] == [10 + 5 + 11, 1]
    assert names(events)[-5:] == ["TurnEnded", "RoundScored", "FinalScored", "FinalScored", "GameEnded"]
    assert GAME.outcome(state) == Outcome((1, 2), (26, 1), "three_rounds", "")
    assert GAME.to_act(state) == frozenset()
    assert GAME.moment(state).phase == "finished"


@pytest.mark.rule("R15.1")
@pytest.mark.parametrize(("hand", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_w3_cards_give_a_point_for_full_threes(hand: int, points: int) -> None:
    _, events = final(a={"cards": hand}, b={})
    assert of(events, e.FinalScored)[0].hand == points


COVERED = {(2, 0): "monastery"}


@pytest.mark.rule("R15.3", "R15.4", "K6")
@pytest.mark.parametrize(
    ("seats", "places", "decided_by"),
    [
        ([{"red": 5}, {"red": 6}], (2, 1), ""),
        ([{"red": 6, "covered": COVERED}, {"red": 6}], (2, 1), "most_empty_spaces"),
        ([{"red": 2, "green": 4}, {"red": 3, "green": 3}], (2, 1), "fewest_green_points"),
        ([{"red": 6, "cards": 1}, {"red": 6, "cards": 2}], (1, 2), "fewest_region_cards"),
        ([{"red": 6}, {"red": 6}], (1, 1), ""),
        ([{"red": 6, "covered": COVERED}, {"red": 2, "green": 4}], (2, 1), "most_empty_spaces"),
        ([{"red": 6}, {"red": 6}, {"red": 7}], (2, 2, 1), ""),
        ([{"red": 6}, {"red": 6}, {"red": 5}], (1, 1, 3), ""),
        ([{"red": 6}, {"red": 6}, {"red": 6, "cards": 1}], (1, 1, 3), "fewest_region_cards"),
        ([{"red": 9}, {"red": 6, "cards": 1}, {"red": 6}, {"red": 1}], (1, 3, 2, 4), ""),
        ([{"red": 6}, {"red": 6}, {"red": 5}, {"red": 5}], (1, 1, 3, 3), ""),
        ([{"red": 5, "green": 1}, {"red": 6, "cards": 1}, {"red": 6}], (3, 2, 1), "fewest_region_cards"),
    ],
)
def test_the_whole_tie_chain(seats: list[dict[str, Any]], places: tuple[int, ...], decided_by: str) -> None:
    state, events = final(**{f"s{i}": dict(things) for i, things in enumerate(seats)})
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.places, outcome.decided_by) == (places, decided_by)
    assert events[-1] == e.GameEnded(places, outcome.scores, "three_rounds", decided_by)


@pytest.mark.rule("K7", "R17", "R6.4", "R14.4")
def test_the_lap_limit_ends_the_round_in_play_and_then_the_match() -> None:
    state = having(in_round(1, lap=10, lap_limit=10), 0, green=3)
    state = draw(state, 0)
    events = when(state, 1, DrawCards(), 0, 0)
    assert names(events) == [
        *("RegionCardsDrawn", "TurnEnded", "LapLimitReached", "RoundScored", "FinalScored", "FinalScored", "GameEnded")
    ]
    assert events[2] == e.LapLimitReached(10, "K7")
    assert events[3].greens == (3, 0)
    assert events[-1].cause == "lap_limit"


@pytest.mark.rule("K7")
def test_the_lap_before_the_limit_is_not_the_last() -> None:
    state = draw(in_round(1, lap=9, lap_limit=10), 0)
    assert names(when(state, 1, DrawCards(), 0, 0)) == ["RegionCardsDrawn", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("K7")
def test_a_round_that_ends_with_the_last_lap_is_still_the_last() -> None:
    state = draw(replace(in_round(2, lap=10, lap_limit=10), ending=True), 0)
    events = when(state, 1, DrawCards(), 0, 0)
    assert names(events)[2:4] == ["LapLimitReached", "RoundScored"]
    assert events[-1].cause == "lap_limit"


@pytest.mark.rule("K7")
def test_a_third_round_that_ends_with_the_last_lap_ends_as_usual() -> None:
    state = draw(replace(in_round(3, lap=10, lap_limit=10), ending=True), 0)
    events = when(state, 1, DrawCards(), 0, 0)
    assert "LapLimitReached" not in names(events)
    assert events[-1].cause == "three_rounds"


@pytest.mark.rule("K7", "R6.4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_dawdlers_are_stopped(seats: int) -> None:
    def dawdle(_game: Any, _state: Any, _seat: int, legal: Any) -> Any:
        return DrawCards() if DrawCards() in legal.commands else legal.commands[-1]

    played = play(GAME, seats, 3, dawdle, lap_limit=60)
    outcome = GAME.outcome(played.state)
    assert outcome is not None
    assert outcome.cause == "lap_limit"
    assert played.state.turn == 60 * seats
    assert len(played.steps) - 1 <= GAME.bound(played.setup)
    assert any(event.count == 0 for event in played.events if isinstance(event, e.RegionCardsDrawn))


@pytest.mark.rule("K7")
def test_the_bound_counts_the_longest_turn_of_every_lap() -> None:
    assert GAME.bound(given(2).setup) == 2 * (3 + 11 * 150)
    assert GAME.bound(given(4, lap_limit=10).setup) == 4 * (3 + 11 * 10)
