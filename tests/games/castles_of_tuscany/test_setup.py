"""Setup: what is dealt, three secret choices of every seat, and how they are shown."""

from collections import Counter
from itertools import permutations

import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import (
    AnyCommand,
    ArrangeRegion,
    Bonus,
    ChooseFirstBonusTile,
    ChooseStartCastle,
    DrawCards,
    EndTurn,
    Kind,
    Shift,
    Track,
)
from domain.core.chance import ScriptedChance, SeededChance
from domain.core.secrecy import close_all
from domain.core.words import GALLERY
from tests.games.castles_of_tuscany.table import DISPLAY, REGIONS, STRAIGHT, names, of, refused, then, tile_at, when
from tests.games.castles_of_tuscany.test_worked_examples import dealt, set_up
from tests.support.play import begin, fold, play, setup_of

ARRANGE = ArrangeRegion(REGIONS[0].boards, REGIONS[0].turned, REGIONS[0].shifts)
CASTLE = ChooseStartCastle("C1")
BONUS = ChooseFirstBonusTile(Bonus.PLUS_STORAGE)


@pytest.mark.rule("R3.1", "R3.5", "R3.7", "R3.8")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_deal(seats: int) -> None:
    state = begin(GAME, setup_of(GAME, seats), b"k").state
    for stack in range(3):
        boards = [player.dealt[stack] for player in state.players]
        assert len(set(boards)) == seats
        assert {board[0] for board in boards} == {"ABC"[stack]}
    assert [player.hand_size for player in state.players] == [5] * seats
    assert state.region_deck == 122 - 5 * seats
    assert [player.stacks for player in state.players] == [(7, 7, 7)] * seats
    assert [(player.marble, player.workers, player.storage) for player in state.players] == [(0, 0, ())] * seats
    assert sum(state.region_discards) == len(state.production_discards) == 0
    assert len(state.production_deck) == 27


@pytest.mark.rule("R3.5", "R3.4")
def test_stacks_hold_what_a_seat_owns_and_no_order() -> None:
    state = begin(GAME, setup_of(GAME, 2), b"k").state
    kinds = Counter(tile.partition(":")[0] for tile in state.players[0].undrawn)
    assert kinds == {"village": 4, "agriculture": 4, "carriage": 3, "monastery": 3, "quarry": 3, "city": 2, **ONE}
    assert Counter(tile.partition(":")[0] for tile in state.neutral) == dict.fromkeys(map(str, Kind), 4)


ONE = {"inn": 1, "castle": 1}


@pytest.mark.rule("R3.9", "R3.11", "K2")
@pytest.mark.parametrize("order", list(permutations((ARRANGE, CASTLE, BONUS))))
def test_the_three_choices_in_any_order(order: tuple[AnyCommand, ...]) -> None:
    state = dealt()
    for number, command in enumerate(order):
        assert GAME.to_act(state) == {0, 1}
        events = when(state, 0, command)
        assert len(events) == 1
        state = fold(GAME, state, events)
        assert refused(state, 0, command) == (
            ("already_chosen", "K2") if number < 2 else ("not_your_decision", "R3.11")
        )
    assert GAME.to_act(state) == {1}
    assert not GAME.legal(state, 0)


@pytest.mark.rule("R3.11", "K2")
def test_others_see_that_a_choice_was_made_and_not_which() -> None:
    state = dealt()
    for command in (ARRANGE, CASTLE, BONUS):
        events = when(state, 0, command)
        for viewer in (1, GALLERY):
            (seen,) = close_all(events, viewer)
            values = [getattr(seen, name) for name in seen.__struct_fields__ if name != "seat"]
            assert values == [None]
        assert close_all(events, 0) == events
        state = fold(GAME, state, events)
    view = GAME.view(state, 1)
    own = GAME.view(state, 0)
    assert (view.players[0].rows, view.players[0].boards) == ((), ())
    assert (view.players[0].start_castle_board, view.players[0].first_bonus) == (None, None)
    assert view.players[0].has_arranged
    assert view.players[0].has_chosen_castle
    assert view.players[0].has_chosen_bonus
    assert own.players[0].boards == ARRANGE.boards
    assert (own.players[0].start_castle_board, own.players[0].first_bonus) == ("C1", Bonus.PLUS_STORAGE)
    assert len(own.players[0].rows) > 7


