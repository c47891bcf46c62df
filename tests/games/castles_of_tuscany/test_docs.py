"""The page for client authors says what is so."""

import re
from typing import get_args

import msgspec
import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.region import draw
from domain.castles_of_tuscany.rules import ASKED
from domain.castles_of_tuscany.views import PlayerView, View
from tests.games.castles_of_tuscany.table import HERE, given
from tests.games.castles_of_tuscany.test_views import TABLE, table

ROOT = HERE.parents[2]
PAGE = (ROOT / "docs/games/castles-of-tuscany.md").read_text("utf-8")
SOURCES = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "domain/castles_of_tuscany").glob("*.py")))


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables under a heading, without their heads."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [row for row in cells if row[0].startswith("`")]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_every_refusal_is_listed_with_its_rule() -> None:
    listed = {quoted(row[0])[0]: set(re.findall(r"[RK]\d+(?:\.\d+)?", row[1])) for row in rows("Refusals")}
    found: dict[str, set[str]] = {}
    for code, rule in re.findall(r'Illegal\(\s*"?([a-zA-Z_]+)"?,\s*"?([RK][\d.]+|rule)"?,', SOURCES):
        found.setdefault(code.lower(), set()).update({"R7.1", "R9.1"} if rule == "rule" else {rule})
    assert set(listed) == set(found)
    for code, rules in listed.items():
        assert code == "bad_options" or rules == found[code], code


def test_every_command_is_shown_and_can_be_read() -> None:
    shown = PAGE.split("```json\n", 1)[1].split("```", 1)[0].splitlines()
    commands = [msgspec.json.decode(line, type=GAME.command) for line in shown]
    assert {type(command) for command in commands} == set(get_args(GAME.command))


def test_every_phase_is_listed_with_its_commands() -> None:
    listed = {quoted(row[0])[0]: quoted(row[2]) for row in rows("The decisions in order")}
    assert listed == {phase: [cls.__name__ for cls in asked] for phase, asked in ASKED.items() if phase != "between"}


@pytest.mark.rule("R17")
def test_every_option_is_listed_with_its_default() -> None:
    listed = {quoted(row[0])[0]: row[1] for row in rows("Options")}
    assert list(listed) == list(GAME.options.__struct_fields__)
    for name, text in listed.items():
        default = getattr(GAME.options(), name)
        assert text.replace("`", "").lower().startswith(str(default).lower()), name


def test_every_field_of_the_view_is_listed() -> None:
    listed = {name for row in rows("The view") for name in quoted(row[0])}
    assert listed == {*View.__struct_fields__, *PlayerView.__struct_fields__} - {"seat"}


@pytest.mark.rule("R4.5")
def test_the_drawings_are_real() -> None:
    assert TABLE.rstrip() in PAGE
    state = given()
    region = state.players[0].region
    assert region is not None
    for row in draw(region, state.players[0].cover, ())[:4]:
        assert row in PAGE
    assert GAME.view(table(), 0).players[0].rows[0] == "  w           v   "
