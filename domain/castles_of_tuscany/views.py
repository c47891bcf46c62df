"""What a viewer sees: counts where the content is not public."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.castles_of_tuscany.words import Boards, Bonus, Kind, Shifts, Turned

Rows = Annotated[
    tuple[str, ...],
    Meta(
        description="A drawing. Each row is half a hexagon lower than the one before; column q of a row is its two "
        "characters from 2q. k castle, t city, i inn, a agriculture, q quarry, v village, m monastery, w carriage; "
        "small: empty, capital: covered, then * for a wild hex, ^ for the start castle, a digit for the crops face."
    ),
]
Points = Annotated[int, Meta(description="Points on this track.")]


class KindCounts(Struct, frozen=True):
    """A number for each kind."""

    castle: int
    city: int
    inn: int
    agriculture: int
    quarry: int
    village: int
    monastery: int
    carriage: int


class BonusCounts(Struct, frozen=True):
    """A number for each kind of bonus tile."""

    plus_card: int
    plus_storage: int
    plus_marble: int
    plus_worker: int
    plus_production_card: int


class Pile(Struct, frozen=True):
    """Equal things: how many there are of which."""

    name: Annotated[str, Meta(description="A tile or a face of the production cards.")]
    count: Annotated[int, Meta(description="How many.")]


class CropFace(Struct, frozen=True):
    """An agriculture tile and the digit that stands for it in drawings."""

    digit: int
    tile: Annotated[str, Meta(description="The tile.")]
    crops: Annotated[tuple[str, ...], Meta(description="The crops that it shows.")]


class ColourBonusView(Struct, frozen=True):
    """A colour bonus tile."""

    kind: Kind
    side: Annotated[int, Meta(description="The side that is up: 1, then 2; 0 when both are gone.")]
    points: Annotated[int, Meta(description="What the next seat gets that fills this kind.")]


class ArrangementView(Struct, frozen=True):
    """One way to join the viewer's boards, and what the region would look like."""

    boards: Boards
    turned: Turned
    shifts: Shifts
    rows: Rows


class PlayerView(Struct, frozen=True):
    """What one seat has."""

    seat: int
    dealt: Annotated[tuple[str, ...], Meta(description="The region boards dealt to it.")]
    boards: Annotated[tuple[str, ...], Meta(description="Its boards from left to right; empty while hidden.")]
    turned: Turned
    shifts: Shifts
    rows: Rows
    top: Annotated[int, Meta(description="In row i of the drawing, the space of column q has r = (top + i - q) / 2.")]
    start_castle_board: Annotated[str | None, Meta(description="The board of the start castle; null while hidden.")]
    first_bonus: Annotated[Bonus | None, Meta(description="The first bonus tile; null while hidden.")]
    has_arranged: bool
    has_chosen_castle: bool
    has_chosen_bonus: bool
    green: Points
    red: Points
    hand_size: Annotated[int, Meta(description="How many region cards it holds.")]
    storage: Annotated[tuple[str, ...], Meta(description="Stored tiles and wild hexes, oldest first.")]
    storage_spaces: Annotated[int, Meta(description="How many things it can store.")]
    stacks: Annotated[tuple[int, ...], Meta(description="The heights of its three stacks.")]
    marble: int
    workers: int
    bonus_tiles: BonusCounts
    empty_spaces: Annotated[int, Meta(description="Spaces of its region that are not covered.")]


class View(Struct, frozen=True):
    """The table of The Castles of Tuscany as a viewer sees it."""

    phase: Annotated[
        str,
        Meta(description="What is asked for: setup, action, payment, castle, city or marble; finished at the end."),
    ]
    to_act: Annotated[tuple[int, ...], Meta(description="The seats whose decision is open.")]
    round: int
    lap: int
    lap_limit: Annotated[int, Meta(description="The last lap that may be played.")]
    turn: Annotated[int, Meta(description="Turns begun so far in the match.")]
    first_player: int | None
    last_lap: Annotated[bool, Meta(description="Whether the round ends with this lap.")]
    more_action_used: Annotated[bool, Meta(description="Whether a marble was used in this turn.")]
    paying_for: Annotated[Kind | None, Meta(description="The kind of card that the placement in hand costs.")]
    display: Annotated[tuple[str, ...], Meta(description="The tile in each slot, empty for none.")]
    neutral: Annotated[int, Meta(description="Tiles in the neutral supply.")]
    box: Annotated[tuple[Pile, ...], Meta(description="Tiles out of the game.")]
    region_deck: Annotated[int, Meta(description="Cards in the region deck.")]
    region_discards: KindCounts
    production_deck: Annotated[int, Meta(description="Cards in the production deck.")]
    production_discards: tuple[Pile, ...]
    marble: int
    workers: int
    wild_hexes: Annotated[int, Meta(description="Wild hexes in the supply.")]
    bonus_tiles: BonusCounts
    colour_bonuses: tuple[ColourBonusView, ...]
    crop_faces: tuple[CropFace, ...]
    players: tuple[PlayerView, ...]
    hand: Annotated[KindCounts | None, Meta(description="The viewer's own region cards.")]
    hands: Annotated[tuple[KindCounts, ...], Meta(description="All hands, for an arbiter alone.")]
    arrangements: Annotated[
        tuple[ArrangementView, ...],
        Meta(description="While the viewer has to arrange its region: every legal way, drawn."),
    ]
    places: Annotated[tuple[int, ...], Meta(description="The place of each seat, once the match is over.")]
