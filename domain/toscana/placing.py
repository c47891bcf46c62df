"""Where a tile may be laid (R10 to R17): one set of predicates, for listing placements and for judging one."""

from typing import Final

from domain.core.errors import Illegal
from domain.toscana.board import (
    BOARD,
    BOXES,
    ON_BOARD,
    OVER_CENTRE,
    SIZE,
    SQUARES,
    SYMMETRIC,
    Turned,
    anchor,
    bit,
    neighbours,
    picture_of,
    room,
    turned,
)
from domain.toscana.state import State
from domain.toscana.words import NextVeto, PlaceTile, Side

TURNS: Final = range(4)


def shapes_of(state: State, tile: str) -> tuple[Turned, Turned, Turned, Turned]:
    """The tile in its four orientations."""
    return turned(picture_of(state.setup.data, tile))


def touching(state: State, side: Side, shape: Turned) -> int:
    """The anchors at which the side's tile touches its colour with its colour (R14), whatever it covers.

    Under the option `any_colour` its minority squares may touch theirs instead.
    """
    own, other = (state.courtyard, state.building) if side is Side.COURTYARD else (state.building, state.courtyard)
    halo = neighbours(own)
    found = 0
    for i in shape.dominant:
        found |= halo >> i
    if state.setup.options.contact == "any_colour":
        halo = neighbours(other)
        for i in shape.minority:
            found |= halo >> i
    return found


def connected(state: State, side: Side, shape: Turned, o: int) -> int:
    """The anchors that satisfy the rule for the first tile (R12), or for a later one (R14)."""
    if state.laid:
        return touching(state, side, shape)
    return OVER_CENTRE[o] if state.setup.options.first_tile == "centre" else ON_BOARD[o]


def free_squares(state: State) -> int:
    """The squares of the board that no tile covers."""
    return BOARD ^ state.courtyard ^ state.building


def anchors(state: State, side: Side, tile: str) -> tuple[int, ...]:
    """The anchors where the tile may be laid, by orientation; two orientations for a symmetric tile (R10)."""
    shapes = shapes_of(state, tile)
    spaces = room(free_squares(state))
    turns = TURNS[:2] if tile in SYMMETRIC else TURNS
    return tuple(spaces[o] and spaces[o] & connected(state, side, shapes[o], o) for o in turns)


def placeable(state: State, side: Side) -> bool:
    """Whether the side has a top tile, and that tile a legal placement (R17, R19)."""
    tile = state.camp(side).top
    return tile is not None and any(anchors(state, side, tile))


def places(state: State, side: Side, tile: str) -> list[tuple[int, int, int]]:
    """Column, row and orientation of every legal placement, in order of orientation, row, column."""
    found: list[tuple[int, int, int]] = []
    for o, squares in enumerate(anchors(state, side, tile)):
        left = squares
        while left:
            lowest = left & -left
            x, y = SQUARES[lowest.bit_length() - 1]
            found.append((x, y, o))
            left ^= lowest
    return found


def check(state: State, side: Side, command: PlaceTile) -> None:
    """Raise Illegal unless the tile may be laid there."""
    x, y, o = command.x, command.y, command.o
    if o not in TURNS:
        raise Illegal("bad_orientation", "R10", f"{o} is no orientation.", "It is 0, 1, 2 or 3 quarter turns.")
    if not (0 <= x < SIZE and 0 <= y < SIZE and ON_BOARD[o] & bit(x, y)):
        raise Illegal("out_of_board", "R11", f"{command.tile} at ({x}, {y}) sticks out of the board.", _box_hint(o))
    here = bit(x, y)
    if not room(free_squares(state))[o] & here:
        raise Illegal("overlap", "R11", f"{command.tile} at ({x}, {y}) would cover a tile that is laid.")
    if connected(state, side, shapes_of(state, command.tile)[o], o) & here:
        return
    if not state.laid:
        raise Illegal("must_cover_centre", "R12", "The first tile must cover the centre.", "The centre is (8, 8).")
    where = f"{command.tile} at ({x}, {y}) touches no"
    if state.setup.options.contact == "any_colour":
        raise Illegal("no_own_colour_contact", "R14", f"{where} square of like colour.", "Corners do not count.")
    raise Illegal(
        "no_own_colour_contact",
        "R14",
        f"{where} {side} square with a {side} square.",
        "Corners do not count, and neither do its two squares of the other colour.",
    )


def _box_hint(o: int) -> str:
    """How far the anchor may go."""
    width, height = BOXES[o]
    return f"In this orientation x is at most {SIZE - width} and y at most {SIZE - height}."


def normal_place(command: PlaceTile) -> PlaceTile:
    """A symmetric tile turned by 180 degrees is the same placement with the smaller orientation (R10)."""
    if command.o in (2, 3) and command.tile in SYMMETRIC:
        return PlaceTile(command.tile, command.x, command.y, command.o - 2, command.next_veto)
    return command


def lay(state: State, tile: str, x: int, y: int, o: int) -> tuple[int, int]:
    """The courtyard and the building squares of the tile at that place."""
    shape = shapes_of(state, tile)[o]
    at = anchor(x, y)
    return shape.courtyard << at, shape.building << at


def commands(state: State, side: Side, tile: str, decisions: tuple[NextVeto, ...]) -> tuple[PlaceTile, ...]:
    """Every placement of the tile with the first decision, then every one with the second, and so on."""
    spots = places(state, side, tile)
    return tuple(PlaceTile(tile, x, y, o, decision) for decision in decisions for x, y, o in spots)
