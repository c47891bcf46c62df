"""Completion bonuses: held open, used in any order, declined."""

import pytest

from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import WORKSHOP_NUMBERS
from domain.majolica.state import State
from domain.majolica.tiles import COLOURS, Tile
from tests.games.majolica.helpers import (
    asked,
    deliver,
    discard,
    listed,
    play,
    player,
    shops,
    spelt,
    state,
    tile,
    why,
)

BONUSES = {*(c.UseBonus(colour, number) for colour in COLOURS for number in WORKSHOP_NUMBERS), c.DeclineBonus()}


def completed(workshops: str = "RRRBB - - -", slots: str = "D01[RBB|R] - -", **more: int) -> State:
    """Workshop 1 has just completed a card and is about to ship RRBBB."""
    now = state(player(workshops, slots), **more)
    now, events = play(now, tile(1, 1), c.KeepCards(), c.PlaceTiles(1))
    if asked(now) == "resolve":
        now, events = play(now, c.RunWorkshop(1))
    assert type(events[-1]) is w.CardCompleted
    return now


@pytest.mark.rule("R46", "R49", "M1")
def test_a_bonus_may_be_used_or_declined_before_shipping() -> None:
    now = completed()
    assert asked(now) == "ship"
    assert set(listed(now)) == {c.ShipTiles(), *BONUSES}


@pytest.mark.rule("R46")
def test_a_bonus_in_the_running_workshop_ships_with_the_rest() -> None:
    now, events = play(completed(), c.UseBonus(Tile.GREEN, 1))
    assert events == (
        w.BonusUsed(0, Tile.GREEN, 1),
        w.TilesShipped(0, 1, 2, spelt("RRBBBG")),
        w.TurnEnded(0, 1),
    )
    assert shops(now, 0) == "- RRBBBG - -"


@pytest.mark.rule("R32", "R46", "M1")
def test_a_bonus_may_overflow_the_running_workshop_and_it_ships_afterwards() -> None:
    now = state(player("RRRBB RBBYY - -", "D04[B|BYY] D06[YYG|G] -", finished="D01"), bonuses=1)
    now, _ = play(now, tile(1, 1), c.KeepCards(), c.PlaceTiles(1), c.RunWorkshop(1))
    now, events = play(now, c.UseBonus(Tile.GREEN, 1))
    assert events == (w.BonusUsed(0, Tile.GREEN, 1), w.TilesShipped(0, 1, 2, spelt("RRRBBG")))
    now = state(player("RRRBB - - -", "D06[YYG|G] - -", finished="D01"), bonuses=1)
    now, _ = play(now, tile(1, 1), c.KeepCards(), c.PlaceTiles(1), c.RunWorkshop(1))
    assert asked(now) == "ship"
    now, _ = play(now, c.UseBonus(Tile.GREEN, 1))
    assert (asked(now), shops(now, 0)) == ("discard", "RRRBBBG - - -")
    now, events = play(now, discard("R"))
    assert events[:2] == (w.TilesDiscarded(0, 1, spelt("R")), w.TilesShipped(0, 1, 2, spelt("RRBBBG")))


@pytest.mark.rule("R46", "R49")
def test_a_bonus_held_open_past_shipping_keeps_the_turn_open() -> None:
    now, events = play(completed(), c.ShipTiles())
    assert events == (w.TilesShipped(0, 1, 2, spelt("RRBBB")),)
    assert (asked(now), now.seat) == ("resolve", 0)
    assert set(listed(now)) == BONUSES
    now, events = play(now, c.DeclineBonus())
    assert events == (w.BonusDeclined(0), w.TurnEnded(0, 1))
    assert now.bonuses == 0


@pytest.mark.rule("R91")
def test_a_bonus_that_makes_another_workshop_ready_runs_it_after_the_current_one() -> None:
    now = completed("RRRBB - RRG -")
    now, events = play(now, c.UseBonus(Tile.GREEN, 3))
    assert events == (
        w.BonusUsed(0, Tile.GREEN, 3),
        w.TilesShipped(0, 1, 2, spelt("RRBBB")),
        w.RunStarted(0, 3),
        w.TilesDelivered(0, 3, ()),
        w.TilesShipped(0, 3, 4, spelt("RRGG")),
        w.TurnEnded(0, 1),
    )
    assert shops(now, 0) == "- RRBBB - RRGG"


@pytest.mark.rule("R41", "R46", "M1")
def test_beside_a_ready_workshop_a_bonus_may_be_used_even_to_spoil_it() -> None:
    now, _ = play(completed("RRRBB Y RRGG -"), c.ShipTiles())
    assert (asked(now), shops(now, 0)) == ("resolve", "- RRBBBY RRGG -")
    assert set(listed(now)) == {c.RunWorkshop(3), *BONUSES}
    now, _ = play(now, c.UseBonus(Tile.BLUE, 3))
    assert asked(now) == "discard"
    assert why(now, c.UseBonus(Tile.BLUE, 3)) == ("no_bonus_open", "R46")
    now, events = play(now, discard("G"))
    assert events == (w.TilesDiscarded(0, 3, spelt("G")), w.TurnEnded(0, 1))
    assert shops(now, 0) == "- RRBBBY RRBG -"


@pytest.mark.rule("R46", "M1")
def test_declining_declines_one_bonus_and_a_ready_workshop_then_runs_by_itself() -> None:
    now, _ = play(completed("RRRBB Y RRGG -"), c.ShipTiles())
    _, events = play(now, c.DeclineBonus())
    assert events[:2] == (w.BonusDeclined(0), w.RunStarted(0, 3))


