"""Drawing region cards and taking tiles."""

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.state import kind_of
from domain.castles_of_tuscany.words import Bonus, DrawCards, Kind, Pay, PlaceTile, TakeTile
from tests.games.castles_of_tuscany.table import (
    DISPLAY,
    cards,
    given,
    having,
    having_discards,
    names,
    of,
    refused,
    then,
    when,
)

NO_CARD = {"bonus": {"plus_worker": 1}}


@pytest.mark.rule("R6.1", "R10.2")
@pytest.mark.parametrize(("base", "plus"), [(2, 0), (2, 1), (2, 3), (3, 0), (3, 2)])
def test_draw_two_or_three_and_one_for_each_plus_card(base: int, plus: int) -> None:
    state = having(given(base_cards=base), 0, bonus={"plus_card": plus})
    (drawn,) = of(when(state, 0, DrawCards(), *("inn",) * (base + plus)), e.RegionCardsDrawn)
    assert drawn == e.RegionCardsDrawn(0, (Kind.INN,) * (base + plus), base + plus, "R6.1")


@pytest.mark.rule("R6.2")
def test_no_hand_limit() -> None:
    state = having(given(), 0, hand={"village": 20, "agriculture": 20, "quarry": 16}, **NO_CARD)
    after = then(state, 0, DrawCards(), "inn", "inn")
    assert after.players[0].hand_size == 58
    assert cards(after, 0)["inn"] == 2


@pytest.mark.rule("R6.3")
def test_an_empty_deck_in_the_middle_of_a_draw() -> None:
    state = having(given(), 0, hand=ALL_BUT_FOUR, **NO_CARD)
    state = having_discards(state, inn=1, city=2)
    assert state.region_deck == 1
    events = when(state, 0, DrawCards(), "city")
    assert events[:3] == (
        e.RegionCardsDrawn(0, (Kind.CASTLE,), 1, "R6.1"),
        e.RegionDeckReshuffled(3),
        e.RegionCardsDrawn(0, (Kind.CITY,), 1, "R6.1"),
    )
    after = then(state, 0, DrawCards(), "city")
    assert (after.region_deck, sum(after.region_discards)) == (2, 0)


ALL_BUT_FOUR = {
    "castle": 9,
    "city": 12,
    "inn": 9,
    "agriculture": 20,
    "quarry": 16,
    "village": 20,
    "monastery": 16,
    "carriage": 16,
}


@pytest.mark.rule("R6.3")
def test_an_empty_deck_is_reshuffled_only_when_a_card_must_be_drawn() -> None:
    state = having_discards(having(given(), 0, hand=ALL_BUT_FOUR, **NO_CARD), inn=1, city=1)
    events = when(state, 0, DrawCards(), "castle")
    assert names(events)[:2] == ["RegionCardsDrawn", "TurnEnded"]
    after = then(state, 0, DrawCards(), "castle")
    assert (after.region_deck, sum(after.region_discards)) == (0, 2)
    events = when(having(after, 1, bonus={}), 1, DrawCards(), "city")
    assert names(events)[:2] == ["RegionDeckReshuffled", "RegionCardsDrawn"]


@pytest.mark.rule("R6.3", "R6.4", "K4")
def test_what_is_missing_is_lost_and_drawing_stays_allowed() -> None:
    state = having_discards(having(given(), 0, hand=ALL_BUT_FOUR, bonus={"plus_card": 4}), inn=1)
    events = when(state, 0, DrawCards(), 2, 1)
    assert [event.count for event in of(events, e.RegionCardsDrawn)] == [3, 1]
    after = then(state, 0, DrawCards(), 2, 1)
    assert (after.region_deck, sum(after.region_discards)) == (0, 0)
    assert DrawCards() in GAME.legal(after, 1).commands
    assert of(when(after, 1, DrawCards()), e.RegionCardsDrawn) == [e.RegionCardsDrawn(1, (), 0, "R6.1")]


@pytest.mark.rule("R7.1", "R7.4", "R7.7")
def test_take_and_fill_from_the_leftmost_stack_to_the_same_slot() -> None:
    state = given()
    events = when(state, 0, TakeTile(3), "inn")
    assert events[:2] == (e.TileTaken(0, 3, "carriage"), e.SlotRefilled(0, 3, "inn", 1))
    after = then(state, 0, TakeTile(3), "inn")
    assert after.display == (*DISPLAY[:3], "inn", *DISPLAY[4:])
    assert after.players[0].storage == ("carriage",)
    assert after.players[0].stacks == (6, 7, 7)
    assert after.players[0].undrawn.count("inn") == 0
    assert after.players[1] == state.players[1]


