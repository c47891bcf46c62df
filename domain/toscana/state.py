"""Where a match of Toscana stands, and what a viewer is shown of it."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from domain.core.game import Setup
from domain.core.words import Seat
from domain.toscana.board import Components, packed, unpacked
from domain.toscana.options import Options
from domain.toscana.words import AreaScore, GameResult, GameScored, Phase, Side

OTHER: Final = {Side.COURTYARD: Side.BUILDING, Side.BUILDING: Side.COURTYARD}


class Camp(msgspec.Struct, frozen=True):
    """What one side has: its seat, its pile, its veto.

    The pile is the top tile, then the tiles of `rest` in an order that nobody has drawn yet, then `bottom`.
    `rest` is kept in order of tile id.
    """

    seat: Seat
    top: str | None
    rest: tuple[str, ...]
    bottom: tuple[str, ...]
    token: bool

    @property
    def left(self) -> int:
        """Tiles in the pile."""
        return (self.top is not None) + len(self.rest) + len(self.bottom)


class Laid(msgspec.Struct, frozen=True):
    """A tile on the board."""

    tile: str
    x: int
    y: int
    o: int


class State(msgspec.Struct, frozen=True):
    """A match of Toscana. `courtyard_squares` and `building_squares` are packed sets of squares (see board.py)."""

    setup: Setup[Options, Components]
    camps: tuple[Camp, Camp]
    game: int = 1
    first_side: Side = Side.COURTYARD
    side: Side = Side.COURTYARD
    phase: Phase = Phase.PLACEMENT
    against: str | None = None
    turns: int = 0
    passes: int = 0
    passes_before: int = 0
    courtyard_squares: bytes = packed(0)
    building_squares: bytes = packed(0)
    laid: tuple[Laid, ...] = ()
    results: tuple[GameScored, ...] = ()

    @property
    def courtyard(self) -> int:
        """The courtyard squares on the board."""
        return unpacked(self.courtyard_squares)

    @property
    def building(self) -> int:
        """The building squares on the board."""
        return unpacked(self.building_squares)

    def camp(self, side: Side) -> Camp:
        """What the side has."""
        return self.camps[side is Side.BUILDING]

    def top(self, side: Side) -> str:
        """The tile on top of the side's pile, where it is known that there is one."""
        tile = self.camp(side).top
        assert tile is not None
        return tile

    @property
    def decider(self) -> Side:
        """The side that owns the veto decision: in both timings the one that lays no tile now.

        A tile vetoed after it was laid belongs to the side that has just moved; the turn has gone over already.
        """
        return self.side if self.setup.options.veto_timing == "after" else OTHER[self.side]


class PileView(msgspec.Struct, frozen=True):
    """One side as everybody sees it."""

    seat: Annotated[int, Meta(description="Who plays the side in this game.")]
    top: Annotated[str | None, Meta(description="The tile on top of the pile; null if the pile is empty.")]
    left: Annotated[int, Meta(description="Tiles in the pile, the top among them.")]
    rest: Annotated[
        tuple[str, ...], Meta(description="The tiles between top and bottom, by id: their order is not drawn.")
    ]
    bottom: Annotated[tuple[str, ...], Meta(description="Vetoed tiles; they come up last.")]
    token: Annotated[bool, Meta(description="Whether the veto can still be used.")]
    points: Annotated[int, Meta(description="Tiles in the side's largest area now.")]
    areas: Annotated[
        tuple[tuple[int, ...], ...],
        Meta(description="The largest areas now: the numbers of their tiles in order of play."),
    ]


class FinishedGame(msgspec.Struct, frozen=True):
    """A game of the match that is over."""

    game: int
    courtyard_score: AreaScore
    building_score: AreaScore
    result: GameResult


class View(msgspec.Struct, frozen=True):
    """The match as everybody sees it: both seats, the gallery and an arbiter see the same."""

    game: Annotated[int, Meta(description="1, or 2 in the second game of a match.")]
    games: Annotated[int, Meta(description="How many games the match has.")]
    phase: Phase
    awaited: Annotated[int | None, Meta(description="The seat that is to act; null once play is over.")]
    side: Annotated[Side, Meta(description="The side that lays a tile next, unless a veto changes that.")]
    against: Annotated[str | None, Meta(description="The tile that a veto decision is about.")]
    turn: Annotated[int, Meta(description="Number of the turn in this game, from 1; passes count.")]
    passes: Annotated[int, Meta(description="Passes in direct succession up to now; two end the game.")]
    colours: Annotated[
        tuple[str, ...],
        Meta(description="17 rows from the top, one character a square: B building, c courtyard, . empty."),
    ]
    numbers: Annotated[
        tuple[str, ...],
        Meta(description="17 rows, the number of the tile on each square: 1-9, then a for 10 to w for 32; . empty."),
    ]
    tiles: Annotated[
        tuple[str, ...],
        Meta(description="The tiles laid, in order of play, each as `TILE X Y O`: id, anchor and orientation."),
    ]
    courtyard: PileView
    building: PileView
    results: Annotated[tuple[FinishedGame, ...], Meta(description="The games that are over.")]
