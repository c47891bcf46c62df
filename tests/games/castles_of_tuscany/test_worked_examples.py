"""The two worked examples, value for value."""

import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.board import STACKS
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import (
    ArrangeRegion,
    Bonus,
    ChooseFirstBonusTile,
    ChooseStartCastle,
    DrawCards,
    EndTurn,
    Kind,
    Pay,
    PlaceFromDisplay,
    PlaceTile,
    TakeTile,
    Track,
    UseMarble,
)
from domain.core.chance import ScriptedChance
from tests.games.castles_of_tuscany.table import (
    DISPLAY,
    REGIONS,
    cards,
    given,
    having,
    names,
    of,
    refused,
    then,
    tile_at,
    when,
)
from tests.support.play import fold, setup_of


def dealt() -> State:
    """The cards and boards of the first example are dealt."""
    setup = setup_of(GAME, 2)
    script = ScriptedChance(
        *("A1", "B1", "C1"),
        *("A2", "B2", "C2"),
        *("village", "village", "monastery", "quarry", "quarry"),
        *("castle", "inn", "inn", "quarry", "quarry"),
    )
    return fold(GAME, GAME.blank(setup), GAME.opening(setup, script))


def set_up() -> State:
    """The first example after setup."""
    state = dealt()
    for seat, (castle, bonus) in enumerate((("A1", Bonus.PLUS_CARD), ("B2", Bonus.PLUS_STORAGE))):
        way = REGIONS[seat]
        state = then(state, seat, ArrangeRegion(way.boards, way.turned, way.shifts))
        state = then(state, seat, ChooseStartCastle(castle))
        script = () if seat == 0 else (*DISPLAY, 0)
        state = then(state, seat, ChooseFirstBonusTile(bonus), *script)
    return state


def score(state: State, seat: int) -> tuple[int, int]:
    return state.players[seat].green, state.players[seat].red


def place(state: State, seat: int, stored: int, q: int, r: int, pay: Pay, *script: object) -> State:
    return then(then(state, seat, PlaceTile(stored, q, r)), seat, pay, *script)


@pytest.mark.rule("R3.7", "R3.8")
def test_w1_dealt() -> None:
    state = dealt()
    assert [player.dealt for player in state.players] == [("A1", "B1", "C1"), ("A2", "B2", "C2")]
    assert cards(state, 0) == {"village": 2, "monastery": 1, "quarry": 2}
    assert cards(state, 1) == {"castle": 1, "inn": 2, "quarry": 2}
    assert len(STACKS) == 3


@pytest.mark.rule("R3.9", "R10.3")
def test_w1_setup() -> None:
    state = set_up()
    assert (score(state, 0), score(state, 1)) == ((0, 0), (0, 2))
    assert state.display == DISPLAY
    assert (state.first, state.active) == (0, 0)
    assert tile_at(state, 0, 1, 0) == "start_castle"
    assert tile_at(state, 1, 6, -3) == "start_castle"


