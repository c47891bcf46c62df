"""The worked examples of the rules, value for value."""

import pytest
from msgspec.structs import replace

from domain.core.chance import ScriptedChance
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.rounds import outcome
from domain.majolica.state import State, score
from domain.majolica.tiles import Tile
from tests.games.majolica.helpers import (
    asked,
    deliver,
    discard,
    grid,
    laid,
    line,
    listed,
    play,
    player,
    setup,
    shops,
    slots,
    spelt,
    state,
    tile,
    why,
)

MARKET = ("D01", "D08", "D19", "D31", "D35", "D45")
FIRST_GRID = "RRBRGYBYBGYGYBGR"
SECOND_GRID = "BGYRYRGBGBRYRYBG"


def e1_start() -> State:
    given = setup(2)
    chance = ScriptedChance(0, "ST4", "ST1", *MARKET, *FIRST_GRID[:-1])
    now = GAME.blank(given)
    for event in GAME.opening(given, chance):
        now = GAME.evolve(now, event)
    assert chance.left == 0
    now, _ = play(now, c.PlaceStartCard("ST4", 1))
    now, _ = play(now, c.PlaceStartCard("ST1", 2))
    return now


def e1_round_one() -> State:
    """The state after turn 5 of E1."""
    now, _ = play(e1_start(), line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(1))
    now, _ = play(now, line((2, 1), (3, 1), (4, 1)), c.PlaceTiles(2))
    now, _ = play(now, tile(4, 2), c.TakeCard(1, 2), c.PlaceTiles(1))
    now, _ = play(now, line((2, 2), (3, 2)), c.PlaceTiles(2))
    now, _ = play(now, tile(2, 3), c.TakeCard(0, 3), c.PlaceTiles(1))
    return play(now, deliver("R B"))[0]


def e1_round_two() -> State:
    script = (*SECOND_GRID[:-1], "D50", "D02")
    return play(e1_round_one(), line((2, 4), (3, 4), (4, 4)), c.PlaceTiles(3), script=script)[0]


@pytest.mark.rule("R1", "R4", "R11", "R12", "R13", "R14", "R15", "R16")
def test_e1_setup() -> None:
    now = e1_start()
    assert grid(now) == "RRBR GYBY BGYG YBGR"
    assert now.market == MARKET
    assert (now.hall_jokers, now.hall_points) == (3, 3)
    assert slots(now, 0) == "ST4[|RBY] - -"
    assert slots(now, 1) == "- ST1[|BYG] -"
    assert shops(now, 0) == shops(now, 1) == "- - - -"
    assert (now.seat, asked(now)) == (0, "select")


@pytest.mark.rule("R20", "R21", "R23", "R26", "R30", "R31", "R49")
def test_e1_turns_1_to_4() -> None:
    now, events = play(e1_start(), line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(1))
    assert events[1:] == (w.TilesPlaced(0, 1, spelt("RRRB")), w.TurnEnded(0, 1))
    assert (shops(now, 0), now.face_up.bit_count()) == ("RRRB - - -", 12)
    now, _ = play(now, line((2, 1), (3, 1), (4, 1)), c.PlaceTiles(2))
    assert (shops(now, 1), now.face_up.bit_count()) == ("- BYG - -", 9)
    now, _ = play(now, tile(4, 2), c.TakeCard(1, 2), c.PlaceTiles(1))
    assert (shops(now, 0), now.face_up.bit_count()) == ("RRRBB - - -", 8)
    assert slots(now, 0) == "ST4[|RBY] D08[|RRBG] -"
    now, _ = play(now, line((2, 2), (3, 2)), c.PlaceTiles(2))
    assert (shops(now, 1), now.face_up.bit_count()) == ("- BYYGG - -", 6)


@pytest.mark.rule("R40", "R41", "R43", "R47")
def test_e1_turn_5_runs_workshop_1() -> None:
    now, _ = play(e1_start(), line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(1))
    now, _ = play(now, line((2, 1), (3, 1), (4, 1)), c.PlaceTiles(2))
    now, _ = play(now, tile(4, 2), c.TakeCard(1, 2), c.PlaceTiles(1))
    now, _ = play(now, line((2, 2), (3, 2)), c.PlaceTiles(2))
    now, events = play(now, tile(2, 3), c.TakeCard(0, 3), c.PlaceTiles(1))
    assert events[-2:] == (w.TilesPlaced(0, 1, spelt("B")), w.RunStarted(0, 1))
    assert set(listed(now)) == {deliver("R"), deliver("B"), deliver("R B")}
    now, events = play(now, deliver("R B"))
    assert events == (
        w.TilesDelivered(0, 1, laid("R B")),
        w.TilesShipped(0, 1, 2, spelt("RRBB")),
        w.TurnEnded(0, 5),
    )
    assert shops(now, 0) == "- RRBB - -"
    assert slots(now, 0) == "ST4[RB|Y] D08[|RRBG] D01[|RRBB]"
    assert now.face_up.bit_count() == 5


