"""What the opener of a match may choose: named sets of figures that no public text settles."""

from typing import Annotated, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures that are this project's own, each a named set of the component data."""

    two_player_board: Annotated[
        Literal["three_quarters", "standard"],
        msgspec.Meta(
            description="Slots of the two-player side and the neutral cubes: three quarters of the standard side, "
            "or as many slots as on the standard side. Used with two players only.",
            extra={"rule": "R6", "origin": "own"},
        ),
    ] = "three_quarters"
    two_player_cards: Annotated[
        Literal["hand_of_four", "hand_of_three"],
        msgspec.Meta(
            description="Scoring cards dealt to each of two players: four, or three. Used with two players only.",
            extra={"rule": "R98", "origin": "own"},
        ),
    ] = "hand_of_four"
    action_cards: Annotated[
        Literal["five_each"],
        msgspec.Meta(
            description="How the 45 Action cards are split over the nine actions.",
            extra={"rule": "R70", "origin": "own"},
        ),
    ] = "five_each"
    grid: Annotated[
        Literal["dealt", "first_game"],
        msgspec.Meta(
            description="The action tiles: dealt at random, or laid out as advised for a first game.",
            extra={"rule": "R21", "origin": "own"},
        ),
    ] = "dealt"
