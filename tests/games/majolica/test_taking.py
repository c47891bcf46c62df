"""Taking tiles and cards, moving a card, and the workshop with its overflow."""

from itertools import combinations

import pytest

from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import ALL_FACE_UP, CELLS, Cell, exterior
from domain.majolica.tiles import Tile
from tests.games.majolica.helpers import (
    asked,
    deliver,
    discard,
    line,
    listed,
    play,
    player,
    shops,
    slots,
    spelt,
    state,
    tile,
    why,
)

RIM = [cell for cell in CELLS if cell.row in (1, 4) or cell.column in (1, 4)]


@pytest.mark.rule("R20", "R21", "R22", "R23", "R80")
def test_at_first_the_rim_may_be_taken_as_four_lines_or_single_tiles() -> None:
    now = state()
    lines = [
        line((1, 1), (1, 2), (1, 3), (1, 4)),
        line((4, 1), (4, 2), (4, 3), (4, 4)),
        line((1, 1), (2, 1), (3, 1), (4, 1)),
        line((1, 4), (2, 4), (3, 4), (4, 4)),
    ]
    assert listed(now) == (*lines, *(c.TakeTile(cell) for cell in RIM))


@pytest.mark.rule("R21")
def test_the_rim_moves_inwards_once_a_line_is_used_up() -> None:
    now = state(grid=".... RYGB GYBR GBRY")
    assert line((2, 1), (2, 2), (2, 3), (2, 4)) in listed(now)
    assert tile(2, 2) in listed(now)
    assert tile(3, 2) not in listed(now)


@pytest.mark.rule("R23")
def test_a_gap_splits_a_line_and_a_run_is_taken_whole() -> None:
    now = state(grid="BR.G RYGB GYBR .BRY")
    assert line((1, 1), (1, 2)) in listed(now)
    assert line((1, 1), (2, 1), (3, 1)) in listed(now)
    assert line((4, 2), (4, 3), (4, 4)) in listed(now)
    for cells in (
        ((4, 2), (4, 3)),
        ((4, 3), (4, 4)),
        ((1, 1),),
        (),
        ((1, 1), (1, 2), (1, 4)),
        ((1, 1), (1, 1)),
        ((1, 1), (2, 1)),
    ):
        assert why(now, line(*cells)) == ("not_a_whole_run", "R23")
    assert why(now, line((1, 2), (1, 3))) == ("tile_face_down", "R22")
    assert why(now, line((2, 2), (2, 3))) == ("tile_not_exterior", "R22")
    assert why(now, line((1, 1), (1, 2), (2, 2))) == ("tile_not_exterior", "R22")
    assert why(now, line((1, 4), (1, 5))) == ("unknown_cell", "R11")


@pytest.mark.rule("R83")
def test_one_row_left_is_top_and_bottom_line_at_once_and_listed_once() -> None:
    now = state(grid=".... RYGB .... ....")
    assert listed(now) == (
        line((2, 1), (2, 2), (2, 3), (2, 4)),
        *(tile(2, column) for column in (1, 2, 3, 4)),
    )


@pytest.mark.rule("R22", "M5", "M8")
def test_single_tiles_that_cannot_be_taken() -> None:
    now = state(grid=".RYG RYGB GYBR GBRY")
    assert why(now, tile(1, 1)) == ("tile_face_down", "R22")
    assert why(now, tile(2, 2)) == ("tile_not_exterior", "R22")
    for at in ((0, 1), (1, 0), (5, 1), (1, 5), (-1, -1), (1 << 70, 1)):
        assert why(now, tile(*at)) == ("unknown_cell", "R11")
        assert why(now, line(at, (1, 1))) == ("unknown_cell", "R11")


@pytest.mark.rule("R21", "R22")
def test_outermost_lines_agree_with_their_definition_on_every_small_grid() -> None:
    for gone in range(4):
        for away in combinations(range(16), gone):
            face_up = ALL_FACE_UP & ~sum(1 << i for i in away)
            shown = {CELLS[i] for i in range(16) if face_up >> i & 1}
            rows, columns = {cell.row for cell in shown}, {cell.column for cell in shown}
            wanted = {
                cell
                for cell in shown
                if cell.row in (min(rows), max(rows)) or cell.column in (min(columns), max(columns))
            }
            assert {CELLS[i] for i in exterior(face_up, "outermost").tiles} == wanted


