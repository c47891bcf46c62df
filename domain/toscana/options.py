"""What a table may choose before a match of Toscana."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule options of Toscana; every default is the game as published, as far as that is known."""

    first_side: Annotated[
        Literal["courtyard", "building", "random"],
        Meta(
            description="Which side lays the first tile; random is drawn once and kept for a second game.",
            extra={"rule": "R8", "origin": "published"},
        ),
    ] = "courtyard"
    side_assignment: Annotated[
        Literal["random", "host_courtyard", "host_building"],
        Meta(
            description="Who plays which side in the first game; the host is seat 0.",
            extra={"rule": "R6", "origin": "own"},
        ),
    ] = "random"
    first_tile: Annotated[
        Literal["centre", "free"],
        Meta(
            description="Whether the first tile must cover the centre square or may lie anywhere on the board.",
            extra={"rule": "R12", "origin": "published"},
        ),
    ] = "centre"
    contact: Annotated[
        Literal["own_colour", "any_colour"],
        Meta(
            description="Whether a new tile must touch with its dominant colour, or may with either colour.",
            extra={"rule": "R14", "origin": "published"},
        ),
    ] = "own_colour"
    veto: Annotated[
        Literal["on", "off"],
        Meta(
            description="Whether each player may veto one tile of the opponent per game.",
            extra={"rule": "R21", "origin": "published"},
        ),
    ] = "on"
    veto_timing: Annotated[
        Literal["before", "after"],
        Meta(
            description="Whether a tile is vetoed before it is laid, or taken back just after.",
            extra={"rule": "R22", "origin": "published"},
        ),
    ] = "before"
    games: Annotated[
        Literal["single", "double"],
        Meta(
            description="One game, or two with the sides swapped, won by the higher sum of both scores.",
            extra={"rule": "R32", "origin": "own"},
        ),
    ] = "single"
    tie_break: Annotated[
        Literal["none", "squares"],
        Meta(
            description="Whether equal scores are a draw, or the larger number of squares wins the game.",
            extra={"rule": "R31", "origin": "house"},
        ),
    ] = "none"
