"""Why a command is refused: the most specific reason, with its rule."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core.errors import MATCH_OVER, NOT_YOUR_DECISION, WRONG_PHASE, Illegal
from domain.core.words import Seat
from domain.majolica import commands as c
from domain.majolica.board import INDEX, MARKET_PLACES, WORKSHOP_NUMBERS, exterior
from domain.majolica.state import State, empty_slots, excess, matches, mover, options_of, phase, ready, workshop_of
from domain.majolica.taking import SLOT_NUMBERS, start_cards_on_offer
from domain.majolica.tiles import Tile, counts, letters, minus

ASKED: Final[Mapping[str, tuple[str, str]]] = {
    "start_card": ("R14", "a start card is to be put into a slot"),
    "select": ("R20", "a line or a single tile is to be taken"),
    "cards": ("R24", "a card is to be taken, moved, or the cards kept"),
    "place": ("R31", "the tiles taken are to be put into a workshop"),
    "discard": ("R32", "an overflowing workshop's excess is to be discarded"),
    "resolve": ("R41", "a ready workshop is to be run, or a bonus used or declined"),
    "deliver": ("R43", "the running workshop is to deliver"),
    "ship": ("R47", "the running workshop is to ship"),
    "city_hall": ("R50", "a tile of the City Hall is to be claimed"),
    "joker": ("R51", "the claimed joker is to be put into a workshop"),
}
"""For each phase: the rule, and what is asked."""

PHASES: Final[Mapping[type, tuple[str, ...]]] = {
    c.PlaceStartCard: ("start_card",),
    c.TakeLine: ("select",),
    c.TakeTile: ("select",),
    c.TakeCard: ("cards",),
    c.MoveCard: ("cards",),
    c.KeepCards: ("cards",),
    c.PlaceTiles: ("place",),
    c.DiscardTiles: ("discard",),
    c.RunWorkshop: ("resolve",),
    c.DeliverTiles: ("deliver",),
    c.ShipTiles: ("ship",),
    c.UseBonus: ("resolve", "ship", "city_hall", "joker"),
    c.DeclineBonus: ("resolve", "ship", "city_hall", "joker"),
    c.ClaimJoker: ("city_hall",),
    c.ClaimOnePoint: ("city_hall",),
    c.PlaceJoker: ("joker",),
}
"""The phases in which a command may be given."""


def refusal(state: State, seat: Seat, command: c.MajolicaCommand) -> Illegal:
    """Why this command, which is not a legal one, is refused."""
    now = phase(state)
    if now == "over":
        return Illegal(MATCH_OVER, "R70", "The match is over.")
    if seat != state.seat:
        return Illegal(NOT_YOUR_DECISION, "R20", f"Seat {state.seat} is to decide.")
    early = _whatever_the_phase(state, command)
    if early is not None:
        return early
    if now not in PHASES[type(command)]:
        rule, asked = ASKED[now]
        return Illegal(WRONG_PHASE, rule, f"{type(command).__name__} is not what is asked now.", f"Now {asked}.")
    reason = _REASONS.get(type(command))
    assert reason is not None, f"{command} is not listed, and nothing speaks against it"
    return reason(state, command)


def _whatever_the_phase(state: State, command: c.MajolicaCommand) -> Illegal | None:
    """Refusals that hold at any time of the turn (M5)."""
    if isinstance(command, c.UseBonus | c.DeclineBonus) and not state.bonuses:
        return Illegal("no_bonus_open", "R46", "No completion bonus is open.", "A completed card opens one.")
    if isinstance(command, c.ClaimJoker) and not state.hall_jokers:
        return Illegal("city_hall_exhausted", "R50", "No joker is left on the City Hall.")
    if isinstance(command, c.ClaimOnePoint) and not state.hall_points:
        return Illegal("city_hall_exhausted", "R50", "No one-point tile is left on the City Hall.")
    if isinstance(command, c.TakeCard | c.MoveCard) and not empty_slots(state):
        return Illegal("no_empty_slot", "R81", "All three slots hold a card.", "Completing one empties its slot.")
    return None


def _start_card(state: State, command: c.PlaceStartCard) -> Illegal:
    offer = start_cards_on_offer(state)
    if command.card not in offer:
        return Illegal("start_card_not_on_offer", "R14", "That is none of the start cards you may place.", _list(offer))
    return _unknown_slot()


def _unknown_slot() -> Illegal:
    return Illegal("unknown_slot", "R4", "There are three slots, 1 to 3.")


def _list(names: tuple[str, ...]) -> str:
    return f"You may place {' or '.join(names)}."


def _line(state: State, command: c.TakeLine) -> Illegal:
    if any(cell not in INDEX for cell in command.cells):
        return _unknown_cell()
    if any(not state.face_up >> INDEX[cell] & 1 for cell in command.cells):
        return _face_down()
    rim = exterior(state.face_up, options_of(state).exterior_rule)
    if any(INDEX[cell] not in rim.tiles for cell in command.cells):
        return _not_exterior()
    return Illegal(
        "not_a_whole_run",
        "R23",
        "A line is the whole of an unbroken stretch of two or more tiles on one exterior line.",
    )


def _unknown_cell() -> Illegal:
    return Illegal("unknown_cell", "R11", "The grid has rows and columns 1 to 4.")


def _face_down() -> Illegal:
    return Illegal("tile_face_down", "R22", "That tile is face down: it was taken in this round.")


def _not_exterior() -> Illegal:
    return Illegal("tile_not_exterior", "R22", "That tile is not exterior.")


def _tile(state: State, command: c.TakeTile) -> Illegal:
    if command.cell not in INDEX:
        return _unknown_cell()
    return _not_exterior() if state.face_up >> INDEX[command.cell] & 1 else _face_down()


def _take_card(state: State, command: c.TakeCard) -> Illegal:
    if not 0 <= command.place < MARKET_PLACES:
        return Illegal("unknown_place", "R7", "The market has the places 0 to 5.")
    if not state.market[command.place]:
        return Illegal("market_place_empty", "R24", "That place of the market is empty until the round ends.")
    if command.slot not in SLOT_NUMBERS:
        return _unknown_slot()
    return _slot_taken(state)


def _slot_taken(state: State) -> Illegal:
    empty = ", ".join(str(slot) for slot in empty_slots(state))
    return Illegal("slot_taken", "R4", "That slot holds a card already.", f"Empty slots: {empty}.")


def _move_card(state: State, command: c.MoveCard) -> Illegal:
    if command.slot not in SLOT_NUMBERS or command.to_slot not in SLOT_NUMBERS:
        return _unknown_slot()
    if mover(state).slots[command.slot - 1] is None:
        return Illegal("slot_empty", "R25", "There is no card in that slot to move.")
    return _slot_taken(state)


def _unknown_workshop(state: State, command: c.PlaceTiles | c.PlaceJoker) -> Illegal:
    del state, command
    return Illegal("unknown_workshop", "R4", "There are four workshops, 1 to 4.")


def _discards(state: State, command: c.DiscardTiles) -> Illegal:
    excess_now = excess(state)
    if len(command.tiles) != excess_now:
        return Illegal(
            "wrong_number_of_discards",
            "R32",
            f"Workshop {state.overflow} holds {excess_now} too many, not {len(command.tiles)}.",
        )
    held = mover(state).workshops[state.overflow - 1]
    return Illegal(
        "discarded_tile_missing", "R32", f"Workshop {state.overflow} holds {letters(held)}, not all of these."
    )


def _run(state: State, command: c.RunWorkshop) -> Illegal:
    if command.workshop not in WORKSHOP_NUMBERS:
        return Illegal("unknown_workshop", "R4", "There are four workshops, 1 to 4.")
    now = ready(state)
    if matches(mover(state).workshops[command.workshop - 1], workshop_of(state, command.workshop)):
        return Illegal("workshop_not_ready", "R44", f"Workshop {command.workshop} has nothing to deliver.")
    hint = f"Ready: {', '.join(str(number) for number in now)}." if now else "None is ready."
    return Illegal("workshop_not_ready", "R40", f"Workshop {command.workshop} does not match its pattern.", hint)


def _deliver(state: State, command: c.DeliverTiles) -> Illegal:
    number = state.running
    workshop, bag = workshop_of(state, number), mover(state).workshops[number - 1]
    slot = mover(state).slots[number - 1]
    assert slot is not None
    laid = command.deliveries
    if len(laid) > workshop.deliver_max:
        return Illegal("too_many_deliveries", "R43", f"Workshop {number} delivers at most {workshop.deliver_max}.")
    if any(each.colour is Tile.JOKER for each in laid):
        return Illegal("joker_is_no_colour", "R43", "Cells have colours: name the one that the joker covers.")
    if min(minus(bag, counts(each.tile for each in laid))) < 0:
        return Illegal("delivered_tile_missing", "R43", f"Workshop {number} holds {letters(bag)}, not all of these.")
    if any(each.tile not in (each.colour, Tile.JOKER) for each in laid):
        return Illegal("delivery_does_not_fit", "R43", "A tile fits a cell of its own colour only.")
    if min(minus(slot.open, counts(each.colour for each in laid))) < 0:
        return Illegal("delivery_does_not_fit", "R43", f"The open cells of {slot.card} are {letters(slot.open)}.")
    return Illegal(
        "too_few_deliveries", "R44", f"Workshop {number} delivers at least {workshop.deliver_min} while tiles fit."
    )


def _use_bonus(state: State, command: c.UseBonus) -> Illegal:
    del state
    if command.tile is Tile.JOKER:
        return Illegal("joker_is_no_colour", "R46", "A bonus is a tile of one of the four colours.")
    return Illegal("unknown_workshop", "R4", "There are four workshops, 1 to 4.")


_REASONS: Final[Mapping[type, Callable[[State, Any], Illegal]]] = {
    c.PlaceStartCard: _start_card,
    c.TakeLine: _line,
    c.TakeTile: _tile,
    c.TakeCard: _take_card,
    c.MoveCard: _move_card,
    c.PlaceTiles: _unknown_workshop,
    c.DiscardTiles: _discards,
    c.RunWorkshop: _run,
    c.DeliverTiles: _deliver,
    c.UseBonus: _use_bonus,
    c.PlaceJoker: _unknown_workshop,
}
