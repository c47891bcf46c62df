"""Turns: one action, what it sets off, one more by marble."""

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import (
    AnyCommand,
    Bonus,
    DeclineCastle,
    DrawCards,
    EndTurn,
    Pay,
    PlaceTile,
    TakeBonusTile,
    TakeTile,
    UseMarble,
)
from domain.core.game import Moment
from tests.games.castles_of_tuscany.table import given, having, names, of, refused, then, when


@pytest.mark.rule("R1.3", "R1.4")
def test_three_actions_and_no_passing() -> None:
    state = having(given(), 0, storage=("village",), bonus={"plus_storage": 1}, hand={"village": 2})
    listed = GAME.legal(state, 0).commands
    assert {type(command) for command in listed} == {DrawCards, TakeTile, PlaceTile}
    for command in (EndTurn(), UseMarble(), Pay(2), DeclineCastle(), TakeBonusTile(Bonus.PLUS_CARD)):
        assert refused(state, 0, command) == ("wrong_phase", "R5.3")


@pytest.mark.rule("R5.1", "R3.13")
@pytest.mark.parametrize(("seats", "first"), [(2, 0), (2, 1), (3, 2), (4, 3), (4, 1)])
def test_turns_go_by_rising_seat_from_the_first_player(seats: int, first: int) -> None:
    state = given(seats, first=first)
    for number in range(2 * seats):
        seat = (first + number) % seats
        assert GAME.to_act(state) == {seat}
        assert GAME.moment(state) == Moment(1, number + 1, seat, "action")
        assert state.lap == 1 + number // seats
        for other in set(range(seats)) - {seat}:
            assert not GAME.legal(state, other)
            assert refused(state, other, DrawCards()) == ("not_your_decision", "R5.1")
        state = then(having(state, seat, bonus={}), seat, DrawCards(), 0, 0)


