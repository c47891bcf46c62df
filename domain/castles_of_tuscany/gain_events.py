"""What a placement brings: points and goods, each with the rule that gave it.

Never change a stored event: raise its `shape` and give the game a lift.
"""

from typing import Annotated

from msgspec import Meta

from domain.castles_of_tuscany.event_fields import Count, OnTrack, Points, RuleNo, SeatNo
from domain.castles_of_tuscany.words import Kind
from domain.core.words import Event


class AreaCompleted(Event, frozen=True):
    """The last empty space of an area was covered."""

    seat: SeatNo
    kind: Annotated[Kind, Meta(description="The kind of the area.")]
    size: Annotated[int, Meta(description="How many spaces the area has.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class ColourBonusScored(Event, frozen=True):
    """A seat covered its last space of a kind as the first or the second of all."""

    seat: SeatNo
    kind: Annotated[Kind, Meta(description="The kind of which the region is now full.")]
    side: Annotated[int, Meta(description="The side of the colour bonus tile: 1 for the first seat, 2 for the second.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class CropsScored(Event, frozen=True):
    """An agriculture space was covered and its new crops were counted."""

    seat: SeatNo
    crops: Annotated[tuple[str, ...], Meta(description="The crops that are new to the area.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class MarbleGained(Event, frozen=True):
    """A seat got marble, as far as there was any."""

    seat: SeatNo
    count: Count
    rule: RuleNo


class WorkersGained(Event, frozen=True):
    """A seat got workers, as far as there were any."""

    seat: SeatNo
    count: Count
    rule: RuleNo


class WildHexGained(Event, frozen=True):
    """A seat got a wild hex into its storage."""

    seat: SeatNo
    rule: RuleNo


class PointsInsteadOfWildHex(Event, frozen=True):
    """A seat had no room for a wild hex, or there was none, and got points instead."""

    seat: SeatNo
    points: Points
    track: OnTrack
    rule: RuleNo


class ProductionCardRevealed(Event, frozen=True):
    """A production card was turned up and discarded; points that it gives are here, other gains follow."""

    seat: SeatNo
    card: Annotated[str, Meta(description="The face of the card.")]
    points: Points
    track: OnTrack
    rule: RuleNo


class ProductionDeckReshuffled(Event, frozen=True):
    """The production deck was empty and the discards became the new deck."""

    count: Count
