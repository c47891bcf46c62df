"""The original description of the game, statement by statement: what holds of each, and which reading was chosen.

The names of the table are test functions of this file; a statement without one fails.
"""

from itertools import pairwise

import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.options import Options, data
from domain.castles_of_tuscany.region import GRIDS, HALF_SHIFTS, arrangements, largest_area, region_of
from domain.castles_of_tuscany.state import STACK_TILES, STACKS, State
from domain.castles_of_tuscany.words import (
    BONUSES,
    KINDS,
    START_CASTLE,
    ArrangeRegion,
    Bonus,
    ChooseStartCastle,
    DrawCards,
    Kind,
    Pay,
    PlaceTile,
    Shift,
    TakeTile,
    Track,
)
from tests.games.castles_of_tuscany.table import (
    given,
    having,
    names,
    of,
    refused,
    then,
    tile_at,
    when,
)
from tests.games.castles_of_tuscany.test_rounds import final, in_round, near
from tests.games.castles_of_tuscany.test_worked_examples import dealt
from tests.support.play import fold, play

STATEMENTS = {
    "the round score board, region cards and production cards face down beside it": "face_down_decks",
    "122 region cards": "region_cards",
    "25 square bonus tiles sorted by type": "bonus_tiles",
    "8 bonus tiles with Roman numerals face up": "colour_bonuses",
    "a reserve of 12 marble cubes, 12 workers, 10 blue hexagonal pieces": "reserve",
    "32 neutral hex tiles, shuffled, in stacks": "neutral_tiles",
    "each player: 21 tiles in three stacks of seven, one double-sided green tile": "own_tiles",
    "markers on 0 of the green and the red track": "markers_on_nought",
    "the 50/100 marker is flipped when red passes 50": "fifty_marker",
    "five secret region cards each": "secret_cards",
    "boards A, B, C: one of each, the rest to the box": "boards",
    "boards adjacent, long edges parallel, offset at most one hexagon": "offset_of_boards",
    "the start tile on any dark green space": "start_tile",
    "the youngest player is first": "first_player",
    "most points at the end, the total on the red track": "red_decides",
    "collect and place tiles, complete areas of one colour, immediate bonuses": "collect_and_place",
    "one of three actions per turn": "three_actions",
    "draw two region cards, no hand limit, discards reshuffled": "draw_two",
    "take one of eight face-up neutral tiles to storage": "take_one_of_eight",
    "if the space is occupied, the old tile goes to the box": "occupied_space",
    "an emptied stack is announced; the round goes on until all have had equally many turns": "stack_announced",
    "place: discard two cards of the tile's colour": "two_cards",
    "any two identical cards stand for one needed card": "identical_cards",
    "the tile lies adjacent to a placed tile": "adjacent",
    "no short edge parallel to a long edge; offset of adjacent tiles at most one hexagon": "tiles_have_no_long_edges",
    "after placing, check for closed areas": "closed_areas",
    "round scoring: green added to red, green not reset": "round_scoring",
    "area points by size 1, 2 or 3": "area_points",
    "eight kinds with one effect each": "eight_effects",
    "Roman-numeral tiles for the first and second player to complete a colour": "complete_a_colour",
    "the game ends after three rounds": "three_rounds",
    "a round ends immediately when a player empties the first or second stack": "not_immediately",
    "all other players get one more turn so that all had equally many": "equally_many_turns",
    "final: one point per unplaced stored tile, blue joker, marble, worker": "final_points",
    "one red point per three region cards in hand": "three_cards",
    "ties: most empty spaces, then fewest green points, then fewest cards": "ties",
    "not in the description: first bonus tile, refill, five of a kind, one marble a turn": "added",
}
DATA = data(Options(), 2)


def test_every_statement_has_a_test() -> None:
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(STATEMENTS.values()) == tests - {"every_statement_has_a_test"}
    assert len(set(STATEMENTS.values())) == len(STATEMENTS) == 37


@pytest.mark.rule("R3.1")
def test_face_down_decks() -> None:
    view = GAME.view(dealt(), 0)
    assert (view.region_deck, view.production_deck) == (112, 27)


@pytest.mark.rule("R2.5")
def test_region_cards() -> None:
    assert sum(DATA.region_cards) == 122


@pytest.mark.rule("R2.6", "R3.2")
def test_bonus_tiles() -> None:
    assert GAME.blank(dealt().setup).bonus_supply == (5, 5, 5, 5, 5)


@pytest.mark.rule("R2.6", "R3.2")
def test_colour_bonuses() -> None:
    bonuses = GAME.view(dealt(), 0).colour_bonuses
    assert [(bonus.kind, bonus.side) for bonus in bonuses] == [(kind, 1) for kind in KINDS]


