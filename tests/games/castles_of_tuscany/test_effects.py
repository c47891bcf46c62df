"""What placed tiles do, bonus tiles, and production cards."""

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.events import AnyEvent
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import (
    BONUSES,
    Bonus,
    DeclineCastle,
    DrawCards,
    Kind,
    Pay,
    PlaceFromDisplay,
    PlaceTile,
    TakeBonusTile,
    TakeTile,
    Track,
)
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
    tile_at,
    when,
)
from tests.support.play import fold

AT = {
    "castle": (4, 0),
    "city": (3, -1),
    "inn": (3, 1),
    "agriculture": (5, -2),
    "quarry": (4, -1),
    "village": (0, 0),
    "monastery": (2, 0),
    "carriage": (1, -1),
}
"""For each kind a space of seat 0's region, with the ones around it covered as needed."""

GROUND = {(2, 0): "monastery", (3, 0): "carriage", (4, -2): "quarry"}


def ready(kind: str, tile: str = "", **things: object) -> State:
    """Seat 0 may place that tile and has its cards."""
    covered = {at: what for at, what in GROUND.items() if at != AT[kind]}
    things = {"covered": covered, "bonus": {}, **things}
    return having(given(), 0, storage=(tile or kind,), hand={kind: 2}, **things)  # type: ignore[arg-type]


def placing(state: State, kind: str, *script: object) -> tuple[AnyEvent, ...]:
    """What follows from paying for it."""
    return when(then(state, 0, PlaceTile(0, *AT[kind])), 0, Pay(2), *script)


def placed(state: State, kind: str, *script: object) -> State:
    return then(then(state, 0, PlaceTile(0, *AT[kind])), 0, Pay(2), *script)


@pytest.mark.rule("R9.1", "K4")
def test_a_castle_offers_every_displayed_tile_on_every_open_space_of_its_kind() -> None:
    state = placed(ready("castle"), "castle")
    listed = GAME.legal(state, 0).commands
    assert listed[-1] == DeclineCastle()
    for command in listed[:-1]:
        assert isinstance(command, PlaceFromDisplay)
        land = state.players[0].region
        assert land is not None
        kind = land.kinds[land.grid.spaces.index((command.q, command.r))]
        assert DISPLAY[command.slot].startswith(kind)
    assert {command.slot for command in listed[:-1]} == {0, 1, 3, 4, 5, 6, 7}  # type: ignore[union-attr]
    assert GAME.moment(state).phase == "castle"


@pytest.mark.rule("R9.1", "R8.6", "R7.4")
def test_the_gap_is_filled_before_the_tile_scores() -> None:
    state = placed(ready("castle"), "castle")
    events = when(state, 0, PlaceFromDisplay(3, 1, -1), "inn", "green_2")
    assert names(events) == [
        *("DisplayTilePlaced", "SlotRefilled", "AreaCompleted", "ProductionCardRevealed", "TurnEnded", "TurnBegan")
    ]
    assert events[0] == e.DisplayTilePlaced(0, 3, "carriage", Kind.CARRIAGE, 1, -1)
    after = fold(GAME, state, events)
    assert after.players[0].storage == ()
    assert tile_at(after, 0, 1, -1) == "carriage"
    assert after.region_discards == state.region_discards


@pytest.mark.rule("R9.1", "R8.7")
def test_a_castle_may_be_declined() -> None:
    state = placed(ready("castle"), "castle")
    events = when(state, 0, DeclineCastle())
    assert names(events) == ["CastleDeclined", "TurnEnded", "TurnBegan"]
    assert fold(GAME, state, events).display == DISPLAY


@pytest.mark.rule("R9.1", "K4")
def test_a_castle_without_a_legal_space_does_nothing() -> None:
    state = replace(ready("castle"), display=("castle",) * 4 + ("",) * 4)
    events = placing(state, "castle")
    assert names(events) == ["PlacementPaid", "TilePlaced", "AreaCompleted", "TurnEnded", "TurnBegan"]


@pytest.mark.rule("R9.1")
@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (PlaceFromDisplay(8, 0, 0), ("no_such_slot", "R9.1")),
        (PlaceFromDisplay(-1, 0, 0), ("no_such_slot", "R9.1")),
        (PlaceFromDisplay(0, 99, 0), ("no_such_space", "R4.5")),
        (PlaceFromDisplay(0, 1, 0), ("space_covered", "R8.5")),
        (PlaceFromDisplay(0, 2, -1), ("wrong_kind", "R8.1")),
        (PlaceFromDisplay(0, 7, -4), ("not_adjacent", "R8.1")),
        (DrawCards(), ("wrong_phase", "R5.3")),
    ],
)
def test_where_a_castle_may_not_place(command: PlaceFromDisplay, refusal: tuple[str, str]) -> None:
    assert refused(placed(ready("castle"), "castle"), 0, command) == refusal


