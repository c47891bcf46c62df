"""The first half of a turn: start cards, taking tiles, cards and moves, the workshop, and what overflows."""

from functools import lru_cache

from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import CELLS, INDEX, WORKSHOP_NUMBERS, exterior
from domain.majolica.state import State, empty_slots, excess, mover, options_of
from domain.majolica.tiles import Counts, Tile, choices, counts, spelled

SLOT_NUMBERS = (1, 2, 3)
PLACINGS = tuple(c.PlaceTiles(number) for number in WORKSHOP_NUMBERS)


def start_cards_on_offer(state: State) -> tuple[str, ...]:
    """The start cards that the player to place one may use (R14)."""
    return state.start_cards if options_of(state).start_card == "chosen" else (mover(state).dealt,)


def start_card_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """A start card into any slot (R14)."""
    return tuple(c.PlaceStartCard(card, slot) for card in start_cards_on_offer(state) for slot in SLOT_NUMBERS)


def select_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Every run and every single tile that may be taken (R22, R23)."""
    return _select(state.face_up, options_of(state).exterior_rule)


@lru_cache(maxsize=4096)
def _select(face_up: int, rule: str) -> tuple[c.MajolicaCommand, ...]:
    rim = exterior(face_up, rule)
    lines = tuple(c.TakeLine(tuple(CELLS[i] for i in run)) for run in rim.runs)
    return lines + tuple(c.TakeTile(CELLS[i]) for i in rim.tiles)


def card_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """After a single tile: neither, a card of the market, or a move (R24, R25)."""
    empty = empty_slots(state)
    takes = tuple(c.TakeCard(place, slot) for place, card in enumerate(state.market) if card for slot in empty)
    moves = tuple(c.MoveCard(slot, to) for slot in SLOT_NUMBERS if slot not in empty for to in empty)
    return (c.KeepCards(), *takes, *moves)


def place_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """The tiles taken into any workshop (R31)."""
    del state
    return PLACINGS


def discard_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Every different choice of exactly the excess (R32)."""
    return _discards(mover(state).workshops[state.overflow - 1], excess(state))


@lru_cache(maxsize=1024)
def _discards(bag: Counts, size: int) -> tuple[c.MajolicaCommand, ...]:
    return tuple(c.DiscardTiles(tiles) for tiles in choices(bag, size))


def place_start_card(state: State, command: c.PlaceStartCard) -> tuple[w.MajolicaEvent, ...]:
    """R14."""
    return (w.StartCardPlaced(state.seat, command.card, command.slot),)


def take_line(state: State, command: c.TakeLine) -> tuple[w.MajolicaEvent, ...]:
    """R23, R30."""
    tiles = spelled(counts(state.grid[INDEX[cell]] for cell in command.cells))
    return (w.LineTaken(state.seat, command.cells, tiles),)


def take_tile(state: State, command: c.TakeTile) -> tuple[w.MajolicaEvent, ...]:
    """R24, R25, R30."""
    return (w.TileTaken(state.seat, command.cell, Tile(state.grid[INDEX[command.cell]])),)


def take_card(state: State, command: c.TakeCard) -> tuple[w.MajolicaEvent, ...]:
    """R24."""
    return (w.CardTaken(state.seat, state.market[command.place], command.place, command.slot),)


def move_card(state: State, command: c.MoveCard) -> tuple[w.MajolicaEvent, ...]:
    """R25."""
    slot = mover(state).slots[command.slot - 1]
    assert slot is not None
    return (w.CardMoved(state.seat, slot.card, command.slot, command.to_slot),)


def keep_cards(state: State, command: c.KeepCards) -> tuple[w.MajolicaEvent, ...]:
    """R25."""
    del command
    return (w.CardsKept(state.seat),)


def place_tiles(state: State, command: c.PlaceTiles) -> tuple[w.MajolicaEvent, ...]:
    """R31."""
    return (w.TilesPlaced(state.seat, command.workshop, spelled(state.taken)),)


def discard_tiles(state: State, command: c.DiscardTiles) -> tuple[w.MajolicaEvent, ...]:
    """R32."""
    return (w.TilesDiscarded(state.seat, state.overflow, command.tiles),)
