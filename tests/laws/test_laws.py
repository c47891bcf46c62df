"""Every law over every game found, at every number of seats, by random legal play."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.core.game import AnyGame
from tests.laws import laws
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
