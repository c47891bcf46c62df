"""What players may ask for, and the fields that commands and events share."""

from typing import Annotated

import msgspec

from domain.core.words import Command
from domain.majolica.board import Cell
from domain.majolica.tiles import Delivery, Tile

_about = msgspec.Meta

CardName = Annotated[str, _about(description="A card, by its name in the deck.")]
Slot = Annotated[int, _about(description="A card slot, 1 to 3; slot n belongs to workshop n.")]
WorkshopNumber = Annotated[int, _about(description="A workshop, 1 to 4 from left to right.")]
Place = Annotated[int, _about(description="A place of the market, 0 to 5.")]
Tiles = Annotated[tuple[Tile, ...], _about(description="Tiles in the order R B Y G *; their order means nothing.")]
GridCell = Annotated[Cell, _about(description="A cell of the grid.")]
TileKind = Annotated[Tile, _about(description="A kind of tile.")]
Taken = Annotated[tuple[Cell, ...], _about(description="The cells of a whole run, from the left or from the top.")]
Laid = Annotated[tuple[Delivery, ...], _about(description="Tiles laid on the card, sorted by tile, then by cell.")]


class PlaceStartCard(Command, frozen=True):
    """Put a start card into one of your slots: your own, or one on offer where start cards are chosen (R14)."""

    card: CardName
    slot: Slot


class TakeLine(Command, frozen=True):
    """Take all tiles of a run on an exterior line (R23)."""

    cells: Taken


class TakeTile(Command, frozen=True):
    """Take one exterior tile; a card or a move may follow (R24, R25)."""

    cell: GridCell


class TakeCard(Command, frozen=True):
    """After a single tile: take a card of the market into an empty slot of yours (R24)."""

    place: Place
    slot: Slot


class MoveCard(Command, frozen=True):
    """After a single tile: move a card of yours, with its tiles, to an empty slot (R25)."""

    slot: Slot
    to_slot: Slot


class KeepCards(Command, frozen=True):
    """After a single tile: neither take a card nor move one (R25)."""


class PlaceTiles(Command, frozen=True):
    """Put all the tiles taken this turn into one workshop (R31)."""

    workshop: WorkshopNumber


class DiscardTiles(Command, frozen=True):
    """Throw away exactly what a workshop holds too much (R32)."""

    tiles: Tiles


class RunWorkshop(Command, frozen=True):
    """Run a ready workshop (R41)."""

    workshop: WorkshopNumber


class DeliverTiles(Command, frozen=True):
    """Lay tiles of the running workshop on the card in its slot (R43)."""

    deliveries: Laid


class ShipTiles(Command, frozen=True):
    """Move what is left in the running workshop to the next one (R47)."""


class UseBonus(Command, frozen=True):
    """Use a completion bonus: a tile of a colour of your choice into a workshop of yours (R46)."""

    tile: TileKind
    workshop: WorkshopNumber


class DeclineBonus(Command, frozen=True):
    """Do without one completion bonus (R46)."""


class ClaimJoker(Command, frozen=True):
    """Take a joker from the City Hall (R50)."""


class ClaimOnePoint(Command, frozen=True):
    """Take a one-point tile from the City Hall (R50)."""


class PlaceJoker(Command, frozen=True):
    """Put the joker just taken into a workshop of yours (R51)."""

    workshop: WorkshopNumber


MajolicaCommand = (
    PlaceStartCard
    | TakeLine
    | TakeTile
    | TakeCard
    | MoveCard
    | KeepCards
    | PlaceTiles
    | DiscardTiles
    | RunWorkshop
    | DeliverTiles
    | ShipTiles
    | UseBonus
    | DeclineBonus
    | ClaimJoker
    | ClaimOnePoint
    | PlaceJoker
)