@pytest.mark.rule("R9.1")
def test_a_castle_cannot_place_from_an_empty_slot() -> None:
    state = replace(placed(ready("castle"), "castle"), display=("", *DISPLAY[1:]))
    assert refused(state, 0, PlaceFromDisplay(0, 0, 0)) == ("slot_empty", "R9.1")


@pytest.mark.rule("R9.1", "R8.6", "K3")
def test_a_chain_of_castles_with_five_of_a_kind_in_between() -> None:
    """Castle from storage, castle from the display, city from the display: the longest chain there is."""
    display = ("castle", "village", "village", "village", "village", "quarry", "city", "inn")
    covered = {**GROUND, (5, -1): "agriculture:grapes_olives", (6, -2): "quarry", (7, -3): "quarry"}
    state = replace(ready("castle", covered=covered), display=display)
    events = placing(state, "castle")
    assert names(events) == ["PlacementPaid", "TilePlaced", "AreaCompleted", "CastleOffered"]
    state = fold(GAME, state, events)
    events = when(state, 0, PlaceFromDisplay(0, 8, -3), *("village", "inn", "inn", "quarry", "city", "carriage"))
    assert names(events) == [
        *("DisplayTilePlaced", "SlotRefilled", "FiveOfAKindReplaced"),
        *("AreaCompleted", "ColourBonusScored", "CastleOffered"),
    ]
    assert of(events, e.ColourBonusScored) == [e.ColourBonusScored(0, Kind.CASTLE, 1, 2, Track.GREEN, "R11.3")]
    state = fold(GAME, state, events)
    assert GAME.to_act(state) == {0}
    events = when(state, 0, PlaceFromDisplay(6, 3, -1), "inn")
    assert names(events) == ["DisplayTilePlaced", "SlotRefilled", "AreaCompleted", "BonusTileOffered"]
    state = fold(GAME, state, events)
    events = when(state, 0, TakeBonusTile(Bonus.PLUS_STORAGE))
    assert names(events) == ["BonusTileGained", "TurnEnded", "TurnBegan"]
    assert events[0] == e.BonusTileGained(0, Bonus.PLUS_STORAGE, 2, Track.RED, "R10.3")


@pytest.mark.rule("R9.1", "R14.2")
def test_a_castle_can_empty_the_stack_of_the_round_and_the_turn_goes_on() -> None:
    state = ready("castle", stacks=(1, 7, 7), undrawn=("city",) * 15)
    state = placed(state, "castle")
    events = when(state, 0, PlaceFromDisplay(6, 3, -1), "city")
    assert names(events) == [
        *("DisplayTilePlaced", "SlotRefilled", "RoundEndTriggered", "AreaCompleted", "BonusTileOffered")
    ]
    assert GAME.to_act(fold(GAME, state, events)) == {0}


@pytest.mark.rule("R9.1", "R16", "K3")
def test_with_full_storage_a_castle_places_all_the_same() -> None:
    state = ready("castle")
    state = having(placed(state, "castle"), 0, storage=("inn",))
    after = then(state, 0, PlaceFromDisplay(0, 0, 0), "inn")
    assert after.players[0].storage == ("inn",)
    assert tile_at(after, 0, 0, 0) == "village"


@pytest.mark.rule("R9.2", "R10.1")
def test_a_city_gives_a_bonus_tile_of_choice() -> None:
    state = placed(ready("city"), "city")
    assert GAME.legal(state, 0).commands == tuple(TakeBonusTile(bonus) for bonus in BONUSES)
    for bonus in BONUSES:
        after = then(state, 0, TakeBonusTile(bonus))
        assert after.players[0].bonus(bonus) == 1
        assert after.bonus_supply[BONUSES.index(bonus)] == state.bonus_supply[BONUSES.index(bonus)] - 1
        (gained,) = of(when(state, 0, TakeBonusTile(bonus)), e.BonusTileGained)
        assert gained.points == (2 if bonus is Bonus.PLUS_STORAGE else 0)
        assert gained.rule == ("R10.3" if bonus is Bonus.PLUS_STORAGE else "R9.2")


