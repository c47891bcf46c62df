"""Every numbered rule: what it is about, and whose it is."""

from collections.abc import Mapping
from typing import Final

from domain.core.game import Origin, Rule

_OURS: Final = {
    "R20": "Seats go clockwise; the starting player is drawn and gets the marker",
    "R33": "Opening plays come with the placement, as one command",
    "R34": "Without a possible placement a player may pass, for one worker",
    "R38": "An activation ends by its player's word, or by itself without pending actions and cards",
    "R64": "Possible actions are not declared impossible, impossible ones are not skipped",
    "R94": "Without neutral cubes none are added; building and gaining add none",
    "R97": "The neutral player cannot win",
    "R102": "In the end phase the marker stays with the starting player",
}

_PUBLISHED: Final = {
    "R1": "Two to five players",
    "R2": "Board with two sides, tiles, cards, Contractors, and the pieces of each colour",
    "R3": "The mat: warehouses of four, workshops of four cloth, room for three ships",
    "R4": "A player's forty cubes are in the reserve, on the mat or on the board",
    "R5": "Ten areas: trade cities, port cities, churches, the Palazzo Vecchio",
    "R6": "Slot groups and how many cubes they hold",
    "R7": "Slots are filled from left to right",
    "R8": "One trading house per player in each trade city",
    "R10": "Nine actions in a square, Contribute fixed in the centre",
    "R11": "Twelve spaces, each between two neighbouring actions",
    "R12": "A stack is ordered; three workers high, two in the two-player game",
    "R21": "The action tiles are dealt to the outer positions",
    "R22": "The Scoring tiles are dealt to the fifteen Council seats",
    "R23": "Workers by number of players",
    "R24": "What each player begins with",
    "R25": "Scoring cards dealt and opened by number of players",
    "R26": "Three to five players each keep one Scoring card, chosen at the same time",
    "R27": "Each player takes one open Action card, counter-clockwise, the starting player last",
    "R28": "All other Action cards are the deck",
    "R30": "The order of a turn",
    "R31": "Any worker of the supply on any space, on top",
    "R32": "A placement must make at least one grid action possible",
    "R35": "The bottom worker of a full stack leaves before any action",
    "R36": "The placed worker's grid actions once each, a Contractor's twice",
    "R37": "The placed worker carries out at least one grid action, if it can",
    "R40": "Every Family Member underneath is reactivated, from top to bottom",
    "R41": "A reactivation gives its owner both grid actions, in any order",
    "R42": "Contractors and Hirelings never reactivate",
    "R43": "Placing a Hireling reactivates nothing",
    "R44": "The marker passes after everything else",
    "R50": "Wood, Brick, Marble: one cube into the warehouse",
    "R51": "Weave: one cloth for each workshop",
    "R52": "Build: a ship, a trading house or a workshop",
    "R53": "Statue: a marble to a free statue slot",
    "R54": "Ship: a cloth for each ship to port cities",
    "R55": "Transport: a cloth to each trade city with an own trading house",
    "R56": "Contribute: a cube to a matching church row",
    "R57": "Ships and houses last, cubes on the board stay",
    "R60": "Impossible is what no part of can be carried out, when it is settled",
    "R61": "A card for an impossible action; one in a turn for the active player",
    "R62": "A card drawn for an action does not bring it back",
    "R63": "Skipping and partial actions earn nothing",
    "R70": "Forty-five Action cards, five for each action",
    "R71": "Cards are played in one's own activation, between actions",
    "R72": "A card needs its action to be possible, and is no grid action",
    "R73": "Played cards are reshuffled when the deck is used up",
    "R74": "The worker in the tower takes the seat of the next Scoring tile",
    "R75": "A removed Contractor is exchanged for a Family Member of the active player",
    "R76": "After the last tile, removed workers stay in the tower and count as seats",
    "R77": "The seat is filled before its tile is counted",
    "R78": "Tiles give three, two and one points",
    "R79": "What each cube counts for",
    "R80": "Five steps that break every tie",
    "R81": "Seats of Hirelings and neutral statues count for the neutral player",
    "R90": "The two-player side, its workers and the neutral cubes",
    "R91": "A Hireling gives two actions and reactivates nothing",
    "R92": "No second Hireling on a stack",
    "R93": "A Hireling in the stack brings neutral cubes to where cubes are placed",
    "R95": "With two players the bottom worker leaves after all reactivations",
    "R96": "The neutral player is ranked and takes its place",
    "R98": "Two players choose Scoring cards after the fifth and tenth tile",
    "R99": "These choices are finished before the match goes on",
    "R100": "The end: an empty supply, or all tiles scored",
    "R101": "The round is finished",
    "R103": "Tiles left over are scored without seats",
    "R104": "Scoring cards give five, three and one points",
    "R105": "Most points win",
}


RULEBOOK: Final = {
    number: Rule(_OURS[number], Origin.OWN) if number in _OURS else Rule(_PUBLISHED[number])
    for number in sorted(_OURS | _PUBLISHED, key=lambda number: int(number[1:]))
}

GROUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "ChooseScoringCard": ("R26", "R98"),
    "TakeStartingCard": ("R27",),
    "PlaceWorker": ("R31", "R32", "R33"),
    "PassTurn": ("R34",),
    "TakeAction": ("R36", "R41"),
    "SkipAction": ("R37", "R64"),
    "DeclareImpossible": ("R60", "R61", "R64"),
    "PlayActionCard": ("R71", "R72"),
    "EndActivation": ("R38",),
}
"""Command type to the rules that allow it."""