@pytest.mark.rule("R60", "R62", "R63", "R64", "R65", "R66")
def test_e1_turn_6_ends_the_round() -> None:
    now = e1_round_two()
    assert now.round == 2
    assert shops(now, 1) == "- BYYGG RYG -"
    assert now.market == ("D50", "D02", "D19", "D31", "D35", "D45")
    assert (now.holder, now.seat) == (1, 1)
    assert grid(now) == "BGYR YRGB GBRY RYBG"


@pytest.mark.rule("R32", "R45", "R46", "R47", "R91", "M1")
def test_e1_turn_7_holds_the_bonus_open_through_two_runs() -> None:
    now, events = play(e1_round_two(), tile(1, 1), c.TakeCard(2, 3), c.PlaceTiles(2))
    assert events[-1] == w.RunStarted(1, 2)
    now, events = play(now, deliver("B Y G"))
    assert events == (w.TilesDelivered(1, 2, laid("B Y G")), w.CardCompleted(1, "ST1", 2, 3, "R72"))
    assert (now.bonuses, asked(now)) == (1, "ship")
    now, events = play(now, c.ShipTiles())
    assert events == (w.TilesShipped(1, 2, 3, spelt("BYG")),)
    assert why(now, discard("R")) == ("wrong_number_of_discards", "R32")
    now, _ = play(now, discard("RB"))
    assert shops(now, 1) == "- - YYGG -"
    now, _ = play(now, c.RunWorkshop(3))
    assert set(listed(now)) == {deliver("Y"), deliver("Y Y")}
    now, _ = play(now, deliver("Y Y"), c.ShipTiles())
    assert shops(now, 1) == "- - - GG"
    now, events = play(now, c.UseBonus(Tile.GREEN, 4))
    assert events == (w.BonusUsed(1, Tile.GREEN, 4), w.TurnEnded(1, 7))
    assert slots(now, 1) == "- - D19[YY|RBB]"
    assert shops(now, 1) == "- - - GGG"


def e1_after_turn_7() -> State:
    now, _ = play(e1_round_two(), tile(1, 1), c.TakeCard(2, 3), c.PlaceTiles(2))
    now, _ = play(now, deliver("B Y G"), c.ShipTiles(), discard("RB"), c.RunWorkshop(3), deliver("Y Y"))
    return play(now, c.ShipTiles(), c.UseBonus(Tile.GREEN, 4))[0]


@pytest.mark.rule("R24", "R25", "R48", "R50", "R51", "R81", "M6", "M8")
def test_e1_turns_8_to_10() -> None:
    now, events = play(e1_after_turn_7(), tile(2, 1))
    assert events == (w.TileTaken(0, c.Cell(2, 1), Tile.YELLOW), w.CardsKept(0))
    assert why(now, c.TakeCard(0, 1)) == ("no_empty_slot", "R81")
    now, _ = play(now, c.PlaceTiles(2))
    assert (shops(now, 0), now.face_up.bit_count()) == ("- RRBBY - -", 14)
    now, events = play(now, tile(3, 1), c.MoveCard(3, 1), c.PlaceTiles(4))
    assert events[-2:] == (w.RunStarted(1, 4), w.WorkshopEmptied(1, 4, spelt("GGGG")))
    now, _ = play(now, c.ClaimJoker(), c.PlaceJoker(3))
    assert (now.hall_jokers, now.hall_points, now.face_up.bit_count()) == (2, 3, 13)
    now, _ = play(now, tile(1, 3), c.PlaceTiles(2), deliver("R R B"))
    assert now.face_up.bit_count() == 12
    assert shops(now, 0) == "- - BYY -"
    assert shops(now, 1) == "- - * -"
    assert slots(now, 0) == "ST4[RB|Y] D08[RRB|G] D01[|RRBB]"
    assert slots(now, 1) == "D19[YY|RBB] - -"
    assert (now.players[0].finished, now.players[1].finished) == ((), ("ST1",))
    assert (score(now, 0), score(now, 1)) == (2, 4)
    assert now.market == ("D50", "D02", "", "D31", "D35", "D45")
    assert grid(now) == ".G.R .RGB .BRY RYBG"
    assert (now.seat, now.round) == (1, 2)


