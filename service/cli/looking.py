"""`podesta match`: matches in the terminal, at any version, as any viewer."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from domain.core.errors import Illegal
from domain.core.words import GALLERY, Viewer, viewer_name
from service import app as wiring
from service.changes import changes
from service.cli.errors import CannotError
from service.config import load
from service.frames import Frame
from service.steps import Sought, Step, steps

match = typer.Typer(help="Matches, for whoever runs the server: any viewer's view can be seen.", no_args_is_help=True)


@match.callback()
def _match() -> None:
    """Matches, for whoever runs the server: any viewer's view can be seen."""


@match.command("show")
def show(
    match_id: Annotated[str, typer.Argument(metavar="ID", help="The match.")],
    version: Annotated[int | None, typer.Option(help="The version to stand at; now, if not given.")] = None,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT|gallery", help="Who looks.")] = "gallery",
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """Draw a match as a viewer sees it."""
    frame = asyncio.run(_look(match_id, version, read_viewer(viewer), data))
    console = Console(highlight=False)
    console.print(headline(frame), style="bold", markup=False)
    console.print(standing(frame), markup=False)
    if frame.view is not None:
        console.print()
        typer.echo(frame.game.sketch(frame.view))


async def _look(match_id: str, version: int | None, viewer: Viewer, data: Path | None) -> Frame:
    async with wiring.connect(load(data_dir=data)) as services:
        live = await services.live.fresh(match_id)
        last, seats = live.history.version, len(live.history.table.seats)
        if viewer >= seats:
            raise Illegal("no_such_viewer", "S3", f"The match has no seat {viewer}.", f"Seats are 0 to {seats - 1}.")
        if version is not None and not 1 <= version <= last:
            raise Illegal("no_such_version", "S1", f"There is no version {version}.", f"Versions are 1 to {last}.")
        return services.play.frame(live, viewer, version)


def read_viewer(text: str) -> Viewer:
    """The viewer that is meant. Raises CannotError for a word that is none."""
    if text == "gallery":
        return GALLERY
    if text.isascii() and text.isdecimal():
        return int(text)
    raise CannotError(f"--as {text!r}: a viewer is a seat's number, from 0, or `gallery`.")


def headline(frame: Frame) -> str:
    """Which match, where, seen by whom."""
    return f"{frame.game.title} · match {frame.match} · version {frame.version} · as {viewer_name(frame.viewer)}"


def standing(frame: Frame) -> str:
    """How the match stands, in a line."""
    table = frame.table
    if (outcome := frame.outcome) is not None:
        places = ", ".join(
            f"seat {seat}: place {place} with {score}"
            for seat, (place, score) in enumerate(zip(outcome.places, outcome.scores, strict=True))
        )
        return f"over ({table.cause}): {places}"
    if frame.moment is None:
        taken = sum(seating is not None for seating in table.seats)
        return f"{table.status}" + (
            f" ({table.cause})" if table.cause else f": {taken} of {len(table.seats)} seats taken"
        )
    moment = frame.moment
    asked = ", ".join(f"seat {seat}" for seat in frame.awaited) or "nobody"
    return f"{table.status}: round {moment.round}, turn {moment.turn}, {moment.phase}; asked: {asked}"


@match.command("steps")
def list_steps(
    match_id: Annotated[str, typer.Argument(metavar="ID", help="The match.")],
    seat: Annotated[int | None, typer.Option(help="Only where this seat acted.")] = None,
    turn_of: Annotated[int | None, typer.Option(help="Only where it is this seat's turn afterwards.")] = None,
    in_round: Annotated[int | None, typer.Option("--round", help="Only in this round.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only with an event of this type.")] = None,
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """List the places where replay can stand: version, who acted, round, phase, and the types of the events."""
    sought = Sought(seat, turn_of, in_round, kind)

    async def found() -> list[Step]:
        async with wiring.connect(load(data_dir=data)) as services:
            live = await services.live.fresh(match_id)
            return [step for step in steps(live.history) if sought.fits(step)]

    for step in asyncio.run(found()):
        who = "-" if step.seat is None else f"seat {step.seat}"
        where = "" if step.moment is None else f"round {step.moment.round} {step.moment.phase}"
        typer.echo(f"{step.version:6} {who:7} {where:24} {' '.join(step.types)}")


@match.command("changes")
def list_changes(
    match_id: Annotated[str, typer.Argument(metavar="ID", help="The match.")],
    before: Annotated[int, typer.Option("--from", help="The version before.")],
    after: Annotated[int, typer.Option("--to", help="The version after.")],
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT|gallery", help="Who looks.")] = "gallery",
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """List what differs between two versions, as a viewer sees them."""
    who = read_viewer(viewer)
    one, other = (asyncio.run(_look(match_id, version, who, data)) for version in (before, after))
    for change in changes(one.view, other.view):
        typer.echo(f"{change.path}: {change.before} -> {change.after}")
