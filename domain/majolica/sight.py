"""What a viewer sees, and how that looks in a terminal; everybody sees the same."""

from typing import Annotated

import msgspec

from domain.core.words import Viewer
from domain.majolica.board import CELLS
from domain.majolica.options import Card
from domain.majolica.state import (
    Player,
    SlotCard,
    State,
    excess,
    face_up_count,
    mover,
    options_of,
    phase,
    ready,
    score,
)
from domain.majolica.tiles import NONE, letters

_about = msgspec.Meta
Letters = Annotated[str, _about(description="Tiles as letters: R B Y G, and * for a joker.")]


class MarketCard(msgspec.Struct, frozen=True):
    """A place of the market, and the card there; an empty place has no name, no cells and no points."""

    place: Annotated[int, _about(description="0 to 5.")]
    card: Annotated[str, _about(description="The card's name.")]
    cells: Annotated[str, _about(description="Its cells as letters.")]
    points: Annotated[int, _about(description="What it is worth once completed.")]


class SlotView(msgspec.Struct, frozen=True):
    """A card slot and the card in it; an empty slot has no name, no cells and no points."""

    slot: Annotated[int, _about(description="1 to 3; slot n belongs to workshop n.")]
    card: Annotated[str, _about(description="The card's name.")]
    tiles: Letters
    open: Annotated[str, _about(description="Its open cells as letters.")]
    points: Annotated[int, _about(description="What it is worth once completed.")]


class PlayerBoard(msgspec.Struct, frozen=True):
    """One player's board and belongings."""

    seat: Annotated[int, _about(description="The player's seat.")]
    workshops: Annotated[tuple[str, ...], _about(description="The four workshops' tiles as letters.")]
    ready: Annotated[tuple[int, ...], _about(description="Workshops that wait to be run, while a turn's runs go on.")]
    slots: Annotated[tuple[SlotView, ...], _about(description="The three card slots.")]
    finished: Annotated[tuple[str, ...], _about(description="Completed cards by name, the first completed first.")]
    one_points: Annotated[int, _about(description="One-point tiles.")]
    start_card: Annotated[str, _about(description="The start card dealt and not yet placed; else empty.")]
    last_turn: Annotated[int, _about(description="The number of this player's last turn, which breaks ties; or 0.")]
    score: Annotated[int, _about(description="The score if it were counted now.")]


class MajolicaView(msgspec.Struct, frozen=True):
    """The whole table. Nothing that has been fixed is hidden: the draw pile has no order until it is drawn from."""

    phase: Annotated[str, _about(description="What is asked: start_card, select, cards, place, discard, ... or over.")]
    deciding: Annotated[int | None, _about(description="The seat whose decision it is; nobody once play is over.")]
    round: Annotated[int, _about(description="The round, from 1.")]
    round_limit: Annotated[int, _about(description="The round after which the match ends at the latest.")]
    turn: Annotated[int, _about(description="The number of the turn, counted over the match.")]
    start_token: Annotated[int, _about(description="The seat that started this round.")]
    grid: Annotated[tuple[str, ...], _about(description="Four rows from the top; a dot is a tile that is face down.")]
    face_up: Annotated[int, _about(description="Large tiles face up; a turn that leaves three or fewer ends a round.")]
    market: Annotated[tuple[MarketCard, ...], _about(description="The six places of the market.")]
    pile: Annotated[int, _about(description="Cards in the draw pile.")]
    start_offer: Annotated[tuple[str, ...], _about(description="Start cards to choose from, where they are chosen.")]
    hall_jokers: Annotated[int, _about(description="Jokers on the City Hall.")]
    hall_one_points: Annotated[int, _about(description="One-point tiles on the City Hall.")]
    taken: Annotated[str, _about(description="Tiles taken this turn and not yet placed, as letters.")]
    overflow: Annotated[int, _about(description="The workshop that overflows, or 0.")]
    excess: Annotated[int, _about(description="How many tiles it must discard.")]
    running: Annotated[int, _about(description="The workshop that runs, or 0.")]
    bonuses: Annotated[int, _about(description="Completion bonuses open.")]
    joker_held: Annotated[bool, _about(description="Whether a claimed joker waits to be placed.")]
    ended_by: Annotated[str, _about(description="What ended the match: five_cards or round_limit; else empty.")]
    players: Annotated[tuple[PlayerBoard, ...], _about(description="The players by seat.")]


