"""The component data: what is in the box, read from the packaged file, checked, and picked by the options."""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from domain.castles_of_tuscany.words import BONUSES, KINDS, Bonus, Kind, Track

LETTERS: Final = {
    Kind.CASTLE: "k",
    Kind.CITY: "t",
    Kind.INN: "i",
    Kind.AGRICULTURE: "a",
    Kind.QUARRY: "q",
    Kind.VILLAGE: "v",
    Kind.MONASTERY: "m",
    Kind.CARRIAGE: "w",
}
"""One letter for each kind, in drawings and in the component file."""

STACKS: Final = ("A", "B", "C")
COLUMNS: Final = (3, 4, 3)
GAINS: Final = ("region_cards", "marble", "workers", "red_points", "green_points", "wild_hexes")

_KIND_OF_LETTER: Final = {letter: kind for kind, letter in LETTERS.items()}


class Board(Struct, frozen=True):
    """A region board: its ten spaces column by column, each from top to bottom, unturned."""

    id: str
    stack: str
    spaces: tuple[Kind, ...]


class Tile(Struct, frozen=True):
    """A tile that there is in stacks: how many among a seat's 21 and among the 32 neutral ones."""

    id: str
    kind: Kind
    own: int
    neutral: int
    crops: tuple[str, ...] = ()


class ProductionCard(Struct, frozen=True):
    """A face of the production cards and the one thing it gives."""

    id: str
    count: int
    gain: str
    amount: int


class ColourBonus(Struct, frozen=True):
    """What the first and the second seat get that fill a kind."""

    kind: Kind
    first: int
    second: int


class Data(Struct, frozen=True):
    """The component data that a match is played with: part of its first event, so that no later file matters."""

    boards: tuple[Board, ...]
    tiles: tuple[Tile, ...]
    region_cards: tuple[int, ...]
    """How many of each kind, in the order of the kinds."""
    production: tuple[ProductionCard, ...]
    colour_bonuses: tuple[ColourBonus, ...]
    """In the order of the kinds."""
    bonus_tiles: int
    """How many of each kind."""
    storage_points: int
    storage_track: Track


class Box(Struct, frozen=True):
    """Every named set of the component file."""

    boards: dict[str, tuple[Board, ...]]
    card_split: dict[str, tuple[int, ...]]
    production_faces: dict[str, tuple[ProductionCard, ...]]
    crops: dict[str, tuple[Tile, ...]]
    bonus_values: dict[str, tuple[ColourBonus, ...]]
    storage_points: dict[str, tuple[int, Track]]
    bonus_tiles: int


def open_box(text: str) -> Box:
    """The checked content of a component file; ValueError says what is wrong where."""
    raw = tomllib.loads(text)
    spaces = {kind: raw["tiles"][kind]["spaces"] for kind in KINDS}
    totals = raw["totals"]
    values = {name: dict(table) for name, table in raw["bonus_values"].items()}
    storage = {name: table.pop(Bonus.PLUS_STORAGE) for name, table in values.items()}
    if totals["bonus_tiles"] < len(BONUSES):
        raise ValueError("totals.bonus_tiles: four seats need at least five of each kind")
    return Box(
        boards={name: _boards(name, table, spaces) for name, table in raw["boards"].items()},
        card_split={
            name: _card_split(name, table, totals["region_cards"]) for name, table in raw["card_split"].items()
        },
        production_faces={
            name: _production(name, table, totals["production_cards"])
            for name, table in raw["production_faces"].items()
        },
        crops={name: _tiles(name, table, raw["tiles"]) for name, table in raw["crops"].items()},
        bonus_values={name: _colour_bonuses(name, table) for name, table in values.items()},
        storage_points={name: _storage_points(name, table) for name, table in storage.items()},
        bonus_tiles=totals["bonus_tiles"],
    )


