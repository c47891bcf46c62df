"""What happens before the first turn; cards are drawn later too.

Never change a stored event: raise its `shape` and give the game a lift.
"""

from typing import Annotated

from msgspec import Meta

from domain.castles_of_tuscany.event_fields import Count, OnTrack, Points, RuleNo, SeatNo, TileIds
from domain.castles_of_tuscany.words import Arrangement, Bonus, Kind, Q, R
from domain.core.secrecy import OnlyFor, Reveals
from domain.core.words import Event


class BoardsDealt(Event, frozen=True):
    """A seat was dealt its three region boards."""

    seat: SeatNo
    dealt: Annotated[tuple[str, ...], Meta(description="The ids of one board each of the stacks A, B and C.")]


class RegionCardsDrawn(Event, frozen=True):
    """A seat drew region cards; which ones, it alone knows."""

    seat: SeatNo
    cards: Annotated[tuple[Kind, ...] | None, OnlyFor("seat"), Meta(description="The cards in the order drawn.")]
    count: Count
    rule: RuleNo


class RegionDeckReshuffled(Event, frozen=True):
    """The region deck was empty and the discards became the new deck."""

    count: Count


class RegionArranged(Event, frozen=True):
    """A seat has arranged its region; how, it alone knows until all setup choices are made."""

    seat: SeatNo
    arrangement: Annotated[Arrangement | None, OnlyFor("seat"), Meta(description="How the boards are joined.")]


class StartCastleChosen(Event, frozen=True):
    """A seat has chosen where its start castle goes; where, it alone knows until all setup choices are made."""

    seat: SeatNo
    board: Annotated[str | None, OnlyFor("seat"), Meta(description="The board on whose castle space it lies.")]


class FirstBonusTileChosen(Event, frozen=True):
    """A seat has chosen its first bonus tile; which, it alone knows until all setup choices are made."""

    seat: SeatNo
    chosen: Annotated[Bonus | None, OnlyFor("seat"), Meta(description="The kind of bonus tile.")]


class SetupRevealed(Event, frozen=True):
    """All seats have made their setup choices, and this is what one of them chose."""

    seat: SeatNo
    region: Annotated[Arrangement, Reveals("RegionArranged", "arrangement"), Meta(description="The region arranged.")]
    castle_board: Annotated[
        str, Reveals("StartCastleChosen", "board"), Meta(description="The board that holds the start castle.")
    ]
    first_bonus: Annotated[Bonus, Reveals("FirstBonusTileChosen", "chosen"), Meta(description="The first bonus tile.")]
    q: Q
    r: R


class BonusTileGained(Event, frozen=True):
    """A seat got a bonus tile, which works at once; points that the tile itself gives are here."""

    seat: SeatNo
    bonus: Annotated[Bonus, Meta(description="The kind of bonus tile.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class DisplayFilled(Event, frozen=True):
    """The first neutral tiles were turned up as the display."""

    tiles: TileIds


class FirstPlayerDrawn(Event, frozen=True):
    """The first player was drawn, for the whole match."""

    seat: SeatNo
