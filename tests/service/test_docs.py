"""What README and the guides show works as it stands."""

import json
import re
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

from domain.games import GAMES
from service.cli import app
from service.config import Settings, variable
from service.graphql.schema import sdl
from tests.support import settings_table

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = build_schema(sdl(GAMES.current))
PAGES = ["README.md", "docs/client-guide.md", "docs/operators.md"]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_table_of_settings_is_complete_and_right() -> None:
    assert settings_table.page() == settings_table.PAGE.read_text(encoding="utf-8"), (
        "run `python -m tests.support.settings_table`"
    )
    assert all(variable(name) in settings_table.table() for name in Settings.model_fields)


def test_every_command_is_in_the_guide_for_operators() -> None:
    page = (ROOT / "docs/operators.md").read_text(encoding="utf-8")
    named = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    named |= {group.name for group in app.registered_groups if group.name}
    assert {name for name in named if f"`podesta {name}" not in page} == set()


@pytest.mark.parametrize("document", blocks("docs/client-guide.md", "graphql"))
def test_the_documents_of_the_guide_are_valid(document: str) -> None:
    assert validate(SCHEMA, parse(document)) == []


def test_the_requests_of_the_readme_are_valid() -> None:
    bodies = [
        json.loads(body)
        for block in blocks("README.md", "sh")
        for body in re.findall(r"-d '(.*?)'\n", block, re.DOTALL)
    ]
    assert len(bodies) == 3
    for body in bodies:
        assert validate(SCHEMA, parse(body["query"])) == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in link:
            assert ((ROOT / page).parent / link).exists(), link


def test_settings_that_documents_name_exist() -> None:
    known = {variable(name) for name in Settings.model_fields}
    for page in [*PAGES, "deploy/RUNBOOK.md"]:
        named = set(re.findall(r"PODESTA_[A-Z_]+", (ROOT / page).read_text(encoding="utf-8")))
        assert named <= known, page
