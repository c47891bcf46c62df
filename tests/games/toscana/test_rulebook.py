"""Every numbered rule has a title, and a test that shows it or a reason why none does."""

import ast
from collections.abc import Iterator
from pathlib import Path

from domain.core.game import Origin
from domain.toscana import GAME

NUMBERS = tuple(Path(__file__).with_name("rules.txt").read_text("utf-8").split())
"""The numbers of the rules dossier."""

REASONS: dict[str, str] = {}
"""Why a rule has no test."""


def marked() -> Iterator[str]:
    """The numbers in the `rule` marks of this folder's tests."""
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                yield from (str(ast.literal_eval(argument)) for argument in node.args)


def test_every_rule_of_the_dossier_has_a_title() -> None:
    assert tuple(GAME.rulebook) == NUMBERS
    for rule in GAME.rulebook.values():
        assert rule.title
        assert not rule.title.endswith(".")


def test_every_rule_is_shown_by_a_test_or_a_reason_says_why_not() -> None:
    shown = set(marked())
    assert shown <= set(NUMBERS)
    assert shown.isdisjoint(REASONS)
    assert shown | set(REASONS) == set(NUMBERS)


def test_what_this_project_decided_is_told_apart() -> None:
    own = [number for number, rule in GAME.rulebook.items() if rule.origin is Origin.OWN]
    assert own == ["R6", "R20", "R31", "R32", *(f"K{n}" for n in range(1, 9))]
