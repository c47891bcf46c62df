"""The page for client authors: its commands and templates are what the game takes, its tables are complete."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.calimala import GAME
from domain.calimala.options import Options
from domain.calimala.scoring import TIE_STEPS
from domain.calimala.things import EndReason, Phase
from domain.calimala.words import CalimalaCommand
from tests.games.calimala.table import Table, place, position

PAGE = Path(__file__).parents[3].joinpath("docs/games/calimala.md").read_text("utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE.split("## Commands\n")[1].split("\n## ")[0], re.DOTALL)
COMMANDS, TEMPLATES = (block.splitlines() for block in BLOCKS)


@pytest.mark.parametrize("line", COMMANDS)
def test_each_line_is_a_command_in_normal_form(line: str) -> None:
    command = msgspec.json.decode(line, type=CalimalaCommand)
    assert GAME.normal(command) == command
    assert msgspec.json.decode(msgspec.json.encode(command)) == msgspec.json.decode(line)


def test_every_command_is_among_them() -> None:
    shown = {msgspec.json.decode(line)["type"] for line in COMMANDS}
    assert shown == {kind.__name__ for kind in get_args(CalimalaCommand)}


@pytest.mark.rule("R33")
def test_the_template_and_its_fit_are_real() -> None:
    table = Table(position(mats={0: {"hand": "build wood", "wood": 1, "cloth": 1}}))
    offered = [msgspec.json.decode(msgspec.json.encode(template)) for template in table.legal(0).templates]
    (shown,) = (msgspec.json.decode(line) for line in TEMPLATES)
    assert shown in offered
    fit: Any = msgspec.json.decode(COMMANDS[3], type=CalimalaCommand)
    table.act(0, fit)
    assert fit.space == place("s10").space


def test_the_tables_name_everything() -> None:
    words = set(re.findall(r"`([a-z_]+)`", PAGE))
    assert words >= {str(phase) for phase in Phase if phase is not Phase.SETTLING}
    assert words >= set(TIE_STEPS[1:])
    assert words >= set(EndReason)
    for field in msgspec.structs.fields(Options):
        literal, _ = get_args(field.type)
        assert words >= {field.name, *get_args(literal)}
