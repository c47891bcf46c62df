"""Whole matches: what never changes, equal turns, the bound, the default, moments, and the drawing."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.calimala import GAME
from domain.calimala.things import TILES, Phase, Worker
from domain.calimala.words import (
    ActionCardDrawn,
    ActivePlayerMarkerPassed,
    DeclareImpossible,
    EndActivation,
    ImpossibleActionCompensated,
    PassTurn,
    PlaceWorker,
    ScoringTileResolved,
    SkipAction,
    TakeAction,
)
from domain.core.game import AnyGame, Legal, Moment
from domain.core.words import GALLERY
from tests.games.calimala.players import greedy, patient
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
from tests.support.play import Played, play

FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SEATS = st.integers(2, 5)
SEED = st.integers(0, 2**32)


def _whole(seats: int, seed: int) -> Played:
    rng = random.Random(seed)
    return play(GAME, seats, seed, rng.choice([None, patient(rng), greedy(rng)]))


@FEW
@given(seats=SEATS, seed=SEED)
@pytest.mark.rule("R4", "R12", "R57", "R3")
def test_cubes_workers_and_cards_are_never_lost(seats: int, seed: int) -> None:
    played = _whole(seats, seed)
    data = played.setup.data
    for step in played.steps:
        state = step.state
        totals = GAME.totals(state)
        for seat, mat in enumerate(state.mats):
            assert totals[f"cubes_of_seat_{seat}"] == 40
            assert min(mat.cubes) >= 0
            assert max(mat.cubes[1:4]) <= 4
            assert mat.cubes[4] <= 4 * mat.workshops
            assert (mat.ships <= 3, mat.workshops <= 3) == (True, True)
        assert totals["neutral_cubes"] == (40 if seats == 2 else 0)
        assert totals["family_member"] == data.family_members * seats
        assert totals["contractor"] == data.contractors * seats
        assert totals["hireling"] == data.hirelings * seats
        assert totals["action_cards"] == 45
        assert all(len(row) <= room for row, room in zip(state.board, state.capacities, strict=True))
        if state.phase is not Phase.ACTIVATION:
            assert all(len(stack) <= data.stack for stack in state.stacks)


@FEW
@given(seats=SEATS, seed=SEED)
@pytest.mark.rule("R101", "R61", "R37", "R103", "R44")
def test_equal_turns_one_card_a_turn_and_all_tiles_scored(seats: int, seed: int) -> None:
    played = _whole(seats, seed)
    turns = [0] * seats
    active = played.state.start
    drawn = 0
    for event in played.events:
        if type(event) is ActivePlayerMarkerPassed:
            turns[event.previous] += 1
            active, drawn = event.seat, 0
        elif type(event) is ImpossibleActionCompensated and event.seat == active:
            drawn += event.count
            assert drawn <= 1
    assert len(set(turns)) == 1
    assert [event.tile for event in only(played.events, ScoringTileResolved)] == list(played.state.tiles)
    assert len(played.state.tiles) == len(TILES)
    given_out = sum(s.points for event in played.events if hasattr(event, "ranking") for s in event.ranking)
    assert given_out == sum(played.state.scores)


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


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R30", "R38")
def test_every_version_can_be_looked_at_and_inside_a_commit_nobody_is_asked_too_early(seats: int) -> None:
    """A version may lie inside a commit: its view is drawn all the same."""
    settling = {
        "WorkerPlaced",
        "BottomWorkerSentToTower",
        "TurnPassed",
        "ActivationEnded",
        "ContractorReturned",
        "CouncilSeatTaken",
        "TowerOccupied",
        "ScoringCardRevealed",
        "EndTriggered",
        "KeptCardShown",
        "ScoringCardResolved",
    }
    rng = random.Random(seats)
    for seed, choose_by in ((3, None), (99 if seats == 2 else 5, patient(random.Random(99)))):
        played = play(GAME, seats, seed, choose_by)
        state = GAME.blank(played.setup)
        for event in played.events:
            state = GAME.evolve(state, event)
            if type(event).__name__ in settling:
                assert not GAME.to_act(state), event
                assert not any(GAME.legal(state, seat) for seat in range(seats))
            if rng.random() < 0.1:
                assert GAME.sketch(GAME.view(state, GALLERY))
                assert GAME.moment(state).turn >= 1