@pytest.mark.rule("R21", "R22", "R23")
def test_with_open_sides_a_tile_beside_a_gap_is_exterior() -> None:
    now = state(grid="B.YG RYGB GYBR GBRY", options={"exterior_rule": "open_side"})
    singles = [command.cell for command in listed(now) if isinstance(command, c.TakeTile)]
    assert singles == sorted({*RIM, Cell(2, 2)} - {Cell(1, 2)})
    lines = [command for command in listed(now) if isinstance(command, c.TakeLine)]
    assert lines == [
        line((1, 3), (1, 4)),
        line((4, 1), (4, 2), (4, 3), (4, 4)),
        line((1, 1), (2, 1), (3, 1), (4, 1)),
        line((1, 4), (2, 4), (3, 4), (4, 4)),
    ]
    assert why(now, tile(3, 2)) == ("tile_not_exterior", "R22")
    assert why(now, tile(2, 3)) == ("tile_not_exterior", "R22")


@pytest.mark.rule("R21", "R23")
def test_with_open_sides_inner_lines_open_up() -> None:
    now = state(grid="B..G RYGB GYBR GBRY", options={"exterior_rule": "open_side"})
    assert line((2, 1), (2, 2), (2, 3), (2, 4)) in listed(now)
    assert line((3, 1), (3, 2), (3, 3), (3, 4)) not in listed(now)


@pytest.mark.rule("R23", "R26", "R30", "R31")
def test_a_line_is_turned_face_down_and_its_tiles_go_to_one_workshop() -> None:
    now, events = play(state(), line((1, 1), (1, 2), (1, 3), (1, 4)))
    assert events == (w.LineTaken(0, tuple(CELLS[:4]), spelt("RBYG")),)
    assert asked(now) == "place"
    assert now.face_up == ALL_FACE_UP & ~0b1111
    assert listed(now) == tuple(c.PlaceTiles(number) for number in (1, 2, 3, 4))
    now, events = play(now, c.PlaceTiles(3))
    assert events == (w.TilesPlaced(0, 3, spelt("RBYG")), w.TurnEnded(0, 1))
    assert shops(now, 0) == "- - RBYG -"
    assert (now.seat, now.turn, asked(now)) == (1, 2, "select")


@pytest.mark.rule("R24", "R26")
def test_a_single_tile_may_come_with_a_market_card() -> None:
    now, events = play(state(player(slots="- D07[R|RBY] -"), market="D01 - D03 - - D50"), tile(1, 2))
    assert events == (w.TileTaken(0, Cell(1, 2), Tile.RED),)
    assert asked(now) == "cards"
    assert listed(now) == (
        c.KeepCards(),
        *(c.TakeCard(place, slot) for place in (0, 2, 5) for slot in (1, 3)),
        c.MoveCard(2, 1),
        c.MoveCard(2, 3),
    )
    now, events = play(now, c.TakeCard(5, 3))
    assert events == (w.CardTaken(0, "D50", 5, 3),)
    assert slots(now, 0) == "- D07[R|RBY] D50[|YYYGGG]"
    assert now.market == ("D01", "", "D03", "", "", "")
    assert asked(now) == "place"
    assert [command.workshop for command in listed(now)] == [1, 2, 3, 4]


@pytest.mark.rule("R24", "M5", "M8")
def test_cards_that_cannot_be_taken() -> None:
    now, _ = play(state(player(slots="- D07[R|RBY] -"), market="D01 - D03 - - D50"), tile(1, 2))
    assert why(now, c.TakeCard(1, 1)) == ("market_place_empty", "R24")
    assert why(now, c.TakeCard(0, 2)) == ("slot_taken", "R4")
    for place in (-1, 6, 1 << 70):
        assert why(now, c.TakeCard(place, 1)) == ("unknown_place", "R7")
    for slot in (-1, 0, 4, 1 << 70):
        assert why(now, c.TakeCard(0, slot)) == ("unknown_slot", "R4")
    assert why(now, c.PlaceTiles(1)) == ("wrong_phase", "R24")


@pytest.mark.rule("R25", "R87")
def test_a_single_tile_may_come_with_a_move_of_a_card_and_its_tiles() -> None:
    before = state(player("RRRBBB - - -", "- D07[RB|RY] -"))
    now, _ = play(before, tile(1, 2))
    now, events = play(now, c.MoveCard(2, 3))
    assert events == (w.CardMoved(0, "D07", 2, 3),)
    assert slots(now, 0) == "- - D07[RB|RY]"
    assert asked(now) == "place"


@pytest.mark.rule("R25", "M5")
def test_moves_that_cannot_be_made() -> None:
    now, _ = play(state(player(slots="- D07[R|RBY] ST1[|BYG]")), tile(1, 2))
    assert why(now, c.MoveCard(1, 2)) == ("slot_empty", "R25")
    assert why(now, c.MoveCard(2, 3)) == ("slot_taken", "R4")
    assert why(now, c.MoveCard(2, 2)) == ("slot_taken", "R4")
    for slot in (-1, 0, 4, 1 << 70):
        assert why(now, c.MoveCard(slot, 1)) == ("unknown_slot", "R4")
        assert why(now, c.MoveCard(2, slot)) == ("unknown_slot", "R4")