def _boards(name: str, table: dict[str, list[str]], spaces: dict[Kind, int]) -> tuple[Board, ...]:
    found = []
    for board, columns in table.items():
        if board[:1] not in STACKS:
            raise ValueError(f"boards.{name}.{board}: the first letter is the stack, A, B or C")
        if tuple(len(column) for column in columns) != COLUMNS:
            raise ValueError(f"boards.{name}.{board}: three columns of 3, 4 and 3 spaces are wanted")
        letters = "".join(columns)
        if strange := sorted(set(letters) - set(_KIND_OF_LETTER)):
            raise ValueError(f"boards.{name}.{board}: no kind has the letter {strange[0]!r}")
        kinds = tuple(_KIND_OF_LETTER[letter] for letter in letters)
        if kinds.count(Kind.CASTLE) != 1:
            raise ValueError(f"boards.{name}.{board}: a board has exactly one castle space")
        found.append(Board(board, board[0], kinds))
    total: Counter[Kind] = Counter()
    for stack in STACKS:
        counts = [Counter(board.spaces) for board in found if board.stack == stack]
        if len(counts) != len(KINDS) // 2:
            raise ValueError(f"boards.{name}: stack {stack} has {len(counts)} boards, not 4")
        if any(count != counts[0] for count in counts):
            raise ValueError(
                f"boards.{name}: the boards of stack {stack} differ in how many spaces of a kind they have"
            )
        total += counts[0]
    if dict(total) != spaces:
        raise ValueError(f"boards.{name}: three boards together do not have the spaces that [tiles] states")
    return tuple(found)


def _card_split(name: str, table: dict[str, int], total: int) -> tuple[int, ...]:
    if set(table) != set(KINDS) or min(table.values()) < 1:
        raise ValueError(f"card_split.{name}: each of the eight kinds has at least one card")
    if sum(table.values()) != total:
        raise ValueError(f"card_split.{name}: {sum(table.values())} cards, not {total}")
    return tuple(table[kind] for kind in KINDS)


def _production(name: str, table: dict[str, dict[str, int]], total: int) -> tuple[ProductionCard, ...]:
    cards = []
    for card, face in table.items():
        gains = [gain for gain in face if gain != "count"]
        if len(gains) != 1 or gains[0] not in GAINS:
            raise ValueError(f"production_faces.{name}.{card}: a face gives one of {', '.join(GAINS)}")
        if min(face.values()) < 1 or face.get("wild_hexes", 1) != 1:
            raise ValueError(f"production_faces.{name}.{card}: numbers are at least 1, and exactly 1 for a wild hex")
        cards.append(ProductionCard(card, face["count"], gains[0], face[gains[0]]))
    if sum(card.count for card in cards) != total:
        raise ValueError(f"production_faces.{name}: {sum(card.count for card in cards)} cards, not {total}")
    return tuple(cards)


def _tiles(name: str, faces: dict[str, dict[str, Any]], kinds: dict[str, dict[str, int]]) -> tuple[Tile, ...]:
    tiles = []
    for kind in KINDS:
        counts = kinds[kind]
        if kind is not Kind.AGRICULTURE:
            tiles.append(Tile(kind.value, kind, counts["own"], counts["neutral"]))
            continue
        for pile in ("own", "neutral"):
            if (have := sum(face[pile] for face in faces.values())) != counts[pile]:
                raise ValueError(f"crops.{name}: {have} {pile} agriculture tiles, not {counts[pile]}")
        for face, what in faces.items():
            if not what["crops"] or len(set(what["crops"])) != len(what["crops"]):
                raise ValueError(f"crops.{name}.{face}: a face shows one or more different crops")
            tiles.append(Tile(f"{kind}:{face}", kind, what["own"], what["neutral"], tuple(what["crops"])))
    return tuple(tiles)


def _colour_bonuses(name: str, table: dict[str, list[int]]) -> tuple[ColourBonus, ...]:
    if set(table) != set(KINDS):
        raise ValueError(f"bonus_values.{name}: each of the eight kinds has a colour bonus")
    for kind, (first, second) in table.items():
        if not 0 < second < first <= len(KINDS) // 2:
            raise ValueError(f"bonus_values.{name}.{kind}: the first gets at most 4, the second less but not nothing")
    return tuple(ColourBonus(kind, *table[kind]) for kind in KINDS)


def _storage_points(name: str, table: dict[str, Any]) -> tuple[int, Track]:
    if table["points"] < 0 or table["track"] not in tuple(Track):
        raise ValueError(f"bonus_values.{name}.plus_storage: points of 0 or more, on the track green or red")
    return table["points"], Track(table["track"])


BOX: Final = open_box(files("domain.castles_of_tuscany").joinpath("components.toml").read_text("utf-8"))
"""The packaged components."""