@pytest.mark.rule("R9.2", "R16")
def test_a_kind_of_bonus_tile_that_is_gone() -> None:
    state = replace(placed(ready("city"), "city"), bonus_supply=(5, 0, 1, 5, 5))
    assert TakeBonusTile(Bonus.PLUS_MARBLE) in GAME.legal(state, 0).commands
    assert refused(state, 0, TakeBonusTile(Bonus.PLUS_STORAGE)) == ("bonus_tile_gone", "R9.2")


@pytest.mark.rule("R9.2", "R10.5")
def test_a_bonus_tile_works_at_once() -> None:
    state = placed(ready("city"), "city")
    after = then(state, 0, TakeBonusTile(Bonus.PLUS_CARD))
    after = GAME.evolve(after, e.TurnBegan(0, 1, 2))
    assert of(when(after, 0, DrawCards(), 0, 0, 0), e.RegionCardsDrawn)[0].count == 3


@pytest.mark.rule("R9.3")
def test_an_inn_gives_a_wild_hex_into_the_space_it_left() -> None:
    events = placing(ready("inn"), "inn")
    assert of(events, e.WildHexGained, e.PointsInsteadOfWildHex) == [e.WildHexGained(0, "R9.3")]
    after = placed(ready("inn"), "inn")
    assert (after.players[0].storage, after.wild_hexes) == (("wild_hex",), 9)


@pytest.mark.rule("R9.3", "R16")
def test_no_room_for_a_wild_hex_gives_two_red_points() -> None:
    state = having(placed(ready("castle"), "castle"), 0, storage=("village",))
    events = when(state, 0, PlaceFromDisplay(5, 3, 1), "city")
    assert of(events, e.PointsInsteadOfWildHex) == [e.PointsInsteadOfWildHex(0, 2, Track.RED, "R9.3")]
    after = fold(GAME, state, events)
    assert (after.players[0].red, after.players[0].storage, after.wild_hexes) == (2, ("village",), 10)


@pytest.mark.rule("R9.3", "R9.10")
def test_no_wild_hex_left_gives_two_red_points() -> None:
    state = replace(ready("inn"), wild_hexes=0)
    assert of(placing(state, "inn"), e.PointsInsteadOfWildHex) == [e.PointsInsteadOfWildHex(0, 2, Track.RED, "R9.3")]
    assert placed(state, "inn").wild_hexes == 0


CROPS = [
    ("agriculture:grapes_olives", {(5, -1): "agriculture:grain_grapes"}, ("olives",)),
    ("agriculture:grain_grapes", {(5, -1): "agriculture:grain_grapes"}, ()),
    (
        "agriculture:grain_grapes",
        {(5, -1): "agriculture:grapes_olives", (5, 0): "agriculture:vegetables_grain"},
        (),
    ),
    ("agriculture:grain_grapes", {}, ("grain", "grapes")),
    ("agriculture:olives_vegetables", {(5, -1): "agriculture:grain_grapes"}, ("olives", "vegetables")),
    ("agriculture:grain_grapes", {(5, -1): "wild_hex"}, ("grain", "grapes")),
    ("wild_hex", {(5, -1): "agriculture:grain_grapes"}, ()),
    ("agriculture:grain_grapes", {(1, 2): "agriculture:grain_grapes"}, ("grain", "grapes")),
]


@pytest.mark.rule("R9.4", "R9.9", "K4")
@pytest.mark.parametrize(("tile", "earlier", "new"), CROPS)
def test_w3_crops(tile: str, earlier: dict[tuple[int, int], str], new: tuple[str, ...]) -> None:
    state = ready("agriculture", tile, covered={**GROUND, (4, -1): "quarry", **earlier})
    events = placing(state, "agriculture")
    assert of(events, e.CropsScored) == [e.CropsScored(0, new, len(new), Track.GREEN, "R9.4")]
    assert fold(GAME, state, events).players[0].green >= len(new)


@pytest.mark.rule("R9.4", "R9.9", "R11.1")
def test_w3_a_wild_hex_on_agriculture_completes_the_area_as_usual() -> None:
    earlier = {(5, -1): "agriculture:grain_grapes", (5, 0): "agriculture:grain_grapes"}
    state = ready("agriculture", "wild_hex", covered={**GROUND, **earlier})
    events = placing(state, "agriculture")
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(0, Kind.AGRICULTURE, 3, 6, Track.GREEN, "R11.1")]
    assert of(events, e.CropsScored)[0].points == 0


