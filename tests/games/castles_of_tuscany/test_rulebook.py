"""Every numbered rule has a title, and a test that shows it or a reason why none does."""

import ast
from collections.abc import Iterator

from domain.castles_of_tuscany import GAME
from domain.core.game import Origin
from tests.games.castles_of_tuscany.table import HERE

NUMBERS = (HERE / "rules.txt").read_text("utf-8").split()

REASONS: dict[str, str] = {}
"""Why a rule has no test."""


def marked() -> Iterator[str]:
    """The numbers in the `rule` marks of this folder's tests."""
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                yield from (str(ast.literal_eval(argument)) for argument in node.args)


def test_every_rule_has_a_title_in_the_order_of_the_numbers() -> None:
    assert list(GAME.rulebook) == NUMBERS
    assert all(rule.title and not rule.title.endswith(".") for rule in GAME.rulebook.values())


def test_every_rule_is_shown_by_a_test_or_a_reason_says_why_not() -> None:
    shown = set(marked())
    assert shown | set(REASONS) == set(NUMBERS)
    assert not shown & set(REASONS)


def test_whose_rules_they_are() -> None:
    house = [number for number, rule in GAME.rulebook.items() if rule.origin is Origin.HOUSE]
    assert house == ["K7"]
    own = {number for number, rule in GAME.rulebook.items() if rule.origin is Origin.OWN}
    assert {"R2.5", "R3.10", "R8.6", "R11.5", "R13.3", "R15.4"} <= own
    assert {"R1.1", "R6.1", "R8.2", "R14.4", "R15.3"}.isdisjoint(own)
