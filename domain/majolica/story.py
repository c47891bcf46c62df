"""What each event does to the state: total, refusing nothing."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.core.words import Seat
from domain.majolica import words as w
from domain.majolica.board import ALL_FACE_UP, INDEX
from domain.majolica.state import Player, SlotCard, State, blank_state, left_of, workshop_of
from domain.majolica.tiles import JOKER, NONE, ORDER, Counts, counts, minus, plus

blank = blank_state


def evolve(state: State, event: w.MajolicaEvent) -> State:
    """The state after an event."""
    return _EVOLVE[type(event)](state, event)


def _with(state: State, seat: Seat, **changes: Any) -> tuple[Player, ...]:
    return tuple(replace(p, **changes) if at == seat else p for at, p in enumerate(state.players))


def _at(row: tuple[Any, ...], number: int, value: Any) -> tuple[Any, ...]:
    return (*row[: number - 1], value, *row[number:])


def _fill(state: State, seat: Seat, number: int, tiles: Counts) -> State:
    """Tiles enter a workshop, which may overflow now (R32)."""
    workshops = state.players[seat].workshops
    bag = plus(workshops[number - 1], tiles)
    over = sum(bag) > workshop_of(state, number).capacity
    return replace(
        state,
        players=_with(state, seat, workshops=_at(workshops, number, bag)),
        overflow=number if over else 0,
    )


def _take_out(state: State, seat: Seat, number: int, tiles: Counts) -> tuple[Player, ...]:
    workshops = state.players[seat].workshops
    return _with(state, seat, workshops=_at(workshops, number, minus(workshops[number - 1], tiles)))


def _start_token_drawn(state: State, event: w.StartTokenDrawn) -> State:
    return replace(state, holder=event.seat, seat=event.seat)


def _start_card_dealt(state: State, event: w.StartCardDealt) -> State:
    return replace(
        state,
        players=_with(state, event.seat, dealt=event.card),
        start_cards=tuple(card for card in state.start_cards if card != event.card),
    )


def _grid_laid(state: State, event: w.GridLaid) -> State:
    return replace(state, grid="".join(event.grid), face_up=ALL_FACE_UP, round=event.round)


def _card_revealed(state: State, event: w.CardRevealed) -> State:
    return replace(
        state,
        market=_at(state.market, event.place + 1, event.card),
        pile=tuple(card for card in state.pile if card != event.card),
    )


def _start_card_placed(state: State, event: w.StartCardPlaced) -> State:
    slots = _at(state.players[event.seat].slots, event.slot, SlotCard(event.card, state.table.cells[event.card]))
    return replace(
        state,
        players=_with(state, event.seat, slots=slots, dealt=""),
        start_cards=tuple(card for card in state.start_cards if card != event.card),
        to_place_start=state.to_place_start - 1,
        seat=left_of(state, event.seat),
    )


def _line_taken(state: State, event: w.LineTaken) -> State:
    mask = sum(1 << INDEX[cell] for cell in event.cells)
    return replace(state, selected=True, taken=counts(event.tiles), face_up=state.face_up & ~mask)


def _tile_taken(state: State, event: w.TileTaken) -> State:
    mask = 1 << INDEX[event.cell]
    return replace(state, selected=True, arranging=True, taken=counts((event.tile,)), face_up=state.face_up & ~mask)


def _card_taken(state: State, event: w.CardTaken) -> State:
    slots = _at(state.players[event.seat].slots, event.slot, SlotCard(event.card, state.table.cells[event.card]))
    return replace(
        state,
        players=_with(state, event.seat, slots=slots),
        market=_at(state.market, event.place + 1, ""),
        arranging=False,
    )


def _card_moved(state: State, event: w.CardMoved) -> State:
    slots = state.players[event.seat].slots
    moved = _at(_at(slots, event.to_slot, slots[event.slot - 1]), event.slot, None)
    return replace(state, players=_with(state, event.seat, slots=moved), arranging=False)


def _cards_kept(state: State, event: w.CardsKept) -> State:
    del event
    return replace(state, arranging=False)


def _tiles_placed(state: State, event: w.TilesPlaced) -> State:
    return replace(_fill(state, event.seat, event.workshop, counts(event.tiles)), taken=NONE)


def _tiles_discarded(state: State, event: w.TilesDiscarded) -> State:
    tiles = counts(event.tiles)
    return replace(
        state,
        players=_take_out(state, event.seat, event.workshop, tiles),
        jokers_out=state.jokers_out + tiles[JOKER],
        overflow=0,
    )


def _run_started(state: State, event: w.RunStarted) -> State:
    return replace(state, running=event.workshop, delivered=False)


def _tiles_delivered(state: State, event: w.TilesDelivered) -> State:
    number = event.workshop
    slots = state.players[event.seat].slots
    slot = slots[number - 1]
    tiles = counts(each.tile for each in event.deliveries)
    players = _take_out(state, event.seat, number, tiles)
    if slot is not None and event.deliveries:
        cells = counts(each.colour for each in event.deliveries)
        laid = replace(slot, open=minus(slot.open, cells), on=plus(slot.on, tiles))
        players = _with(replace(state, players=players), event.seat, slots=_at(slots, number, laid))
    return replace(state, players=players, delivered=True)


def _card_completed(state: State, event: w.CardCompleted) -> State:
    player = state.players[event.seat]
    slot = player.slots[event.slot - 1]
    players = _with(
        state,
        event.seat,
        slots=_at(player.slots, event.slot, None),
        finished=(*player.finished, event.card),
        finished_points=player.finished_points + event.points,
    )
    jokers = slot.on[JOKER] if slot is not None else 0
    return replace(state, players=players, jokers_out=state.jokers_out + jokers, bonuses=state.bonuses + 1)


def _tiles_shipped(state: State, event: w.TilesShipped) -> State:
    tiles = counts(event.tiles)
    emptied = replace(state, players=_take_out(state, event.seat, event.workshop, tiles))
    return replace(_fill(emptied, event.seat, event.to_workshop, tiles), running=0, delivered=False)


def _workshop_emptied(state: State, event: w.WorkshopEmptied) -> State:
    tiles = counts(event.tiles)
    return replace(
        state,
        players=_take_out(state, event.seat, event.workshop, tiles),
        jokers_out=state.jokers_out + tiles[JOKER],
        running=0,
        claiming=state.hall_jokers + state.hall_points > 0,
    )


def _bonus_used(state: State, event: w.BonusUsed) -> State:
    tile = tuple(int(index == ORDER[event.tile]) for index in range(len(NONE)))
    return replace(_fill(state, event.seat, event.workshop, tile), bonuses=state.bonuses - 1)


def _bonus_declined(state: State, event: w.BonusDeclined) -> State:
    del event
    return replace(state, bonuses=state.bonuses - 1)


def _joker_claimed(state: State, event: w.JokerClaimed) -> State:
    del event
    return replace(state, hall_jokers=state.hall_jokers - 1, claiming=False, joker_held=True)


def _one_point_claimed(state: State, event: w.OnePointClaimed) -> State:
    players = _with(state, event.seat, one_points=state.players[event.seat].one_points + 1)
    return replace(state, players=players, hall_points=state.hall_points - 1, claiming=False)


def _joker_placed(state: State, event: w.JokerPlaced) -> State:
    return replace(_fill(state, event.seat, event.workshop, (0, 0, 0, 0, 1)), joker_held=False)


def _turn_ended(state: State, event: w.TurnEnded) -> State:
    return replace(
        state,
        players=_with(state, event.seat, last_turn=event.turn),
        turn=event.turn + 1,
        seat=left_of(state, event.seat),
        selected=False,
    )


def _round_ended(state: State, event: w.RoundEnded) -> State:
    del event
    return state


def _start_token_passed(state: State, event: w.StartTokenPassed) -> State:
    return replace(state, holder=event.seat, seat=event.seat)


def _score_counted(state: State, event: w.ScoreCounted) -> State:
    return replace(state, scores=(*state.scores, event.points))


def _play_ended(state: State, event: w.PlayEnded) -> State:
    return replace(state, cause=event.cause)


_EVOLVE: Final[Mapping[type, Callable[[State, Any], State]]] = {
    w.StartTokenDrawn: _start_token_drawn,
    w.StartCardDealt: _start_card_dealt,
    w.GridLaid: _grid_laid,
    w.CardRevealed: _card_revealed,
    w.StartCardPlaced: _start_card_placed,
    w.LineTaken: _line_taken,
    w.TileTaken: _tile_taken,
    w.CardTaken: _card_taken,
    w.CardMoved: _card_moved,
    w.CardsKept: _cards_kept,
    w.TilesPlaced: _tiles_placed,
    w.TilesDiscarded: _tiles_discarded,
    w.RunStarted: _run_started,
    w.TilesDelivered: _tiles_delivered,
    w.CardCompleted: _card_completed,
    w.TilesShipped: _tiles_shipped,
    w.WorkshopEmptied: _workshop_emptied,
    w.BonusUsed: _bonus_used,
    w.BonusDeclined: _bonus_declined,
    w.JokerClaimed: _joker_claimed,
    w.OnePointClaimed: _one_point_claimed,
    w.JokerPlaced: _joker_placed,
    w.TurnEnded: _turn_ended,
    w.RoundEnded: _round_ended,
    w.StartTokenPassed: _start_token_passed,
    w.ScoreCounted: _score_counted,
    w.PlayEnded: _play_ended,
}
