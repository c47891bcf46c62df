"""What is said at the table: the kinds of things, and the commands, each a small step."""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.core.secrecy import OnlyActor
from domain.core.words import Command


class Kind(StrEnum):
    """The eight kinds of tile, space and region card, in the order of the components; kind and colour are the same."""

    CASTLE = "castle"
    CITY = "city"
    INN = "inn"
    AGRICULTURE = "agriculture"
    QUARRY = "quarry"
    VILLAGE = "village"
    MONASTERY = "monastery"
    CARRIAGE = "carriage"


class Bonus(StrEnum):
    """The five kinds of bonus tile; every copy that a seat owns adds up."""

    PLUS_CARD = "plus_card"
    PLUS_STORAGE = "plus_storage"
    PLUS_MARBLE = "plus_marble"
    PLUS_WORKER = "plus_worker"
    PLUS_PRODUCTION_CARD = "plus_production_card"


class Shift(StrEnum):
    """How far a board sits below or above its left neighbour: half a hexagon, or one and a half (`far`)."""

    DOWN = "down"
    UP = "up"
    DOWN_FAR = "down_far"
    UP_FAR = "up_far"


class Track(StrEnum):
    """The two score tracks; only red decides the match."""

    GREEN = "green"
    RED = "red"


KINDS: Final = tuple(Kind)
BONUSES: Final = tuple(Bonus)
WILD_HEX: Final = "wild_hex"
START_CASTLE: Final = "start_castle"

Q = Annotated[int, Meta(description="Column of a space: flat-top axial coordinate q.")]
R = Annotated[int, Meta(description="Flat-top axial coordinate r of a space, growing downwards.")]
Slot = Annotated[int, Meta(description="Slot of the display, 0 to 7.")]
Stored = Annotated[int, Meta(description="Index in the seat's storage, from 0, oldest first.")]
Boards = Annotated[tuple[str, ...], Meta(description="The ids of the three boards, from left to right.")]
Turned = Annotated[tuple[bool, ...], Meta(description="For each board from left to right: whether it has a half turn.")]
Shifts = Annotated[
    tuple[Shift, ...], Meta(description="How the second and the third board sit beside their left ones.")
]


class Arrangement(Struct, frozen=True):
    """How one seat joins its three boards to a region."""

    boards: Boards
    turned: Turned
    shifts: Shifts


class ArrangeRegion(Command, frozen=True):
    """Setup, secret: join the three boards dealt to you to your region."""

    boards: Annotated[Boards, OnlyActor()]
    turned: Annotated[Turned, OnlyActor()]
    shifts: Annotated[Shifts, OnlyActor()]


class ChooseStartCastle(Command, frozen=True):
    """Setup, secret: put your start castle on the castle space of one of your boards."""

    board: Annotated[str, OnlyActor(), Meta(description="The id of the board; each has one castle space.")]


class ChooseFirstBonusTile(Command, frozen=True):
    """Setup, secret: take your first bonus tile."""

    bonus: Annotated[Bonus, OnlyActor(), Meta(description="The kind of bonus tile.")]


class DrawCards(Command, frozen=True):
    """Your action: draw region cards."""


class TakeTile(Command, frozen=True):
    """Your action: take a tile of the display into your storage; if that is full, give up a stored thing for it."""

    slot: Slot
    give_up: Annotated[int | None, Meta(description="Storage index given up; null while a storage space is free.")] = (
        None
    )


class PlaceTile(Command, frozen=True):
    """Your action: place a stored tile or wild hex on a space of your region. The price is asked for next."""

    stored: Stored
    q: Q
    r: R


class Pay(Command, frozen=True):
    """Pay for the placement that you chose: cards of the needed kind, workers and pairs, two in all."""

    cards: Annotated[int, Meta(description="How many region cards of the needed kind.")]
    workers: Annotated[int, Meta(description="How many workers, each for one card.")] = 0
    pairs: Annotated[
        tuple[Kind, ...],
        Meta(description="The kind of each pair of equal other cards, each pair for one card; in alphabetical order."),
    ] = ()


class PlaceFromDisplay(Command, frozen=True):
    """Castle: place a tile of the display on a space of your region for free."""

    slot: Slot
    q: Q
    r: R


class DeclineCastle(Command, frozen=True):
    """Castle: place nothing."""


class TakeBonusTile(Command, frozen=True):
    """City: take a bonus tile."""

    bonus: Annotated[Bonus, Meta(description="The kind of bonus tile.")]


class UseMarble(Command, frozen=True):
    """After your action: return a marble for one more action in this turn."""


class EndTurn(Command, frozen=True):
    """After your action: keep your marble and end your turn."""


AnyCommand = (
    ArrangeRegion
    | ChooseStartCastle
    | ChooseFirstBonusTile
    | DrawCards
    | TakeTile
    | PlaceTile
    | Pay
    | PlaceFromDisplay
    | DeclineCastle
    | TakeBonusTile
    | UseMarble
    | EndTurn
)
