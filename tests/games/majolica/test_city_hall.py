"""What a run of workshop 4 pays."""

import pytest
from msgspec.structs import replace

from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.state import State, score
from domain.majolica.tiles import Tile
from tests.games.majolica.helpers import asked, discard, kinds, listed, play, player, shops, spelt, state, tile, why

GRID = "RBYG RYGB GYBR GBRY"


def run_4(jokers: int, points: int, workshops: str = "- - - RRR", **more: object) -> tuple[State, tuple[object, ...]]:
    """A red tile has been put into a workshop 4 that waited for it."""
    now = state(player(workshops), grid=GRID, **more)
    now = replace(now, hall_jokers=jokers, hall_points=points)
    return play(now, tile(1, 1), c.PlaceTiles(4))


@pytest.mark.rule("R33", "R48", "R50")
def test_workshop_4_throws_its_tiles_away_and_either_kind_may_be_claimed() -> None:
    now, events = run_4(3, 3, "- - - RR*")
    assert events[-2:] == (w.RunStarted(0, 4), w.WorkshopEmptied(0, 4, spelt("RR" + "R*")))
    assert (asked(now), shops(now, 0), now.jokers_out) == ("city_hall", "- - - -", 1)
    assert listed(now) == (c.ClaimJoker(), c.ClaimOnePoint())


@pytest.mark.rule("R51", "R54", "R72")
def test_a_one_point_tile_is_kept_and_counts() -> None:
    now, _ = run_4(3, 3)
    now, events = play(now, c.ClaimOnePoint())
    assert events == (w.OnePointClaimed(0, 1, "R72"), w.TurnEnded(0, 1))
    assert (now.hall_jokers, now.hall_points, now.players[0].one_points, score(now, 0)) == (3, 2, 1, 1)
    assert shops(now, 0) == "- - - -"


@pytest.mark.rule("R51", "R53")
def test_a_joker_goes_into_any_workshop_at_once() -> None:
    now, _ = run_4(3, 3)
    now, events = play(now, c.ClaimJoker())
    assert events == (w.JokerClaimed(0),)
    assert asked(now) == "joker"
    assert listed(now) == tuple(c.PlaceJoker(number) for number in (1, 2, 3, 4))
    for number in (-1, 0, 5, 1 << 70):
        assert why(now, c.PlaceJoker(number)) == ("unknown_workshop", "R4")
    now, events = play(now, c.PlaceJoker(2))
    assert events == (w.JokerPlaced(0, 2), w.TurnEnded(0, 1))
    assert (shops(now, 0), now.hall_jokers, now.hall_points) == ("- * - -", 2, 3)


@pytest.mark.rule("R32", "R51", "R53")
def test_a_joker_may_overflow_a_workshop_and_be_discarded_itself() -> None:
    now, _ = run_4(1, 1, "- - RRBY RRR")
    now, _ = play(now, c.ClaimJoker(), c.PlaceJoker(3))
    assert asked(now) == "discard"
    now, _ = play(now, discard("*"))
    assert (now.jokers_out, now.hall_jokers, shops(now, 0)) == (1, 0, "- - RRBY -")


@pytest.mark.rule("R41", "R51")
def test_a_joker_may_make_a_workshop_ready() -> None:
    now, _ = run_4(3, 3, "- - RRB RRR")
    now, events = play(now, c.ClaimJoker(), c.PlaceJoker(3))
    assert kinds(events) == ["JokerClaimed", "JokerPlaced", "RunStarted", "TilesDelivered", "TilesShipped", "TurnEnded"]
    assert shops(now, 0) == "- - - RRB*"


@pytest.mark.rule("R50", "M2")
def test_the_only_kind_left_is_given() -> None:
    now, events = run_4(0, 2)
    assert events[-2:] == (w.OnePointClaimed(0, 1, "R72"), w.TurnEnded(0, 1))
    assert (now.hall_points, now.players[0].one_points) == (1, 1)
    now, events = run_4(2, 0)
    assert events[-1] == w.JokerClaimed(0)
    assert (asked(now), now.hall_jokers) == ("joker", 1)


@pytest.mark.rule("R50", "M2")
def test_an_empty_city_hall_pays_nothing() -> None:
    now, events = run_4(0, 0)
    assert events[-2:] == (w.WorkshopEmptied(0, 4, spelt("RRRR")), w.TurnEnded(0, 1))
    assert now.players[0].one_points == 0


@pytest.mark.rule("R50", "M2")
def test_as_a_pair_one_of_each_kind_is_given_while_they_last() -> None:
    pair = {"city_hall_reward": "pair"}
    now, events = run_4(3, 3, options=pair)
    assert events[-2:] == (w.JokerClaimed(0), w.OnePointClaimed(0, 1, "R72"))
    assert (asked(now), now.hall_jokers, now.hall_points, now.players[0].one_points) == ("joker", 2, 2, 1)
    now, events = run_4(1, 0, options=pair)
    assert events[-1] == w.JokerClaimed(0)
    now, events = run_4(0, 1, options=pair)
    assert events[-2:] == (w.OnePointClaimed(0, 1, "R72"), w.TurnEnded(0, 1))
    now, events = run_4(0, 0, options=pair)
    assert kinds(events)[-2:] == ["WorkshopEmptied", "TurnEnded"]


@pytest.mark.rule("R50", "M5")
def test_a_kind_that_is_gone_is_refused_as_exhausted() -> None:
    now, _ = run_4(1, 0)
    assert why(now, c.ClaimOnePoint()) == ("city_hall_exhausted", "R50")
    assert why(now, c.ClaimJoker()) == ("city_hall_exhausted", "R50")
    now, _ = run_4(3, 3)
    now, _ = play(now, c.ClaimJoker())
    assert why(now, c.ClaimJoker()) == ("wrong_phase", "R51")
    assert why(now, c.ClaimOnePoint()) == ("wrong_phase", "R51")


@pytest.mark.rule("R46", "M1")
def test_an_open_bonus_may_be_used_while_the_city_hall_asks() -> None:
    now, events = run_4(3, 3, bonuses=2)
    assert asked(now) == "resolve"
    now, events = play(now, c.RunWorkshop(4))
    assert events == (w.RunStarted(0, 4), w.WorkshopEmptied(0, 4, spelt("RRRR")))
    assert listed(now)[:2] == (c.ClaimJoker(), c.ClaimOnePoint())
    assert len(listed(now)) == 2 + 16 + 1
    now, _ = play(now, c.UseBonus(Tile.RED, 4))
    assert (asked(now), shops(now, 0)) == ("city_hall", "- - - R")
    now, _ = play(now, c.ClaimJoker())
    assert len(listed(now)) == 4 + 16 + 1
    now, _ = play(now, c.DeclineBonus())
    assert listed(now) == tuple(c.PlaceJoker(number) for number in (1, 2, 3, 4))
    now, events = play(now, c.PlaceJoker(4))
    assert events == (w.JokerPlaced(0, 4), w.TurnEnded(0, 1))
    assert shops(now, 0) == "- - - R*"


@pytest.mark.rule("R42", "R46")
def test_a_workshop_made_ready_by_a_bonus_waits_for_the_city_hall() -> None:
    now, _ = run_4(3, 3, "- - RRG RRR", bonuses=1)
    now, _ = play(now, c.RunWorkshop(4))
    now, events = play(now, c.UseBonus(Tile.GREEN, 3))
    assert (events, asked(now)) == ((w.BonusUsed(0, Tile.GREEN, 3),), "city_hall")
    now, events = play(now, c.ClaimOnePoint())
    assert w.RunStarted(0, 3) in events
