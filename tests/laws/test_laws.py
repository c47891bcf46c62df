"""Every law over every game found, at every number of seats, by random legal play."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.core.game import AnyGame
from tests.laws import laws
from tests.laws.twins import twins
from tests.support.play import EVERY_GAME, play

TABLES = [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in EVERY_GAME for seats in game.seats]
EXAMPLES = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_laws_of_play(game: AnyGame, seats: int, seed: int) -> None:
    played = play(game, seats, seed)
    laws.law_1_ends(played)
    laws.law_2_listed_is_accepted(played, random.Random(seed))
    laws.law_3_events_survive(played)
    laws.law_4_outcome(played)
    laws.law_5_viewers(played)
    laws.law_6_deterministic(played)
    laws.law_7_totals(played)
    laws.law_9_open_decisions_stand(played)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_law_8_one_field_name_has_one_type(game: AnyGame) -> None:
    laws.law_8_one_type_a_name(game)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_law_5_what_a_viewer_may_not_see_changes_nothing_for_it(game: AnyGame, seats: int) -> None:
    found = twins(game, seats, seed=seats)
    if laws.hides_anything(game):
        assert found, "no two matches were found that differ in hidden things only: nothing was tested"
    else:
        assert not found, "matches differ in something that no word declares as hidden"


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_law_10_every_command_has_grounds_in_the_rulebook(game: AnyGame) -> None:
    laws.law_10_grounds(game)
