"""The fields that many events share, with what they mean."""

from typing import Annotated

from msgspec import Meta

from domain.castles_of_tuscany.words import Track

SeatNo = Annotated[int, Meta(description="The seat it concerns, 0-based.")]
Count = Annotated[int, Meta(description="How many.")]
Points = Annotated[int, Meta(description="Points given, which may be none.")]
OnTrack = Annotated[Track, Meta(description="The track that the points go to.")]
RuleNo = Annotated[str, Meta(description="The number of the rule that caused it.")]
TileId = Annotated[str, Meta(description="A tile: its kind, `agriculture:FACE`, or `wild_hex`.")]
TileIds = Annotated[tuple[str, ...], Meta(description="Tiles, in the order of their slots.")]
RoundNo = Annotated[int, Meta(description="The round, 1 to 3.")]
LapNo = Annotated[int, Meta(description="The lap, from 1, counted through the match.")]
BySeat = Annotated[tuple[int, ...], Meta(description="One number for each seat.")]
