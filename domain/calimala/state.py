"""What the rules know about a match in progress; never shown as it is."""

from typing import Final

import msgspec

from domain.calimala.board import CLOTH, RESERVE, Data
from domain.calimala.options import Options
from domain.calimala.things import (
    ACTIONS,
    NEUTRAL,
    WORKERS,
    Action,
    EndReason,
    Phase,
    ScoringCard,
    Tile,
    Worker,
)
from domain.core.game import Setup
from domain.core.words import Seat

Piece = str
"""A worker on the table: F and its seat for a Family Member, C for a Contractor, H for a Hireling."""

CONTRACTOR: Final[Piece] = "C"
HIRELING: Final[Piece] = "H"

CHOOSING: Final = (Phase.KEEP_AT_SETUP, Phase.SHOW_CARD, Phase.KEEP_CARD)


class Mat(msgspec.Struct, frozen=True):
    """What one player has. Hidden parts are None in a fold that may not know them; their sizes are public."""

    cubes: tuple[int, ...]
    """Reserve, wood, brick, marble, cloth."""
    supply: tuple[int, ...]
    """Family Members, Contractors, Hirelings."""
    workshops: int = 1
    ships: int = 0
    houses: tuple[bool, ...] = (False, False, False)
    points: int = 0
    hand: tuple[Action, ...] | None = ()
    hand_size: int = 0
    held: tuple[ScoringCard, ...] | None = ()
    held_size: int = 0
    chosen: ScoringCard | None = None
    has_chosen: bool = False
    kept: ScoringCard | None = None
    has_kept: bool = False
    away: tuple[ScoringCard, ...] | None = ()
    shown: bool = False


class Activation(msgspec.Struct, frozen=True):
    """One worker letting one player act."""

    seat: Seat
    space: int
    worker: Worker
    by: Seat
    placed: bool
    pending: tuple[Action, ...]
    taken: bool = False
    """A grid action has been carried out in it (R37)."""


class State(msgspec.Struct, frozen=True):
    """A match of Calimala."""

    setup: Setup[Options, Data]
    capacities: tuple[int, ...]
    mats: tuple[Mat, ...]
    neutral_cubes: int
    board: tuple[tuple[int, ...], ...] = ((),) * 19
    """For each slot group the participants whose cubes fill it, from the left."""
    phase: Phase = Phase.KEEP_AT_SETUP
    start: Seat = 0
    active: Seat = 0
    turns: int = 0
    layout: tuple[Action, ...] = ()
    tiles: tuple[Tile, ...] = ()
    scored: int = 0
    stacks: tuple[tuple[Piece, ...], ...] = ((),) * 12
    queue: tuple[int, ...] = ()
    """Where in the stack the Family Members lie that are still to be reactivated, the next one first."""
    current: Activation | None = None
    space: int = 0
    """Where the worker of this turn was placed."""
    neutral_follows: bool = False
    """In this turn cubes on the main board bring neutral ones (R93)."""
    compensated: bool = False
    """The active player has drawn the one card of this turn (R61)."""
    tower: Piece | None = None
    council: tuple[int | None, ...] = ()
    """Owners of the seats in order of arrival: the Council's, then those left in the tower."""
    box: tuple[int, ...] = (0, 0, 0)
    """Workers out of the game, by kind."""
    offer: tuple[Action, ...] = ()
    takers: tuple[Seat, ...] = ()
    """Seats that still take a starting card, the next one first."""
    deck: int = 0
    discard: tuple[Action, ...] = ()
    open_cards: tuple[ScoringCard, ...] = ()
    end: EndReason | None = None
    closing: bool = False
    scores: tuple[int, ...] = ()
    order: tuple[Seat, ...] = ()
    decided_by: str = ""


def figures(state: State) -> Data:
    """The component data of this match."""
    return state.setup.data


def room(state: State, group: int) -> int:
    """Free slots in a slot group."""
    return state.capacities[group] - len(state.board[group])


def cloth_room(state: State, mat: Mat) -> int:
    """How much cloth the mat's workshops can still take (R3)."""
    return figures(state).figures.cloth_per_workshop * mat.workshops - mat.cubes[CLOTH]


def in_reserve(mat: Mat) -> int:
    """Cubes that the player can still bring into play."""
    return mat.cubes[RESERVE]


def piece(worker: Worker, seat: Seat) -> Piece:
    """The worker as it lies on the table."""
    if worker is Worker.FAMILY_MEMBER:
        return f"F{seat}"
    return CONTRACTOR if worker is Worker.CONTRACTOR else HIRELING


def kind(lying: Piece) -> Worker:
    """Which kind of worker a piece is."""
    return WORKERS["FCH".index(lying[0])]


def owner(lying: Piece) -> int | None:
    """Whose a piece is: a seat's, the neutral player's, or nobody's."""
    if lying[0] == "F":
        return int(lying[1:])
    return NEUTRAL if lying == HIRELING else None


def participants(state: State) -> tuple[int, ...]:
    """The seats, and with two players the neutral player."""
    seats = tuple(range(state.setup.seats))
    return (*seats, NEUTRAL) if state.setup.seats == 2 else seats  # noqa: PLR2004 - the two-player game


def starting_order(state: State) -> tuple[Seat, ...]:
    """The seats clockwise from the starting player."""
    return tuple((state.start + i) % state.setup.seats for i in range(state.setup.seats))


def grid_actions(state: State, street: tuple[int, int]) -> tuple[Action, Action]:
    """The two actions at the ends of a street."""
    return state.layout[street[0]], state.layout[street[1]]


def remainder(state: State) -> list[Action]:
    """The cards of the face-down deck, in the order of the actions; needs all hands to be known."""
    left = {copies.action: copies.count for copies in figures(state).action_cards}
    for cards in (state.discard, state.offer, *(mat.hand or () for mat in state.mats)):
        for card in cards:
            left[card] -= 1
    return [action for action in ACTIONS for _ in range(left[action])]