def chosen_but_one() -> State:
    state = dealt()
    for command in (ARRANGE, CASTLE, BONUS):
        state = then(state, 0, command)
    way = REGIONS[1]
    state = then(state, 1, ChooseFirstBonusTile(Bonus.PLUS_STORAGE))
    return then(state, 1, ArrangeRegion(way.boards, way.turned, way.shifts))


@pytest.mark.rule("R3.9", "R3.11", "R3.12", "R3.13", "R10.3", "K2")
def test_all_is_shown_together_then_bonus_tiles_display_first_player() -> None:
    events = when(chosen_but_one(), 1, ChooseStartCastle("B2"), *DISPLAY, 1)
    assert events == (
        e.StartCastleChosen(1, "B2"),
        e.SetupRevealed(0, REGIONS[0], "C1", Bonus.PLUS_STORAGE, 8, -3),
        e.SetupRevealed(1, REGIONS[1], "B2", Bonus.PLUS_STORAGE, 6, -3),
        e.BonusTileGained(0, Bonus.PLUS_STORAGE, 2, Track.RED, "R10.3"),
        e.BonusTileGained(1, Bonus.PLUS_STORAGE, 2, Track.RED, "R10.3"),
        e.DisplayFilled(DISPLAY),
        e.FirstPlayerDrawn(1),
        e.TurnBegan(1, 1, 1),
    )


@pytest.mark.rule("R3.10")
def test_the_start_castle_gives_nothing_now_and_counts_as_covered() -> None:
    state = set_up()
    assert (state.players[0].green, state.players[0].red) == (0, 0)
    assert tile_at(state, 0, 1, 0) == "start_castle"
    assert state.players[0].empty_spaces == 29


@pytest.mark.rule("R3.9")
def test_the_start_castle_may_lie_on_each_board_and_no_other() -> None:
    state = dealt()
    assert [c for c in GAME.legal(state, 0).commands if isinstance(c, ChooseStartCastle)] == [
        *(ChooseStartCastle(board) for board in ("A1", "B1", "C1"))
    ]
    for board in ("A2", "", "Z9"):
        assert refused(state, 0, ChooseStartCastle(board)) == ("not_your_board", "R3.9")


@pytest.mark.rule("R3.9", "R9.2")
def test_all_seats_may_take_the_same_first_bonus_tile() -> None:
    state = begin(GAME, setup_of(GAME, 4), b"k").state
    for seat in range(4):
        state = then(state, seat, ChooseFirstBonusTile(Bonus.PLUS_CARD))
    assert all(player.bonus_chosen for player in state.players)


@pytest.mark.rule("R3.11", "R5.3")
def test_only_setup_choices_are_asked_for_in_setup() -> None:
    state = dealt()
    assert refused(state, 0, DrawCards()) == ("wrong_phase", "R5.3")
    assert refused(state, 1, EndTurn()) == ("wrong_phase", "R5.3")


@pytest.mark.rule("R3.11")
def test_a_seat_that_has_chosen_waits() -> None:
    state = chosen_but_one()
    assert GAME.to_act(state) == {1}
    assert refused(state, 0, ARRANGE) == ("not_your_decision", "R3.11")
    assert refused(state, 7, ARRANGE) == ("not_your_decision", "R3.11")


