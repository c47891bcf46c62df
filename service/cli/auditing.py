"""`podesta audit`, `podesta shadow-replay`: every stored match checked, or decided again by the present code."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from service.cli.errors import CannotError
from service.config import load
from service.verifying.audit import Summary
from service.verifying.audit import audit as run_audit

Workers = Annotated[int | None, typer.Option(help="Processes; one for each core if not given.", min=1, max=256)]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


def audit(
    everything: Annotated[bool, typer.Option("--all", help="Check every match of the store.")] = False,
    state: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep what was checked here, and resume.")] = None,
    workers: Workers = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check chains, commitments, receipts, signatures, draws and every decision of all matches, running ones too."""
    if not everything:
        raise CannotError("Say --all: every match of the store is checked.")
    _report(_run(data, workers, state, "audit", all_differences=False), as_json=as_json)


def shadow_replay(workers: Workers = None, data: Data = None, as_json: AsJson = False) -> None:
    """Before a deploy: decide every stored command again by this code, and list what it would decide otherwise."""
    _report(_run(data, workers, None, "shadow-replay", all_differences=True), as_json=as_json)


def _run(data: Path | None, workers: int | None, state: Path | None, name: str, *, all_differences: bool) -> Summary:
    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn("matches"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        return asyncio.run(
            run_audit(
                load(data_dir=data),
                workers=workers or os.cpu_count() or 1,
                state=state,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                all_differences=all_differences,
            )
        )


def _report(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(summary) + b"\n")
    else:
        console = Console(highlight=False, soft_wrap=True)
        console.print(f"{summary.matches:,} matches with {summary.events:,} events checked, {summary.skipped:,} known")
        for checked in summary.faults:
            which = f"match {checked.match}" + (f" ({checked.game}, rules {checked.rules})" if checked.game else "")
            for finding in checked.findings:
                what = f"{finding.kind.name.lower()} at version {finding.version}: {finding.message}"
                console.print(f"{which}: {what}", style="red", markup=False)
                if finding.expected or finding.found:
                    console.print(f"  expected  {finding.expected}\n  found     {finding.found}", markup=False)
        if not summary.faults:
            console.print("No fault was found.", style="green")
    raise typer.Exit(int(summary.faults[0].findings[0].kind) if summary.faults else 0)