def view(state: State, viewer: Viewer) -> MajolicaView:
    """What any viewer sees (section 5 of the rules: open information)."""
    del viewer
    now = phase(state)
    chosen = options_of(state).start_card == "chosen" and now == "start_card"
    return MajolicaView(
        phase=now,
        deciding=None if state.cause else state.seat,
        round=state.round,
        round_limit=options_of(state).round_limit,
        turn=state.turn - 1 if state.cause else state.turn,
        start_token=state.holder,
        grid=_grid(state),
        face_up=face_up_count(state),
        market=tuple(_market_card(state, place, name) for place, name in enumerate(state.market)),
        pile=len(state.pile),
        start_offer=state.start_cards if chosen else (),
        hall_jokers=state.hall_jokers,
        hall_one_points=state.hall_points,
        taken=letters(state.taken),
        overflow=state.overflow,
        excess=excess(state),
        running=state.running,
        bonuses=state.bonuses,
        joker_held=state.joker_held,
        ended_by=state.cause,
        players=tuple(_board(state, seat, player) for seat, player in enumerate(state.players)),
    )


def _grid(state: State) -> tuple[str, ...]:
    shown = [tile if state.face_up >> i & 1 else "." for i, tile in enumerate(state.grid)]
    side = CELLS[-1].column
    return tuple("".join(shown[i : i + side]) for i in range(0, len(shown), side))


def _market_card(state: State, place: int, name: str) -> MarketCard:
    card = state.table.cards.get(name, Card("", "", 0))
    return MarketCard(place, card.name, card.cells, card.points)


def _slot(state: State, number: int, slot: SlotCard | None) -> SlotView:
    if slot is None:
        return SlotView(number, "", "", "", 0)
    return SlotView(number, slot.card, letters(slot.on), letters(slot.open), state.table.cards[slot.card].points)


def _board(state: State, seat: int, player: Player) -> PlayerBoard:
    return PlayerBoard(
        seat=seat,
        workshops=tuple(letters(bag) for bag in player.workshops),
        ready=ready(state) if player is mover(state) and _runs_go_on(state) else (),
        slots=tuple(_slot(state, number, slot) for number, slot in enumerate(player.slots, 1)),
        finished=player.finished,
        one_points=player.one_points,
        start_card=player.dealt,
        last_turn=player.last_turn,
        score=score(state, seat),
    )


def _runs_go_on(state: State) -> bool:
    return state.selected and state.taken == NONE and not state.running and not state.overflow


def sketch(seen: MajolicaView) -> str:
    """The table in at most 100 columns."""
    rows = [_headline(seen), ""]
    market = [f"{each.place}: {each.card or '-':4} {each.cells:6} {each.points or ''}" for each in seen.market]
    hall = f"City Hall: {seen.hall_jokers} jokers, {seen.hall_one_points} one-point tiles"
    beside = [f"market ({seen.pile} in the pile)    {hall}"]
    beside += [f"{left:20}  {right}" for left, right in zip(market[:3], market[3:], strict=True)]
    rows.append(f"      1 2 3 4      {beside[0]}")
    rows += [
        f"    {number} {' '.join(line)}      {beside[number] if number < len(beside) else ''}".rstrip()
        for number, line in enumerate(seen.grid, 1)
    ]
    if seen.start_offer:
        rows.append(f"    start cards on offer: {' '.join(seen.start_offer)}")
    for board in seen.players:
        rows += ["", *_player_rows(seen, board)]
    return "\n".join(rows)


def _headline(seen: MajolicaView) -> str:
    where = f"Majolica   round {seen.round} of at most {seen.round_limit}, turn {seen.turn}"
    if seen.ended_by:
        return f"{where}   over: {seen.ended_by.replace('_', ' ')}"
    more = [f"seat {seen.deciding}: {seen.phase.replace('_', ' ')}"]
    more += [f"taken {seen.taken}"] if seen.taken else []
    more += [f"workshop {seen.running} runs"] if seen.running else []
    more += [f"discard {seen.excess} from workshop {seen.overflow}"] if seen.overflow else []
    more += [f"bonuses {seen.bonuses}"] if seen.bonuses else []
    return f"{where}   {', '.join(more)}"


def _player_rows(seen: MajolicaView, board: PlayerBoard) -> list[str]:
    mark = ">" if board.seat == seen.deciding else " "
    token = " (start player)" if board.seat == seen.start_token else ""
    shops = "  ".join(
        f"W{n}{'!' if n in board.ready else ' '}[{tiles:6}]" for n, tiles in enumerate(board.workshops, 1)
    )
    slots = [f"{each.card}[{each.tiles}|{each.open}]{each.points}" if each.card else "-" for each in board.slots]
    under = "  ".join(f"{text:11}" for text in slots).rstrip()
    done = " ".join(board.finished) or "none"
    held = f"   to place: {board.start_card}" if board.start_card else ""
    return [
        f"{mark} seat {board.seat}{token}   score {board.score}   one-point tiles {board.one_points}{held}",
        f"    {shops}",
        f"    {under}",
        f"    completed: {done}",
    ]
