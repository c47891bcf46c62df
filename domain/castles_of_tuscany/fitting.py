"""Where a tile may lie (R8.1): on an empty space of its kind that touches a covered one."""

from domain.castles_of_tuscany.display import filled_slots
from domain.castles_of_tuscany.region import Region, open_spaces, space_at
from domain.castles_of_tuscany.state import State, kind_of
from domain.castles_of_tuscany.words import PlaceFromDisplay
from domain.core.errors import Illegal
from domain.core.words import Seat


def region(state: State, seat: Seat) -> Region:
    """The seat's region, which there is once setup is over."""
    found = state.players[seat].region
    assert found is not None
    return found


def fits(state: State, seat: Seat, tile: str, space: int) -> bool:
    """Whether the space has the tile's kind; a wild hex fits any."""
    return kind_of(tile) in (None, region(state, seat).kinds[space])


def reachable(state: State, seat: Seat) -> tuple[int, ...]:
    """The empty spaces of the seat's region that touch a covered one."""
    return open_spaces(region(state, seat), state.players[seat].cover)


def space_for(state: State, seat: Seat, tile: str, q: int, r: int) -> int:
    """The space at these coordinates; refuses one where the tile may not lie."""
    land = region(state, seat)
    space = space_at(land, q, r)
    if space is None:
        raise Illegal("no_such_space", "R4.5", f"Your region has no space ({q}, {r}).")
    if state.players[seat].cover[space]:
        raise Illegal("space_covered", "R8.5", f"The space ({q}, {r}) is covered.", "Covered spaces stay as they are.")
    if not fits(state, seat, tile, space):
        raise Illegal("wrong_kind", "R8.1", f"The space ({q}, {r}) is {land.kinds[space]}, the tile is {tile}.")
    if space not in reachable(state, seat):
        raise Illegal("not_adjacent", "R8.1", f"The space ({q}, {r}) touches no covered space.")
    return space


def castle_placements(state: State, seat: Seat) -> tuple[PlaceFromDisplay, ...]:
    """Every tile of the display on every space where it may lie (R9.1)."""
    land = region(state, seat)
    spaces = reachable(state, seat)
    return tuple(
        PlaceFromDisplay(slot, *land.grid.spaces[space])
        for slot in filled_slots(state)
        for space in spaces
        if fits(state, seat, state.display[slot], space)
    )
