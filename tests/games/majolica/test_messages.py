"""Every refusal in full: code, rule, message and hint, as clients show them."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.majolica import commands as c
from domain.majolica.state import State
from domain.majolica.tiles import Delivery, Tile
from tests.games.majolica.helpers import deliver, discard, line, play, player, refused, state, tile
from tests.games.majolica.test_refusals import in_phase


def start() -> State:
    return replace(state(player(dealt="ST2"), player(dealt="ST3")), to_place_start=2)


def chosen() -> State:
    return replace(state(options={"start_card": "chosen"}), to_place_start=2)


def select() -> State:
    return state(grid=".RYG RYGB GYBR GBRY")


def cards() -> State:
    before = state(player(slots="- D07[R|RBY] ST1[|BYG]"), market="D02 - - - - -")
    return play(before, tile(1, 2))[0]


def full() -> State:
    return play(state(player(slots="ST1[|BYG] D07[R|RBY] D01[|RRBB]")), tile(1, 1))[0]


def place() -> State:
    return in_phase()["place"]


def overflow() -> State:
    return play(state(player("RRBBY - - -")), line((1, 1), (1, 2), (1, 3), (1, 4)), c.PlaceTiles(1))[0]


def resolve() -> State:
    return in_phase()["resolve"]


def blocked() -> State:
    before = state(player("RRRBB - RRGG RRR", "D01[R|RBB] - -"), bonuses=1, options={"empty_slot_run": "blocked"})
    return play(before, tile(1, 1), c.KeepCards(), c.PlaceTiles(1))[0]


def delivering() -> State:
    return play(state(player("- RRBBY - -", "- D42[|RRYYGG] -")), tile(1, 3), c.KeepCards(), c.PlaceTiles(2))[0]


def joker() -> State:
    return in_phase()["joker"]


def no_points() -> State:
    return replace(delivering(), hall_points=0)


def over() -> State:
    return replace(select(), cause="five_cards")


SLOTS = ("unknown_slot", "R4", "There are three slots, 1 to 3.", "")
WORKSHOPS = ("unknown_workshop", "R4", "There are four workshops, 1 to 4.", "")
CELLS = ("unknown_cell", "R11", "The grid has rows and columns 1 to 4.", "")
GONE = ("tile_face_down", "R22", "That tile is face down: it was taken in this round.", "")
INNER = ("tile_not_exterior", "R22", "That tile is not exterior.", "")


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("at", "command", "words"),
    [
        (
            start,
            c.PlaceStartCard("ST3", 1),
            ("start_card_not_on_offer", "R14", "That is none of the start cards you may place.", "You may place ST2."),
        ),
        (
            chosen,
            c.PlaceStartCard("D01", 1),
            (
                "start_card_not_on_offer",
                "R14",
                "That is none of the start cards you may place.",
                "You may place ST1 or ST2 or ST3 or ST4.",
            ),
        ),
        (start, c.PlaceStartCard("ST2", 4), SLOTS),
        (select, tile(1, 1), GONE),
        (select, tile(2, 2), INNER),
        (select, tile(5, 1), CELLS),
        (select, line((1, 1), (1, 2)), GONE),
        (select, line((2, 2), (2, 3)), INNER),
        (select, line((0, 1), (1, 2)), CELLS),
        (
            select,
            line((1, 2), (1, 3)),
            (
                "not_a_whole_run",
                "R23",
                "A line is the whole of an unbroken stretch of two or more tiles on one exterior line.",
                "",
            ),
        ),
        (
            select,
            c.ShipTiles(),
            (
                "wrong_phase",
                "R20",
                "ShipTiles is not what is asked now.",
                "Now a line or a single tile is to be taken.",
            ),
        ),
        (cards, c.TakeCard(6, 1), ("unknown_place", "R7", "The market has the places 0 to 5.", "")),
        (
            cards,
            c.TakeCard(1, 1),
            ("market_place_empty", "R24", "That place of the market is empty until the round ends.", ""),
        ),
        (cards, c.TakeCard(0, 5), SLOTS),
        (cards, c.TakeCard(0, 2), ("slot_taken", "R4", "That slot holds a card already.", "Empty slots: 1.")),
        (cards, c.MoveCard(1, 2), ("slot_empty", "R25", "There is no card in that slot to move.", "")),
        (cards, c.MoveCard(2, 3), ("slot_taken", "R4", "That slot holds a card already.", "Empty slots: 1.")),
        (cards, c.MoveCard(2, 0), SLOTS),
        (
            full,
            c.TakeCard(0, 1),
            ("no_empty_slot", "R81", "All three slots hold a card.", "Completing one empties its slot."),
        ),
        (place, c.PlaceTiles(5), WORKSHOPS),
        (overflow, discard("R"), ("wrong_number_of_discards", "R32", "Workshop 1 holds 3 too many, not 1.", "")),
        (
            overflow,
            discard("GGG"),
            ("discarded_tile_missing", "R32", "Workshop 1 holds RRRBBBYYG, not all of these.", ""),
        ),
        (
            resolve,
            c.RunWorkshop(2),
            ("workshop_not_ready", "R40", "Workshop 2 does not match its pattern.", "Ready: 1, 3."),
        ),
        (resolve, c.RunWorkshop(0), WORKSHOPS),
        (blocked, c.RunWorkshop(3), ("workshop_not_ready", "R44", "Workshop 3 has nothing to deliver.", "")),
        (delivering, deliver("R R Y Y"), ("too_many_deliveries", "R43", "Workshop 2 delivers at most 3.", "")),
        (
            delivering,
            c.DeliverTiles((Delivery(Tile.RED, Tile.JOKER),)),
            ("joker_is_no_colour", "R43", "Cells have colours: name the one that the joker covers.", ""),
        ),
        (delivering, deliver("G"), ("delivered_tile_missing", "R43", "Workshop 2 holds RRBBYY, not all of these.", "")),
        (delivering, deliver("RY"), ("delivery_does_not_fit", "R43", "A tile fits a cell of its own colour only.", "")),
        (delivering, deliver("B"), ("delivery_does_not_fit", "R43", "The open cells of D42 are RRYYGG.", "")),
        (delivering, deliver(""), ("too_few_deliveries", "R44", "Workshop 2 delivers at least 1 while tiles fit.", "")),
        (
            delivering,
            c.DeclineBonus(),
            ("no_bonus_open", "R46", "No completion bonus is open.", "A completed card opens one."),
        ),
        (
            resolve,
            c.UseBonus(Tile.JOKER, 1),
            ("joker_is_no_colour", "R46", "A bonus is a tile of one of the four colours.", ""),
        ),
        (resolve, c.UseBonus(Tile.RED, 9), WORKSHOPS),
        (joker, c.PlaceJoker(0), WORKSHOPS),
        (joker, c.ClaimJoker(), ("city_hall_exhausted", "R50", "No joker is left on the City Hall.", "")),
        (
            no_points,
            c.ClaimOnePoint(),
            ("city_hall_exhausted", "R50", "No one-point tile is left on the City Hall.", ""),
        ),
        (over, tile(1, 2), ("match_over", "R70", "The match is over.", "")),
    ],
)
def test_a_refusal_in_full(at: Callable[[], State], command: c.MajolicaCommand, words: tuple[str, ...]) -> None:
    illegal = refused(at(), command)
    assert (illegal.code, illegal.rule, illegal.message, illegal.hint) == words
