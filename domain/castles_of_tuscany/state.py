"""Where a match stands. Counts are public; compositions that not everybody may know are None where they are unknown."""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.castles_of_tuscany.board import Data
from domain.castles_of_tuscany.options import Options
from domain.castles_of_tuscany.region import Region
from domain.castles_of_tuscany.words import KINDS, WILD_HEX, Arrangement, Bonus, Kind, Track
from domain.core.game import Outcome, Setup
from domain.core.words import Seat

MARBLE: Final = 12
WORKERS: Final = 12
WILD_HEXES: Final = 10
SLOTS: Final = 8
STACKS: Final = 3
STACK_TILES: Final = 7
ROUNDS: Final = 3

Phase = Literal["setup", "action", "payment", "castle", "city", "marble", "between", "finished"]
"""What is asked for: setup choices of several seats, or one decision of the active seat, or nothing.

`between` lasts only within a commit.
"""

TuscanySetup = Setup[Options, Data]
KIND_INDEX: Final = {kind: i for i, kind in enumerate(KINDS)}
BONUS_INDEX: Final = {bonus: i for i, bonus in enumerate(Bonus)}


class Player(Struct, frozen=True):
    """What one seat has."""

    undrawn: tuple[str, ...]
    """The tiles in its stacks, in the order of components: which lies where is not settled before it is drawn."""
    stacks: tuple[int, ...] = (STACK_TILES,) * STACKS
    dealt: tuple[str, ...] = ()
    hand: tuple[int, ...] | None = (0,) * len(KINDS)
    """Region cards of each kind; None where the content is unknown."""
    hand_size: int = 0
    arranged: bool = False
    arrangement: Arrangement | None = None
    castle_chosen: bool = False
    castle_board: str | None = None
    bonus_chosen: bool = False
    first_bonus: Bonus | None = None
    region: Region | None = None
    """None until all setup choices are revealed."""
    cover: tuple[str, ...] = ()
    """For every space of the region the tile on it, or an empty string."""
    storage: tuple[str, ...] = ()
    bonus_tiles: tuple[int, ...] = (0,) * len(Bonus)
    marble: int = 0
    workers: int = 0
    green: int = 0
    red: int = 0

    @property
    def ready(self) -> bool:
        """Whether it has made all its setup choices."""
        return self.arranged and self.castle_chosen and self.bonus_chosen

    def bonus(self, kind: Bonus) -> int:
        """How many bonus tiles of this kind it owns."""
        return self.bonus_tiles[BONUS_INDEX[kind]]

    @property
    def storage_spaces(self) -> int:
        """How many things it can store (R7.2)."""
        return 1 + self.bonus(Bonus.PLUS_STORAGE)

    @property
    def empty_spaces(self) -> int:
        """How many spaces of its region are not covered."""
        return self.cover.count("")


class State(Struct, frozen=True):
    """The table."""

    setup: TuscanySetup
    players: tuple[Player, ...]
    neutral: tuple[str, ...]
    """The neutral supply in the order of components."""
    region_deck: int
    production_deck: tuple[str, ...]
    phase: Phase = "setup"
    first: Seat | None = None
    active: Seat | None = None
    round: int = 1
    lap: int = 1
    turn: int = 0
    ending: bool = False
    """Whether the round ends with this lap."""
    limit_reached: bool = False
    marble_used: bool = False
    chosen: tuple[int, int] | None = None
    """The storage index and the space that are being paid for."""
    display: tuple[str, ...] = ("",) * SLOTS
    box: tuple[str, ...] = ()
    region_discards: tuple[int, ...] = (0,) * len(KINDS)
    production_discards: tuple[str, ...] = ()
    marble: int = MARBLE
    workers: int = WORKERS
    wild_hexes: int = WILD_HEXES
    bonus_supply: tuple[int, ...] = ()
    colour_sides: tuple[int, ...] = (0,) * len(KINDS)
    """For every kind how many seats have got its colour bonus."""
    outcome: Outcome | None = None


def with_player(state: State, seat: Seat, player: Player) -> State:
    """The table after this seat's things have become these."""
    players = state.players
    return replace(state, players=(*players[:seat], player, *players[seat + 1 :]))


def scored(player: Player, points: int, track: Track) -> Player:
    """The seat with that many points more on that track."""
    if track is Track.GREEN:
        return replace(player, green=player.green + points)
    return replace(player, red=player.red + points)


def at(items: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    """The numbers with one of them changed by so much."""
    return (*items[:index], items[index] + change, *items[index + 1 :])


def without(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """The items without the first of these; all of them if there is none."""
    if item not in items:
        return items
    index = items.index(item)
    return items[:index] + items[index + 1 :]


def counted(cards: tuple[Kind, ...]) -> tuple[int, ...]:
    """How many cards of each kind there are."""
    return tuple(cards.count(kind) for kind in KINDS)


def kind_of(tile: str) -> Kind | None:
    """The kind of a tile; None for a wild hex, which fits any space."""
    return None if tile == WILD_HEX else Kind(tile.partition(":")[0])


def crops_of(state: State, tile: str) -> tuple[str, ...]:
    """The crops on a tile, if any."""
    return next((t.crops for t in state.setup.data.tiles if t.id == tile), ())


def production_order(state: State) -> tuple[str, ...]:
    """All production cards in the order of components."""
    return tuple(card.id for card in state.setup.data.production for _ in range(card.count))
