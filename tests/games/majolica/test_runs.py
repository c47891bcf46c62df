"""Running workshops: readiness, deliveries, completion, shipping."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import WORKSHOPS
from domain.majolica.state import matches, ready
from domain.majolica.tiles import Delivery, Tile, counts, fitting
from tests.games.majolica.helpers import (
    asked,
    deliver,
    discard,
    laid,
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


@pytest.mark.rule("R5", "R40", "R52")
@pytest.mark.parametrize(
    ("number", "tiles", "expected"),
    [
        (1, "RRRBBB", True),
        (1, "RRRBB*", True),
        (1, "RRR***", True),
        (1, "RB****", True),
        (1, "******", True),
        (1, "RRRRRR", False),
        (1, "RRRRBB", False),
        (1, "RRRR**", False),
        (1, "RRRBBG", False),
        (1, "RRBBG*", False),
        (1, "RRRBB", False),
        (1, "RRRBBBB", False),
        (2, "RRBBYY", True),
        (2, "RRBB**", True),
        (2, "RBY***", True),
        (2, "RRRBBY", False),
        (2, "RRBBYG", False),
        (2, "RRRR**", False),
        (2, "RBYG**", False),
        (3, "RRGG", True),
        (3, "RG**", True),
        (3, "R***", True),
        (3, "RRRG", False),
        (3, "RRR*", False),
        (3, "RRGB", False),
        (3, "RRG", False),
        (4, "GGGG", True),
        (4, "GG**", True),
        (4, "****", True),
        (4, "GGGR", False),
        (4, "GR**", False),
        (4, "GGG", False),
    ],
)
def test_a_workshop_is_ready_when_it_holds_exactly_its_sets(number: int, tiles: str, expected: bool) -> None:
    assert matches(counts(tiles), WORKSHOPS[number - 1]) is expected


@pytest.mark.rule("R40")
def test_readiness_agrees_with_filling_in_the_jokers() -> None:
    """A bag is ready iff its jokers can be coloured so that it is `set_count` sets of different colours."""
    for workshop in WORKSHOPS:
        wanted = {
            tuple(sorted(colour for colour in sets for _ in range(workshop.set_size)))
            for sets in combinations("BGRY", workshop.set_count)
        }
        for jokers in range(3):
            for bag in _bags(workshop.capacity - jokers):
                held = Counter(bag)
                can = any(not held - Counter(full) for full in wanted)
                assert matches(counts((*bag, *"*" * jokers)), workshop) is can


def _bags(size: int) -> list[tuple[str, ...]]:
    bags: list[tuple[str, ...]] = [()]
    for _ in range(size):
        bags = sorted({tuple(sorted((*bag, colour))) for bag in bags for colour in "RBYG"})
    return bags


@pytest.mark.rule("R41")
def test_of_several_ready_workshops_the_player_picks_the_first_to_run() -> None:
    now, _ = play(state(player("- RRBBYY RRG GGGG")), tile(1, 4), c.PlaceTiles(3))
    assert (asked(now), shops(now, 0)) == ("resolve", "- RRBBYY RRGG GGGG")
    assert listed(now) == (c.RunWorkshop(2), c.RunWorkshop(3), c.RunWorkshop(4))
    assert why(now, c.RunWorkshop(1)) == ("workshop_not_ready", "R40")
    for number in (-1, 0, 5, 1 << 70):
        assert why(now, c.RunWorkshop(number)) == ("unknown_workshop", "R4")
    now, events = play(now, c.RunWorkshop(3))
    assert events[:3] == (w.RunStarted(0, 3), w.TilesDelivered(0, 3, ()), w.TilesShipped(0, 3, 4, spelt("RRGG")))
    assert shops(now, 0) == "- RRBBYY - RRGGGGGG"
    assert asked(now) == "discard"


@pytest.mark.rule("R41", "R49")
def test_one_ready_workshop_runs_and_the_turn_ends_by_themselves() -> None:
    _, events = play(state(player("RRRBB - - -")), tile(1, 1), c.PlaceTiles(1))
    assert events[2:] == (
        w.TilesPlaced(0, 1, spelt("B")),
        w.RunStarted(0, 1),
        w.TilesDelivered(0, 1, ()),
        w.TilesShipped(0, 1, 2, spelt("RRRBBB")),
        w.TurnEnded(0, 1),
    )


@pytest.mark.rule("R43", "R5")
def test_a_run_delivers_one_to_so_many_tiles_that_fit() -> None:
    now, _ = play(state(player("- RRBBY - -", "- D42[|RRYYGG] -")), tile(1, 3), c.KeepCards(), c.PlaceTiles(2))
    assert asked(now) == "deliver"
    assert set(listed(now)) == {deliver(tiles) for tiles in ("R", "Y", "R R", "R Y", "Y Y", "R R Y", "R Y Y")}
    assert why(now, deliver("R R Y Y")) == ("too_many_deliveries", "R43")
    assert why(now, deliver("")) == ("too_few_deliveries", "R44")
    assert why(now, deliver("B")) == ("delivery_does_not_fit", "R43")
    assert why(now, deliver("RY")) == ("delivery_does_not_fit", "R43")
    assert why(now, deliver("G")) == ("delivered_tile_missing", "R43")
    assert why(now, deliver("R R R")) == ("delivered_tile_missing", "R43")
    assert why(now, deliver("*R")) == ("delivered_tile_missing", "R43")
    assert why(now, c.DeliverTiles((Delivery(Tile.RED, Tile.JOKER),))) == ("joker_is_no_colour", "R43")
    now, events = play(now, deliver("R R Y"))
    assert events[0] == w.TilesDelivered(0, 2, laid("R R Y"))
    assert slots(now, 0) == "- D42[RRY|YGG] -"
    assert shops(now, 0) == "- - BBY -"


@pytest.mark.rule("R43", "R52", "R53", "M5", "M6")
def test_a_joker_covers_any_open_cell_and_the_player_names_which() -> None:
    now, _ = play(state(player("- RB*** - -", "- D07[R|RBY] -")), tile(1, 3), c.KeepCards(), c.PlaceTiles(2))
    three = {command for command in listed(now) if len(command.deliveries) == 3}
    assert three == {
        deliver(tiles) for tiles in ("R B Y", "R B *Y", "R Y *B", "B Y *R", "R *B *Y", "B *R *Y", "Y *R *B", "*R *B *Y")
    }
    assert deliver("*B") in listed(now)
    assert why(now, deliver("*G")) == ("delivery_does_not_fit", "R43")
    assert why(now, deliver("R *R")) == ("delivery_does_not_fit", "R43")
    assert why(now, deliver("**")) == ("joker_is_no_colour", "R43")
    now, _ = play(now, deliver("R *B"))
    assert slots(now, 0) == "- D07[RR*|Y] -"
    assert (now.hall_jokers, now.jokers_out) == (3, 0)


@pytest.mark.rule("R43")
def test_the_ways_to_deliver_are_all_and_each_once() -> None:
    """Against trying every choice of tiles for every choice of cells."""
    for bag, cells in (("RRBB*", "RRB"), ("RBYG**", "RRBBYG"), ("RRR***", "RYY"), ("*", "RBYG"), ("GG", "RB")):
        for most in (1, 2, 3):
            brute = set()
            for size in range(1, most + 1):
                for tiles in combinations(bag, size):
                    for covered in {*_orders(cells, size)}:
                        pairs = zip(tiles, covered, strict=True)
                        if all(t in (cell, "*") for t, cell in pairs):
                            brute.add(tuple(sorted(Counter(zip(tiles, covered, strict=True)).items())))
            found = fitting(counts(bag), counts(cells), 1, most)
            assert {
                tuple(sorted(Counter((d.tile.value, d.colour.value) for d in way).items())) for way in found
            } == brute
            assert len(found) == len(brute)


def _orders(cells: str, size: int) -> list[tuple[str, ...]]:
    return list(permutations(cells, size))


@pytest.mark.rule("R43", "R44")
def test_other_amounts_of_delivery_hold_as_they_are_told() -> None:
    bag, cells = counts("RRB"), counts("RRBB")
    assert {len(way) for way in fitting(bag, cells, 0, 2)} == {0, 1, 2}
    assert {len(way) for way in fitting(bag, cells, 2, 3)} == {2, 3}
    assert {len(way) for way in fitting(bag, counts("B"), 2, 3)} == {1}
    assert fitting(bag, counts("YG"), 0, 3) == ()


@pytest.mark.rule("R44", "M3")
def test_a_run_without_a_fitting_tile_delivers_nothing_and_says_so() -> None:
    now, events = play(state(player("RRRBB - - -", "D06[|YYGG] - -")), tile(1, 1), c.KeepCards(), c.PlaceTiles(1))
    assert w.TilesDelivered(0, 1, ()) in events
    assert slots(now, 0) == "D06[|YYGG] - -"


@pytest.mark.rule("R44")
def test_blocked_a_workshop_without_a_fitting_tile_is_not_ready() -> None:
    blocked = {"empty_slot_run": "blocked"}
    for held in ("- - -", "D06[|YYGG] - -"):
        now = state(player("RRRBB - - -", held), options=blocked)
        take = (tile(1, 1), c.KeepCards()) if held != "- - -" else (tile(1, 1),)
        now, events = play(now, *take, c.PlaceTiles(1))
        assert events[-1] == w.TurnEnded(0, 1)
        assert shops(now, 0) == "RRRBBB - - -"


@pytest.mark.rule("R41", "R44")
def test_blocked_workshops_do_not_keep_others_from_running() -> None:
    now = state(player("RRRBBB - - RRR"), options={"empty_slot_run": "blocked"}, hall_jokers=0, hall_points=0)
    _, events = play(now, tile(1, 2), c.PlaceTiles(4))
    assert w.RunStarted(0, 4) in events
    assert w.RunStarted(0, 1) not in events


@pytest.mark.rule("R44", "R86", "R87")
def test_blocked_a_card_taken_or_moved_can_make_a_full_workshop_ready() -> None:
    blocked = {"empty_slot_run": "blocked"}
    now = state(player("RRRBBB - - -"), market="D01 - - - - -", options=blocked)
    now, events = play(now, tile(1, 1), c.TakeCard(0, 1), c.PlaceTiles(4))
    assert events[-1] == w.RunStarted(0, 1)
    assert asked(now) == "deliver"
    now = state(player("RRRBBB - - -", "- D01[|RRBB] -"), options=blocked)
    _, events = play(now, tile(1, 1), c.MoveCard(2, 1), c.PlaceTiles(4))
    assert events[-1] == w.RunStarted(0, 1)
    now = state(player("RRR - - RRR"), options=blocked, grid="RBYG RYGB GYBR GBRY")
    _, events = play(now, tile(1, 1), c.PlaceTiles(4))
    assert w.RunStarted(0, 4) in events


@pytest.mark.rule("R41", "R86", "R87")
def test_a_card_gets_nothing_by_being_taken_or_moved() -> None:
    now = state(player("BBGGG - - -", "- D01[|RRBB] -"), market="D05 - - - - -")
    now, events = play(now, tile(1, 2), c.TakeCard(0, 1), c.PlaceTiles(4))
    assert slots(now, 0) == "D05[|BBGG] D01[|RRBB] -"
    assert events[-1] == w.TurnEnded(0, 1)


@pytest.mark.rule("R24", "R43")
def test_a_card_may_get_tiles_in_the_turn_it_was_taken() -> None:
    now = state(player("RRRBB - - -"), market="D01 - - - - -")
    now, _ = play(now, tile(1, 1), c.TakeCard(0, 1), c.PlaceTiles(1), deliver("R B"))
    assert slots(now, 0) == "D01[RB|RB] - -"


@pytest.mark.rule("R45", "R46", "R72")
def test_the_last_cell_filled_completes_the_card_at_once() -> None:
    now, _ = play(state(player("RRRBB - - -", "D01[R*|RB] - -")), tile(1, 1), c.KeepCards(), c.PlaceTiles(1))
    now, events = play(now, deliver("R B"))
    assert events == (w.TilesDelivered(0, 1, laid("R B")), w.CardCompleted(0, "D01", 1, 5, "R72"))
    assert slots(now, 0) == "- - -"
    assert (now.players[0].finished, now.players[0].finished_points) == (("D01",), 5)
    assert (now.bonuses, now.jokers_out, asked(now)) == (1, 1, "ship")


@pytest.mark.rule("R88")
def test_a_card_takes_no_more_than_its_open_cells() -> None:
    now, events = play(state(player("RRRBB - - -", "D01[RBB|R] - -")), tile(1, 1), c.KeepCards(), c.PlaceTiles(1))
    assert events[-2:] == (w.TilesDelivered(0, 1, laid("R")), w.CardCompleted(0, "D01", 1, 5, "R72"))
    assert shops(now, 0) == "RRBBB - - -"


@pytest.mark.rule("R32", "R47")
def test_everything_left_ships_and_the_next_workshop_may_overflow() -> None:
    now, _ = play(state(player("RRRBB YY - -")), tile(1, 1), c.PlaceTiles(1))
    assert (asked(now), shops(now, 0)) == ("discard", "- RRRBBBYY - -")
    assert why(now, discard("RY*")) == ("wrong_number_of_discards", "R32")
    now, events = play(now, discard("RB"))
    assert events[:3] == (w.TilesDiscarded(0, 2, spelt("RB")), w.RunStarted(0, 2), w.TilesDelivered(0, 2, ()))
    assert shops(now, 0) == "- - RRBBYY -"


@pytest.mark.rule("R47")
def test_shipping_goes_one_workshop_to_the_right() -> None:
    now, _ = play(state(player("- RRBBY - -")), tile(1, 3), c.PlaceTiles(2))
    now, _ = play(now, discard("RB"))
    assert shops(now, 0) == "- - RBYY -"
    now, events = play(state(player("- - RRB -")), tile(1, 1), c.PlaceTiles(3))
    assert w.TilesShipped(0, 3, 4, spelt("RRBB")) in events
    assert shops(now, 0) == "- - - RRBB"


@pytest.mark.rule("R84")
def test_a_full_workshop_of_the_wrong_colours_stays_until_repaired() -> None:
    before = state(player("- - RRBY -"))
    now, events = play(before, tile(1, 1), c.PlaceTiles(4))
    assert (shops(now, 0), events[-1]) == ("- - RRBY B", w.TurnEnded(0, 1))
    now, _ = play(before, tile(1, 1), c.PlaceTiles(3))
    assert shops(now, 0) == "- - RRBBY -"
    now, events = play(now, discard("Y"))
    assert w.RunStarted(0, 3) in events


@pytest.mark.rule("R89")
def test_workshop_4_filled_by_one_draft_runs() -> None:
    now = state(grid="RRRR BYGB GYBG YBGY", hall_jokers=0, hall_points=0)
    now, events = play(now, line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(4))
    assert events[1:] == (
        w.TilesPlaced(0, 4, spelt("RRRR")),
        w.RunStarted(0, 4),
        w.WorkshopEmptied(0, 4, spelt("RRRR")),
        w.TurnEnded(0, 1),
    )
    assert shops(now, 0) == "- - - -"


@pytest.mark.rule("R41", "R92")
def test_only_the_player_on_turn_has_ready_workshops() -> None:
    now = state(player(), player("- - RRB -"), seat=1)
    assert ready(now) == ()
    now, _ = play(now, tile(1, 1), c.PlaceTiles(3))
    assert shops(now, 1) == "- - - RRBB"
