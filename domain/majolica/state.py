"""Where a match stands, and the questions that rules, story and sight all ask of it."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.core.game import Setup
from domain.core.words import Seat
from domain.majolica.board import FACE_UP_TO_GO_ON, GRID_TILES, MARKET_PLACES, SLOTS, WORKSHOP_NUMBERS
from domain.majolica.options import Card, Data, Options, Workshop
from domain.majolica.tiles import COLOURS, JOKER, NONE, Counts, Delivery, counts, fitting


class Table(msgspec.Struct, frozen=True):
    """What does not change during a match: the setup, and its cards by name."""

    setup: Setup[Options, Data]
    cards: Mapping[str, Card]
    cells: Mapping[str, Counts]


class SlotCard(msgspec.Struct, frozen=True):
    """A card in a slot: its open cells, by colour, and the tiles that lie on it."""

    card: str
    open: Counts
    on: Counts = NONE


EMPTY_BOARD: Final = (NONE,) * len(WORKSHOP_NUMBERS)
EMPTY_SLOTS: Final[tuple[SlotCard | None, ...]] = (None,) * SLOTS


class Player(msgspec.Struct, frozen=True):
    """One player's board and belongings."""

    workshops: tuple[Counts, ...] = EMPTY_BOARD
    slots: tuple[SlotCard | None, ...] = EMPTY_SLOTS
    finished: tuple[str, ...] = ()
    finished_points: int = 0
    one_points: int = 0
    dealt: str = ""
    last_turn: int = 0


class State(msgspec.Struct, frozen=True):
    """Where a match stands; nothing in it is hidden from anybody.

    face_up: the bits of the grid's face-up tiles. pile: the cards of the draw pile in the deck's order, which says
    nothing about what comes next. start_cards: those not dealt or chosen. running, overflow: workshop numbers, or 0.
    """

    table: Table
    players: tuple[Player, ...]
    pile: tuple[str, ...]
    start_cards: tuple[str, ...]
    hall_jokers: int
    hall_points: int
    jokers_out: int = 0
    market: tuple[str, ...] = ("",) * MARKET_PLACES
    grid: str = GRID_TILES
    face_up: int = 0
    round: int = 1
    turn: int = 1
    holder: Seat = 0
    seat: Seat = 0
    to_place_start: int = 0
    selected: bool = False
    arranging: bool = False
    taken: Counts = NONE
    overflow: int = 0
    running: int = 0
    delivered: bool = False
    bonuses: int = 0
    claiming: bool = False
    joker_held: bool = False
    scores: tuple[int, ...] = ()
    cause: str = ""


def blank_state(setup: Setup[Options, Data]) -> State:
    """The state before anything happened: everything in the box."""
    data = setup.data
    every = data.start_cards + data.design_cards
    return State(
        table=Table(setup, {card.name: card for card in every}, {card.name: counts(card.cells) for card in every}),
        players=(Player(),) * setup.seats,
        pile=tuple(card.name for card in data.design_cards),
        start_cards=tuple(card.name for card in data.start_cards),
        hall_jokers=data.jokers,
        hall_points=data.one_points,
        to_place_start=setup.seats,
    )


def options_of(state: State) -> Options:
    """The options of the match."""
    return state.table.setup.options


def workshop_of(state: State, number: int) -> Workshop:
    """The data of a workshop by its number."""
    return state.table.setup.data.workshops[number - 1]


def phase(state: State) -> str:
    """What is asked next: the name of the decision, from the most urgent down."""
    if state.cause:
        return "over"
    if state.to_place_start:
        return "start_card"
    if state.overflow:
        return "discard"
    if state.arranging:
        return "cards"
    if state.taken != NONE:
        return "place"
    if state.joker_held:
        return "joker"
    if state.claiming:
        return "city_hall"
    if state.running:
        return "ship" if state.delivered else "deliver"
    return "resolve" if state.selected else "select"


def excess(state: State) -> int:
    """How many tiles the overflowing workshop holds too much; 0 when none overflows (R32)."""
    if not state.overflow:
        return 0
    return sum(mover(state).workshops[state.overflow - 1]) - workshop_of(state, state.overflow).capacity


def mover(state: State) -> Player:
    """The player whose decision it is."""
    return state.players[state.seat]


def matches(bag: Counts, workshop: Workshop) -> bool:
    """Whether a workshop with these tiles matches its pattern exactly (R40)."""
    return (
        sum(bag) == workshop.capacity
        and max(bag[:JOKER]) <= workshop.set_size
        and len(COLOURS) - bag[:JOKER].count(0) <= workshop.set_count
    )


def ways_to_deliver(state: State, number: int) -> tuple[tuple[Delivery, ...], ...]:
    """Every way in which a workshop of the player on turn can deliver; empty when nothing can be (R43, R44)."""
    slot = mover(state).slots[number - 1] if number <= SLOTS else None
    if slot is None:
        return ()
    workshop = workshop_of(state, number)
    return fitting(mover(state).workshops[number - 1], slot.open, workshop.deliver_min, workshop.deliver_max)


def ready(state: State) -> tuple[int, ...]:
    """The workshops of the player on turn that are ready to run (R40, R41)."""
    blocked = options_of(state).empty_slot_run == "blocked"
    found: tuple[int, ...] = ()
    for number, bag in zip(WORKSHOP_NUMBERS, mover(state).workshops, strict=True):
        if matches(bag, workshop_of(state, number)):
            if blocked and number <= SLOTS and not ways_to_deliver(state, number):
                continue
            found += (number,)
    return found


def empty_slots(state: State) -> tuple[int, ...]:
    """The empty slots of the player on turn, by number."""
    return tuple(number for number, slot in enumerate(mover(state).slots, 1) if slot is None)


def face_up_count(state: State) -> int:
    """How many large tiles are face up (R60)."""
    return state.face_up.bit_count()


def round_goes_on(state: State) -> bool:
    """Whether enough tiles are face up for another turn (R60)."""
    return face_up_count(state) >= FACE_UP_TO_GO_ON


def incomplete_points(state: State, seat: Seat) -> int:
    """Points for tiles on a seat's incomplete cards: one for two tiles (R72)."""
    lying = [sum(slot.on) for slot in state.players[seat].slots if slot is not None]
    if options_of(state).incomplete_counting == "per_card":
        return sum(tiles // 2 for tiles in lying)
    return sum(lying) // 2


def score(state: State, seat: Seat) -> int:
    """A seat's score if it were counted now (R72)."""
    player = state.players[seat]
    return player.finished_points + incomplete_points(state, seat) + player.one_points


def left_of(state: State, seat: Seat) -> Seat:
    """The seat's left neighbour (R16)."""
    return (seat + 1) % len(state.players)
