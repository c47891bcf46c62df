"""The options of a match, and the component data that they pick."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.castles_of_tuscany.board import BOX, Box, Data
from domain.core.errors import Illegal

SEATS: Final = range(2, 5)
LAPS_MIN: Final = 10
LAPS_MAX: Final = 1_000_000
"""Keeps the number of commits of any match within 32 bits."""


class Options(Struct, frozen=True):
    """What can be chosen before a match of The Castles of Tuscany."""

    base_cards: Annotated[
        int,
        Meta(
            description="Region cards that the draw action gives: 2 in the first printing, 3 in the revised one.",
            ge=2,
            le=3,
            extra={"rule": "R6.1", "origin": "published"},
        ),
    ] = 2
    lenient_shifts: Annotated[
        bool,
        Meta(
            description="Whether neighbouring boards may also be shifted by one and a half hexagons.",
            extra={"rule": "R4.3", "origin": "own"},
        ),
    ] = False
    lap_limit: Annotated[
        int,
        Meta(
            description="The lap with this number is the last: a house rule, so that every match ends.",
            ge=LAPS_MIN,
            le=LAPS_MAX,
            extra={"rule": "K7", "origin": "house"},
        ),
    ] = 150
    boards: Annotated[
        str,
        Meta(
            description="The set of twelve region boards.",
            extra={"rule": "R2.7", "origin": "own", "choices": tuple(BOX.boards)},
        ),
    ] = "standard"
    card_split: Annotated[
        str,
        Meta(
            description="How the 122 region cards are split by kind: by the spaces to pay for, or as even as can be.",
            extra={"rule": "R2.5", "origin": "own", "choices": tuple(BOX.card_split)},
        ),
    ] = "by_spaces"
    production_faces: Annotated[
        str,
        Meta(
            description="The set of faces of the 27 production cards.",
            extra={"rule": "R13.3", "origin": "own", "choices": tuple(BOX.production_faces)},
        ),
    ] = "standard"
    crops: Annotated[
        str,
        Meta(
            description="The set of crops on the agriculture tiles.",
            extra={"rule": "R9.4", "origin": "own", "choices": tuple(BOX.crops)},
        ),
    ] = "ring"
    bonus_values: Annotated[
        str,
        Meta(
            description="The values of the colour bonuses, and the points and track of the bonus tile plus_storage.",
            extra={"rule": "R11.5", "origin": "own", "choices": tuple(BOX.bonus_values)},
        ),
    ] = "by_spaces"


def data(options: Options, seats: int) -> Data:
    """The component data that the options name; refuses options that name nothing or are out of bounds."""
    return pick(BOX, options, seats)


def pick(box: Box, options: Options, seats: int) -> Data:
    """As `data`, out of any box."""
    if seats not in SEATS:
        raise Illegal("bad_options", "R2.2", f"{seats} seats.", "Two to four play.")
    if options.base_cards not in (2, 3):
        raise Illegal("bad_options", "R6.1", f"base_cards is {options.base_cards}.", "It is 2 or 3.")
    if not LAPS_MIN <= options.lap_limit <= LAPS_MAX:
        raise Illegal(
            "bad_options", "K7", f"lap_limit is {options.lap_limit}.", f"It is {LAPS_MIN} to {LAPS_MAX:_} laps."
        )
    for option, rule, sets in (
        ("boards", "R2.7", tuple(box.boards)),
        ("card_split", "R2.5", tuple(box.card_split)),
        ("production_faces", "R13.3", tuple(box.production_faces)),
        ("crops", "R9.4", tuple(box.crops)),
        ("bonus_values", "R11.5", tuple(box.bonus_values)),
    ):
        if (name := getattr(options, option)) not in sets:
            raise Illegal("bad_options", rule, f"{option} names no set: {name!r}.", f"There is {', '.join(sets)}.")
    points, track = box.storage_points[options.bonus_values]
    return Data(
        boards=box.boards[options.boards],
        tiles=box.crops[options.crops],
        region_cards=box.card_split[options.card_split],
        production=box.production_faces[options.production_faces],
        colour_bonuses=box.bonus_values[options.bonus_values],
        bonus_tiles=box.bonus_tiles,
        storage_points=points,
        storage_track=track,
    )
