"""Many matches by random players against a running server, as ordinary clients."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from service.client import documents, receipts
from service.client.api import Api, RefusedError, ServerError
from service.client.chain import BrokenChainError
from service.client.player import StuckError
from service.client.receipts import Keys
from service.client.table import Mismatch, Plan, Table, Tally

FAILURES = (ServerError, RefusedError, BrokenChainError, StuckError, Mismatch, TimeoutError)


class UnknownError(Exception):
    """The server does not play what was asked for; the message says what it plays."""


async def plan(urls: Sequence[str], game: str, seats: int | None, options: dict[str, Any], patience_s: float) -> Plan:
    """What to play, checked against what the server offers. Raises UnknownError, ServerError."""
    async with Api(urls, patience_s=0) as api:
        offers = {offer["name"]: offer for offer in (await api.ask(documents.GAMES))["games"]}
        if game not in offers:
            raise UnknownError(f"The server does not play {game!r}. It plays: {', '.join(sorted(offers))}.")
        allowed = offers[game]["seats"]
        if seats is not None and seats not in allowed:
            raise UnknownError(f"{game} is not played by {seats}. Seats: {', '.join(map(str, allowed))}.")
        known = {option["name"] for option in offers[game]["options"]}
        if unknown := sorted(set(options) - known):
            raise UnknownError(f"{game} has no option {unknown[0]!r}. Options: {', '.join(sorted(known)) or 'none'}.")
        keys = Keys(await api.document(receipts.PATH))
        view = documents.whole_view(await api.ask(documents.TYPES), offers[game]["key"])
    return Plan(tuple(urls), game, seats or allowed[0], options, view, keys, patience_s)


async def play_all(
    what: Plan, matches: int, at_once: int, match_s: float, tally: Tally, began: Callable[[int, Table], None]
) -> None:
    """Play so many matches, some at once, each for at most so many seconds. Problems are in the tally."""
    turns = asyncio.Semaphore(at_once)

    async def one(number: int) -> None:
        async with turns:
            table = Table(what, tally)
            began(number, table)
            try:
                async with asyncio.timeout(match_s):
                    await table.play()
            except* FAILURES as group:
                tally.problems += [f"match {table.match or number}: {_said(error)}" for error in _leaves(group)]
            else:
                tally.matches += 1

    async with asyncio.TaskGroup() as group:
        for number in range(matches):
            group.create_task(one(number))


def _leaves(group: BaseExceptionGroup[Any]) -> list[BaseException]:
    found: list[BaseException] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found


def _said(error: BaseException) -> str:
    return "it did not end in time" if isinstance(error, TimeoutError) else str(error)
