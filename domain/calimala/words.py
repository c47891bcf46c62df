"""What is asked for and what has happened: the commands and events of Calimala.

Stored for good: an event's fields change only together with its shape number and a lift in `past`.
"""

from typing import Annotated

import msgspec

from domain.calimala.board import Choice
from domain.calimala.things import (
    Action,
    EndReason,
    Place,
    ScoringCard,
    ShuffleReason,
    Space,
    Tile,
    Via,
    Worker,
)
from domain.core.secrecy import OnlyActor, OnlyFor, Reveals
from domain.core.words import Command, Event

# ---- commands


class OpeningPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Action card played together with a placement, and what its action is aimed at."""

    action: Action
    choice: Choice = ()


class ChooseScoringCard(Command, frozen=True):
    """Choose one held Scoring card: to keep, or with two players first to show."""

    card: Annotated[ScoringCard, OnlyActor()]


class TakeStartingCard(Command, frozen=True):
    """Take one of the open starting Action cards."""

    action: Action


class PlaceWorker(Command, frozen=True):
    """Place a worker from the supply on a space, optionally with Action cards played before its first action."""

    space: Space
    worker: Worker
    opening_plays: tuple[OpeningPlay, ...] = ()


class PassTurn(Command, frozen=True):
    """Return a worker to the box, because no placement is possible."""

    worker: Worker


class TakeAction(Command, frozen=True):
    """Carry out a pending grid action. A choice is a list of targets: one per cube sent, or the one thing built."""

    action: Action
    choice: Choice = ()


class SkipAction(Command, frozen=True):
    """Give up a pending grid action that is possible."""

    action: Action


class DeclareImpossible(Command, frozen=True):
    """Settle a pending grid action that is impossible, for an Action card where one is due."""

    action: Action


class PlayActionCard(Command, frozen=True):
    """Play an Action card from the hand during one's own activation."""

    action: Action
    choice: Choice = ()


class EndActivation(Command, frozen=True):
    """End one's own activation, all its grid actions being settled."""


CalimalaCommand = (
    ChooseScoringCard
    | TakeStartingCard
    | PlaceWorker
    | PassTurn
    | TakeAction
    | SkipAction
    | DeclareImpossible
    | PlayActionCard
    | EndActivation
)

# ---- parts of events


class CubeMove(msgspec.Struct, frozen=True):
    """One cube of the acting player that moved; slot counts from 1 on the main board and is 0 elsewhere."""

    source: Place
    target: Place
    slot: int = 0


class Standing(msgspec.Struct, frozen=True):
    """One participant's place in a majority; participants stand in the order of the ranking."""

    participant: Annotated[int, msgspec.Meta(description="A seat, or -1 for the neutral player.")]
    counted: Annotated[int, msgspec.Meta(description="Cubes counted; for the Palazzo Vecchio card also seats.")]
    points: Annotated[int, msgspec.Meta(description="Points given; always 0 for the neutral player.")]
    tie_step: Annotated[
        int, msgspec.Meta(description="The step of R80 that put it ahead of the next one; 0 if none was needed.")
    ] = 0


# ---- events: setup


class BoardLaidOut(Event, frozen=True):
    """The starting player was drawn, the action tiles and the Scoring tiles were laid out."""

    starting_seat: int
    layout: Annotated[tuple[Action, ...], msgspec.Meta(description="The nine actions, row by row.")]
    tiles: Annotated[tuple[Tile, ...], msgspec.Meta(description="The Scoring tiles in the order of scoring.")]


class ScoringCardsDealt(Event, frozen=True):
    """A seat was dealt Scoring cards."""

    seat: int
    count: int
    cards: Annotated[tuple[ScoringCard, ...] | None, OnlyFor("seat")] = None


class ScoringCardOpened(Event, frozen=True):
    """A Scoring card was laid open beside the board."""

    card: ScoringCard


class ScoringCardKept(Event, frozen=True):
    """A seat chose the Scoring card it keeps secret; its other ones are out of the game, unseen."""

    seat: int
    secret_card: Annotated[ScoringCard | None, OnlyFor("seat")] = None


class ScoringCardChosen(Event, frozen=True):
    """A seat chose the Scoring card it will show once all have chosen."""

    seat: int
    secret_card: Annotated[ScoringCard | None, OnlyFor("seat")] = None


class ScoringCardRevealed(Event, frozen=True):
    """A chosen Scoring card was laid open beside the board."""

    seat: int
    card: Annotated[ScoringCard, Reveals("ScoringCardChosen", "secret_card")]


class StartingCardTaken(Event, frozen=True):
    """A seat took an open Action card."""

    seat: int
    action: Action


class ActionDeckShuffled(Event, frozen=True):
    """The Action cards became a face-down deck of this size."""

    count: int
    why: ShuffleReason


