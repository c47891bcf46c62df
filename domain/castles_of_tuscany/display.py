"""The display: taking from it, filling the gap, and five of a kind (R7)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.state import SLOTS, State, kind_of
from domain.castles_of_tuscany.words import KINDS, TakeTile
from domain.core.errors import Illegal
from domain.core.words import Seat

FIVE = 5


def filled_slots(state: State) -> tuple[int, ...]:
    """The slots of the display that hold a tile."""
    return tuple(slot for slot, tile in enumerate(state.display) if tile)


def tile_in(state: State, slot: int, rule: str) -> str:
    """The tile in a slot; refuses a slot that is none, or empty."""
    if not 0 <= slot < SLOTS:
        raise Illegal("no_such_slot", rule, f"There is no slot {slot}.", "The display has the slots 0 to 7.")
    if not state.display[slot]:
        raise Illegal("slot_empty", rule, f"Slot {slot} is empty.")
    return state.display[slot]


def is_full(state: State, seat: Seat) -> bool:
    """Whether the seat has no free storage space (R7.2)."""
    player = state.players[seat]
    return len(player.storage) >= player.storage_spaces


def legal_takes(state: State, seat: Seat) -> tuple[TakeTile, ...]:
    """Every slot with every choice of what to give up, or with none while there is room."""
    slots = filled_slots(state)
    if not is_full(state, seat):
        return tuple(TakeTile(slot) for slot in slots)
    stored = range(len(state.players[seat].storage))
    return tuple(TakeTile(slot, give_up) for slot in slots for give_up in stored)


def take(course: Course, seat: Seat, command: TakeTile) -> None:
    """Give up, take, fill, check the stack, check for five of a kind: in this order (R7.7)."""
    tile = tile_in(course.state, command.slot, "R7.1")
    storage = course.player(seat).storage
    if is_full(course.state, seat):
        if command.give_up is None:
            raise Illegal("storage_full", "R7.3", "Your storage is full.", "Name the stored thing that you give up.")
        if not 0 <= command.give_up < len(storage):
            raise Illegal("no_such_stored", "R7.3", f"You store nothing at {command.give_up}.")
        course.add(e.TileGivenUp(seat, command.give_up, storage[command.give_up]))
    elif command.give_up is not None:
        raise Illegal("storage_not_full", "R7.3", "You have a free storage space, so nothing may be given up.")
    course.add(e.TileTaken(seat, command.slot, tile))
    fill_gap(course, seat, command.slot)


def fill_gap(course: Course, seat: Seat, slot: int) -> None:
    """Fill a slot from the leftmost stack, else from the neutral supply, else not; then check (R7.4 to R7.6)."""
    state, player = course.state, course.player(seat)
    stack = next((number for number, height in enumerate(player.stacks, 1) if height), 0)
    if stack:
        course.add(e.SlotRefilled(seat, slot, course.chance.pick("stack_tile", player.undrawn), stack))
        if stack == state.round and player.stacks[stack - 1] == 1 and not state.ending:
            course.add(e.RoundEndTriggered(seat, state.round))
    elif state.neutral:
        course.add(e.SlotRefilled(seat, slot, course.chance.pick("neutral_tile", state.neutral), 0))
    replace_five(course)


def replace_five(course: Course) -> None:
    """While five or more tiles of the display have one kind, neutral tiles replace them, if there are enough (R7.6)."""
    while True:
        display = course.state.display
        kinds = [kind_of(tile) if tile else None for tile in display]
        kind = next((kind for kind in KINDS if kinds.count(kind) >= FIVE), None)
        if kind is None or kinds.count(kind) > len(course.state.neutral):
            return
        slots = tuple(slot for slot, of in enumerate(kinds) if of is kind)
        tiles, _ = course.chance.take("neutral_tile", course.state.neutral, len(slots))
        course.add(e.FiveOfAKindReplaced(kind, slots, tuple(display[slot] for slot in slots), tiles))