@pytest.mark.rule(
    "R5.1", "R6.1", "R7.1", "R7.4", "R8.1", "R8.2", "R8.3", "R8.6", "R9.1", "R9.4", "R9.6", "R9.7", "R9.8"
)
def test_w1_opening_of_a_two_player_game() -> None:
    state = set_up()
    # 1: seat 0 takes the village
    state = then(state, 0, TakeTile(0), "quarry")
    assert state.display[0] == "quarry"
    # 2: seat 1 takes the quarry
    state = then(state, 1, TakeTile(4), "agriculture:olives_vegetables")
    assert state.display[4] == "agriculture:olives_vegetables"
    # 3: seat 0 places the village
    state = then(state, 0, PlaceTile(0, 0, 0))
    events = when(state, 0, Pay(2))
    assert names(events) == ["PlacementPaid", "TilePlaced", "WorkersGained", "TurnEnded", "TurnBegan"]
    assert of(events, e.WorkersGained) == [e.WorkersGained(0, 1, "R9.6")]
    state = fold(GAME, state, events)
    assert score(state, 0) == (0, 0)
    # 4: seat 1 places the quarry, uses the marble at once and draws
    state = place(state, 1, 0, 7, -3, Pay(2))
    assert state.players[1].marble == 1
    state = then(state, 1, UseMarble())
    state = then(state, 1, DrawCards(), "castle", "agriculture")
    assert cards(state, 1) == {"castle": 2, "inn": 2, "agriculture": 1}
    assert state.active == 0
    # 5: seat 0 draws two and one
    state = then(state, 0, DrawCards(), "monastery", "agriculture", "city")
    assert cards(state, 0) == {"monastery": 2, "quarry": 2, "agriculture": 1, "city": 1}
    # 6: seat 1 takes the castle
    state = then(state, 1, TakeTile(2), "village")
    assert state.display[2] == "village"
    # 7: seat 0 takes the monastery
    state = then(state, 0, TakeTile(1), "village")
    # 8: seat 1 places the castle, which places the agriculture tile
    state = then(state, 1, PlaceTile(0, 5, -2))
    events = when(state, 1, Pay(2))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(1, Kind.CASTLE, 2, 3, Track.GREEN, "R11.1")]
    assert names(events) == ["PlacementPaid", "TilePlaced", "AreaCompleted", "CastleOffered"]
    state = fold(GAME, state, events)
    events = when(state, 1, PlaceFromDisplay(7, 6, -2), "carriage")
    assert names(events) == ["DisplayTilePlaced", "SlotRefilled", "CropsScored", "TurnEnded", "TurnBegan"]
    assert of(events, e.CropsScored) == [e.CropsScored(1, ("grain", "grapes"), 2, Track.GREEN, "R9.4")]
    state = fold(GAME, state, events)
    assert state.display[7] == "carriage"
    assert score(state, 1) == (5, 2)
    # 9: seat 0 places the monastery for a card and a worker
    state = place(state, 0, 0, 2, 0, Pay(1, 1), "monastery", "carriage", "carriage")
    assert state.players[0].workers == 0
    # 10: seat 1 takes the other agriculture tile
    state = then(state, 1, TakeTile(4), "monastery")
    # 11: seat 0 takes the carriage
    state = then(state, 0, TakeTile(3), "agriculture:grapes_olives")
    # 12: seat 1 places it for a card and the pair of inn cards
    state = then(state, 1, PlaceTile(0, 6, -1))
    events = when(state, 1, Pay(1, 0, (Kind.INN,)))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(1, Kind.AGRICULTURE, 2, 3, Track.GREEN, "R11.1")]
    assert of(events, e.CropsScored) == [e.CropsScored(1, ("olives", "vegetables"), 2, Track.GREEN, "R9.4")]
    state = fold(GAME, state, events)
    # 13: seat 0 places the carriage
    state = then(state, 0, PlaceTile(0, 1, -1))
    events = when(state, 0, Pay(2), "red_3")
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(0, Kind.CARRIAGE, 1, 1, Track.GREEN, "R11.1")]
    assert of(events, e.ProductionCardRevealed) == [e.ProductionCardRevealed(0, "red_3", 3, Track.RED, "R13.3")]
    state = fold(GAME, state, events)

    assert (score(state, 0), score(state, 1)) == ((1, 3), (10, 2))
    assert cards(state, 0) == {"monastery": 2, "quarry": 2, "agriculture": 1, "city": 1}
    assert cards(state, 1) == {}
    assert [(player.marble, player.workers) for player in state.players] == [(0, 0), (0, 0)]
    assert [(player.storage, player.storage_spaces) for player in state.players] == [((), 1), ((), 2)]
    assert [player.stacks for player in state.players] == [(4, 7, 7), (3, 7, 7)]
    assert state.display == (
        *("quarry", "village", "village", "agriculture:grapes_olives"),
        *("monastery", "inn", "city", "carriage"),
    )


