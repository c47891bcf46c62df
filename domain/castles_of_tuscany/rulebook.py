"""The numbered rules: what each says in a line, and whether it is the published game's or this project's."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.core.game import Origin, Rule

_PUBLISHED: Final = {
    "R1.1": "Most red points at the end win",
    "R1.2": "Three rounds, made of laps, each closed by a scoring",
    "R1.3": "A turn is one of three actions: draw, take, place; no passing",
    "R1.4": "Seats meet only at the display, the supplies and the colour bonuses",
    "R2.1": "120 tiles: 22 of each player colour, 32 neutral",
    "R2.2": "What a seat's 22 tiles are",
    "R2.3": "Four neutral tiles of each kind",
    "R2.4": "The start castle is never in a stack",
    "R2.6": "25 bonus tiles of five kinds, 8 colour bonuses with two sides",
    "R2.7": "12 region boards of ten spaces, four of each stack",
    "R2.8": "12 marble, 12 workers, 10 wild hexes",
    "R2.9": "Two score tracks without an upper end",
    "R2.10": "Kinds, colours and effects",
    "R3.1": "Decks are shuffled, discard piles start empty",
    "R3.2": "Bonus tiles by kind, colour bonuses with side I up",
    "R3.3": "The supplies do not depend on the number of seats",
    "R3.4": "The neutral tiles are shuffled face down",
    "R3.5": "Each seat's 21 tiles in three stacks of seven, whose order nobody knows",
    "R3.6": "All start with no points",
    "R3.7": "Five secret region cards and nothing else",
    "R3.8": "One random board of each stack",
    "R3.9": "Each seat arranges its boards, sets its start castle and takes a bonus tile",
    "R3.12": "Eight neutral tiles become the display, then five of a kind is checked",
    "R3.13": "There is a first player, who stays the same",
    "R4.1": "A board is a hexagon of columns of 3, 4 and 3",
    "R4.2": "Boards lie in one row, in any order, turned or not",
    "R4.3": "Neighbouring boards are shifted by half a hexagon",
    "R4.4": "No area has more than three spaces",
    "R5.1": "Turns go clockwise",
    "R5.2": "A turn is an action, then at most one more by marble",
    "R5.3": "Everything an action sets off is finished first",
    "R6.1": "Draw two region cards and one for each plus_card",
    "R6.2": "No hand limit",
    "R6.3": "An empty deck is made of the discards; what is missing then is lost",
    "R7.1": "Take any tile of the display into storage",
    "R7.2": "One storage space and one for each plus_storage",
    "R7.3": "With full storage give up a stored thing, else nothing",
    "R7.4": "The gap is filled from the own leftmost stack, then from the neutral supply",
    "R7.5": "An emptied stack is checked",
    "R7.6": "Five of a kind in the display are replaced by neutral tiles",
    "R7.7": "Give up, take, fill, check the stack, check five of a kind",
    "R8.1": "An empty space of the tile's kind that touches a covered one",
    "R8.2": "The price is two region cards of the space's kind",
    "R8.3": "A worker or an equal pair of another kind stands for a card",
    "R8.4": "Cards go to the discards, workers to the supply",
    "R8.5": "A placed tile stays",
    "R9.1": "Castle: place a tile of the display for free, or decline",
    "R9.2": "City: take a bonus tile",
    "R9.3": "Inn: a wild hex, or two red points",
    "R9.4": "Agriculture: a green point for each crop new to the area",
    "R9.5": "Quarry: a marble and one for each plus_marble",
    "R9.6": "Village: a worker and one for each plus_worker",
    "R9.7": "Monastery: three region cards",
    "R9.8": "Carriage: a production card and one for each plus_production_card",
    "R9.9": "A wild hex counts as a tile of its space's kind, without crops",
    "R10.1": "The five kinds of bonus tile",
    "R10.2": "Bonus tiles add up",
    "R10.3": "plus_storage gives two red points at once",
    "R10.4": "Bonus tiles give nothing at the end",
    "R10.5": "Bonus tiles work from the next placement on, never on production cards",
    "R11.1": "A completed area gives 1, 3 or 6 green points by its size",
    "R11.2": "An area scores once, across boards",
    "R11.3": "The first and the second seat to fill a kind get its colour bonus",
    "R11.4": "Both sides for any number of seats, never both for one seat",
    "R11.6": "Area and colour bonus are separate",
    "R12.1": "Marble and workers are limited by the supply alone",
    "R12.2": "Workers serve in payments only",
    "R12.3": "One marble a turn gives one more action",
    "R12.5": "The extra action belongs to the same turn",
    "R13.1": "A production card works at once and is discarded",
    "R14.1": "In round r stack r is the stack of the round",
    "R14.2": "The round is about to end when any seat's stack of the round is empty",
    "R14.3": "The lap is played to its end",
    "R14.4": "Green is added to red and kept",
    "R14.5": "The next round begins with the first player, everything stays",
    "R15.1": "Final scoring: stored things, marble, workers, threes of cards",
    "R15.2": "Stacks, bonus tiles and open areas give nothing",
    "R15.3": "Ties: empty spaces, fewer green points, fewer cards; then shared",
    "R16": "Edge cases",
}

_OWN: Final = {
    "R2.5": "122 region cards split by kind, 27 production cards",
    "R3.10": "The start castle scores nothing but counts as covered",
    "R3.11": "Setup choices are secret and simultaneous",
    "R4.5": "Coordinates",
    "R4.6": "An arrangement is kept as it was sent",
    "R6.4": "Drawing is always allowed",
    "R8.6": "Pay and place, area, colour bonus, effect",
    "R8.7": "Gains are not optional, except the castle's",
    "R9.10": "A short supply gives what is left",
    "R11.5": "Values of the colour bonuses",
    "R12.4": "A fresh marble may be used at once",
    "R13.2": "An empty production deck is made of its discards",
    "R13.3": "Faces of the production cards",
    "R15.4": "Lower places are compared in the same way",
    "R17": "Options of a match",
    "K1": "Storage is a list that closes its gaps",
    "K2": "Setup choices are final and revealed together",
    "K3": "Rules that this data never reaches",
    "K4": "Draws are in events; a gain of nothing has its event",
    "K5": "A reshuffled production deck includes the cards just resolved",
    "K6": "Shared places 1, 1, 3, 3; pairs in alphabetical order",
}

_HOUSE: Final = {"K7": "The lap limit ends the match"}

_ALL: Final = (
    {number: Rule(title) for number, title in _PUBLISHED.items()}
    | {number: Rule(title, Origin.OWN) for number, title in _OWN.items()}
    | {number: Rule(title, Origin.HOUSE) for number, title in _HOUSE.items()}
)


def _order(number: str) -> tuple[bool, list[int]]:
    return number[0] == "K", [int(part) for part in number[1:].split(".")]


RULEBOOK: Final[Mapping[str, Rule]] = MappingProxyType({number: _ALL[number] for number in sorted(_ALL, key=_order)})
"""In the order of the numbers."""

GROUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "ArrangeRegion": ("R3.9", "R3.8", "R4.2", "R4.3", "R4.4", "R3.11"),
    "ChooseStartCastle": ("R3.9", "R3.11"),
    "ChooseFirstBonusTile": ("R3.9", "R3.11"),
    "DrawCards": ("R1.3", "R6.1", "R6.4"),
    "TakeTile": ("R1.3", "R7.1", "R7.3"),
    "PlaceTile": ("R1.3", "R8.1", "R8.2"),
    "Pay": ("R8.2", "R8.3"),
    "PlaceFromDisplay": ("R9.1", "R8.1"),
    "DeclineCastle": ("R9.1", "R8.7"),
    "TakeBonusTile": ("R9.2",),
    "UseMarble": ("R5.2", "R12.3"),
    "EndTurn": ("R5.2", "R12.3"),
}
"""Command type to the rules that allow it."""
