"""The decks there are to choose from, and what makes a deck fit to play with."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from domain.core.errors import Illegal
from domain.majolica.board import MARKET_PLACES
from domain.majolica.options import Card

COLOUR_NAMES: Final = {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}
START_CARDS: Final = 4
START_POINTS: Final = 3
CELLS_LEAST, CELLS_MOST = 3, 6
POINTS_MOST: Final = 99
NAME_MOST: Final = 12
CARDS_MOST: Final = 200

DECKS: Final[Mapping[str, str]] = {
    each.name.removesuffix(".toml"): each.read_text("utf-8")
    for each in sorted(files(__package__).joinpath("decks").iterdir(), key=lambda found: found.name)
    if each.name.endswith(".toml")
}
"""The text of every packaged deck, by name."""

Deck = tuple[tuple[Card, ...], tuple[Card, ...]]
"""Start cards and design cards."""


def named(name: str) -> Deck:
    """The packaged deck of that name; Illegal when there is none, or it is no deck to play with."""
    text = DECKS.get(name)
    if text is None:
        raise Illegal("unknown_deck", "R8", f"There is no deck named {name[:40]!r}.", f"Decks: {', '.join(DECKS)}.")
    return read(name, text)


@lru_cache(maxsize=16)
def read(name: str, text: str) -> Deck:
    """The deck that a TOML text describes; Illegal names the card and its fault."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _bad(name, "it", f"is not TOML: {error}") from None
    for key in table:
        if key not in ("start_cards", "design_cards", "totals"):
            raise _bad(name, "it", f"has an unknown entry {key!r}", "R8")
    start = _cards(name, table, "start_cards")
    design = _cards(name, table, "design_cards")
    seen: set[str] = set()
    for card in start + design:
        if card.name in seen:
            raise _bad(name, f"card {card.name}", "is there twice")
        seen.add(card.name)
    if len(start) != START_CARDS:
        raise _bad(name, "it", f"has {len(start)} start cards instead of {START_CARDS}", "R9")
    for card in start:
        if card.points != START_POINTS:
            raise _bad(
                name, f"card {card.name}", f"is a start card worth {card.points} instead of {START_POINTS}", "R9"
            )
    if not MARKET_PLACES <= len(design) <= CARDS_MOST:
        raise _bad(name, "it", f"has {len(design)} design cards, not {MARKET_PLACES} to {CARDS_MOST}", "R7")
    _check_totals(name, table.get("totals", {}), start, design)
    return start, design


def _bad(deck: str, what: str, fault: str, rule: str = "R8") -> Illegal:
    return Illegal("bad_deck", rule, f"The deck {deck!r} cannot be played with: {what} {fault}.")


def _cards(deck: str, table: Mapping[str, Any], key: str) -> tuple[Card, ...]:
    rows = table.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _bad(deck, "it", f"has no list of tables {key!r}")
    return tuple(_card(deck, f"{key} number {number}", row) for number, row in enumerate(rows, 1))


def _card(deck: str, where: str, row: Mapping[str, Any]) -> Card:
    name, cells, points = row.get("id"), row.get("cells"), row.get("points")
    if not (isinstance(name, str) and name.isascii() and name.isalnum() and len(name) <= NAME_MOST):
        raise _bad(deck, where, f"has the id {name!r}, not 1 to {NAME_MOST} letters and digits")
    what = f"card {name}"
    for extra in row:
        if extra not in ("id", "cells", "points"):
            raise _bad(deck, what, f"has an unknown entry {extra!r}")
    if not isinstance(cells, list) or not CELLS_LEAST <= len(cells) <= CELLS_MOST:
        raise _bad(deck, what, f"must have a list of {CELLS_LEAST} to {CELLS_MOST} cells, not {cells!r}")
    for cell in cells:
        if not isinstance(cell, str) or cell not in COLOUR_NAMES:
            raise _bad(deck, what, f"has a cell {cell!r}, which is none of {', '.join(COLOUR_NAMES)}", "R1")
    if type(points) is not int or not 1 <= points <= POINTS_MOST:
        raise _bad(deck, what, f"has the points {points!r}, not a whole number from 1 to {POINTS_MOST}")
    return Card(name, "".join(COLOUR_NAMES[cell] for cell in cells), points)


def _check_totals(deck: str, totals: Any, start: tuple[Card, ...], design: tuple[Card, ...]) -> None:
    if not isinstance(totals, dict):
        raise _bad(deck, "it", "has totals that are no table")
    found: dict[str, int | tuple[int, ...]] = {}
    for key, cards in (("start_cards", start), ("design_cards", design)):
        found[key] = len(cards)
        found[f"points_in_{key}"] = sum(card.points for card in cards)
        cells = "".join(card.cells for card in cards)
        each = {cells.count(letter) for letter in COLOUR_NAMES.values()}
        found[f"cells_per_colour_in_{key}"] = each.pop() if len(each) == 1 else tuple(sorted(each))
    for key, wanted in totals.items():
        if key not in found:
            raise _bad(deck, "it", f"has an unknown total {key!r}")
        if found[key] != wanted:
            raise _bad(deck, "it", f"promises {key} = {wanted!r}, and the cards give {found[key]!r}")
