"""Geometry that never changes, and the component data that the options select."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import combinations, product
from typing import Any, Final

import msgspec

from domain.calimala.options import Options
from domain.calimala.things import (
    ACTIONS,
    PLACES,
    SCORING_CARDS,
    TARGETS,
    TILES,
    Action,
    Place,
    ScoringCard,
    Target,
    Tile,
)
from domain.core.errors import Illegal

CENTRE: Final = 4
"""The position of the fixed action; positions are numbered 0 to 8, row by row."""

STREETS: Final = ((0, 1), (1, 2), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5), (3, 6), (4, 7), (5, 8), (6, 7), (7, 8))
"""The two positions that each space lies between, for spaces 1 to 12 (R11)."""

RESERVE, WOOD, BRICK, MARBLE, CLOTH = range(5)
"""Indices of a player's cubes beside the main board, in the order of Place."""

GROUPS: Final = PLACES[5:]
TRADE: Final = (0, 1, 2)
PORTS: Final = (3, 4, 5)
ROWS: Final = (6, 7, 8, 10, 11, 12, 14, 15, 16)
STATUES: Final = (9, 13, 17, 18)
PALAZZO: Final = 18
CARGO: Final = {group: WOOD + (group - 6) % 4 for group in ROWS}
"""Which kind of cube a church row takes."""

CHURCHES: Final = ((6, 7, 8, 9), (10, 11, 12, 13), (14, 15, 16, 17))
_PLACES_COUNTED: Final = (*((city,) for city in range(6)), *CHURCHES)
TILE_GROUPS: Final[Mapping[Tile, tuple[int, ...]]] = dict(
    zip(TILES, (*_PLACES_COUNTED, STATUES, TRADE, PORTS, (6, 10, 14), (7, 11, 15), (8, 12, 16)), strict=True)
)
CARD_GROUPS: Final[Mapping[ScoringCard, tuple[int, ...]]] = dict(
    zip(SCORING_CARDS, (*_PLACES_COUNTED, (PALAZZO,)), strict=True)
)

PLACE_INDEX: Final[Mapping[Place, int]] = {place: i for i, place in enumerate(PLACES)}
TARGET_INDEX: Final[Mapping[Target, int]] = {target: i for i, target in enumerate(TARGETS)}
ACTION_INDEX: Final[Mapping[Action, int]] = {action: i for i, action in enumerate(ACTIONS)}
HOUSES: Final = (Target.HOUSE_IN_TROYES, Target.HOUSE_IN_BRUGES, Target.HOUSE_IN_HAMBURG)

Choice = tuple[Target, ...]

MOST: Final = 3
"""No action moves more cubes to cities than this: three ships, three trading houses."""


def _deliveries() -> dict[tuple[int, int, int, int], tuple[Choice, ...]]:
    """By (cubes at most, free slots in each port city, both capped at MOST): what one Ship action can deliver."""
    ways = sorted(
        (counts for counts in product(range(MOST + 1), repeat=3) if 1 <= sum(counts) <= MOST),
        key=lambda counts: (sum(counts), [-n for n in counts]),
    )
    spelled = {c: tuple(TARGETS[PORTS[i]] for i in range(3) for _ in range(c[i])) for c in ways}
    amounts = range(MOST + 1)
    return {
        (most, a, b, c): tuple(
            spelled[way] for way in ways if sum(way) <= most and way[0] <= a and way[1] <= b and way[2] <= c
        )
        for most, a, b, c in product(amounts, amounts, amounts, amounts)
    }


def _transports() -> dict[tuple[int, bool, bool, bool], tuple[Choice, ...]]:
    """By (cubes at most, which trade cities are open): the sets of cities one Transport action can serve."""
    either = (False, True)
    return {
        (most, a, b, c): tuple(
            tuple(TARGETS[city] for city in some)
            for size in range(1, most + 1)
            for some in combinations(TRADE, size)
            if all((a, b, c)[city] for city in some)
        )
        for most, a, b, c in product(range(MOST + 1), either, either, either)
    }


DELIVERIES: Final = _deliveries()
TRANSPORTS: Final = _transports()


class Slots(msgspec.Struct, frozen=True):
    """How many cubes a slot group holds."""

    group: Place
    capacity: int


