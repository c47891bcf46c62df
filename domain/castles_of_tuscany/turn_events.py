"""What happens in turns, at the display and in the regions, up to the end.

Never change a stored event: raise its `shape` and give the game a lift.
"""

from typing import Annotated

from msgspec import Meta

from domain.castles_of_tuscany.event_fields import (
    BySeat,
    Count,
    LapNo,
    OnTrack,
    Points,
    RoundNo,
    RuleNo,
    SeatNo,
    TileId,
    TileIds,
)
from domain.castles_of_tuscany.words import Kind, Q, R, Slot, Stored
from domain.core.words import Event


class TurnBegan(Event, frozen=True):
    """A seat's turn began."""

    seat: SeatNo
    round: RoundNo
    lap: LapNo


class TileGivenUp(Event, frozen=True):
    """A stored tile went to the box, or a stored wild hex to the supply, to make room."""

    seat: SeatNo
    stored: Stored
    tile: TileId


class TileTaken(Event, frozen=True):
    """A seat took a tile of the display into its storage."""

    seat: SeatNo
    slot: Slot
    tile: TileId


class SlotRefilled(Event, frozen=True):
    """The gap in the display was filled."""

    seat: SeatNo
    slot: Slot
    tile: TileId
    stack: Annotated[int, Meta(description="The seat's stack that it came from, 1 to 3, or 0 for the neutral supply.")]


class FiveOfAKindReplaced(Event, frozen=True):
    """Five or more tiles of the display had one kind: they left the game and neutral tiles took their slots."""

    kind: Annotated[Kind, Meta(description="The kind that was replaced.")]
    slots: Annotated[tuple[int, ...], Meta(description="The slots, lowest first.")]
    removed: Annotated[tuple[str, ...], Meta(description="The tiles that left the game, in the order of the slots.")]
    tiles: TileIds


class RoundEndTriggered(Event, frozen=True):
    """A seat's stack of the round is empty: the round ends with this lap."""

    seat: SeatNo
    round: RoundNo


class PlacementChosen(Event, frozen=True):
    """A seat chose what to place and where, and has to pay for it."""

    seat: SeatNo
    stored: Stored
    q: Q
    r: R


class PlacementPaid(Event, frozen=True):
    """A seat paid for its placement: the cards lie on the discard pile, the workers in the supply."""

    seat: SeatNo
    paid: Annotated[tuple[Kind, ...], Meta(description="The region cards discarded.")]
    workers: Count


class TilePlaced(Event, frozen=True):
    """A stored tile or wild hex was placed."""

    seat: SeatNo
    stored: Stored
    tile: TileId
    kind: Annotated[Kind, Meta(description="The kind of the space.")]
    q: Q
    r: R


class DisplayTilePlaced(Event, frozen=True):
    """A castle placed a tile of the display for free."""

    seat: SeatNo
    slot: Slot
    tile: TileId
    kind: Annotated[Kind, Meta(description="The kind of the space.")]
    q: Q
    r: R


class CastleOffered(Event, frozen=True):
    """A castle was placed and may place a tile of the display."""

    seat: SeatNo
    rule: RuleNo


class CastleDeclined(Event, frozen=True):
    """A seat let its castle place nothing."""

    seat: SeatNo
    rule: RuleNo


class BonusTileOffered(Event, frozen=True):
    """A city was placed and gives a bonus tile of the seat's choice."""

    seat: SeatNo
    rule: RuleNo


class MarbleOffered(Event, frozen=True):
    """A seat finished its action and may return a marble for one more."""

    seat: SeatNo
    rule: RuleNo


class MarbleUsed(Event, frozen=True):
    """A seat returned a marble for one more action in its turn."""

    seat: SeatNo


class TurnEnded(Event, frozen=True):
    """A seat's turn ended."""

    seat: SeatNo


class LapLimitReached(Event, frozen=True):
    """The last lap that the option `lap_limit` allows was played: the match ends with this round's scoring."""

    lap: LapNo
    rule: RuleNo


class RoundScored(Event, frozen=True):
    """A round ended: every seat added its green points to its red ones."""

    round: RoundNo
    greens: BySeat
    reds_before: BySeat
    reds_after: BySeat
    rule: RuleNo


class FinalScored(Event, frozen=True):
    """A seat's final scoring, item by item in points."""

    seat: SeatNo
    stored_tiles: Annotated[int, Meta(description="Points for tiles in storage.")]
    wild_hexes: Annotated[int, Meta(description="Points for wild hexes in storage.")]
    marble: Annotated[int, Meta(description="Points for marble.")]
    workers: Count
    hand: Annotated[int, Meta(description="Points for full threes of region cards in hand.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class GameEnded(Event, frozen=True):
    """The match is over."""

    places: BySeat
    scores: BySeat
    cause: Annotated[str, Meta(description="What ended it: `three_rounds` or `lap_limit`.")]
    decided_by: Annotated[str, Meta(description="The last tie step that told first place apart, or empty.")]
