"""The requests on the games' pages get the answers that stand there, and every command is among them."""

import json
import re
from pathlib import Path

import pytest

from domain.core.secrecy import members
from service.graphql.hints import camel, lower_first
from tests.service import game_docs


@pytest.mark.parametrize("page", game_docs.PAGES, ids=lambda page: page.stem)
def test_requests_and_answers_are_real(page: Path) -> None:
    assert game_docs.page(page) == page.read_text(encoding="utf-8"), "run `python -m tests.service.game_docs`"


@pytest.mark.parametrize("page", game_docs.PAGES, ids=lambda page: page.stem)
def test_every_command_and_a_refusal_are_shown(page: Path) -> None:
    game = game_docs.game_of(page)
    text = page.read_text(encoding="utf-8")
    shown = [json.loads(block) for made in made_on(text) for block in re.findall(r"```json\n(.*?)```", made, re.DOTALL)]
    sent = {kind for each in shown for kind in each.get("command", {}).get(camel(game.name), {})}
    assert sent >= {lower_first(kind.__name__) for kind in members(game.command) if kind.__name__ not in UNSEEN}
    refused = [each["act"] for each in shown if "code" in each.get("act", {})]
    assert refused
    for refusal in refused:
        assert game.rulebook[refusal["rule"]].title == refusal["title"]
        assert f"`{refusal['code']}`" in text.split("## Refusals")[1]


def made_on(text: str) -> list[str]:
    """What stands on the page by really being sent."""
    return [found[0] for found in game_docs.MADE.finditer(text) if found["document"] is None]


UNSEEN = {"PassTurn"}
"""What hardly ever comes about: Calimala's page shows its form among the commands."""