@pytest.mark.rule("R3.11")
def test_choices_do_not_depend_on_the_order_of_seats() -> None:
    """Two servers accept two seats' choices at the same instant: whichever is first, the same comes out."""
    choices = [(0, ARRANGE), (0, CASTLE), (1, ChooseFirstBonusTile(Bonus.PLUS_CARD)), (1, ChooseStartCastle("A2"))]
    ends = []
    for order in (choices, choices[::-1], choices[2:] + choices[:2]):
        state = dealt()
        for seat, command in order:
            state = then(state, seat, command)
        ends.append(state)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.rule("R7.6", "K3", "R3.12")
def test_five_of_a_kind_in_the_first_display() -> None:
    """Not with four neutral tiles of each kind, so with other data."""
    state = chosen_but_one()
    data = state.setup.data
    tiles = tuple(
        type(tile)(tile.id, tile.kind, tile.own, 10 if tile.id == "village" else tile.neutral, tile.crops)
        for tile in data.tiles
    )
    more = type(data)(data.boards, tiles, *(getattr(data, name) for name in data.__struct_fields__[2:]))
    start = fold(GAME, GAME.blank(type(state.setup)(state.setup.options, more, 2)), ())
    state = type(state)(
        **{name: getattr(start if name in ("neutral", "setup") else state, name) for name in state.__struct_fields__}
    )
    script = (*("village",) * 5, "inn", "inn", "inn", *("quarry",) * 4, "village", 0)
    events = when(state, 1, ChooseStartCastle("B2"), *script)
    assert names(events)[-4:] == ["DisplayFilled", "FiveOfAKindReplaced", "FirstPlayerDrawn", "TurnBegan"]
    assert of(events, e.FiveOfAKindReplaced) == [
        e.FiveOfAKindReplaced(
            Kind.VILLAGE, (0, 1, 2, 3, 4), ("village",) * 5, ("quarry", "quarry", "quarry", "quarry", "village")
        )
    ]


@pytest.mark.rule("R3.13")
def test_every_seat_may_be_first_and_stays_it() -> None:
    firsts = set()
    for seed in range(12):
        played = play(GAME, 3, seed, commits=20)
        (drawn,) = of(tuple(played.events), e.FirstPlayerDrawn)
        firsts.add(drawn.seat)
        assert of(tuple(played.events), e.TurnBegan)[0].seat == drawn.seat == played.state.first
    assert firsts == {0, 1, 2}


@pytest.mark.rule("R3.8", "K4")
def test_boards_are_drawn_from_those_left() -> None:
    setup = setup_of(GAME, 2)
    events = GAME.opening(setup, ScriptedChance("A3", "B3", "C3", 2, 0, 0, *(0,) * 10))
    assert of(events, e.BoardsDealt) == [e.BoardsDealt(0, ("A3", "B3", "C3")), e.BoardsDealt(1, ("A4", "B1", "C1"))]
    chance = SeededChance(b"k", 0)
    GAME.opening(setup, chance)
    assert [draw.label for draw in chance.draws] == ["board_A", "board_B", "board_C"] * 2 + ["region_card"] * 10
    assert [draw.bound for draw in chance.draws] == [4, 4, 4, 3, 3, 3, *range(122, 112, -1)]


@pytest.mark.rule("R4.6", "R3.9")
def test_the_viewer_sees_every_arrangement_drawn_in_the_order_of_its_legal_list() -> None:
    state = dealt()
    view = GAME.view(state, 0)
    listed = [command for command in GAME.legal(state, 0).commands if isinstance(command, ArrangeRegion)]
    assert [(way.boards, way.turned, way.shifts) for way in view.arrangements] == [
        (command.boards, command.turned, command.shifts) for command in listed
    ]
    assert view.arrangements[0].turned == STRAIGHT
    assert view.arrangements[0].shifts == (Shift.DOWN, Shift.DOWN)
    chosen = listed.index(ARRANGE)
    state = then(state, 0, ARRANGE)
    after = GAME.view(state, 0)
    assert after.arrangements == ()
    assert after.players[0].rows == view.arrangements[chosen].rows
    assert GAME.view(state, 1).arrangements != ()
    assert GAME.view(state, GALLERY).arrangements == ()
