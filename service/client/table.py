"""One whole match: seats opened, joined and played by random players, everybody watching, everything checked."""

import asyncio
import hashlib
import random
import secrets
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from service.client import documents
from service.client.api import Api, accepted
from service.client.player import Player
from service.client.receipts import Keys
from service.client.watcher import Watcher


@dataclass
class Tally:
    """What happened, over all matches: for the progress display and the summary."""

    matches: int = 0
    commands: int = 0
    retries: int = 0
    reconnects: int = 0
    frames: int = 0
    events: int = 0
    openings: int = 0
    receipts: int = 0
    problems: list[str] = field(default_factory=list)

    def count(self, name: str) -> Callable[[], None]:
        """A function that counts one more of this."""

        def one_more() -> None:
            setattr(self, name, getattr(self, name) + 1)

        return one_more


@dataclass(frozen=True)
class Plan:
    """What is played: where, which game, with how many seats and which options; view selects the game's whole view."""

    urls: tuple[str, ...]
    game: str
    seats: int
    options: dict[str, Any]
    view: str
    keys: Keys
    patience_s: float


class Mismatch(Exception):
    """Two accounts of the match differ."""


class Table:
    """One match of the plan."""

    def __init__(self, plan: Plan, tally: Tally) -> None:
        self.plan = plan
        self.tally = tally
        self.match = ""
        self.done = False
        self._apis: list[Api] = []
        self._watchers: list[Watcher] = []
        self._players: list[Player] = []

    @property
    def version(self) -> int:
        """How far the match has come, as far as the gallery has seen."""
        return self._watchers[-1].chain.version if self._watchers else 0

    async def play(self) -> None:
        """Open, play and check the match. Raises what its parts raise, and Mismatch."""
        try:
            await self._play()
        finally:
            self.done = True

    async def _play(self) -> None:
        async with AsyncExitStack() as stack:
            for seat in range(self.plan.seats):
                api = await stack.enter_async_context(self._api(seat))
                guest = accepted((await api.ask(documents.GUEST, name=f"Demo {seat}"))["createGuest"])
                api.token = guest["token"]
                self._apis.append(api)
            self._apis.append(await stack.enter_async_context(self._api(self.plan.seats)))
            await self._open()
            await self._run()
            await self._compare()

    def _api(self, number: int) -> Api:
        """A client; neighbours begin at different servers."""
        api = Api(self.plan.urls, patience_s=self.plan.patience_s, waited=self.tally.count("retries"))
        for _ in range(number):
            api.turn()
        return api

    async def _open(self) -> None:
        plan, opener = self.plan, self._apis[0]
        answer = await opener.command(documents.OPEN, game=plan.game, seats=plan.seats, options=plan.options)
        self.match = accepted(answer)["match"]
        entropies = [secrets.token_bytes(32) for _ in range(plan.seats)]
        for seat, entropy in enumerate(entropies):
            commitment = hashlib.sha256(entropy).hexdigest()
            await self._do(seat, documents.JOIN, place=seat, commitment=commitment)
        for seat, entropy in enumerate(entropies):
            await self._do(seat, documents.REVEAL, entropy=entropy.hex())
        await self._do(0, documents.START)

    async def _do(self, seat: int, document: str, **variables: Any) -> None:
        accepted(await self._apis[seat].command(document, match=self.match, **variables))

    async def _run(self) -> None:
        """Everybody watches, the seats play, until all have seen the end."""
        tally, plan = self.tally, self.plan
        for number, api in enumerate(self._apis):
            seat = api.token is not None
            self._watchers.append(
                Watcher(
                    api,
                    self.match,
                    documents.watch(plan.view, seat=seat),
                    seat=number if seat else None,
                    patience_s=plan.patience_s,
                    reconnected=tally.count("reconnects"),
                )
            )
        for api, watcher in zip(self._apis, self._watchers[: plan.seats], strict=False):
            chance = random.Random(secrets.randbits(64))  # noqa: S311 - random play, not a secret
            self._players.append(Player(api, watcher, chance, tally.count("commands")))
        async with asyncio.TaskGroup() as group:
            for watcher in self._watchers:
                group.create_task(watcher.run())
            for player in self._players:
                group.create_task(player.run())

    async def _compare(self) -> None:
        """Everybody's last view is the server's, everybody saw the same chain, and every accepted command is in it."""
        tally, plan = self.tally, self.plan
        heads = {watcher.chain.head for watcher in self._watchers}
        if len(heads) != 1:
            raise Mismatch("the watchers saw different chains")
        for api, watcher in zip(self._apis, self._watchers, strict=True):
            server = accepted((await api.ask(documents.final(plan.view), match=self.match))["match"])
            last = watcher.last or {}
            for name in ("version", "status", "outcome", "view"):
                if server[name] != last.get(name):
                    who = f"seat {last.get('seat')}" if api.token else "the gallery"
                    raise Mismatch(f"the last {name} that {who} saw is not the server's")
            if server["status"] != "OVER":
                raise Mismatch("the match is not over")
            tally.frames += watcher.frames
            tally.events += watcher.chain.events
            tally.openings += watcher.chain.openings
        for player, watcher in zip(self._players, self._watchers, strict=False):
            for receipt in player.receipts:
                plan.keys.check(receipt, watcher.chain)
                tally.receipts += 1
