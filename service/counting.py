"""The use cases and the store, counted and timed for `/metrics`."""

import time

from domain.core.sealing import Commit
from domain.core.table import OpenMatch
from domain.core.words import Command
from infra import metrics
from infra.ports import Appended, AppendResult, Raced, Secrets, Store
from service.answers import Accepted, Answer
from service.play import Ask, Play


class CountedPlay(Play):
    """Play, whose answers are counted and timed."""

    async def open(self, account: str, command: OpenMatch, command_id: str) -> Answer:
        """See Play."""
        began = time.perf_counter()
        answer = await super().open(account, command, command_id)
        self._count(command.game if command.game in self.games.current else "", answer, began)
        return answer

    async def command(self, account: str, match: str, command: Command, ask: Ask) -> Answer:
        """See Play."""
        began = time.perf_counter()
        answer = await super().command(account, match, command, ask)
        self._count(answer.frame.game.name if answer.frame is not None else "", answer, began)
        return answer

    def _count(self, game: str, answer: Answer, began: float) -> None:
        word = "accepted" if isinstance(answer, Accepted) else answer.code
        metrics.COMMANDS.labels(game, word).inc()
        metrics.COMMAND_SECONDS.labels(game).observe(time.perf_counter() - began)


class CountedStore:
    """A store whose appends are counted and timed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.commits = store.commits
        self.answered = store.answered
        self.opened = store.opened
        self.secrets = store.secrets
        self.ping = store.ping
        self.close = store.close

    async def append(self, commit: Commit, secrets: Secrets | None = None) -> AppendResult:
        """See Store."""
        began = time.perf_counter()
        result = await self._store.append(commit, secrets)
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        word = "appended" if isinstance(result, Appended) else "raced" if isinstance(result, Raced) else "answered"
        metrics.APPENDS.labels(word).inc()
        return result
