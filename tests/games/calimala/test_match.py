"""Around the rules: how long a match can be, what an absent seat does, and moments."""

from itertools import pairwise
from typing import Any

import pytest

from domain.calimala import GAME
from domain.calimala.things import Worker
from domain.calimala.words import (
    ActionCardDrawn,
    DeclareImpossible,
    EndActivation,
    PassTurn,
    PlaceWorker,
    SkipAction,
    TakeAction,
)
from domain.core.game import AnyGame, Legal, Moment
from tests.games.calimala.table import (
    END,
    C,
    F,
    H,
    Table,
    choose,
    impossible,
    only,
    pass_turn,
    place,
    position,
    skip,
    take,
)
from tests.support.play import play


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R100")
def test_matches_end_well_within_the_bound(seats: int) -> None:
    bound = GAME.bound(play(GAME, seats, 0, commits=0).setup)
    lengths = [len(play(GAME, seats, seed).steps) for seed in range(6)]
    assert max(lengths) < bound < 5 * max(lengths)


@pytest.mark.rule("R100")
def test_the_bound_counts_workers_tiles_and_what_a_turn_can_hold() -> None:
    bounds = [GAME.bound(play(GAME, seats, 0, commits=0).setup) for seats in GAME.seats]
    turns = [seats * each + 15 + seats for seats, each in ((2, 18), (3, 15), (4, 12), (5, 10))]
    assert bounds == [4 * seats + 17 * n for seats, n in zip(GAME.seats, turns, strict=True)]


# ---- the default


def _default(game: AnyGame, state: Any, seat: int, legal: Legal[Any]) -> Any:
    command = game.default(state, seat)
    assert command in legal.commands
    return command


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R37", "R64")
def test_absent_players_get_to_the_end_and_play_no_card(seats: int) -> None:
    played = play(GAME, seats, 4, _default)
    assert GAME.outcome(played.state) is not None
    commands = {type(step.command) for step in played.steps}
    assert commands >= {PlaceWorker, TakeAction, DeclareImpossible, EndActivation}
    assert {name.__name__ for name in commands} & {"PlayActionCard"} == set()
    assert only(played.events, ActionCardDrawn)


@pytest.mark.rule("R31", "R34", "R37", "R64")
def test_what_an_absent_seat_does() -> None:
    assert GAME.default(position(), 0) == place("s01", F)
    assert GAME.default(position(mats={0: {"supply": (1, 2, 0)}}), 0) == place("s01", C)
    assert GAME.default(position(2, mats={0: {"supply": (1, 2, 3)}}), 0) == place("s01", H)
    assert GAME.default(position(2, mats={0: {"supply": (1, 2, 3)}}, stacks={"s01": "H"}), 0) == place("s01", C)
    assert GAME.default(position(mats={0: {"wood": 4, "supply": (1, 1, 0)}}), 0) == place("s01", F)
    assert GAME.default(position(mats={0: {"supply": (1, 2, 0), "reserve": 0}}), 0) == pass_turn(C)

    table = Table(position(mats={0: {"wood": 2, "hand": "wood"}}, stacks={"s01": "F1"}))
    table.act(0, place("s01", C))
    assert table.act(0, GAME.default(table.state, 0))[0].action == "wood"
    seen = [type(GAME.default(table.state, 0))]
    for command in (skip("wood"), skip("build"), take("build", "ship")):
        if command in table.legal(0).commands:
            table.act(0, command)
            seen.append(type(GAME.default(table.state, 0)))
    assert seen == [SkipAction, SkipAction, TakeAction, EndActivation]
    table.act(0, END)
    assert GAME.default(table.state, 1) == impossible("build")


@pytest.mark.rule("R26", "R98")
def test_an_absent_seat_chooses_its_first_card() -> None:
    state = play(GAME, 3, 2, commits=0).state
    for seat in range(3):
        assert GAME.default(state, seat) == choose(state.mats[seat].held[0])


# ---- moments


@pytest.mark.rule("R30", "R44")
def test_moments() -> None:
    played = play(GAME, 3, 8)
    moments = [GAME.moment(step.state) for step in played.steps]
    start = played.state.start
    assert moments[0] == Moment(1, 1, None, "keep_at_setup")
    assert moments[3] == Moment(1, 1, (start + 2) % 3, "starting_cards")
    assert moments[6] == Moment(1, 1, start, "placement")
    assert all(a.turn <= b.turn <= a.turn + 1 for a, b in pairwise(moments))
    assert all(moment.round == (moment.turn - 1) // 3 + 1 for moment in moments)
    assert all(m.seat == (start + m.turn - 1) % 3 for m in moments[6:-1])
    assert moments[-1].phase == "finished"
    assert (moments[-1].turn, moments[-1].seat) == (moments[-2].turn, None)
    assert moments[-1].turn % 3 == 0


@pytest.mark.rule("R98", "R30")
def test_the_moment_of_a_choice_after_a_tile_is_the_active_players() -> None:
    table = Table(position(2, active=1, stacks={"s05": "F0 C"}, council=[0, 1, 0, 1], turns=5))
    table.act(1, place("s05", H))
    assert GAME.moment(table.state) == Moment(3, 6, 1, "activation")
    table.act(1, take("brick"))
    table.act(1, impossible("transport"), "wood")
    table.act(1, END)
    assert GAME.moment(table.state) == Moment(3, 6, 1, "show_card")


@pytest.mark.rule("R34")
def test_passed_workers_are_in_the_box() -> None:
    table = Table(position(mats={0: {"supply": (2, 2, 0), "reserve": 0}}))
    table.act(0, GAME.default(table.state, 0))
    assert sum(table.state.box) == 1
    assert isinstance(GAME.default(position(mats={0: {"supply": (2, 2, 0), "reserve": 0}}), 0), PassTurn)
    assert table.totals[Worker.CONTRACTOR] == 2 + 3 + 3