def last_round() -> State:
    """The second example."""
    state = given(bonuses=(Bonus.PLUS_STORAGE, Bonus.PLUS_MARBLE), display=("village", *DISPLAY[1:7], "quarry"))
    state = fold(GAME, state, [e.TurnBegan(0, 3, 40)])
    first = {(2, 0): "monastery", (3, 0): "quarry", (3, 1): "inn", (4, 0): "city", (5, 0): "agriculture"}
    second = {(5, -2): "castle", (5, -1): "village", (6, -2): "agriculture", (6, -1): "agriculture", (7, -3): "quarry"}
    state = having(
        state,
        0,
        hand={"inn": 2, "carriage": 2, "village": 1, "city": 1, "monastery": 1},
        covered={at: own_kind(state, 0, at) for at in first},
        storage=("wild_hex",),
        green=18,
        red=30,
        marble=1,
        stacks=(0, 0, 1),
        undrawn=("city",),
    )
    return having(
        state,
        1,
        hand={"village": 1, "castle": 2, "quarry": 3, "inn": 2},
        covered={at: own_kind(state, 1, at) for at in second},
        storage=("village",),
        green=20,
        red=28,
        workers=1,
        stacks=(0, 1, 7),
    )


def own_kind(state: State, seat: int, at: tuple[int, int]) -> str:
    region = state.players[seat].region
    assert region is not None
    kind = region.kinds[region.grid.spaces.index(at)].value
    return "agriculture:grain_grapes" if kind == "agriculture" else kind


@pytest.mark.rule("R14.2", "R14.3", "R14.4", "R15.1", "R15.3", "R9.9", "R12.3")
def test_w2_end_of_round_3_final_scoring_and_tie_break() -> None:
    state = last_round()
    # 1: the wild hex on an inn space
    state = then(state, 0, PlaceTile(0, 6, -1))
    events = when(state, 0, Pay(2))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(0, Kind.INN, 1, 1, Track.GREEN, "R11.1")]
    assert of(events, e.ColourBonusScored) == [e.ColourBonusScored(0, Kind.INN, 1, 2, Track.GREEN, "R11.3")]
    assert of(events, e.WildHexGained) == [e.WildHexGained(0, "R9.3")]
    assert names(events)[-1] == "MarbleOffered"
    state = fold(GAME, state, events)
    assert state.players[0].green == 21
    assert state.players[0].storage == ("wild_hex",)
    # 2: the marble, and the carriage
    state = then(state, 0, UseMarble())
    events = when(state, 0, TakeTile(3))
    assert names(events) == ["TileTaken", "SlotRefilled", "RoundEndTriggered", "TurnEnded", "TurnBegan"]
    assert events[1] == e.SlotRefilled(0, 3, "city", 3)
    state = fold(GAME, state, events)
    assert state.ending
    # 3: seat 1 has the last turn
    state = then(state, 1, PlaceTile(0, 4, 0))
    events = when(state, 1, Pay(1, 1))
    assert of(events, e.AreaCompleted) == [e.AreaCompleted(1, Kind.VILLAGE, 2, 3, Track.GREEN, "R11.1")]
    assert of(events, e.WorkersGained) == [e.WorkersGained(1, 1, "R9.6")]
    # 4: round scoring
    assert of(events, e.RoundScored) == [e.RoundScored(3, (21, 23), (30, 28), (51, 51), "R14.4")]
    # 5: final scoring
    assert of(events, e.FinalScored) == [
        e.FinalScored(0, 1, 1, 0, 0, 1, 3, Track.RED, "R15.1"),
        e.FinalScored(1, 0, 0, 0, 1, 2, 3, Track.RED, "R15.1"),
    ]
    # 6: the tie
    assert events[-1] == e.GameEnded((1, 2), (54, 54), "three_rounds", "fewest_green_points")
    state = fold(GAME, state, events)
    assert [player.empty_spaces for player in state.players] == [23, 23]
    assert [player.green for player in state.players] == [21, 23]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.places == (1, 2)
    assert refused(state, 0, EndTurn()) == ("match_over", "R15.1")
