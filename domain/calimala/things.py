"""The names of everything on the table: actions, workers, spaces, slots, tiles and cards."""

from enum import StrEnum, auto
from typing import Final

NEUTRAL: Final = -1
"""The neutral player of the two-player game, where a participant is named by a number."""


class Action(StrEnum):
    """The nine actions; an Action card is named by its action."""

    WOOD = auto()
    BRICK = auto()
    MARBLE = auto()
    WEAVE = auto()
    BUILD = auto()
    STATUE = auto()
    SHIP = auto()
    TRANSPORT = auto()
    CONTRIBUTE = auto()


class Worker(StrEnum):
    """The kinds of workers."""

    FAMILY_MEMBER = auto()
    CONTRACTOR = auto()
    HIRELING = auto()


class Space(StrEnum):
    """The twelve places for workers, each on the street between two actions."""

    S01 = auto()
    S02 = auto()
    S03 = auto()
    S04 = auto()
    S05 = auto()
    S06 = auto()
    S07 = auto()
    S08 = auto()
    S09 = auto()
    S10 = auto()
    S11 = auto()
    S12 = auto()


class Place(StrEnum):
    """Where a cube can lie: in the reserve, on the mat, or in one of the 19 slot groups of the main board."""

    RESERVE = auto()
    WOOD = auto()
    BRICK = auto()
    MARBLE = auto()
    CLOTH = auto()
    TROYES = auto()
    BRUGES = auto()
    HAMBURG = auto()
    BARCELONA = auto()
    LISBON = auto()
    LONDON = auto()
    SANTA_MARIA_DEL_FIORE_WOOD = auto()
    SANTA_MARIA_DEL_FIORE_BRICK = auto()
    SANTA_MARIA_DEL_FIORE_MARBLE = auto()
    SANTA_MARIA_DEL_FIORE_STATUE = auto()
    SANTA_CROCE_WOOD = auto()
    SANTA_CROCE_BRICK = auto()
    SANTA_CROCE_MARBLE = auto()
    SANTA_CROCE_STATUE = auto()
    SAN_MINIATO_WOOD = auto()
    SAN_MINIATO_BRICK = auto()
    SAN_MINIATO_MARBLE = auto()
    SAN_MINIATO_STATUE = auto()
    PALAZZO_VECCHIO_STATUE = auto()


class Target(StrEnum):
    """What an action can be aimed at: a slot group that a cube goes to, or something to build."""

    TROYES = auto()
    BRUGES = auto()
    HAMBURG = auto()
    BARCELONA = auto()
    LISBON = auto()
    LONDON = auto()
    SANTA_MARIA_DEL_FIORE_WOOD = auto()
    SANTA_MARIA_DEL_FIORE_BRICK = auto()
    SANTA_MARIA_DEL_FIORE_MARBLE = auto()
    SANTA_MARIA_DEL_FIORE_STATUE = auto()
    SANTA_CROCE_WOOD = auto()
    SANTA_CROCE_BRICK = auto()
    SANTA_CROCE_MARBLE = auto()
    SANTA_CROCE_STATUE = auto()
    SAN_MINIATO_WOOD = auto()
    SAN_MINIATO_BRICK = auto()
    SAN_MINIATO_MARBLE = auto()
    SAN_MINIATO_STATUE = auto()
    PALAZZO_VECCHIO_STATUE = auto()
    SHIP = auto()
    WORKSHOP = auto()
    HOUSE_IN_TROYES = auto()
    HOUSE_IN_BRUGES = auto()
    HOUSE_IN_HAMBURG = auto()


class Tile(StrEnum):
    """The fifteen Scoring tiles."""

    TROYES = auto()
    BRUGES = auto()
    HAMBURG = auto()
    BARCELONA = auto()
    LISBON = auto()
    LONDON = auto()
    SANTA_MARIA_DEL_FIORE = auto()
    SANTA_CROCE = auto()
    SAN_MINIATO = auto()
    STATUES = auto()
    TRADE_CITIES = auto()
    PORT_CITIES = auto()
    CONTRIBUTED_WOOD = auto()
    CONTRIBUTED_BRICK = auto()
    CONTRIBUTED_MARBLE = auto()


class ScoringCard(StrEnum):
    """The ten Scoring cards."""

    TROYES = auto()
    BRUGES = auto()
    HAMBURG = auto()
    BARCELONA = auto()
    LISBON = auto()
    LONDON = auto()
    SANTA_MARIA_DEL_FIORE = auto()
    SANTA_CROCE = auto()
    SAN_MINIATO = auto()
    PALAZZO_VECCHIO = auto()


class Phase(StrEnum):
    """What the match waits for."""

    KEEP_AT_SETUP = auto()
    """All seats choose the Scoring card they keep, at the same time (R26)."""
    STARTING_CARDS = auto()
    """One seat after the other takes a starting Action card (R27)."""
    PLACEMENT = auto()
    """The active player places a worker or passes (R30)."""
    ACTIVATION = auto()
    """The player of a placed or reactivated worker settles its actions (R36, R41)."""
    SHOW_CARD = auto()
    """Two players: both choose a Scoring card to show, at the same time (R98)."""
    KEEP_CARD = auto()
    """Two players: both choose the Scoring card they keep, at the same time (R98)."""
    SETTLING = auto()
    """Nobody decides; only ever seen inside a commit."""
    FINISHED = auto()
    """The match is over."""


class Via(StrEnum):
    """What an action was carried out by."""

    GRID = auto()
    CARD = auto()


class Why(StrEnum):
    """Why a worker is active."""

    PLACED = auto()
    REACTIVATED = auto()


class EndReason(StrEnum):
    """What triggered the end of the match (R100)."""

    SUPPLY_EMPTY = auto()
    TILES_EXHAUSTED = auto()


class ShuffleReason(StrEnum):
    """Why the deck of Action cards was shuffled."""

    SETUP = auto()
    RESHUFFLE = auto()


ACTIONS: Final = tuple(Action)
WORKERS: Final = tuple(Worker)
SPACES: Final = tuple(Space)
PLACES: Final = tuple(Place)
TARGETS: Final = tuple(Target)
TILES: Final = tuple(Tile)
SCORING_CARDS: Final = tuple(ScoringCard)
