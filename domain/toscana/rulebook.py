"""The numbered rules of Toscana. The printed leaflet is lost; `own` marks where this project had to decide."""

from collections.abc import Mapping
from typing import Final

from domain.core.game import Origin, Rule

RULEBOOK: Final[Mapping[str, Rule]] = {
    "R1": Rule("The board has 17 x 17 squares, the centre highlighted"),
    "R2": Rule("A tile has 2 x 4 squares, each courtyard or building"),
    "R3": Rule("Each side has 16 tiles: every way of putting two squares of the other colour on it, once"),
    "R4": Rule("Each player has one veto token; marking tokens are shared"),
    "R5": Rule("Tiles are never turned over, and spare tiles take no part"),
    "R6": Rule("One player is courtyard, the other building; by lot unless the table says otherwise", Origin.OWN),
    "R7": Rule("Each side's 16 tiles are shuffled face up: the top is seen, the order below is not"),
    "R8": Rule("Courtyard lays the first tile"),
    "R9": Rule("Each player begins every game with the veto unused"),
    "R10": Rule("A placement is tile, anchor and orientation; a half turn of a symmetric tile is the same placement"),
    "R11": Rule("A tile lies on the grid, wholly on the board, on eight empty squares, and stays there"),
    "R12": Rule("The first tile covers the centre"),
    "R13": Rule("Contact is a shared edge of like-coloured squares; corners do not count"),
    "R14": Rule("From the second tile on, a dominant square must touch a square of its colour on a laid tile"),
    "R15": Rule("Nothing else is asked: any like-coloured square will do, other edges are free, gaps are allowed"),
    "R16": Rule("Only the top tile of the own pile is laid"),
    "R17": Rule("A tile that can be laid must be laid"),
    "R18": Rule("The sides take turns"),
    "R19": Rule("A side passes if and only if its pile is empty or its top tile fits nowhere; the tile stays on top"),
    "R20": Rule("Who has passed is asked again next turn", Origin.OWN),
    "R21": Rule("Each player may veto once per game; an unused veto is worth nothing"),
    "R22": Rule("A veto is against the opponent's placeable top tile before it is laid, if another tile follows it"),
    "R23": Rule("The vetoed tile goes to the bottom of its pile; the next tile is played in the same turn"),
    "R24": Rule("At most one veto a turn, and never against an own tile"),
    "R25": Rule("If the next tile fits nowhere its owner passes; the vetoed tile may come up again"),
    "R26": Rule("The game ends when both sides have passed in direct succession"),
    "R27": Rule("Marking tokens only help counting"),
    "R28": Rule("An area is all like-coloured squares joined by edges, whoever laid them"),
    "R29": Rule("An area's size is the number of tiles that have a square in it"),
    "R30": Rule("Each side scores the size of the largest area of its colour; one tile may count for both"),
    "R31": Rule("The larger score wins; equal scores are a draw", Origin.OWN),
    "R32": Rule("A match of two games: sides swapped, scores added", Origin.OWN),
    "R33": Rule("All is public but the order below the top of a pile, which nobody knows"),
    "K1": Rule("The second game begins in the commit that ends the first; each game is scored by itself", Origin.OWN),
    "K2": Rule("A waiver sent in advance is recorded if the veto is open, else dropped", Origin.OWN),
    "K3": Rule("An announced veto that meets an unplaceable tile: first the pass, then the lapse", Origin.OWN),
    "K4": Rule("With vetoes after laying nothing is announced: a veto is refused, a waiver ignored", Origin.OWN),
    "K5": Rule(
        "A veto by a player who has just passed may uncover a tile that fits nowhere: the game ends", Origin.OWN
    ),
    "K6": Rule("With ties broken by squares the score tells the squares of both sides", Origin.OWN),
    "K7": Rule("The first tile may lie anywhere, by option", Origin.OWN),
    "K8": Rule("What is no placement or decision at all is refused before the rules", Origin.OWN),
}

GROUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "PlaceTile": ("R16", "R17", "R10", "R11", "R12", "R14"),
    "DecideVeto": ("R21", "R22", "R24"),
}
"""Command type to the rules that allow it."""