@pytest.mark.rule("R90", "M1")
def test_several_bonuses_are_open_at_once_and_used_one_by_one() -> None:
    now = completed("RRRBB R - -", "D01[RBB|R] D25[RRBB|Y] -")
    now, events = play(now, c.UseBonus(Tile.YELLOW, 2))
    assert events[-1] == w.TilesShipped(0, 1, 2, spelt("RRBBB"))
    assert shops(now, 0) == "- RRRBBBY - -"
    now = state(player("- RBBY RR -", "- D28[RBBG|R] D02[RRY|Y]"), bonuses=1)
    now, _ = play(now, tile(1, 2), c.KeepCards(), c.PlaceTiles(2))
    now, _ = play(now, c.UseBonus(Tile.YELLOW, 2))
    now = state(player("- RBBYY - -", "- D28[RBBG|R] -"), bonuses=1)
    now, events = play(now, tile(1, 2), c.KeepCards(), c.PlaceTiles(2), c.RunWorkshop(2))
    assert type(events[-1]) is w.CardCompleted
    assert now.bonuses == 2
    now, _ = play(now, c.UseBonus(Tile.RED, 2))
    assert (now.bonuses, shops(now, 0), asked(now)) == (1, "- RRBBYY - -", "ship")
    now, _ = play(now, c.ShipTiles(), discard("YY"))
    assert (asked(now), shops(now, 0)) == ("resolve", "- - RRBB -")
    now, _ = play(now, c.RunWorkshop(3), c.ShipTiles(), c.DeclineBonus())
    assert (now.seat, now.bonuses, shops(now, 0)) == (1, 0, "- - - RRBB")


@pytest.mark.rule("M1", "M5")
def test_without_an_open_bonus_it_is_refused_as_such_whatever_is_asked() -> None:
    now = state(player("- - RRRY RRR", "- D07[R|RBY] -"), market="D02 - - - - -", grid="RBYG RYGB GYBR GBRY")
    steps = [tile(1, 1), c.KeepCards(), c.PlaceTiles(3)]
    for step in steps:
        assert why(now, c.UseBonus(Tile.RED, 1)) == ("no_bonus_open", "R46")
        assert why(now, c.DeclineBonus()) == ("no_bonus_open", "R46")
        now, _ = play(now, step)
    assert asked(now) == "discard"
    assert why(now, c.DeclineBonus()) == ("no_bonus_open", "R46")
    now, _ = play(state(player("- - - RRR"), grid="RBYG RYGB GYBR GBRY"), tile(1, 1), c.PlaceTiles(4))
    assert asked(now) == "city_hall"
    assert why(now, c.DeclineBonus()) == ("no_bonus_open", "R46")
    now, _ = play(now, c.ClaimJoker())
    assert why(now, c.UseBonus(Tile.RED, 1)) == ("no_bonus_open", "R46")


@pytest.mark.rule("R42", "M1")
def test_no_bonus_between_the_start_of_a_run_and_its_delivery_nor_before_a_discard() -> None:
    """The rules deliver as a run begins, and discard as tiles enter: a bonus comes before or after."""
    now = completed("RRRBB YY - -", "D01[RBB|R] D16[|GGRB] -")
    now, _ = play(now, c.ShipTiles())
    assert (asked(now), now.bonuses) == ("discard", 1)
    assert why(now, c.UseBonus(Tile.RED, 1)) == ("wrong_phase", "R32")
    now, _ = play(now, discard("B"), c.RunWorkshop(2))
    assert (asked(now), now.bonuses) == ("deliver", 1)
    assert why(now, c.DeclineBonus()) == ("wrong_phase", "R43")
    now, _ = play(now, deliver("R"))
    assert asked(now) == "ship"


@pytest.mark.rule("R46", "M5")
def test_a_bonus_is_a_basic_colour_into_a_workshop_that_is_there() -> None:
    now = completed()
    assert why(now, c.UseBonus(Tile.JOKER, 1)) == ("joker_is_no_colour", "R46")
    for number in (-1, 0, 5, 1 << 70):
        assert why(now, c.UseBonus(Tile.RED, number)) == ("unknown_workshop", "R4")
        assert why(now, c.UseBonus(Tile.JOKER, number)) == ("joker_is_no_colour", "R46")
    assert why(now, c.PlaceTiles(1)) == ("wrong_phase", "R47")


@pytest.mark.rule("R90", "R92")
def test_three_cards_can_be_completed_in_one_turn() -> None:
    """The most there can be: no card enters while workshops run."""
    now = state(player("RRRBB RBYY GG -", "D01[RBB|R] D02[RRY|Y] D03[RRG|G]", finished="ST1"))
    now, _ = play(now, tile(1, 1), c.PlaceTiles(1))
    now, _ = play(now, c.ShipTiles(), discard("RBB"), c.RunWorkshop(2))
    assert now.bonuses == 2
    now, _ = play(now, c.ShipTiles())
    assert shops(now, 0) == "- - RRBBYGG -"
    now, _ = play(now, discard("BBY"), c.RunWorkshop(3))
    assert now.bonuses == 3
    assert now.players[0].finished == ("ST1", "D01", "D02", "D03")
    now, _ = play(now, c.ShipTiles(), c.DeclineBonus(), c.DeclineBonus(), c.DeclineBonus())
    assert now.seat == 1
