"""The page for client authors says everything that a client may meet."""

import re
from pathlib import Path
from typing import get_args

import msgspec

from domain.toscana import GAME
from domain.toscana.options import Options
from domain.toscana.state import View
from tests.games.toscana.test_refusals import CODES

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "toscana.md").read_text("utf-8")


def rows(heading: str) -> dict[str, list[str]]:
    """The cells of a table below a heading, by the first."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {row[0].replace("`", ""): row[1:] for row in table[2:]}


def test_every_refusal_is_described_with_its_rule() -> None:
    assert {code: set(cells[0].split(", ")) for code, cells in rows("Refusals").items()} == CODES


def test_every_refusal_of_the_source_is_known() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(GAME.data.__code__.co_filename).parent.glob("*.py"))
    raised = re.findall(r'Illegal\(\s*"(\w+)",\s*"(\w+)"', source)
    assert {code: {rule for c, rule in raised if c == code} for code, _ in raised} == CODES


def test_every_option_and_value_is_described_default_first() -> None:
    described = {name: cells[0].split(", ") for name, cells in rows("Options").items()}
    values = {name: list(get_args(hint.__origin__)) for name, hint in Options.__annotations__.items()}
    assert described == values
    assert all(getattr(Options(), name) == choices[0] for name, choices in values.items())


def test_every_field_of_the_view_is_described() -> None:
    fields = [name for key in rows("The view") for name in key.split(", ")]
    assert fields == list(View.__struct_fields__)


def test_the_commands_are_commands() -> None:
    block = PAGE.split("```json\n")[1].split("```")[0]
    for line in block.splitlines():
        command = msgspec.json.decode(line, type=GAME.command)
        assert msgspec.to_builtins(command) == msgspec.json.decode(line)
