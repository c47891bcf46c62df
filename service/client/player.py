"""A player who knows no rules: whenever asked, it sends some command that is legal."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from service.client import documents
from service.client.api import Api, RefusedError
from service.client.watcher import Watcher

PATIENCE_S: Final = 60.0
TRIES: Final = 40
"""Refusals in a row that a player takes before it gives up: a template's fit may be refused, a listed command not."""

OVERTAKEN: Final = ("match_over", "stale", "not_your_decision", "wrong_phase")
"""Refusals that say that the match has gone on without the player's having seen it yet."""


class StuckError(Exception):
    """A player cannot go on; the message says at which version, and why."""


class Player:
    """A seat's player: looks at what its watcher has received, and acts. receipts: of what was accepted."""

    def __init__(self, api: Api, watcher: Watcher, chance: random.Random, acted: Callable[[], None]) -> None:
        self.receipts: list[str] = []
        self._api = api
        self._watcher = watcher
        self._chance = chance
        self._acted = acted

    async def run(self) -> None:
        """Play to the end. Raises StuckError, RefusedError for a listed command, ServerError."""
        looked = 0
        while True:
            frame = await self._watcher.newer(looked, PATIENCE_S)
            if frame is None:
                continue  # others take their time; the watcher finds out if the server is gone
            looked = frame["version"]
            if frame["status"] == "OVER":
                return
            if frame["seat"] in frame["awaited"]:
                looked = await self._act(frame)

    async def _act(self, frame: Mapping[str, Any]) -> int:
        """Act on what the frame asks for; the version up to which everything is known now."""
        for _ in range(TRIES):
            command, listed = choose(frame["legal"], self._chance)
            answer = await self._api.command(
                documents.ACT, match=self._watcher.chain.match, command=command, version=frame["version"]
            )
            if answer["__typename"] == "Accepted":
                self.receipts.append(answer["receipt"])
                self._acted()
                return int(answer["version"]) - 1
            if answer["code"] in OVERTAKEN:
                return int(frame["version"])
            if listed:
                raise RefusedError(answer)
        raise StuckError(f"at version {frame['version']} {TRIES} commands that fit a template were refused")


def choose(legal: Mapping[str, Any], chance: random.Random) -> tuple[str, bool]:
    """(some legal command as JSON, whether it was listed); one that merely fits a template may yet be refused."""
    rows = [(table, row) for table in legal["tables"] for row in table["rows"]]
    if legal["templates"] and (not rows or chance.random() < 1 / (1 + len(rows))):
        return fit(chance.choice(legal["templates"]), chance), False
    if not rows:
        raise StuckError("asked to act without a legal command")
    table, row = chance.choice(rows)
    values = dict(zip(table["fields"], json.loads(row), strict=True))
    return json.dumps({"type": table["command"], **values}), True


def fit(template: Mapping[str, Any], chance: random.Random) -> str:
    """A command that fits the template, as JSON."""
    items = [json.loads(item) for item in template["items"]]
    most = min(template["atMost"], len(items)) if template["distinct"] else template["atMost"]
    size = chance.randint(template["atLeast"], min(most, template["atLeast"] + 3))
    chosen = chance.sample(items, size) if template["distinct"] else [chance.choice(items) for _ in range(size)]
    return json.dumps({**json.loads(template["base"]), template["field"]: chosen})