@pytest.mark.rule("R25")
def test_a_single_tile_may_come_with_neither() -> None:
    now, _ = play(state(player(slots="- D07[R|RBY] -")), tile(1, 2))
    now, events = play(now, c.KeepCards())
    assert events == (w.CardsKept(0),)
    assert slots(now, 0) == "- D07[R|RBY] -"


@pytest.mark.rule("R24", "R25", "R81")
def test_with_full_slots_a_single_tile_comes_alone_by_itself() -> None:
    full = player(slots="ST1[|BYG] D07[R|RBY] D01[|RRBB]")
    now, events = play(state(full, market="D02 - - - - -"), tile(1, 2))
    assert events == (w.TileTaken(0, Cell(1, 2), Tile.RED), w.CardsKept(0))
    assert asked(now) == "place"
    assert why(now, c.TakeCard(0, 1)) == ("no_empty_slot", "R81")
    assert why(now, c.MoveCard(1, 2)) == ("no_empty_slot", "R81")


@pytest.mark.rule("R82")
def test_without_any_card_a_single_tile_comes_alone_by_itself() -> None:
    now, events = play(state(), tile(1, 2))
    assert events[-1] == w.CardsKept(0)
    now, _ = play(state(market="- - - - D02 -"), tile(1, 2))
    assert asked(now) == "cards"
    assert c.KeepCards() in listed(now)


@pytest.mark.rule("R31", "M5")
@pytest.mark.parametrize("number", [-1, 0, 5, 1 << 70])
def test_there_is_no_other_workshop(number: int) -> None:
    now, _ = play(state(), line((1, 1), (1, 2), (1, 3), (1, 4)))
    assert why(now, c.PlaceTiles(number)) == ("unknown_workshop", "R4")


@pytest.mark.rule("R32", "R85")
def test_exactly_the_excess_is_discarded_old_tiles_or_new() -> None:
    now, _ = play(state(player("- - RB* -")), line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(3))
    assert (asked(now), shops(now, 0)) == ("discard", "- - RRBBYG* -")
    chosen = {command.tiles for command in listed(now)}
    assert len(chosen) == len(listed(now))
    assert chosen == {tuple(sorted(three, key=list(Tile).index)) for three in combinations(spelt("RRBBYG*"), 3)}
    for tiles in ("", "RR", "RRBB"):
        assert why(now, discard(tiles)) == ("wrong_number_of_discards", "R32")
    for tiles in ("RRR", "YYG", "G**"):
        assert why(now, discard(tiles)) == ("discarded_tile_missing", "R32")
    after, events = play(now, discard("RR*"))
    assert events == (w.TilesDiscarded(0, 3, spelt("RR*")), w.TurnEnded(0, 1))
    assert shops(after, 0) == "- - BBYG -"


@pytest.mark.rule("R33")
def test_a_discarded_joker_leaves_the_game_and_a_colour_does_not_count() -> None:
    before = state(player("- - RB** -"))
    now, _ = play(before, line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(3), discard("RB**"))
    assert now.jokers_out == 2
    now, _ = play(before, line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(3), discard("RBYG"))
    assert now.jokers_out == 0


@pytest.mark.rule("R32")
def test_an_overflow_of_one_kind_is_discarded_by_itself() -> None:
    now, events = play(state(player("- - RRRR -")), tile(1, 2), c.PlaceTiles(3))
    assert events[-2:] == (w.TilesDiscarded(0, 3, spelt("R")), w.TurnEnded(0, 1))
    assert shops(now, 0) == "- - RRRR -"


@pytest.mark.rule("R3")
def test_small_tiles_never_run_out() -> None:
    many = player("RRRRRR RRRRRR RRRR RRRB")
    now, _ = play(state(many, many), tile(1, 2), c.PlaceTiles(1))
    assert shops(now, 0) == "RRRRRR RRRRRR RRRR RRRB"


@pytest.mark.rule("M6")
def test_the_order_of_cells_and_discards_means_nothing() -> None:
    now = state(player("- - RB* -"))
    turned = c.TakeLine(tuple(reversed(CELLS[:4])))
    assert GAME.normal(turned) == c.TakeLine(tuple(CELLS[:4]))
    assert GAME.normal(c.DiscardTiles(spelt("*GYBR"))) == discard("RBYG*")
    assert GAME.normal(deliver("*Y *R G B")) == deliver("B G *R *Y")
    assert GAME.normal(c.TakeTile(Cell(9, -9))) == tile(9, -9)
    assert GAME.normal(turned) in listed(now)
