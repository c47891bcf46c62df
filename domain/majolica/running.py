"""The second half of a turn: running workshops, deliveries, shipping, bonuses and the City Hall."""

from typing import Final

from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.board import WORKSHOP_NUMBERS
from domain.majolica.state import State, mover, ready, ways_to_deliver
from domain.majolica.tiles import COLOURS, Delivery, spelled

BONUSES: Final[tuple[c.MajolicaCommand, ...]] = (
    *(c.UseBonus(tile, number) for tile in COLOURS for number in WORKSHOP_NUMBERS),
    c.DeclineBonus(),
)
JOKER_PLACINGS: Final = tuple(c.PlaceJoker(number) for number in WORKSHOP_NUMBERS)
ONE_POINT: Final = 1


def bonus_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Using or declining an open bonus (R46, M1)."""
    return BONUSES if state.bonuses else ()


def resolve_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Which ready workshop runs, or a bonus first (R41, M1)."""
    return tuple(c.RunWorkshop(number) for number in ready(state)) + bonus_commands(state)


def deliver_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Every different delivery of the running workshop (R43)."""
    return tuple(c.DeliverTiles(laid) for laid in ways_to_deliver(state, state.running))


def ship_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Shipping, or a bonus first (R46, R47)."""
    return (c.ShipTiles(), *bonus_commands(state))


def city_hall_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """Either kind of the City Hall's tiles, or a bonus first; with one kind left nothing is asked (R50, M1, M2)."""
    return (c.ClaimJoker(), c.ClaimOnePoint(), *bonus_commands(state))


def joker_commands(state: State) -> tuple[c.MajolicaCommand, ...]:
    """The joker into any workshop, or a bonus first (R51, M1)."""
    return (*JOKER_PLACINGS, *bonus_commands(state))


def run_workshop(state: State, command: c.RunWorkshop) -> tuple[w.MajolicaEvent, ...]:
    """R41."""
    return (w.RunStarted(state.seat, command.workshop),)


def deliver_tiles(state: State, command: c.DeliverTiles) -> tuple[w.MajolicaEvent, ...]:
    """R43, R45."""
    return delivered(state, command.deliveries)


def delivered(state: State, deliveries: tuple[Delivery, ...]) -> tuple[w.MajolicaEvent, ...]:
    """The delivery, and the card's completion when no cell stays open (R45)."""
    number = state.running
    laid = w.TilesDelivered(state.seat, number, deliveries)
    slot = mover(state).slots[number - 1]
    if slot is None or sum(slot.open) > len(deliveries):
        return (laid,)
    return (laid, w.CardCompleted(state.seat, slot.card, number, state.table.cards[slot.card].points, "R72"))


def ship_tiles(state: State, command: c.ShipTiles) -> tuple[w.MajolicaEvent, ...]:
    """R47."""
    del command
    return shipped(state)


def shipped(state: State) -> tuple[w.MajolicaEvent, ...]:
    """Everything left in the running workshop moves on (R47)."""
    number = state.running
    tiles = spelled(mover(state).workshops[number - 1])
    return (w.TilesShipped(state.seat, number, number + 1, tiles),)


def emptied(state: State) -> tuple[w.MajolicaEvent, ...]:
    """Workshop 4 throws its tiles away (R48)."""
    tiles = spelled(mover(state).workshops[state.running - 1])
    return (w.WorkshopEmptied(state.seat, state.running, tiles),)


def use_bonus(state: State, command: c.UseBonus) -> tuple[w.MajolicaEvent, ...]:
    """R46."""
    return (w.BonusUsed(state.seat, command.tile, command.workshop),)


def decline_bonus(state: State, command: c.DeclineBonus) -> tuple[w.MajolicaEvent, ...]:
    """R46."""
    del command
    return (w.BonusDeclined(state.seat),)


def claim_joker(state: State, command: c.ClaimJoker) -> tuple[w.MajolicaEvent, ...]:
    """R50."""
    del command
    return (w.JokerClaimed(state.seat),)


def claim_one_point(state: State, command: c.ClaimOnePoint) -> tuple[w.MajolicaEvent, ...]:
    """R50, R51."""
    del command
    return (w.OnePointClaimed(state.seat, ONE_POINT, "R72"),)


def place_joker(state: State, command: c.PlaceJoker) -> tuple[w.MajolicaEvent, ...]:
    """R51."""
    return (w.JokerPlaced(state.seat, command.workshop),)
