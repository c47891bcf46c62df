"""Who decides, what may be decided, and what it leads to."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.core.chance import Chance
from domain.core.game import Legal, Moment, Setup
from domain.core.words import Seat
from domain.majolica import commands as c
from domain.majolica import running, taking
from domain.majolica import words as w
from domain.majolica.board import SIDE, SLOTS, TURNS_MOST_IN_ROUND
from domain.majolica.options import Data, Options
from domain.majolica.refusals import refusal
from domain.majolica.rounds import data, opening, outcome
from domain.majolica.settling import settled
from domain.majolica.state import State, phase
from domain.majolica.tiles import JOKER, TILES, deliveries_in_order, in_order

__all__ = ["bound", "data", "decide", "default", "legal", "moment", "normal", "opening", "outcome", "to_act", "totals"]

_LISTS: Final[Mapping[str, Callable[[State], tuple[c.MajolicaCommand, ...]]]] = {
    "start_card": taking.start_card_commands,
    "select": taking.select_commands,
    "cards": taking.card_commands,
    "place": taking.place_commands,
    "discard": taking.discard_commands,
    "resolve": running.resolve_commands,
    "deliver": running.deliver_commands,
    "ship": running.ship_commands,
    "city_hall": running.city_hall_commands,
    "joker": running.joker_commands,
}
"""For each phase: every command that is legal in it."""

_EFFECTS: Final[Mapping[type, Callable[[State, Any], tuple[w.MajolicaEvent, ...]]]] = {
    c.PlaceStartCard: taking.place_start_card,
    c.TakeLine: taking.take_line,
    c.TakeTile: taking.take_tile,
    c.TakeCard: taking.take_card,
    c.MoveCard: taking.move_card,
    c.KeepCards: taking.keep_cards,
    c.PlaceTiles: taking.place_tiles,
    c.DiscardTiles: taking.discard_tiles,
    c.RunWorkshop: running.run_workshop,
    c.DeliverTiles: running.deliver_tiles,
    c.ShipTiles: running.ship_tiles,
    c.UseBonus: running.use_bonus,
    c.DeclineBonus: running.decline_bonus,
    c.ClaimJoker: running.claim_joker,
    c.ClaimOnePoint: running.claim_one_point,
    c.PlaceJoker: running.place_joker,
}
"""For each command: what it does itself, before what follows from that."""


def normal(command: c.MajolicaCommand) -> c.MajolicaCommand:
    """Cells, discards and deliveries in their order, which means nothing (M6)."""
    if isinstance(command, c.TakeLine):
        return replace(command, cells=tuple(sorted(command.cells)))
    if isinstance(command, c.DiscardTiles):
        return replace(command, tiles=in_order(command.tiles))
    if isinstance(command, c.DeliverTiles):
        return replace(command, deliveries=deliveries_in_order(command.deliveries))
    return command


def to_act(state: State) -> frozenset[Seat]:
    """The seat whose decision it is; nobody once play is over."""
    return frozenset() if state.cause else frozenset((state.seat,))


def legal(state: State, seat: Seat) -> Legal[c.MajolicaCommand]:
    """Every legal command of a seat."""
    if state.cause or seat != state.seat:
        return Legal()
    return Legal(_LISTS[phase(state)](state))


def decide(state: State, seat: Seat, command: c.MajolicaCommand, chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    """The events of a legal command and of all that follows without a choice; a command is legal iff it is listed."""
    if command not in legal(state, seat).commands:
        raise refusal(state, seat, command)
    return settled(state, _EFFECTS[type(command)](state, command), chance)


def default(state: State, seat: Seat) -> c.MajolicaCommand:
    """The first legal command: a line, no card, the first workshop, what runs before any bonus."""
    return legal(state, seat).commands[0]


def moment(state: State) -> Moment:
    """Round, turn counted over the match, the seat on turn, and the phase."""
    if state.cause:
        return Moment(state.round, state.turn - 1, None, "over")
    return Moment(state.round, state.turn, state.seat, phase(state))


def totals(state: State) -> dict[str, int]:
    """Large tiles by colour, jokers, one-point tiles and cards, wherever they are (invariants of the game)."""
    found = {tile.name.lower(): state.grid.count(tile) for tile in TILES[:JOKER]}
    jokers = state.hall_jokers + state.jokers_out + state.joker_held
    cards = len(state.pile) + len(state.start_cards) + sum(1 for card in state.market if card)
    for player in state.players:
        slots = [slot for slot in player.slots if slot is not None]
        jokers += sum(bag[JOKER] for bag in player.workshops) + sum(slot.on[JOKER] for slot in slots)
        cards += len(slots) + len(player.finished) + bool(player.dealt)
    points = state.hall_points + sum(player.one_points for player in state.players)
    return {**found, "jokers": jokers, "one_point_tiles": points, "cards": cards}


def bound(setup: Setup[Options, Data]) -> int:
    """More commits than any match of this setup has (R92).

    A tile in workshop n is 5 - n steps from leaving, and a run takes every tile of a workshop, four at least, one
    step on or out. So runs are at most the steps of all the tiles that ever enter, divided by four; a run is at most
    four commits (run, deliver, ship, discard), a turn besides four, a bonus two, a tile of the City Hall three.
    """
    shops = len(setup.data.workshops)
    turns = TURNS_MOST_IN_ROUND * setup.options.round_limit
    bonuses = min(SLOTS * turns, len(setup.data.start_cards) + len(setup.data.design_cards))
    hall = setup.data.jokers + setup.data.one_points
    drafted = SIDE * SIDE * setup.options.round_limit
    smallest = min(workshop.capacity for workshop in setup.data.workshops)
    runs = (drafted + bonuses + setup.data.jokers) * shops // smallest
    return setup.seats + 4 * turns + 2 * bonuses + 3 * hall + 4 * runs