def e2() -> State:
    return state(player("RRRBB YY R RR", "ST4[BY|R] D07[|RRBY] -"))


@pytest.mark.rule("R42", "R44", "R46", "R47", "R84", "R88", "R90")
def test_e2_chain_through_all_four_workshops() -> None:
    now, events = play(e2(), tile(1, 1), c.KeepCards(), c.PlaceTiles(1))
    assert events[-3:] == (
        w.RunStarted(0, 1),
        w.TilesDelivered(0, 1, laid("R")),
        w.CardCompleted(0, "ST4", 1, 3, "R72"),
    )
    assert (shops(now, 0), now.bonuses) == ("RRBBB YY R RR", 1)
    now, events = play(now, c.ShipTiles())
    assert events == (w.TilesShipped(0, 1, 2, spelt("RRBBB")),)
    assert why(now, discard("")) == ("wrong_number_of_discards", "R32")
    now, _ = play(now, discard("B"))
    assert shops(now, 0) == "- RRBBYY R RR"
    now, _ = play(now, c.RunWorkshop(2), deliver("R B Y"))
    assert slots(now, 0) == "- D07[RBY|R] -"
    assert shops(now, 0) == "- RBY R RR"
    now, _ = play(now, c.ShipTiles())
    assert shops(now, 0) == "- - RRBY RR"
    assert c.RunWorkshop(3) not in listed(now)
    now, _ = play(now, c.UseBonus(Tile.BLUE, 3))
    now, events = play(now, discard("Y"))
    assert events == (
        w.TilesDiscarded(0, 3, spelt("Y")),
        w.RunStarted(0, 3),
        w.TilesDelivered(0, 3, ()),
        w.TilesShipped(0, 3, 4, spelt("RRBB")),
    )
    now, events = play(now, discard("BB"))
    assert events[1:] == (w.RunStarted(0, 4), w.WorkshopEmptied(0, 4, spelt("RRRR")))
    now, events = play(now, c.ClaimJoker(), c.PlaceJoker(1))
    assert events == (w.JokerClaimed(0), w.JokerPlaced(0, 1), w.TurnEnded(0, 1))
    assert shops(now, 0) == "* - - -"
    assert (now.hall_jokers, now.hall_points) == (2, 3)
    assert now.players[0].finished == ("ST4",)
    assert slots(now, 0) == "- D07[RBY|R] -"
    assert score(now, 0) == 3 + 3 // 2


def e3(**options: str) -> State:
    ana = player(slots="D02[RRY|Y] D03[RG|RG] -", finished="ST4 D01 D19 D31 D35", one_points=1, last_turn=60)
    ben = player(slots="D04[BBY|Y] D05[BBG|G] -", finished="ST1 D46 D47 D42", one_points=1, last_turn=59)
    now = state(ana, ben, options=options)
    scores = (score(now, 0), score(now, 1))
    return replace(now, scores=scores, cause="five_cards", hall_points=1)


@pytest.mark.rule("R72", "R73", "R74")
def test_e3_scoring_and_tie() -> None:
    now = e3()
    assert now.scores == (30, 30)
    found = outcome(now)
    assert (found.places, found.scores, found.decided_by) == ((1, 2), (30, 30), "later_last_turn")


@pytest.mark.rule("R72")
def test_e3_card_by_card() -> None:
    now = e3(incomplete_counting="per_card")
    found = outcome(now)
    assert (found.places, found.scores, found.decided_by) == ((1, 2), (30, 29), "")


@pytest.mark.rule("R21", "R22", "R23")
def test_e4_exterior_lines() -> None:
    now = state(grid="..R. BY.G BRYG .YR.")
    assert set(listed(now)) == {
        line((4, 2), (4, 3)),
        line((2, 1), (3, 1)),
        line((2, 4), (3, 4)),
        *(tile(*at) for at in ((1, 3), (2, 1), (2, 4), (3, 1), (3, 4), (4, 2), (4, 3))),
    }
    for at in ((2, 2), (3, 3), (3, 2)):
        assert why(now, tile(*at)) == ("tile_not_exterior", "R22")
    assert why(now, line((2, 1), (2, 2))) == ("tile_not_exterior", "R22")
