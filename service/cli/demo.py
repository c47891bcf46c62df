"""`podesta demo`: whole matches by random players, as ordinary clients of a running server."""

import asyncio
import json
import time
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from service.cli.errors import CannotError
from service.client import demo as client
from service.client.api import ServerError
from service.client.table import Table, Tally

REFRESH_S = 0.1


def demo(
    url: Annotated[
        list[str] | None, typer.Option(help="The server (http://127.0.0.1:8000); several, if given again.")
    ] = None,
    game: Annotated[str, typer.Option(help="The game's name.")] = "toscana",
    seats: Annotated[int | None, typer.Option(min=1, help="Seats; the fewest the game has, if not given.")] = None,
    matches: Annotated[int, typer.Option(min=1, max=100_000, help="How many matches.")] = 1,
    at_once: Annotated[int, typer.Option(min=1, max=256, help="How many are played at the same time.")] = 4,
    options: Annotated[str, typer.Option(metavar="JSON", help="The game's options, as a JSON object.")] = "{}",
    patience: Annotated[float, typer.Option(min=0, help="Seconds that a silent server is waited for.")] = 60.0,
    match_time: Annotated[float, typer.Option(min=1, help="Seconds after which a match counts as stuck.")] = 1800.0,
) -> None:
    """Let random players play whole matches against running servers, watched from every seat and from the gallery.

    Every client resumes after disconnections, repeats what was not answered, and checks the chain of all it sees.
    The exit status is 0 only if every match ended, every client's last view is the server's and every check held.
    """
    urls = url or ["http://127.0.0.1:8000"]
    for each in urls:
        _check_url(each)
    chosen = _options(options)
    tally = Tally()
    began = time.monotonic()
    try:
        asyncio.run(_play(urls, game, seats, chosen, (matches, at_once), (patience, match_time), tally))
    except (client.UnknownError, ServerError) as error:
        raise CannotError(str(error)) from None
    took = time.monotonic() - began
    _report(tally, matches, took)
    if tally.problems or tally.matches != matches:
        raise typer.Exit(1)


async def _play(
    urls: list[str],
    game: str,
    seats: int | None,
    options: dict[str, Any],
    how_many: tuple[int, int],
    bounds_s: tuple[float, float],
    tally: Tally,
) -> None:
    plan = await client.plan(urls, game, seats, options, bounds_s[0])
    matches, at_once = how_many
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        whole = bar.add_task(f"{game}, {plan.seats} seats", total=matches, state="")
        tables: dict[TaskID, Table] = {}

        def begin(number: int, table: Table) -> None:
            tables[bar.add_task(f"match {number + 1}", total=None, state="")] = table

        def show() -> None:
            bar.update(whole, completed=tally.matches, state=f"{tally.commands} commands")
            for task, table in list(tables.items()):
                bar.update(task, state=f"version {table.version}")
                if table.done:
                    bar.remove_task(task)
                    del tables[task]

        async def refresh() -> None:
            while True:
                show()
                await asyncio.sleep(REFRESH_S)

        showing = asyncio.create_task(refresh())
        try:
            await client.play_all(plan, matches, at_once, bounds_s[1], tally, begin)
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
            show()


def _report(tally: Tally, matches: int, took: float) -> None:
    typer.echo(f"{tally.matches} of {matches} matches played to the end in {took:.1f} s")
    typer.echo(f"{tally.commands} commands, {tally.retries} repeated unanswered; {tally.reconnects} streams resumed")
    typer.echo(
        f"{tally.frames} frames, {tally.events} events, {tally.openings} openings and {tally.receipts} receipts checked"
    )
    for problem in tally.problems[:20]:
        typer.echo(f"problem: {problem}", err=True)
    if len(tally.problems) > 20:  # noqa: PLR2004
        typer.echo(f"problem: and {len(tally.problems) - 20} more", err=True)


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise CannotError(f"--url {url!r}: a server is named like http://127.0.0.1:8000.")


def _options(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise CannotError(f"--options {text!r}: options are a JSON object, like '{{\"name\": 1}}'.")
    return found
