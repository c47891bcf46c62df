"""Whole matches: what never changes, equal turns, and every version on the way."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.calimala import GAME
from domain.calimala.things import TILES, Phase
from domain.calimala.words import (
    ActivePlayerMarkerPassed,
    ImpossibleActionCompensated,
    ScoringTileResolved,
)
from domain.core.words import GALLERY
from tests.games.calimala.players import greedy, patient
from tests.games.calimala.table import (
    only,
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
                assert (state.phase, state.current) == (Phase.SETTLING, None), event
                assert not GAME.to_act(state), event
                assert not any(GAME.legal(state, seat) for seat in range(seats))
            if type(event).__name__ in ("ContractorReturned", "CouncilSeatTaken", "TowerOccupied"):
                assert state.tower is None
            if rng.random() < 0.1:
                assert GAME.sketch(GAME.view(state, GALLERY))
                assert GAME.moment(state).turn >= 1
