"""`podesta record`, `podesta verify`: a match taken away as one file, and checked without the server."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from domain.core.past import Codecs
from domain.core.words import ARBITER, Viewer
from domain.games import GAMES
from infra.notes import NoteError, verifier
from service import app as wiring
from service.cli.errors import CannotError
from service.cli.looking import read_viewer
from service.config import load
from service.verifying.check import Trust, check, public_keys
from service.verifying.findings import Level, Report


def record(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The match.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write; - for here.")],
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT|gallery|arbiter", help="For whom.")] = "gallery",
    log_size: Annotated[int | None, typer.Option(help="Prove inclusion under the checkpoint of this size.")] = None,
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """Write a match as one file that proves itself: what this viewer is entitled to, receipts and log proofs."""
    made = asyncio.run(_record(match_id, _viewer(viewer), log_size, data))
    if str(output) == "-":
        sys.stdout.buffer.write(made)
        return
    try:
        output.write_bytes(made)
    except OSError as error:
        raise CannotError(f"{output} cannot be written: {(error.strerror or str(error)).lower()}.") from None
    Console(stderr=True, highlight=False).print(f"{output}: {len(made):,} bytes")


def _viewer(text: str) -> Viewer:
    return ARBITER if text == "arbiter" else read_viewer(text)


async def _record(match_id: str, viewer: Viewer, log_size: int | None, data: Path | None) -> bytes:
    async with wiring.connect(load(data_dir=data)) as services:
        try:
            made = await services.records.as_operator(match_id, viewer, log_size)
        except ValueError as error:
            raise CannotError(f"--log-size: {error}.") from None
        return msgspec.json.encode(made) + b"\n"


def open_value(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The match.")],
    place: Annotated[str, typer.Argument(metavar="PLACE", help="e57 for event version 57, c12 for commit 12.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="/cards, say; empty for a commit's command.")],
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """Open one hidden value alone, with its salt: whoever has the match in public form can check it."""
    typer.echo(asyncio.run(_opening(match_id, place, path, data)))


async def _opening(match_id: str, place: str, path: str, data: Path | None) -> str:
    async with wiring.connect(load(data_dir=data)) as services:
        live = await services.live.fresh(match_id)
        for commit in live.seen(0, live.history.version, ARBITER):
            for found in (*commit.openings, *(each for event in commit.events for each in event.openings)):
                if (found.place, found.path) == (place, path):
                    return msgspec.json.encode(found).decode()
    raise CannotError(f"{place}{path} of match {match_id} hides nothing that can be opened now.")


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .podesta record; - for standard input.")],
    level: Annotated[Level | None, typer.Option(help="sealed, or full; full if the match has ended.")] = None,
    key: Annotated[list[str] | None, typer.Option(help="A public key of the server, as hex.")] = None,
    log_key: Annotated[str | None, typer.Option(help="The log's verifier key: NAME+ID+KEY.")] = None,
    against: Annotated[list[Path] | None, typer.Option(help="A checkpoint seen elsewhere.")] = None,
    receipt: Annotated[list[Path] | None, typer.Option(help="A receipt you were given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Check a record without any server. Exit status 0: it holds; else the number of the fault's kind (see docs)."""
    try:
        trust = Trust(
            public_keys(key or []),
            verifier(log_key) if log_key else None,
            tuple(_read(path).decode() for path in against or []),
            tuple(_read(path).strip() for path in receipt or []),
        )
    except (ValueError, NoteError) as error:
        raise CannotError(f"{error}.") from None
    report = check(_read(file), Codecs(GAMES), trust, level)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        told(report, Console(highlight=False, soft_wrap=True))
    raise typer.Exit(report.exit_code)


def _read(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None


def told(report: Report, console: Console) -> None:
    """The report in one screen."""
    if report.match:
        console.print(f"match {report.match} · {report.game}, rules {report.rules} · as {report.viewer}", markup=False)
        console.print(f"{report.versions} versions in {report.commits} commits", markup=False)
    if (finding := report.finding) is not None:
        where = f" at version {finding.version}" if finding.version else ""
        console.print(f"FAULT {int(finding.kind)} ({finding.kind.name.lower()}){where}", style="bold red", markup=False)
        console.print(finding.message, markup=False)
        if finding.expected or finding.found:
            console.print(f"  expected  {finding.expected}\n  found     {finding.found}", markup=False)
    held = {Level.NONE: "nothing could be proved", Level.SEALED: "sealed", Level.FULL: "full"}[report.level]
    style = "bold green" if finding is None else "bold yellow"
    console.print(f"Holds at level: {held}", style=style, markup=False)
    if report.level is not Level.NONE:
        console.print(
            f"  chain whole, {report.receipts} receipts by the server, {report.included} commits in its log, "
            f"{report.openings} values opened, {report.closed} closed, "
            f"{report.signed_commands} commands signed by their seats",
            markup=False,
        )
    if report.level is Level.FULL:
        gave, seats = report.entropy
        console.print(
            f"  every command decided again, {report.draws} draws drawn again, {gave} of {seats} seats gave entropy",
            markup=False,
        )
    for note in report.notes:
        console.print(f"note: {note}", style="yellow", markup=False)