@pytest.mark.rule("R7.1")
def test_any_tile_may_be_taken_even_one_that_can_never_be_placed() -> None:
    state = given()
    land = state.players[0].region
    assert land is not None
    full = replace(state.players[0], cover=tuple(tile or "wild_hex" for tile in state.players[0].cover))
    state = replace(state, players=(full, state.players[1]))
    assert [c for c in GAME.legal(state, 0).commands if isinstance(c, TakeTile)] == [TakeTile(i) for i in range(8)]


@pytest.mark.rule("R7.1")
@pytest.mark.parametrize("slot", [-1, 8, 2**40])
def test_slots_that_are_none(slot: int) -> None:
    assert refused(given(), 0, TakeTile(slot)) == ("no_such_slot", "R7.1")


@pytest.mark.rule("R7.1", "R7.4")
def test_an_empty_slot_has_nothing_to_take() -> None:
    state = given(display=("", *DISPLAY[1:]))
    assert refused(state, 0, TakeTile(0)) == ("slot_empty", "R7.1")
    assert TakeTile(1) in GAME.legal(state, 0).commands


@pytest.mark.rule("R7.2", "R10.2")
@pytest.mark.parametrize("plus", [0, 1, 3])
def test_storage_spaces(plus: int) -> None:
    state = having(given(), 0, bonus={"plus_storage": plus}, storage=("inn",) * plus)
    assert state.players[0].storage_spaces == 1 + plus
    assert TakeTile(0) in GAME.legal(state, 0).commands
    full = having(state, 0, storage=("inn",) * plus + ("wild_hex",))
    assert TakeTile(0) not in GAME.legal(full, 0).commands
    assert refused(full, 0, TakeTile(0)) == ("storage_full", "R7.3")


@pytest.mark.rule("R7.3", "R7.7", "K1")
def test_full_storage_gives_up_one_thing_of_choice() -> None:
    state = having(given(), 0, bonus={"plus_storage": 1}, storage=("wild_hex", "city"))
    state = replace(state, wild_hexes=9)
    listed = [c for c in GAME.legal(state, 0).commands if isinstance(c, TakeTile)]
    assert listed == [TakeTile(slot, stored) for slot in range(8) for stored in (0, 1)]
    events = when(state, 0, TakeTile(5, 0), "city")
    assert events[:3] == (
        e.TileGivenUp(0, 0, "wild_hex"),
        e.TileTaken(0, 5, "inn"),
        e.SlotRefilled(0, 5, "city", 1),
    )
    after = then(state, 0, TakeTile(5, 0), "city")
    assert (after.players[0].storage, after.wild_hexes, after.box) == (("city", "inn"), 10, ())
    after = then(state, 0, TakeTile(5, 1), "city")
    assert (after.players[0].storage, after.wild_hexes, after.box) == (("wild_hex", "inn"), 9, ("city",))
    for stored in (2, -1, 99):
        assert refused(state, 0, TakeTile(5, stored)) == ("no_such_stored", "R7.3")


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("stored", [0, 1, -1])
def test_nothing_may_be_given_up_while_a_space_is_free(stored: int) -> None:
    state = having(given(), 0, bonus={"plus_storage": 1}, storage=("city",))
    assert refused(state, 0, TakeTile(5, stored)) == ("storage_not_full", "R7.3")


@pytest.mark.rule("R7.4", "R7.5")
def test_the_leftmost_stack_that_is_not_empty() -> None:
    state = having(given(), 0, stacks=(0, 3, 7), undrawn=("inn",) * 10)
    assert of(when(state, 0, TakeTile(0), "inn"), e.SlotRefilled) == [e.SlotRefilled(0, 0, "inn", 2)]
    state = having(given(), 0, stacks=(0, 0, 1), undrawn=("city",))
    assert of(when(state, 0, TakeTile(0)), e.SlotRefilled) == [e.SlotRefilled(0, 0, "city", 3)]


@pytest.mark.rule("R7.4")
def test_with_all_stacks_empty_the_neutral_supply_fills_the_gap() -> None:
    state = having(given(), 0, stacks=(0, 0, 0), undrawn=())
    events = when(state, 0, TakeTile(0), "castle")
    assert of(events, e.SlotRefilled) == [e.SlotRefilled(0, 0, "castle", 0)]
    after = then(state, 0, TakeTile(0), "castle")
    assert after.neutral.count("castle") == state.neutral.count("castle") - 1
    assert len(after.neutral) == 23


@pytest.mark.rule("R7.4")
def test_with_nothing_left_at_all_the_slot_stays_empty() -> None:
    state = replace(having(given(), 0, stacks=(0, 0, 0), undrawn=()), neutral=())
    assert names(when(state, 0, TakeTile(0))) == ["TileTaken", "TurnEnded", "TurnBegan"]
    after = then(state, 0, TakeTile(0))
    assert after.display == ("", *DISPLAY[1:])


FOUR = ("village", "village", "monastery", "village", "quarry", "inn", "city", "village")