@pytest.mark.rule("R2.8")
def test_reserve() -> None:
    view = GAME.view(dealt(), 0)
    assert (view.marble, view.workers, view.wild_hexes) == (12, 12, 10)


@pytest.mark.rule("R3.4")
def test_neutral_tiles() -> None:
    assert GAME.view(dealt(), 0).neutral == 32


@pytest.mark.rule("R2.2", "R2.4", "R3.5")
def test_own_tiles() -> None:
    state = given()
    assert state.players[0].stacks == (STACK_TILES,) * STACKS == (7, 7, 7)
    assert len(state.players[0].undrawn) == 21
    assert state.players[0].cover.count(START_CASTLE) == 1


@pytest.mark.rule("R3.6")
def test_markers_on_nought() -> None:
    assert [(player.green, player.red) for player in GAME.view(dealt(), 0).players] == [(0, 0), (0, 0)]


@pytest.mark.rule("R2.9")
def test_fifty_marker() -> None:
    """Display only: a score is a number without an upper end."""
    state, _ = final(a={"red": 149, "green": 7}, b={})
    assert state.players[0].red == 156


@pytest.mark.rule("R3.7")
def test_secret_cards() -> None:
    view = GAME.view(dealt(), 0)
    assert [player.hand_size for player in view.players] == [5, 5]
    assert view.hand is not None
    assert view.hands == ()


@pytest.mark.rule("R3.8")
def test_boards() -> None:
    for player in dealt().players:
        assert [board[0] for board in player.dealt] == ["A", "B", "C"]


@pytest.mark.rule("R4.2", "R4.3")
def test_offset_of_boards() -> None:
    """Read as half a hexagon up or down: the next possible offset is one and a half."""
    state = dealt()
    ways = [way for way in GAME.legal(state, 0).commands if isinstance(way, ArrangeRegion)]
    assert {shift for way in ways for shift in way.shifts} == {Shift.DOWN, Shift.UP}
    for shifts in ((a, b) for a in HALF_SHIFTS for b in HALF_SHIFTS):
        grid = GRIDS[shifts]
        heights = [min(2 * r + q for q, r in grid.spaces[10 * k : 10 * k + 10]) for k in range(3)]
        assert [abs(b - a) for a, b in pairwise(heights)] == [1, 1]


@pytest.mark.rule("R3.9")
def test_start_tile() -> None:
    listed = [c.board for c in GAME.legal(dealt(), 0).commands if isinstance(c, ChooseStartCastle)]
    assert listed == ["A1", "B1", "C1"]
    for board in DATA.boards:
        assert board.spaces.count(Kind.CASTLE) == 1


@pytest.mark.rule("R3.13")
def test_first_player() -> None:
    """Nobody's age is known: drawn at random."""
    firsts = {play(GAME, 2, seed, commits=12).state.first for seed in range(8)}
    assert firsts == {0, 1}


@pytest.mark.rule("R1.1")
def test_red_decides() -> None:
    state, _ = final(a={"red": 1, "green": 20}, b={"red": 30})
    assert state.outcome is not None
    assert (state.outcome.places, state.outcome.scores) == ((2, 1), (21, 30))


@pytest.mark.rule("R8.1", "R9.6", "R11.1")
def test_collect_and_place() -> None:
    state = then(having(given(), 0, hand={"carriage": 2}), 0, TakeTile(3), "inn")
    state = GAME.evolve(state, e.TurnBegan(0, 1, 2))
    events = when(then(state, 0, PlaceTile(0, 1, -1)), 0, Pay(2), "marble_1")
    assert names(events)[2:5] == ["AreaCompleted", "ProductionCardRevealed", "MarbleGained"]


@pytest.mark.rule("R1.3")
def test_three_actions() -> None:
    state = having(given(), 0, storage=("village",), bonus={"plus_storage": 1}, hand={"village": 2})
    assert {type(c) for c in GAME.legal(state, 0).commands} == {DrawCards, TakeTile, PlaceTile}


@pytest.mark.rule("R6.1", "R6.2", "R6.3")
def test_draw_two() -> None:
    state = having(given(), 0, bonus={}, hand={"village": 20, "quarry": 16, "agriculture": 20})
    assert of(when(state, 0, DrawCards(), "inn", "inn"), e.RegionCardsDrawn)[0].count == 2
    three = having(given(base_cards=3), 0, bonus={})
    assert of(when(three, 0, DrawCards(), 0, 0, 0), e.RegionCardsDrawn)[0].count == 3


