"""The description of the REST surface: pinned, whole, and true to what is served.

`python -m service.rest.openapi > tests/golden/openapi.json`; its diff is reviewed as one reads a contract.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.core.secrecy import members
from domain.core.table import OpenMatch, TableCommand
from domain.games import GAMES
from service.graphql.hints import pascal
from service.rest.openapi import document
from service.rest.operations import OPERATIONS, PREFIX
from service.rest.problems import STATUSES
from tests.service.rest.served import Rest

GOLDEN = Path(__file__).parents[2] / "golden" / "openapi.json"
MADE = document(GAMES.current)
DESCRIPTION: Any = msgspec.json.decode(MADE)


def test_the_description_is_the_one_that_was_agreed() -> None:
    assert GOLDEN.read_bytes() == MADE, (
        "if clients are to see this change: python -m service.rest.openapi > tests/golden/openapi.json"
    )


def test_every_reference_leads_somewhere_and_every_name_is_used() -> None:
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', MADE.decode()))
    assert names == set(DESCRIPTION["components"]["schemas"])
    assert all(re.fullmatch(r"[a-zA-Z0-9._-]+", name) for name in names)


def test_every_operation_is_described_with_its_parameters() -> None:
    assert sum(len(methods) for methods in DESCRIPTION["paths"].values()) == len(OPERATIONS)
    for operation in OPERATIONS:
        found = DESCRIPTION["paths"][PREFIX + operation.path][operation.method.lower()]
        named = {p["name"] for p in found["parameters"]}
        assert named >= {*operation.query, *re.findall(r"{(\w+)}", operation.path)}
        assert str(operation.status) in found["responses"]


@pytest.mark.parametrize("name", sorted(GAMES.current))
def test_every_command_of_a_game_is_typed(name: str) -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    game = GAMES.current[name]
    for command in members(game.command):
        tag = schemas[f"{pascal(name)}.{command.__name__}"]["properties"]["type"]
        assert tag == {"enum": [command.__name__]}
    for command in members(TableCommand):
        assert command.__name__ in schemas


async def test_it_is_served(rest: Rest) -> None:
    served = await rest.stranger().get("/openapi.json")
    assert "ParleyCommand" in served["components"]["schemas"], "of the games that are served"
    assert served["openapi"] == "3.1.0"


def test_the_guide_names_every_operation_parameter_and_status() -> None:
    guide = (GOLDEN.parents[2] / "docs" / "rest.md").read_text()
    for operation in OPERATIONS:
        assert f"`{operation.method} {operation.path}" in guide
        assert all(f"{name}=" in guide for name in operation.query)
    for status in (400, 413, 422, *STATUSES):
        assert f"\n| {status} | " in guide
    for command in members(TableCommand):
        assert f"`{command.__name__}`" in guide or command is OpenMatch
