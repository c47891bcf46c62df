"""What lies on the table before the first turn."""

import pytest

from domain.core.chance import ScriptedChance, SeededChance
from domain.core.errors import Illegal
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.state import State
from tests.games.majolica.helpers import asked, kinds, listed, play, setup, shops, slots, why


def opened(seats: int = 2, first: int = 0, **options: object) -> State:
    given = setup(seats, **options)
    dealt = ("ST2", "ST4", "ST1", "ST3")[:seats] if given.options.start_card == "dealt" else ()
    if seats == 4:
        dealt = dealt[:3]
    market = ("D50", "D01", "D02", "D03", "D04", "D05")
    chance = ScriptedChance(first, *dealt, *market, *"RBYGRBYGRBYGRBY")
    now = GAME.blank(given)
    for event in GAME.opening(given, chance):
        now = GAME.evolve(now, event)
    assert chance.left == 0
    return now


@pytest.mark.rule("R2", "R7", "R10", "R11", "R13", "R14", "R15")
def test_the_opening_tells_first_player_start_cards_market_and_grid() -> None:
    given = setup(2)
    chance = ScriptedChance(1, "ST2", "ST4", "D50", "D01", "D02", "D03", "D04", "D05", *"RBYGRBYGRBYGRBY")
    assert GAME.opening(given, chance) == (
        w.StartTokenDrawn(1),
        w.StartCardDealt(0, "ST2"),
        w.StartCardDealt(1, "ST4"),
        *(w.CardRevealed(place, card) for place, card in enumerate(("D50", "D01", "D02", "D03", "D04", "D05"))),
        w.GridLaid(1, ("RBYG", "RBYG", "RBYG", "RBYG")),
    )
    assert [draw.label for draw in chance.draws[:3]] == ["first player", "start card", "start card"]
    assert [(draw.label, draw.bound) for draw in chance.draws[3:10]] == [
        *(("market", 50 - k) for k in range(6)),
        ("grid", 16),
    ]


@pytest.mark.rule("R6", "R12")
@pytest.mark.parametrize(("seats", "tiles"), [(2, 3), (3, 4), (4, 5)])
def test_the_city_hall_has_tiles_for_the_number_of_players(seats: int, tiles: int) -> None:
    now = opened(seats)
    assert (now.hall_jokers, now.hall_points) == (tiles, tiles)


@pytest.mark.rule("R6", "R12")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_five_of_each_kind_where_so_opened(seats: int) -> None:
    now = opened(seats, city_hall_tokens="all_five")
    assert (now.hall_jokers, now.hall_points) == (5, 5)


@pytest.mark.rule("R14", "R16")
def test_dealt_start_cards_are_placed_in_turn_order() -> None:
    now = opened(3, first=1)
    assert (now.seat, asked(now), now.players[1].dealt) == (1, "start_card", "ST4")
    assert now.start_cards == ("ST3",)
    assert listed(now) == (c.PlaceStartCard("ST4", 1), c.PlaceStartCard("ST4", 2), c.PlaceStartCard("ST4", 3))
    now, events = play(now, c.PlaceStartCard("ST4", 3))
    assert events == (w.StartCardPlaced(1, "ST4", 3),)
    now, _ = play(now, c.PlaceStartCard("ST1", 1))
    assert (now.seat, asked(now)) == (0, "start_card")
    now, _ = play(now, c.PlaceStartCard("ST2", 2))
    assert (now.seat, asked(now)) == (1, "select")
    assert [slots(now, seat) for seat in range(3)] == ["- ST2[|RYG] -", "- - ST4[|RBY]", "ST1[|BYG] - -"]
    assert [shops(now, seat) for seat in range(3)] == ["- - - -"] * 3
    assert now.start_cards == ("ST3",)
    assert now.players[1].dealt == ""


@pytest.mark.rule("R14", "M4", "M5")
def test_chosen_start_cards_are_taken_in_turn_order() -> None:
    now = opened(2, first=1, start_card="chosen")
    assert kinds(tuple(listed(now))) == ["PlaceStartCard"] * 12
    assert GAME.view(now, -1).start_offer == ("ST1", "ST2", "ST3", "ST4")
    now, events = play(now, c.PlaceStartCard("ST3", 2))
    assert events == (w.StartCardPlaced(1, "ST3", 2),)
    assert why(now, c.PlaceStartCard("ST3", 2)) == ("start_card_not_on_offer", "R14")
    assert why(now, c.PlaceStartCard("D01", 2)) == ("start_card_not_on_offer", "R14")
    assert len(listed(now)) == 9
    now, _ = play(now, c.PlaceStartCard("ST1", 1))
    assert (now.seat, asked(now)) == (1, "select")
    assert GAME.view(now, -1).start_offer == ()


@pytest.mark.rule("R14", "M5")
def test_a_start_card_of_somebody_else_or_an_unknown_slot_is_refused() -> None:
    now = opened(2)
    assert why(now, c.PlaceStartCard("ST4", 1)) == ("start_card_not_on_offer", "R14")
    assert why(now, c.PlaceStartCard("ST2", 0)) == ("unknown_slot", "R4")
    assert why(now, c.PlaceStartCard("ST2", 4)) == ("unknown_slot", "R4")
    assert why(now, c.PlaceStartCard("ST4", 1), seat=1) == ("not_your_decision", "R20")
    assert why(now, c.KeepCards()) == ("wrong_phase", "R14")


@pytest.mark.rule("R15")
def test_every_seat_may_be_drawn_first_and_turns_go_left() -> None:
    firsts = {GAME.opening(setup(4), SeededChance(bytes([n]), 0))[0].seat for n in range(40)}
    assert firsts == {0, 1, 2, 3}
    now = opened(4, first=2)
    order = []
    for _ in range(4):
        order.append(now.seat)
        now, _ = play(now, listed(now)[0])
    assert order == [2, 3, 0, 1]
    assert now.seat == 2


@pytest.mark.rule("R4")
@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 1 << 60])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.data(GAME.options(), seats)
    assert (caught.value.code, caught.value.rule) == ("bad_options", "R4")
    assert caught.value.message == f"Majolica is for 2 to 4 players, not {seats}."
