"""The page for client authors says what the code says."""

import json
import re
from pathlib import Path

from domain.core.past import Codec
from domain.core.secrecy import members
from domain.majolica import GAME
from domain.majolica.refusals import ASKED, PHASES
from domain.majolica.sight import MajolicaView, PlayerBoard
from tests.games.majolica.test_sight import SKETCH

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "majolica.md").read_text("utf-8")


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_commands_are_one_of_each_command_in_normal_form() -> None:
    codec = Codec(GAME)
    lines = re.search(r"```json\n(.*?)```", section("Commands"), re.DOTALL).group(1).splitlines()
    commands = [codec.command(line.encode()) for line in lines]
    assert [type(command) for command in commands] == list(members(GAME.command))
    assert all(GAME.normal(command) == command for command in commands)
    assert all(
        json.loads(line)["type"] == type(command).__name__ for line, command in zip(lines, commands, strict=True)
    )


def test_every_phase_stands_with_its_commands() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", section("The decisions of a turn"), re.MULTILINE))
    assert list(rows) == [*_in_order(), "over"]
    for phase in ASKED:
        named = set(re.findall(r"`(\w+)`", rows[phase]))
        assert named == {command.__name__ for command, phases in PHASES.items() if phase in phases}


def _in_order() -> list[str]:
    return ["start_card", "select", "cards", "place", "discard", "resolve", "deliver", "ship", "city_hall", "joker"]


def test_every_option_and_every_field_of_the_view_is_explained() -> None:
    options = re.findall(r"^\| `(\w+)` \|", section("Options"), re.MULTILINE)
    assert options == list(GAME.options.__struct_fields__)
    named = set(re.findall(r"`(\w+)`", section("The view")))
    assert set(MajolicaView.__struct_fields__) <= named
    assert set(PlayerBoard.__struct_fields__) - {"seat"} <= named


def test_the_table_is_drawn_as_the_sketch_draws_it() -> None:
    assert SKETCH in PAGE
