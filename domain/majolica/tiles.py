"""Small tiles, and the bags of them that lie in workshops and on cards."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final

import msgspec

Counts = tuple[int, ...]
"""How many tiles of each kind, in the order of `Tile`; of cells, where the last number stays 0."""


class Tile(StrEnum):
    """A kind of small tile: four colours and the joker, which stands in for any colour (R1)."""

    RED = "R"
    BLUE = "B"
    YELLOW = "Y"
    GREEN = "G"
    JOKER = "*"


class Delivery(msgspec.Struct, frozen=True):
    """One tile laid on a card: which tile, and the colour of the cell it covers."""

    tile: Annotated[Tile, msgspec.Meta(description="The tile moved from the workshop to the card.")]
    colour: Annotated[Tile, msgspec.Meta(description="The colour of the cell covered: the tile's own, unless a joker.")]


TILES: Final = tuple(Tile)
COLOURS: Final = TILES[:4]
JOKER: Final = 4
"""The index of the joker in `Counts`."""
ORDER: Final = {tile: index for index, tile in enumerate(TILES)}
NONE: Final[Counts] = (0, 0, 0, 0, 0)


def counts(tiles: Iterable[Tile | str]) -> Counts:
    """The bag of these tiles; letters do as well."""
    bag = list(NONE)
    for tile in tiles:
        bag[ORDER[Tile(tile)]] += 1
    return tuple(bag)


@lru_cache(maxsize=8192)
def spelled(bag: Counts) -> tuple[Tile, ...]:
    """The tiles of a bag in the order of `Tile`: the normal form of a choice of tiles."""
    return tuple(tile for tile, count in zip(TILES, bag, strict=True) for _ in range(count))


@lru_cache(maxsize=8192)
def letters(bag: Counts) -> str:
    """The tiles of a bag as letters, in the order of `Tile`."""
    return "".join(tile.value * count for tile, count in zip(TILES, bag, strict=True))


def plus(a: Counts, b: Counts) -> Counts:
    """Both bags together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Counts, b: Counts) -> Counts:
    """What is left of a bag; below zero where the other holds more."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles sorted in the order of `Tile`, however many there are."""
    return tuple(sorted(tiles, key=ORDER.__getitem__))


def deliveries_in_order(deliveries: Iterable[Delivery]) -> tuple[Delivery, ...]:
    """Deliveries sorted by tile, then by cell."""
    return tuple(sorted(deliveries, key=lambda each: (ORDER[each.tile], ORDER[each.colour])))


@lru_cache(maxsize=4096)
def choices(bag: Counts, size: int) -> tuple[tuple[Tile, ...], ...]:
    """Every different choice of so many tiles from a bag, each in normal form."""
    parts: list[tuple[tuple[Tile, ...], int]] = [((), size)]
    for index, count in enumerate(bag):
        later = sum(bag[index + 1 :])
        parts = [
            (chosen + (TILES[index],) * taken, left - taken)
            for chosen, left in parts
            for taken in range(min(count, left), max(0, left - later) - 1, -1)
        ]
    return tuple(chosen for chosen, left in parts if left == 0)


@lru_cache(maxsize=4096)
def fitting(bag: Counts, cells: Counts, least: int, most: int) -> tuple[tuple[Delivery, ...], ...]:
    """Every different way to lay tiles of the bag on these open cells, each in normal form (R43, R44).

    Empty where no tile fits. At least `least` tiles are laid, or as many as can be where that is fewer.
    """
    ways: list[tuple[tuple[Delivery, ...], Counts, int]] = [((), cells, most)]
    for index, colour in enumerate(COLOURS):
        ways = [
            (laid + (Delivery(colour, colour),) * n, _less(free, index, n), left - n)
            for laid, free, left in ways
            for n in range(min(bag[index], free[index], left) + 1)
        ]
    jokers = [(laid, free, left, bag[JOKER]) for laid, free, left in ways]
    for index, colour in enumerate(COLOURS):
        jokers = [
            (laid + (Delivery(Tile.JOKER, colour),) * n, free, left - n, held - n)
            for laid, free, left, held in jokers
            for n in range(min(held, free[index], left) + 1)
        ]
    largest = max(len(laid) for laid, *_ in jokers)
    if not largest:
        return ()
    return tuple(laid for laid, *_ in jokers if len(laid) >= min(least, largest))


def _less(bag: Counts, index: int, count: int) -> Counts:
    return (*bag[:index], bag[index] - count, *bag[index + 1 :])
