"""The use cases with a watch in their hand: how many commands, how answered, how fast."""

import time
from typing import Final

from domain.core.table import OpenMatch
from domain.core.words import Command
from infra import metrics
from service.answers import Accepted, Answer
from service.play import Ask, Play

TABLE: Final = "table"


class MeteredPlay(Play):
    """Play, counted by game (`table` for the commands of the table) and by answer."""

    async def open(self, account: str, command: OpenMatch, command_id: str) -> Answer:
        """See Play."""
        began = time.perf_counter()
        return _counted(TABLE, began, await super().open(account, command, command_id))

    async def command(self, account: str, match: str, command: Command, ask: Ask) -> Answer:
        """See Play."""
        began = time.perf_counter()
        return _counted(game_of(type(command)), began, await super().command(account, match, command, ask))


def game_of(kind: type[Command]) -> str:
    """The game whose package a command's type is in, or `table`."""
    house, _, rest = kind.__module__.partition(".")
    package = rest.split(".")[0]
    return package if house == "domain" and package != "core" else TABLE


def _counted(game: str, began: float, answer: Answer) -> Answer:
    metrics.COMMANDS.labels(game, "accepted" if isinstance(answer, Accepted) else answer.code).inc()
    metrics.COMMAND_SECONDS.labels(game).observe(time.perf_counter() - began)
    return answer