# ---- events: a turn


class WorkerPlaced(Event, frozen=True):
    """A worker went from the seat's supply onto the stack of a space, which now has this height."""

    seat: int
    space: Space
    worker: Worker
    height: int


class BottomWorkerSentToTower(Event, frozen=True):
    """The bottom worker of a stack went to the tower; its owner is a seat, -1 (neutral) or nobody."""

    space: Space
    worker: Worker
    owner: int | None


class ActivationStarted(Event, frozen=True):
    """A seat may now carry out the grid actions of the worker it has placed."""

    seat: int
    space: Space
    worker: Worker
    pending: tuple[Action, ...]


class WorkerReactivated(Event, frozen=True):
    """A seat may now carry out the grid actions of its Family Member at this height (from 1), under a placed worker."""

    seat: int
    space: Space
    height: int
    by: Annotated[int, msgspec.Meta(description="The seat whose placement caused it.")]
    pending: tuple[Action, ...]


class ActionCardPlayed(Event, frozen=True):
    """A seat played an Action card, which went to the discard pile."""

    seat: int
    action: Action


class ActionTaken(Event, frozen=True):
    """A seat carried out an action."""

    seat: int
    action: Action
    via: Via
    choice: Choice
    moves: tuple[CubeMove, ...]


class NeutralCubeAdded(Event, frozen=True):
    """A neutral cube went to a slot of the main board."""

    group: Place
    slot: int


class ActionSkipped(Event, frozen=True):
    """A seat gave up a possible action."""

    seat: int
    action: Action


class ImpossibleActionCompensated(Event, frozen=True):
    """A seat settled an impossible action, for this number of cards."""

    seat: int
    action: Action
    count: int


class ActionCardDrawn(Event, frozen=True):
    """A seat drew an Action card."""

    seat: int
    drawn: Annotated[Action | None, OnlyFor("seat")] = None


class ActivationEnded(Event, frozen=True):
    """A seat's activation is over."""

    seat: int


class TurnPassed(Event, frozen=True):
    """A seat had no placement and returned a worker to the box."""

    seat: int
    worker: Worker


# ---- events: scoring and the end


class ContractorReturned(Event, frozen=True):
    """A Contractor went from the tower to the seat's supply."""

    seat: int


class CouncilSeatTaken(Event, frozen=True):
    """A Council seat was filled: for a seat, for the neutral player (-1), or for nobody.

    The worker came from the tower or, when exchanged for a Contractor, from the owner's supply.
    """

    council_seat: int
    owner: int | None
    exchanged: bool


class TowerOccupied(Event, frozen=True):
    """All Council seats being used up, a worker stayed in the tower as a further seat of its owner."""

    owner: int | None
    exchanged: bool


class ScoringTileResolved(Event, frozen=True):
    """A Scoring tile was scored."""

    council_seat: int
    tile: Tile
    ranking: tuple[Standing, ...]
    rule: str = "R78"


class EndTriggered(Event, frozen=True):
    """The current round is the last."""

    seat: int
    reason: EndReason


class ActivePlayerMarkerPassed(Event, frozen=True):
    """The marker came to a seat from the one before."""

    seat: int
    previous: int


class KeptCardShown(Event, frozen=True):
    """A seat showed the Scoring card it had kept."""

    seat: int
    card: Annotated[ScoringCard, Reveals("ScoringCardKept", "secret_card")]


class ScoringCardResolved(Event, frozen=True):
    """A Scoring card was scored."""

    card: ScoringCard
    ranking: tuple[Standing, ...]
    rule: str = "R104"


class GameEnded(Event, frozen=True):
    """All is scored. order names the seats from first to last."""

    scores: tuple[int, ...]
    order: tuple[int, ...]
    decided_by: Annotated[str, msgspec.Meta(description="The tie step that decided the first place, or empty.")]


CalimalaEvent = (
    BoardLaidOut
    | ScoringCardsDealt
    | ScoringCardOpened
    | ScoringCardKept
    | ScoringCardChosen
    | ScoringCardRevealed
    | StartingCardTaken
    | ActionDeckShuffled
    | WorkerPlaced
    | BottomWorkerSentToTower
    | ActivationStarted
    | WorkerReactivated
    | ActionCardPlayed
    | ActionTaken
    | NeutralCubeAdded
    | ActionSkipped
    | ImpossibleActionCompensated
    | ActionCardDrawn
    | ActivationEnded
    | TurnPassed
    | ContractorReturned
    | CouncilSeatTaken
    | TowerOccupied
    | ScoringTileResolved
    | EndTriggered
    | ActivePlayerMarkerPassed
    | KeptCardShown
    | ScoringCardResolved
    | GameEnded
)
