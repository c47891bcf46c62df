"""The words of Toscana: sides, commands and events, all of them public: nothing is hidden but the future."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.core.words import Command, Event, Seat


class Side(StrEnum):
    """A player's side, and a colour of squares."""

    COURTYARD = "courtyard"
    BUILDING = "building"


class NextVeto(StrEnum):
    """What a player who lays a tile says at once about the opponent's next tile."""

    ASK = "ask"
    WAIVE = "waive"
    VETO = "veto"


class VetoDecision(StrEnum):
    """What a player decides about the opponent's tile."""

    WAIVE = "waive"
    VETO = "veto"


class Phase(StrEnum):
    """What is awaited: a decision about a veto, a placement, or nothing more."""

    VETO_DECISION = "veto_decision"
    PLACEMENT = "placement"
    FINISHED = "finished"


class PassReason(StrEnum):
    """Why a side had to pass."""

    EMPTY_PILE = "empty_pile"
    NO_PLACEMENT = "no_placement"


class GameResult(StrEnum):
    """Which side won one game."""

    COURTYARD = "courtyard"
    BUILDING = "building"
    DRAW = "draw"


class PlaceTile(Command, frozen=True):
    """Lay the top tile of your pile on the board, and say what you do about the opponent's next tile."""

    tile: Annotated[str, Meta(description="The tile on top of your pile, for example C07.")]
    x: Annotated[int, Meta(description="Column of the top-left square of the turned tile, 0 to 16 from the left.")]
    y: Annotated[int, Meta(description="Row of the top-left square of the turned tile, 0 to 16 from the top.")]
    o: Annotated[int, Meta(description="Orientation: clockwise quarter turns, 0 to 3.")]
    next_veto: Annotated[
        NextVeto,
        Meta(
            description="Your decision about the opponent's next tile, sent in advance; ask to be asked when it is due."
        ),
    ] = NextVeto.ASK


class DecideVeto(Command, frozen=True):
    """Let the opponent's tile be, or spend your veto on it."""

    tile: Annotated[str, Meta(description="The opponent's tile that the decision is about.")]
    decision: Annotated[VetoDecision, Meta(description="Waive keeps your veto; veto spends it.")]


ToscanaCommand = PlaceTile | DecideVeto


class AreaScore(msgspec.Struct, frozen=True):
    """What one side scored in a game."""

    seat: Annotated[int, Meta(description="The seat that played the side.")]
    points: Annotated[int, Meta(description="Tiles in the side's largest area.")]
    squares: Annotated[int, Meta(description="Squares of that area; the most, if several areas are largest.")]
    areas: Annotated[
        tuple[tuple[int, ...], ...],
        Meta(description="Every area of that size: the numbers of its tiles in order of play; most squares first."),
    ]
    rule: Annotated[str, Meta(description="The rule that gives the points.")] = "R30"


class GameStarted(Event, frozen=True):
    """A game begins: an empty board, full piles, a veto for each player unless vetoes are off."""

    game: Annotated[int, Meta(description="1, or 2 for the second game of a match.")]
    courtyard_seat: int
    building_seat: int
    first_side: Side


class TopRevealed(Event, frozen=True):
    """A tile has become the top of a pile, or is still the top of a pile that has grown."""

    seat: Seat
    side: Side
    tile: str
    left: Annotated[int, Meta(description="Tiles in the pile, the top among them.")]


class PileEmptied(Event, frozen=True):
    """A side has laid the last tile of its pile."""

    seat: Seat
    side: Side


class VetoOpened(Event, frozen=True):
    """A player is asked whether to veto the opponent's tile."""

    seat: Annotated[int, Meta(description="Who is asked.")]
    side: Side
    tile: str


class VetoWaived(Event, frozen=True):
    """A player has let the opponent's tile be and kept the veto."""

    seat: Seat
    side: Side
    tile: str


class VetoUsed(Event, frozen=True):
    """A player has spent the veto: the opponent's tile is at the bottom of its pile, off the board if it was laid."""

    seat: Annotated[int, Meta(description="Who vetoed.")]
    side: Side
    tile: str


class VetoLapsed(Event, frozen=True):
    """A veto announced in advance met a tile that could not be laid: it is not spent."""

    seat: Annotated[int, Meta(description="Who had announced the veto.")]
    side: Side
    tile: str


class TilePlaced(Event, frozen=True):
    """A tile lies on the board."""

    seat: Seat
    side: Side
    ordinal: Annotated[int, Meta(description="The tile's number in order of play, from 1.")]
    tile: str
    x: int
    y: int
    o: int


class TurnPassed(Event, frozen=True):
    """A side could not lay a tile; its pile stays as it is."""

    seat: Seat
    side: Side
    reason: PassReason
    blocked: Annotated[str | None, Meta(description="The tile that fits nowhere; null if the pile is empty.")]


class GameScored(Event, frozen=True):
    """Both sides have passed in direct succession: the game is over and counted."""

    game: int
    courtyard_score: AreaScore
    building_score: AreaScore
    result: GameResult
    by_squares: Annotated[bool, Meta(description="Whether equal points were separated by squares.")]


ToscanaEvent = (
    GameStarted
    | TopRevealed
    | PileEmptied
    | VetoOpened
    | VetoWaived
    | VetoUsed
    | VetoLapsed
    | TilePlaced
    | TurnPassed
    | GameScored
)
