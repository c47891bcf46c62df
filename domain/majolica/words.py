"""What may happen in a match; what may be asked for is in `commands`."""

from typing import Annotated, Literal

import msgspec

from domain.core.words import Event
from domain.majolica.commands import CardName, GridCell, Laid, Place, Slot, Taken, TileKind, Tiles, WorkshopNumber

_about = msgspec.Meta

SeatField = Annotated[int, _about(description="The seat that this is about.")]
Points = Annotated[int, _about(description="Points that this gives.")]
RuleNumber = Annotated[str, _about(description="The rule that gives the points.")]
RoundNumber = Annotated[int, _about(description="The round, from 1.")]


class StartTokenDrawn(Event, frozen=True):
    """The first player was drawn and holds the start player token (R15)."""

    seat: SeatField


class StartCardDealt(Event, frozen=True):
    """A seat was dealt its start card (R14)."""

    seat: SeatField
    card: CardName


class GridLaid(Event, frozen=True):
    """The sixteen large tiles were shuffled and laid out face up for a round (R11, R63)."""

    round: RoundNumber
    grid: Annotated[tuple[str, ...], _about(description="Four rows from the top, each four letters of R B Y G.")]


class CardRevealed(Event, frozen=True):
    """A card of the draw pile was turned up in the market (R13, R64)."""

    place: Place
    card: CardName


class StartCardPlaced(Event, frozen=True):
    """A seat put its start card into a slot (R14)."""

    seat: SeatField
    card: CardName
    slot: Slot


class LineTaken(Event, frozen=True):
    """A seat took a run of large tiles, which were turned face down (R23, R26)."""

    seat: SeatField
    cells: Taken
    tiles: Tiles


class TileTaken(Event, frozen=True):
    """A seat took one large tile, which was turned face down (R24 to R26)."""

    seat: SeatField
    cell: GridCell
    tile: TileKind


class CardTaken(Event, frozen=True):
    """A seat took a card of the market into a slot; the place stays empty until the round ends (R24)."""

    seat: SeatField
    card: CardName
    place: Place
    slot: Slot


class CardMoved(Event, frozen=True):
    """A seat moved a card with all its tiles to another slot (R25)."""

    seat: SeatField
    card: CardName
    slot: Slot
    to_slot: Slot


class CardsKept(Event, frozen=True):
    """A seat neither took nor moved a card, by choice or because it could not (R25, R81, R82)."""

    seat: SeatField


class TilesPlaced(Event, frozen=True):
    """The tiles of this turn went into a workshop (R31)."""

    seat: SeatField
    workshop: WorkshopNumber
    tiles: Tiles


class TilesDiscarded(Event, frozen=True):
    """What a workshop held too much was thrown away (R32, R33)."""

    seat: SeatField
    workshop: WorkshopNumber
    tiles: Tiles


class RunStarted(Event, frozen=True):
    """A ready workshop began to run (R41, R42)."""

    seat: SeatField
    workshop: WorkshopNumber


class TilesDelivered(Event, frozen=True):
    """The running workshop laid tiles on the card in its slot, or none where none fitted (R43, R44)."""

    seat: SeatField
    workshop: WorkshopNumber
    deliveries: Laid


class CardCompleted(Event, frozen=True):
    """A card was filled: it is worth its points, leaves its slot and opens one bonus (R45, R46, R72)."""

    seat: SeatField
    card: CardName
    slot: Slot
    points: Points
    rule: RuleNumber


class TilesShipped(Event, frozen=True):
    """The rest of the running workshop moved to the next one, and the run was over (R47)."""

    seat: SeatField
    workshop: WorkshopNumber
    to_workshop: Annotated[int, _about(description="The workshop that the tiles moved to.")]
    tiles: Tiles


class WorkshopEmptied(Event, frozen=True):
    """Workshop 4 ran: its tiles were thrown away, and the City Hall pays while it has tiles (R48, R50)."""

    seat: SeatField
    workshop: WorkshopNumber
    tiles: Tiles


class BonusUsed(Event, frozen=True):
    """A completion bonus put a tile from the supply into a workshop (R46)."""

    seat: SeatField
    tile: TileKind
    workshop: WorkshopNumber


class BonusDeclined(Event, frozen=True):
    """A completion bonus was given up (R46)."""

    seat: SeatField


class JokerClaimed(Event, frozen=True):
    """The City Hall paid a joker, which goes into a workshop at once (R50, R51)."""

    seat: SeatField


class OnePointClaimed(Event, frozen=True):
    """The City Hall paid a one-point tile (R50, R51)."""

    seat: SeatField
    points: Points
    rule: RuleNumber


class JokerPlaced(Event, frozen=True):
    """The joker from the City Hall went into a workshop (R51)."""

    seat: SeatField
    workshop: WorkshopNumber


class TurnEnded(Event, frozen=True):
    """A turn was over: nothing was ready, running or open any more (R49)."""

    seat: SeatField
    turn: Annotated[int, _about(description="The number of the turn that ended, from 1, counted over the match.")]


class RoundEnded(Event, frozen=True):
    """Three or fewer large tiles were left face up (R60)."""

    round: RoundNumber


class StartTokenPassed(Event, frozen=True):
    """The start player token went to the seat that starts the next round (R65)."""

    seat: SeatField


class ScoreCounted(Event, frozen=True):
    """A seat's final score: points of completed cards, of tiles on incomplete ones, and one-point tiles (R72)."""

    seat: SeatField
    completed: Annotated[int, _about(description="Points of completed cards.")]
    incomplete: Annotated[int, _about(description="Points for tiles on incomplete cards.")]
    one_points: Annotated[int, _about(description="One-point tiles.")]
    points: Points
    rule: RuleNumber


class PlayEnded(Event, frozen=True):
    """The match was over, because somebody had five completed cards or the round limit was reached (R70, M7)."""

    cause: Annotated[Literal["five_cards", "round_limit"], _about(description="What ended the match.")]


MajolicaEvent = (
    StartTokenDrawn
    | StartCardDealt
    | GridLaid
    | CardRevealed
    | StartCardPlaced
    | LineTaken
    | TileTaken
    | CardTaken
    | CardMoved
    | CardsKept
    | TilesPlaced
    | TilesDiscarded
    | RunStarted
    | TilesDelivered
    | CardCompleted
    | TilesShipped
    | WorkshopEmptied
    | BonusUsed
    | BonusDeclined
    | JokerClaimed
    | OnePointClaimed
    | JokerPlaced
    | TurnEnded
    | RoundEnded
    | StartTokenPassed
    | ScoreCounted
    | PlayEnded
)
