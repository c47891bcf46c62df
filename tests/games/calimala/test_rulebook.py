"""Every number of the rules dossier has a title, and a test that shows it or a reason why none does.

R are rules, C edge cases, X worked examples, S the sentences of the original description.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from domain.calimala import GAME
from domain.core.game import Origin

FOLDER = Path(__file__).parent
NUMBERS = tuple(FOLDER.joinpath("rules.txt").read_text("utf-8").split())

REASONS: dict[str, str] = {}
"""Why a number has no test."""

DESCRIPTION = {
    "S1": "exactly one worker, the two adjacent actions in either order",
    "S2": "then reactivation, then scoring, then the marker passes clockwise",
    "S3": "stack of three: the bottom worker goes to the tower first, unreactivated, and the next tile is scored",
    "S4": "a Contractor takes each adjacent action twice",
    "S5": "placed Contractors belong to nobody and do not reactivate",
    "S6": "a Contractor removed for scoring goes to the supply of the player who removed it",
    "S7": "every Family Member underneath, from top to bottom, gives two actions to its owner",
    "S8": "the placed worker must be able to complete at least one adjacent action",
    "S9": "impossible only if no part can be carried out",
    "S10": "a card for an impossible action: at most one a turn for the active player, one for each for others",
    "S11": "skipping earns no card",
    "S12": "cards before or after the grid actions; an action made possible is not impossible",
    "S13": "Hirelings add their rules to the activations",
    "S14": "two players: 10 Family Members, 3 Contractors, 5 Hirelings, neutral cubes",
    "S15": "no Hireling on a stack that has one",
    "S16": "placing a Hireling reactivates nothing, and it never reactivates",
    "S17": "cubes placed with a Hireling in the stack bring a neutral cube, also with cards",
    "S18": "Hirelings are the neutral player's in majorities and ties; a player wins the last step",
    "S19": "two players: the third worker sends the bottom one away after all reactivations",
    "S20": "Scoring cards are chosen after the fifth and the tenth tile",
    "S21": "the marker moves after actions, reactivations and scoring",
    "S22": "cards in one's own activation, also in another's turn; then the sequence goes on",
    "S23": "the Scoring tile is resolved before the marker passes",
}
"""The original description, sentence by sentence: each is the mark of at least one test."""


def marked() -> Iterator[str]:
    """The numbers in the `rule` marks of this folder's tests."""
    for path in FOLDER.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                yield from (str(ast.literal_eval(argument)) for argument in node.args)


def test_every_rule_of_the_dossier_has_a_title() -> None:
    assert tuple(GAME.rulebook) == tuple(number for number in NUMBERS if number.startswith("R"))
    for rule in GAME.rulebook.values():
        assert rule.title
        assert not rule.title.endswith(".")


def test_every_number_is_shown_by_a_test_or_a_reason_says_why_not() -> None:
    shown = set(marked())
    assert shown <= set(NUMBERS)
    assert shown.isdisjoint(REASONS)
    assert shown | set(REASONS) == set(NUMBERS)


def test_each_sentence_of_the_description_has_a_test() -> None:
    assert set(DESCRIPTION) == {number for number in NUMBERS if number.startswith("S")}
    assert set(DESCRIPTION) <= set(marked())


def test_what_this_project_decided_is_told_apart() -> None:
    own = [number for number, rule in GAME.rulebook.items() if rule.origin is Origin.OWN]
    assert own == ["R20", "R33", "R34", "R38", "R64", "R94", "R97", "R102"]