@pytest.mark.rule("R7.6", "R7.7")
def test_five_of_a_kind_after_a_take() -> None:
    state = replace(given(display=FOUR), neutral=("castle", "city", "inn", "quarry", "carriage", *("monastery",) * 5))
    events = when(state, 0, TakeTile(4), "village", "inn", "castle", "quarry", "city", "monastery")
    assert events[2] == e.FiveOfAKindReplaced(
        Kind.VILLAGE, (0, 1, 3, 4, 7), ("village",) * 5, ("inn", "castle", "quarry", "city", "monastery")
    )
    after = then(state, 0, TakeTile(4), "village", "inn", "castle", "quarry", "city", "monastery")
    assert after.display == ("inn", "castle", "monastery", "quarry", "city", "inn", "city", "monastery")
    assert after.box == ("village",) * 5
    assert sorted(after.neutral) == sorted(("carriage", *("monastery",) * 4))


@pytest.mark.rule("R7.6")
@pytest.mark.parametrize("supply", [0, 4])
def test_a_supply_that_is_too_small_replaces_nothing(supply: int) -> None:
    state = replace(given(display=FOUR), neutral=("monastery",) * supply)
    events = when(state, 0, TakeTile(4), "village")
    assert names(events) == ["TileTaken", "SlotRefilled", "TurnEnded", "TurnBegan"]
    assert then(state, 0, TakeTile(4), "village").display.count("village") == 5


@pytest.mark.rule("R7.6")
def test_a_supply_of_just_enough_replaces() -> None:
    state = replace(given(display=FOUR), neutral=("castle", "city", "inn", "quarry", "carriage"))
    events = when(state, 0, TakeTile(4), "village", 0, 0, 0, 0)
    assert of(events, e.FiveOfAKindReplaced)[0].tiles == ("castle", "city", "inn", "quarry", "carriage")


@pytest.mark.rule("R7.6")
def test_replacing_repeats_and_takes_six_when_there_are_six() -> None:
    six = ("village",) * 5 + ("quarry", "inn", "city")
    neutral = ("castle",) * 6 + ("inn", "city", "quarry", "monastery", "carriage", "village")
    state = replace(given(display=six), neutral=neutral)
    script = ("village", *("castle",) * 6, *("inn", "city", "quarry", "monastery", "carriage"))
    events = when(state, 0, TakeTile(5), *script)
    first, second = of(events, e.FiveOfAKindReplaced)
    assert (first.kind, first.slots) == (Kind.VILLAGE, (0, 1, 2, 3, 4, 5))
    assert (second.kind, second.slots) == (Kind.CASTLE, (0, 1, 2, 3, 4, 5))
    assert second.removed == ("castle",) * 6


@pytest.mark.rule("R7.6")
def test_agriculture_tiles_are_one_kind_whatever_their_faces() -> None:
    faces = ("grain_grapes", "grapes_olives", "olives_vegetables", "vegetables_grain")
    display = (*(f"agriculture:{face}" for face in faces), "quarry", "inn", "city", "village")
    state = given(display=display)
    script = ("agriculture:grain_grapes", "castle", "castle", "castle", "castle", "city")
    events = when(state, 0, TakeTile(4), *script)
    assert of(events, e.FiveOfAKindReplaced)[0].slots == (0, 1, 2, 3, 4)


@pytest.mark.rule("R7.6")
def test_four_of_a_kind_stay_and_no_stack_of_a_seat_is_touched() -> None:
    state = given(display=FOUR)
    assert "FiveOfAKindReplaced" not in names(when(state, 0, TakeTile(4), "inn"))
    after = then(state, 0, TakeTile(4), "village", *("castle",) * 4, "city")
    assert [sum(player.stacks) for player in after.players] == [20, 21]


@pytest.mark.rule("R7.7", "R7.5")
def test_the_order_of_a_take() -> None:
    state = having(given(display=FOUR), 0, storage=("inn",), bonus={}, stacks=(1, 7, 7), undrawn=("village",) * 15)
    events = when(state, 0, TakeTile(4, 0), *("village", *("castle",) * 4, "city"))
    assert names(events)[:5] == [
        *("TileGivenUp", "TileTaken", "SlotRefilled", "RoundEndTriggered", "FiveOfAKindReplaced")
    ]


@pytest.mark.rule("K1")
def test_storage_closes_its_gaps_and_appends() -> None:
    state = having(
        given(), 0, storage=("village", "monastery", "inn"), hand={"monastery": 2}, bonus={"plus_storage": 2}
    )
    after = then(then(state, 0, PlaceTile(1, 2, 0)), 0, Pay(2), "inn", "inn", "inn")
    assert after.players[0].storage == ("village", "inn")
    assert then(replace(after, active=0), 0, TakeTile(2), "city").players[0].storage == ("village", "inn", "castle")
    assert kind_of("wild_hex") is None
    assert Bonus.PLUS_STORAGE.value == "plus_storage"