@pytest.mark.rule("R7.1", "R7.4")
def test_take_one_of_eight() -> None:
    """After the first takes the display also holds tiles of the seats: each gap is filled from the taker's stack."""
    state = given()
    assert [c for c in GAME.legal(state, 0).commands if isinstance(c, TakeTile)] == [TakeTile(i) for i in range(8)]
    (refilled,) = of(when(state, 0, TakeTile(2), "inn"), e.SlotRefilled)
    assert refilled == e.SlotRefilled(0, 2, "inn", 1)


@pytest.mark.rule("R7.3")
def test_occupied_space() -> None:
    state = having(given(), 0, storage=("city",))
    assert of(when(state, 0, TakeTile(2, 0), "inn"), e.TileGivenUp) == [e.TileGivenUp(0, 0, "city")]
    assert then(state, 0, TakeTile(2, 0), "inn").box == ("city",)


@pytest.mark.rule("R14.2", "R14.3")
def test_stack_announced() -> None:
    """Only the stack of the round counts."""
    events = when(near(in_round(1), 0, 1), 0, TakeTile(0), 0)
    assert names(events)[2:] == ["RoundEndTriggered", "TurnEnded", "TurnBegan"]


def village(**things: object) -> State:
    state = having(given(), 0, storage=("village",), **things)  # type: ignore[arg-type]
    return then(state, 0, PlaceTile(0, 0, 0))


@pytest.mark.rule("R8.2")
def test_two_cards() -> None:
    events = when(village(hand={"village": 2}), 0, Pay(2))
    assert events[0] == e.PlacementPaid(0, (Kind.VILLAGE, Kind.VILLAGE), 0)


@pytest.mark.rule("R8.3")
def test_identical_cards() -> None:
    """Both needed cards can be replaced, and a worker also stands for one."""
    state = village(hand={"village": 1, "inn": 4}, workers=1)
    assert GAME.legal(state, 0).commands == (
        Pay(1, 1),
        Pay(1, 0, (Kind.INN,)),
        Pay(0, 1, (Kind.INN,)),
        Pay(0, 0, (Kind.INN, Kind.INN)),
    )


@pytest.mark.rule("R8.1")
def test_adjacent() -> None:
    """The space must also have the tile's kind, which the description leaves unsaid."""
    state = having(given(), 0, storage=("village",), hand={"village": 2})
    assert PlaceTile(0, 0, 0) in GAME.legal(state, 0).commands
    assert refused(state, 0, PlaceTile(0, 7, -4)) == ("not_adjacent", "R8.1")
    assert refused(state, 0, PlaceTile(0, 2, 0)) == ("wrong_kind", "R8.1")


@pytest.mark.rule("R4.2", "R4.3", "R8.1")
def test_tiles_have_no_long_edges() -> None:
    """Contradicted as a rule for tiles, whose edges are all alike: it is one for boards at setup (R4).

    A tile may lie on any side of a covered one; all six neighbours of the start castle are open.
    """
    state = having(given(), 0, storage=("wild_hex",), hand={kind.value: 2 for kind in KINDS})
    land = state.players[0].region
    assert land is not None
    around = {land.grid.spaces[n] for n in land.grid.neighbours[state.players[0].cover.index(START_CASTLE)]}
    placements = {(c.q, c.r) for c in GAME.legal(state, 0).commands if isinstance(c, PlaceTile)}
    assert placements == around
    assert len(around) == 6
    boards = tuple(board for board in DATA.boards if board.id in ("A1", "B1", "C1"))
    for way in arrangements(boards, HALF_SHIFTS):
        assert sorted(way.boards) == ["A1", "B1", "C1"]
    assert largest_area(region_of(boards, arrangements(boards, HALF_SHIFTS)[0])) <= 3


@pytest.mark.rule("R11.1")
def test_closed_areas() -> None:
    state = village(hand={"village": 2}, covered={(0, 1): "village", (1, 1): "village"})
    assert names(when(state, 0, Pay(2)))[1:3] == ["TilePlaced", "AreaCompleted"]


@pytest.mark.rule("R14.4")
def test_round_scoring() -> None:
    state = having(replace_ending(in_round(1)), 0, green=5, red=1)
    events = when(then(state, 0, DrawCards(), 0, 0), 1, DrawCards(), 0, 0)
    assert of(events, e.RoundScored) == [e.RoundScored(1, (5, 0), (1, 0), (6, 0), "R14.4")]
    after = fold(GAME, state, events)
    assert (after.players[0].green, after.players[0].red) == (5, 6)


