"""Every numbered rule has a title, and a test that shows it or a reason why none does."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from domain.core.game import Origin
from domain.majolica import GAME
from domain.majolica.options import _HINTS, Options

HERE = Path(__file__).parent
NUMBERS = tomllib.loads((HERE / "oracles.toml").read_text("utf-8"))["rules"]

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


def test_the_only_house_rule_is_the_round_limit() -> None:
    house = [number for number, rule in GAME.rulebook.items() if rule.origin is Origin.HOUSE]
    assert house == ["M7"]
    published = {number for number, rule in GAME.rulebook.items() if rule.origin is Origin.PUBLISHED}
    assert {"R21", "R23", "R46", "R60", "R74"} <= published
    assert {"R50", "R51", "R63", "R81"}.isdisjoint(published)


def test_every_option_says_what_it_means_which_rule_it_touches_and_where_it_comes_from() -> None:
    assert list(_HINTS) == list(Options.__struct_fields__)
    for hint in _HINTS.values():
        meta = hint.__metadata__[0]
        assert meta.description.endswith(".")
        assert meta.extra["rule"] in GAME.rulebook
        assert meta.extra["origin"] in {origin.value for origin in Origin}
    assert _HINTS["round_limit"].__metadata__[0].extra["origin"] == "house"