class Copies(msgspec.Struct, frozen=True):
    """How many Action cards of a kind there are."""

    action: Action
    count: int


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for every player at every number of seats."""

    cubes: int
    warehouse: int
    cloth_per_workshop: int
    workshops: int
    ships: int
    tile_points: tuple[int, ...]
    card_points: tuple[int, ...]
    ship_wood: int
    ship_brick: int
    house_wood: int
    house_brick: int
    workshop_wood: int
    workshop_brick: int


class Data(msgspec.Struct, frozen=True):
    """The component data of one match."""

    figures: Figures
    family_members: int
    contractors: int
    hirelings: int
    stack: int
    bottom_leaves_first: bool
    scoring_dealt: int
    scoring_open: int
    scoring_show_after: int
    scoring_keep_after: int
    neutral_cubes: int
    slots: tuple[Slots, ...]
    action_cards: tuple[Copies, ...]
    starters: tuple[Action, ...]
    layout: tuple[Action, ...]
    """The nine actions row by row, or empty: dealt at random."""


_COMPONENTS: Final[dict[str, Any]] = tomllib.loads(
    files("domain.calimala").joinpath("components.toml").read_text(encoding="utf-8")
)


def data(options: Options, seats: int) -> Data:
    """The component data that the options select; Illegal names the option that selects nothing."""
    return select(_COMPONENTS, options, seats)


def select(components: Mapping[str, Any], options: Options, seats: int) -> Data:
    """The data of one match out of a whole set of components."""
    rows = [row for row in components["seats"] if row["seats"] == seats]
    if not rows:
        raise Illegal("bad_options", "R1", f"Calimala is for 2 to 5 players, not {seats}.")
    row = {name: figure for name, figure in rows[0].items() if name != "seats"}
    row.setdefault("scoring_dealt", _named(components, "two_player_cards", options.two_player_cards))
    side = _named(components, "two_player_board", options.two_player_board)
    if seats > 2:  # noqa: PLR2004 - the two-player side is for two
        side = components["standard_board"]
    cards = _named(components, "action_cards", options.action_cards)
    found = {
        **row,
        "figures": components["figures"],
        "neutral_cubes": side["neutral_cubes"],
        "slots": [{"group": group, "capacity": side.get(group)} for group in GROUPS],
        "action_cards": [{"action": action, "count": cards.get(action)} for action in ACTIONS],
        "starters": cards["starters"],
        "layout": _named(components, "grid", options.grid),
    }
    try:
        chosen = msgspec.convert(found, Data)
        check(chosen, seats)
    except (msgspec.ValidationError, ValueError) as wrong:
        raise Illegal("bad_options", "R2", f"The component data cannot be played with: {wrong}.") from wrong
    return chosen


def _named(components: Mapping[str, Any], option: str, name: str) -> Any:
    sets = components[option]
    if name not in sets:
        raise Illegal("bad_options", "R2", f"There is no {option} named {name!r}.", f"There are: {', '.join(sets)}.")
    return sets[name]


def check(chosen: Data, seats: int) -> None:
    """ValueError says what no match could be played with."""
    f = chosen.figures
    if min(f.cubes, f.warehouse, f.cloth_per_workshop, f.workshops, chosen.stack) < 1 or chosen.family_members < 1:
        raise ValueError("a figure that must be at least 1 is not")
    if not 0 <= f.ships <= MOST:
        raise ValueError(f"no player can have {f.ships} ships, only 0 to {MOST}")
    if min(chosen.contractors, chosen.hirelings, chosen.neutral_cubes, chosen.scoring_open) < 0:
        raise ValueError("a figure that must not be negative is")
    if any(slots.capacity < 0 for slots in chosen.slots):
        raise ValueError("a slot group has a negative capacity")
    shown = 1 if chosen.scoring_show_after else 0
    if chosen.scoring_dealt < 1 + shown:
        raise ValueError(f"{chosen.scoring_dealt} Scoring cards are too few to choose from")
    if chosen.scoring_dealt * seats + chosen.scoring_open > len(SCORING_CARDS):
        raise ValueError("more Scoring cards would be dealt than there are")
    if not (0 <= chosen.scoring_show_after <= chosen.scoring_keep_after <= len(TILES)):
        raise ValueError("the Scoring cards are chosen after tiles that are out of order")
    if len(set(chosen.starters)) != len(chosen.starters) or len(chosen.starters) < seats:
        raise ValueError("there must be a different starting card for each player")
    if any(copies.count < (copies.action in chosen.starters) for copies in chosen.action_cards):
        raise ValueError("a kind of Action card has too few copies")
    if chosen.layout and (set(chosen.layout) != set(ACTIONS) or chosen.layout[CENTRE] != Action.CONTRIBUTE):
        raise ValueError("the layout must have each action once, Contribute in the centre")
