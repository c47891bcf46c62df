"""Every numbered rule: its title, and whether it is the published game's, our own reading, or a house rule."""

from collections.abc import Mapping
from typing import Final

from domain.core.game import Origin, Rule

_PUBLISHED: Final = {
    "R1": "Four tile colours, and a joker that stands in for any",
    "R2": "Sixteen large tiles, four of each colour, on a four by four grid",
    "R3": "Small tiles are endless",
    "R4": "A player board: four workshops in a row, a card slot at each of the first three",
    "R5": "What each workshop holds, needs in order to run, and delivers",
    "R6": "The City Hall holds five jokers and five one-point tiles",
    "R7": "A market of six open cards, and a draw pile",
    "R8": "A design card has three to six coloured cells and a value in points",
    "R9": "Four start cards worth three points each",
    "R10": "One start player token",
    "R11": "The large tiles are shuffled and laid out face up",
    "R12": "City Hall tiles by the number of players",
    "R13": "The design cards are shuffled and six turned up",
    "R14": "Each player gets a start card and puts it into a slot, in turn order",
    "R15": "The first player is drawn at random",
    "R20": "A turn: take a line, or a tile and a card, or a tile and a move; place; run",
    "R21": "Exterior lines are the outermost rows and columns that still show a tile",
    "R23": "A line is the whole of an unbroken run of two to four tiles",
    "R24": "A single tile with a market card into an empty slot",
    "R25": "A single tile with a move of one card to an empty slot, or with neither",
    "R26": "Taken tiles are turned face down; cards come before placing",
    "R30": "Each large tile taken gives a small tile of its colour",
    "R31": "All tiles of a turn go into one workshop",
    "R32": "A workshop above its capacity discards exactly the excess",
    "R40": "A workshop is ready when it holds exactly the sets it asks for",
    "R41": "A ready workshop must run; with several the player picks which",
    "R43": "A run delivers tiles to matching cells of the card in its slot",
    "R45": "A filled card is completed and leaves its slot at once",
    "R46": "Each completed card opens a bonus: a tile of any colour into any workshop",
    "R47": "What is left ships to the next workshop on the right",
    "R48": "Workshop 4 has no slot: its tiles leave, and the City Hall pays",
    "R52": "A joker stays wild until it lies on a cell",
    "R54": "One-point tiles only score",
    "R60": "A turn that leaves three or fewer tiles face up ends the round",
    "R61": "A round has four to thirteen turns",
    "R64": "Empty market places are filled at the round's end",
    "R65": "The start player token is passed on",
    "R70": "The match ends with a round after which somebody has five completed cards",
    "R71": "The round in which a fifth card is completed is played to its end",
    "R72": "Score: completed cards, half the tiles on incomplete ones, one-point tiles",
    "R73": "The highest score wins",
    "R74": "Of tied players the one whose last turn came later is ahead",
}

_OWN: Final = {
    "R16": "Workshops start empty, and the left neighbour is the next seat",
    "R22": "An exterior tile is a face-up tile on an exterior line",
    "R33": "Discarded colours go back to the supply, discarded jokers leave the game",
    "R42": "A run delivers, then ships, and is finished before another begins",
    "R44": "A run without a card or a fitting tile delivers nothing",
    "R49": "A turn ends by itself when nothing is ready, running or open",
    "R50": "A run of workshop 4 pays a joker or a one-point tile, while there are any",
    "R51": "A claimed joker goes into a workshop at once, a one-point tile is kept",
    "R53": "Jokers never return to the City Hall",
    "R62": "At a round's end the end of the match is looked at first",
    "R63": "All sixteen large tiles are shuffled and laid out anew",
    "R66": "Boards and City Hall stay as they are between rounds",
    "R80": "There is always something to take",
    "R81": "With three full slots no card can be taken, moved or thrown away",
    "R82": "Without a card a single tile is simply taken",
    "R83": "One row left is top and bottom line at once",
    "R84": "A full workshop of the wrong colours stays until it is repaired",
    "R85": "Tiles just taken may be discarded",
    "R86": "A card just taken gets tiles through deliveries only",
    "R87": "A moved card runs no workshop",
    "R88": "A card takes no more tiles than it has open cells",
    "R89": "Workshop 4 filled by a draft runs like any other",
    "R90": "Several bonuses may be open at once and are used one by one",
    "R91": "A bonus may make another workshop ready, which runs after the current one",
    "R92": "A turn always comes to an end",
    "R93": "The standard deck cannot run out",
    "R94": "Nothing in the published rules forces progress",
    "M1": "A bonus may be used or declined between runs, before shipping and at the City Hall",
    "M2": "A City Hall with one kind left gives that kind, and an empty one nothing",
    "M3": "A run that delivers nothing still says so",
    "M4": "Where start cards are chosen, card and slot are named together; the token goes to the starter",
    "M5": "Refusals tell unknown slots, malformed choices, jokers for colours and absent bonuses apart",
    "M6": "The order of cells, discards and deliveries means nothing",
    "M8": "Market places count from 0; rows, columns, slots and workshops from 1",
    "M9": "Start cards not yet placed count among the cards",
}

_HOUSE: Final = {"M7": "The match ends after the round of the round limit, by the ordinary count"}

_ALL: Final = {
    **{number: Rule(title) for number, title in _PUBLISHED.items()},
    **{number: Rule(title, Origin.OWN) for number, title in _OWN.items()},
    **{number: Rule(title, Origin.HOUSE) for number, title in _HOUSE.items()},
}

RULEBOOK: Final[Mapping[str, Rule]] = dict(
    sorted(_ALL.items(), key=lambda entry: (entry[0][0] == "M", int(entry[0][1:]))),
)

GROUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "PlaceStartCard": ("R14",),
    "TakeLine": ("R20", "R21", "R23"),
    "TakeTile": ("R20", "R22"),
    "TakeCard": ("R24", "R26"),
    "MoveCard": ("R25", "R26"),
    "KeepCards": ("R25", "R26"),
    "PlaceTiles": ("R31",),
    "DiscardTiles": ("R32",),
    "RunWorkshop": ("R40", "R41"),
    "DeliverTiles": ("R43", "R44"),
    "ShipTiles": ("R47",),
    "UseBonus": ("R46", "M1"),
    "DeclineBonus": ("R46", "M1"),
    "ClaimJoker": ("R48", "R50"),
    "ClaimOnePoint": ("R48", "R50"),
    "PlaceJoker": ("R51",),
}
"""Command type to the rules that allow it."""
