"""The shape of what a viewer sees."""

from typing import Annotated

import msgspec

from domain.calimala.things import (
    Action,
    EndReason,
    Phase,
    ScoringCard,
    Space,
    Tile,
    Why,
    Worker,
)
from domain.core.words import Seat


def _says(description: str) -> msgspec.Meta:
    return msgspec.Meta(description=description)


class Awaited(msgspec.Struct, frozen=True):
    """One open decision: who must decide what, with what pending, and why."""

    seat: Seat
    decision: Phase
    space: Annotated[Space | None, _says("Where the active worker lies, in an activation.")] = None
    worker: Annotated[Worker | None, _says("Which kind the active worker is, in an activation.")] = None
    pending: Annotated[tuple[Action, ...], _says("Grid actions that are not settled yet.")] = ()
    why: Annotated[Why | None, _says("Whether the worker was placed, or reactivated.")] = None
    by: Annotated[Seat | None, _says("The seat whose placement it is.")] = None
    must_take: Annotated[bool, _says("No grid action has been carried out for the placed worker yet (R37).")] = False


class PlayerView(msgspec.Struct, frozen=True):
    """One player's things."""

    player: Annotated[Seat, _says("The player's seat.")]
    points: int
    wood: int
    brick: int
    marble: int
    cloth: int
    reserve: Annotated[int, _says("Cubes neither on the mat nor on the main board.")]
    workshops: int
    ships: int
    houses: Annotated[str, _says("Trading houses: T for Troyes, B for Bruges, H for Hamburg; . for none.")]
    family_members: Annotated[int, _says("Family Members in the supply.")]
    contractors: Annotated[int, _says("Contractors in the supply.")]
    hirelings: Annotated[int, _says("Hirelings in the supply.")]
    hand_size: Annotated[int, _says("Action cards in hand.")]
    held_size: Annotated[int, _says("Scoring cards held and not chosen yet.")]
    has_chosen: Annotated[bool, _says("A Scoring card to show has been chosen.")]
    has_kept: Annotated[bool, _says("A Scoring card has been kept.")]
    hand: Annotated[tuple[Action, ...] | None, _says("The Action cards, for the player alone.")] = None
    held: Annotated[tuple[ScoringCard, ...] | None, _says("The Scoring cards held, for the player alone.")] = None
    chosen: Annotated[ScoringCard | None, _says("The Scoring card about to be shown, for the player alone.")] = None
    kept: Annotated[ScoringCard | None, _says("The Scoring card kept; for all once it is shown.")] = None
    away: Annotated[tuple[ScoringCard, ...] | None, _says("Scoring cards put away, for the player alone.")] = None


class CalimalaView(msgspec.Struct, frozen=True):
    """The table as one viewer sees it."""

    viewer: Annotated[int, _says("A seat, -1 for a spectator, -2 for an arbiter.")]
    phase: Phase
    round: int
    turn: int
    marker: Annotated[Seat, _says("The active player.")]
    starting_seat: Seat
    awaiting: Annotated[tuple[Awaited, ...], _says("The open decisions.")]
    next_activations: Annotated[
        tuple[Seat, ...], _says("Owners of the Family Members still to be reactivated in this turn, in order.")
    ]
    layout: Annotated[tuple[Action, ...], _says("The nine actions, row by row.")]
    stacks: Annotated[
        tuple[str, ...],
        _says("The spaces s01 to s12: workers from bottom to top, F0 to F4 a seat's Family Member, C, H."),
    ]
    stack_limit: Annotated[int, _says("How many workers a stack holds after a turn.")]
    neutral_follows: Annotated[bool, _says("Cubes put on the main board in this turn bring neutral ones (R93).")]
    slots: Annotated[
        tuple[str, ...],
        _says("The slot groups: name, blank, and one code per slot from the left: a seat, N for neutral, . for free."),
    ]
    tiles: Annotated[tuple[Tile, ...], _says("The Scoring tiles in the order of scoring.")]
    scored: Annotated[int, _says("How many Scoring tiles have been scored.")]
    council: Annotated[
        str, _says("The seats of the Palazzo Vecchio, then those in the tower: a seat, N, - for vacant, . for free.")
    ]
    tower: Annotated[str, _says("The worker in the tower that waits for the scoring step, or empty.")]
    players: tuple[PlayerView, ...]
    neutral_cubes: Annotated[int, _says("Neutral cubes not on the board.")]
    box: Annotated[str, _says("Workers given up by passing, one code each.")]
    offer: Annotated[tuple[Action, ...], _says("Starting Action cards that lie open.")]
    deck: Annotated[int, _says("Action cards in the face-down deck.")]
    discard: Annotated[tuple[Action, ...], _says("Played Action cards that lie face up.")]
    open_cards: Annotated[tuple[ScoringCard, ...], _says("Scoring cards that lie open beside the board.")]
    end: Annotated[EndReason | None, _says("Why the current round is the last, once it is.")] = None
    places: Annotated[tuple[int, ...], _says("The place of each seat, once the match is over.")] = ()
    decided_by: Annotated[str, _says("The tie step that decided the first place, if one did.")] = ""