@pytest.mark.rule("R5.2", "R12.3")
def test_marble_gives_one_more_action() -> None:
    state = having(given(), 0, marble=2, bonus={})
    events = when(state, 0, DrawCards(), 0, 0)
    assert names(events) == ["RegionCardsDrawn", "MarbleOffered"]
    state = then(state, 0, DrawCards(), 0, 0)
    assert GAME.moment(state).phase == "marble"
    assert GAME.legal(state, 0).commands == (UseMarble(), EndTurn())
    assert refused(state, 0, DrawCards()) == ("wrong_phase", "R5.3")
    state = then(state, 0, UseMarble())
    assert (state.players[0].marble, state.marble) == (1, 11)
    assert GAME.moment(state).phase == "action"
    events = when(state, 0, DrawCards(), 0, 0)
    assert names(events) == ["RegionCardsDrawn", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("R12.3")
def test_marble_may_be_kept() -> None:
    state = then(having(given(), 0, marble=1, bonus={}), 0, DrawCards(), 0, 0)
    assert names(when(state, 0, EndTurn())) == ["TurnEnded", "TurnBegan"]
    after = then(state, 0, EndTurn())
    assert (after.players[0].marble, after.active) == (1, 1)


@pytest.mark.rule("R12.3")
def test_one_marble_in_a_turn_and_again_in_the_next() -> None:
    state = then(having(given(), 0, marble=3, bonus={}), 0, DrawCards(), 0, 0)
    state = then(then(state, 0, UseMarble()), 0, DrawCards(), 0, 0)
    assert state.active == 1
    state = then(having(state, 1, bonus={}), 1, DrawCards(), 0, 0)
    state = then(state, 0, DrawCards(), 0, 0)
    assert UseMarble() in GAME.legal(state, 0).commands


@pytest.mark.rule("R5.2", "R12.3")
def test_without_marble_the_turn_ends_by_itself() -> None:
    state = having(given(), 0, bonus={})
    assert names(when(state, 0, DrawCards(), 0, 0)) == ["RegionCardsDrawn", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("R12.4")
def test_a_marble_gained_by_the_first_action_may_be_used_at_once() -> None:
    state = having(given(), 0, storage=("quarry",), hand={"quarry": 2}, covered={(3, 0): "carriage"})
    state = then(state, 0, PlaceTile(0, 4, -1))
    assert names(when(state, 0, Pay(2)))[-2:] == ["MarbleGained", "MarbleOffered"]


@pytest.mark.rule("R12.4", "R12.3")
def test_a_marble_gained_by_the_second_action_has_to_wait() -> None:
    state = having(
        given(), 0, marble=1, storage=("quarry",), hand={"quarry": 2}, covered={(3, 0): "carriage"}, bonus={}
    )
    state = then(then(state, 0, DrawCards(), 0, 0), 0, UseMarble())
    state = then(state, 0, PlaceTile(0, 4, -1))
    assert names(when(state, 0, Pay(2)))[-3:] == ["MarbleGained", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("R12.5")
def test_the_extra_action_belongs_to_the_same_turn() -> None:
    state = having(given(), 0, marble=1, bonus={})
    before = GAME.moment(state)
    state = then(then(state, 0, DrawCards(), 0, 0), 0, UseMarble())
    assert GAME.moment(state) == before
    assert (state.lap, state.turn) == (1, 1)


@pytest.mark.rule("R5.3", "R8.6")
def test_marble_is_offered_only_after_everything_that_the_action_set_off() -> None:
    state = having(given(), 0, marble=1, storage=("city",), hand={"city": 2}, covered={(2, 0): "monastery"})
    state = then(then(state, 0, PlaceTile(0, 3, -1)), 0, Pay(2))
    assert GAME.legal(state, 0).commands[0] == TakeBonusTile(Bonus.PLUS_CARD)
    assert refused(state, 0, UseMarble()) == ("wrong_phase", "R5.3")
    assert names(when(state, 0, TakeBonusTile(Bonus.PLUS_CARD)))[-1] == "MarbleOffered"


@pytest.mark.rule("R12.2")
def test_workers_alone_offer_nothing_after_the_action() -> None:
    state = having(given(), 0, workers=5, bonus={})
    assert names(when(state, 0, DrawCards(), 0, 0))[-2:] == ["TurnEnded", "TurnBegan"]


@pytest.mark.rule("R16", "R1.3")
def test_a_full_region_leaves_drawing_and_taking() -> None:
    state = given()
    full = replace(state.players[0], cover=tuple(tile or "wild_hex" for tile in state.players[0].cover))
    state = having(replace(state, players=(full, state.players[1])), 0, storage=("wild_hex",), hand={"village": 8})
    assert {type(command) for command in GAME.legal(state, 0).commands} == {DrawCards, TakeTile}


def default(state: State, seat: int) -> AnyCommand:
    command = GAME.default(state, seat)
    assert command in GAME.legal(state, seat).commands
    return command


@pytest.mark.rule("R1.3")
def test_what_an_absent_seat_does() -> None:
    """It places what it can, else fills its storage, else draws a few cards, else goes on taking."""
    state = having(given(), 0, bonus={})
    assert default(state, 0) == TakeTile(0)
    stored = having(state, 0, storage=("village",))
    assert default(stored, 0) == DrawCards()
    assert default(having(stored, 0, hand={"inn": 1, "city": 1, "castle": 1, "quarry": 1}), 0) == DrawCards()
    rich = having(stored, 0, hand={"village": 2})
    assert default(rich, 0) == PlaceTile(0, 0, 0)
    assert default(then(rich, 0, PlaceTile(0, 0, 0)), 0) == Pay(2)
    stuck = having(state, 0, storage=("inn",), hand={"village": 5, "quarry": 5})
    assert default(stuck, 0) == TakeTile(0, 0)
    nine = having(state, 0, storage=("inn",), hand={"village": 5, "quarry": 4})
    assert default(nine, 0) == DrawCards()
    assert default(then(having(state, 0, marble=1), 0, DrawCards(), 0, 0), 0) == EndTurn()
    bare = replace(state, display=("",) * 8)
    assert default(bare, 0) == DrawCards()


@pytest.mark.rule("R1.2")
def test_absent_seats_alone_play_to_the_end() -> None:
    from tests.support.play import play

    played = play(GAME, 3, 5, lambda game, state, seat, _legal: game.default(state, seat))
    assert played.state.outcome is not None
    assert played.state.outcome.cause == "three_rounds"
    assert len(of(tuple(played.events), e.RoundScored)) == 3