@pytest.mark.rule("R9.5", "R10.1", "R10.2", "R10.5")
@pytest.mark.parametrize("plus", [0, 1, 3])
def test_a_quarry_gives_marble(plus: int) -> None:
    state = ready("quarry", bonus={"plus_marble": plus})
    assert of(placing(state, "quarry"), e.MarbleGained) == [e.MarbleGained(0, 1 + plus, "R9.5")]
    after = placed(state, "quarry")
    assert (after.players[0].marble, after.marble) == (1 + plus, 11 - plus)


@pytest.mark.rule("R9.6", "R10.1", "R10.2", "R10.5")
@pytest.mark.parametrize("plus", [0, 1, 3])
def test_a_village_gives_workers(plus: int) -> None:
    state = ready("village", bonus={"plus_worker": plus})
    assert of(placing(state, "village"), e.WorkersGained) == [e.WorkersGained(0, 1 + plus, "R9.6")]
    after = placed(state, "village")
    assert (after.players[0].workers, after.workers) == (1 + plus, 11 - plus)


@pytest.mark.rule("R9.10", "R12.1", "K4", "R16")
@pytest.mark.parametrize("left", [0, 1])
def test_a_short_supply_gives_what_is_left(left: int) -> None:
    state = having(ready("village", bonus={"plus_worker": 2, "plus_marble": 2}), 1, workers=12 - left, marble=12 - left)
    assert of(placing(state, "village"), e.WorkersGained) == [e.WorkersGained(0, left, "R9.6")]
    state = having(ready("quarry", bonus={"plus_marble": 2}), 1, marble=12 - left)
    assert of(placing(state, "quarry"), e.MarbleGained) == [e.MarbleGained(0, left, "R9.5")]
    assert state.players[1].marble == 12 - left


@pytest.mark.rule("R9.7", "R6.1")
def test_a_monastery_draws_three_whatever_bonus_tiles_there_are() -> None:
    state = ready("monastery", bonus={"plus_card": 3}, covered={})
    events = placing(state, "monastery", "inn", "castle", "inn")
    assert of(events, e.RegionCardsDrawn) == [e.RegionCardsDrawn(0, (Kind.INN, Kind.CASTLE, Kind.INN), 3, "R9.7")]


@pytest.mark.rule("R8.4", "R6.3", "R16")
def test_cards_just_paid_may_be_drawn_again() -> None:
    state = ready("monastery", covered={})
    state = replace(state, region_deck=0)
    everything = tuple(state.setup.data.region_cards)
    hand = tuple(a - b for a, b in zip(everything, (0,) * 6 + (2, 0), strict=True))
    state = having(state, 1, hand_size=120)
    state = replace(state, players=(state.players[0], replace(state.players[1], hand=hand)))
    events = placing(state, "monastery", 0)
    assert names(events)[2:4] == ["RegionDeckReshuffled", "RegionCardsDrawn"]
    assert of(events, e.RegionCardsDrawn) == [e.RegionCardsDrawn(0, (Kind.MONASTERY,) * 2, 2, "R9.7")]


@pytest.mark.rule("R10.3")
def test_plus_storage_points_go_to_the_track_of_the_data() -> None:
    state = given(bonuses=(Bonus.PLUS_CARD, Bonus.PLUS_CARD), bonus_values="green_storage")
    state = having(state, 0, storage=("city",), hand={"city": 2}, covered=GROUND)
    state = then(then(state, 0, PlaceTile(0, *AT["city"])), 0, Pay(2))
    after = then(state, 0, TakeBonusTile(Bonus.PLUS_STORAGE))
    assert (after.players[0].green, after.players[0].red) == (3, 0)
    assert after.players[0].storage_spaces == 2


@pytest.mark.rule("R10.2", "R9.3")
def test_a_new_storage_space_can_be_filled_at_once() -> None:
    state = having(placed(ready("city"), "city"), 0, storage=("inn",))
    after = then(state, 0, TakeBonusTile(Bonus.PLUS_STORAGE))
    after = GAME.evolve(after, e.TurnBegan(0, 1, 2))
    assert TakeTile(0) in GAME.legal(after, 0).commands


@pytest.mark.rule("R8.7", "K4")
def test_gains_of_nothing_have_their_event() -> None:
    state = having(ready("quarry"), 1, marble=12)
    assert of(placing(state, "quarry"), e.MarbleGained) == [e.MarbleGained(0, 0, "R9.5")]
    state = having_discards(having(ready("village"), 1, workers=12))
    assert of(placing(state, "village"), e.WorkersGained) == [e.WorkersGained(0, 0, "R9.6")]
    assert cards(state, 0) == {"village": 2}