def replace_ending(state: State) -> State:
    return GAME.evolve(state, e.RoundEndTriggered(0, state.round))


@pytest.mark.rule("R11.1")
def test_area_points() -> None:
    from domain.castles_of_tuscany.placing import AREA_POINTS

    assert AREA_POINTS == {1: 1, 2: 3, 3: 6}
    state = village(hand={"village": 2}, covered={(0, 1): "village", (1, 1): "village"})
    assert then(state, 0, Pay(2)).players[0].green == 6


@pytest.mark.rule("R9.1", "R9.2", "R9.3", "R9.4", "R9.5", "R9.6", "R9.7", "R9.8")
def test_eight_effects() -> None:
    from tests.games.castles_of_tuscany.test_placing import EFFECTS

    assert set(EFFECTS) == set(KINDS)
    assert len(set(EFFECTS.values())) == 8


@pytest.mark.rule("R11.3")
def test_complete_a_colour() -> None:
    """The whole kind of the region, not one area."""
    state = having(given(), 0, storage=("inn",), hand={"inn": 2}, covered={(5, -1): "agriculture:grain_grapes"})
    events = when(then(state, 0, PlaceTile(0, 6, -1)), 0, Pay(2))
    assert of(events, e.ColourBonusScored) == []
    state = having(state, 0, covered={(3, 1): "inn"})
    events = when(then(state, 0, PlaceTile(0, 6, -1)), 0, Pay(2))
    assert of(events, e.ColourBonusScored) == [e.ColourBonusScored(0, Kind.INN, 1, 2, Track.GREEN, "R11.3")]


@pytest.mark.rule("R1.2")
def test_three_rounds() -> None:
    played = play(GAME, 2, 1)
    assert [event.round for event in of(tuple(played.events), e.RoundScored)] == [1, 2, 3]
    assert played.state.outcome is not None
    assert played.state.outcome.cause == "three_rounds"


@pytest.mark.rule("R14.2", "R14.3")
def test_not_immediately() -> None:
    """Contradicted, also by the description itself: the lap is played out, and round 3 ends by the third stack."""
    for number in (1, 2, 3):
        state = near(in_round(number), 0, number)
        script = (0,) if sum(state.players[0].stacks) > 1 else ()
        events = when(state, 0, TakeTile(0), *script)
        assert of(events, e.RoundScored) == []
        state = fold(GAME, state, events)
        assert (state.active, state.ending) == (1, True)
        assert len(of(when(state, 1, DrawCards(), 0, 0), e.RoundScored)) == 1


@pytest.mark.rule("R14.3")
def test_equally_many_turns() -> None:
    """Only those after the trigger in that lap get one more turn."""
    state = then(in_round(1, 3), 0, DrawCards(), 0, 0)
    state = then(near(state, 1, 1), 1, TakeTile(0), 0)
    events = when(state, 2, DrawCards(), 0, 0)
    assert names(events)[-2:] == ["RoundScored", "TurnBegan"]
    turns: list[int] = [0, 0, 0]
    for event in play(GAME, 3, 6).events:
        if isinstance(event, e.TurnEnded):
            turns[event.seat] += 1
        if isinstance(event, e.RoundScored):
            assert len(set(turns)) == 1


@pytest.mark.rule("R15.1")
def test_final_points() -> None:
    state, _ = final(a={"storage": ("city", "wild_hex"), "marble": 3, "workers": 2}, b={})
    assert state.players[0].red == 2 + 3 + 2


@pytest.mark.rule("R15.1")
def test_three_cards() -> None:
    state, _ = final(a={"cards": 8}, b={"cards": 2})
    assert [player.red for player in state.players] == [2, 0]


@pytest.mark.rule("R15.3")
def test_ties() -> None:
    state, _ = final(a={"red": 3, "green": 2}, b={"red": 4, "green": 1})
    assert state.outcome is not None
    assert (state.outcome.places, state.outcome.decided_by) == ((2, 1), "fewest_green_points")


@pytest.mark.rule("R3.9", "R7.4", "R7.6", "R12.3", "R10.1")
def test_added() -> None:
    state = having(given(display=("inn",) * 4 + ("city",) * 4), 0, marble=2)
    assert [player.bonus_tiles for player in state.players] == [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0)]
    assert BONUSES[0] is Bonus.PLUS_CARD
    events = when(state, 0, TakeTile(7), "inn", 0, 0, 0, 0, 0)
    assert names(events) == ["TileTaken", "SlotRefilled", "FiveOfAKindReplaced", "MarbleOffered"]
    assert tile_at(state, 0, 1, 0) == START_CASTLE
