"""`podesta case`: the case file of a move, as a signed document and as a page to print."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from domain.core.words import ARBITER
from service import app as wiring
from service.case_page import case_page
from service.cases import CaseFile, Cases, case_bytes
from service.cli.errors import CannotError
from service.config import load


def case(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The match.")],
    version: Annotated[int, typer.Option(help="A version of the move.")],
    command: Annotated[str | None, typer.Option(help="Another command, as JSON: was it legal there?")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where to write both files.")] = Path(),
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder.")] = None,
) -> None:
    """Write the case file of a move: one signed JSON document, and one page that a person can print."""
    made = asyncio.run(_case(match_id, version, _plain(command), data))
    name = f"case-{made.match}-{made.version}"
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / f"{name}.json").write_bytes(case_bytes(made) + b"\n")
        (output / f"{name}.html").write_text(case_page(made), encoding="utf-8")
    except OSError as error:
        raise CannotError(f"{output} cannot be written to: {(error.strerror or str(error)).lower()}.") from None
    Console(stderr=True, highlight=False).print(f"{output / name}.json and .html\n{made.verdict}", markup=False)


def _plain(command: str | None) -> Any:
    try:
        return None if command is None else msgspec.json.decode(command)
    except msgspec.MsgspecError as error:
        raise CannotError(f"--command is no JSON: {error}.") from None


async def _case(match_id: str, version: int, plain: Any, data: Path | None) -> CaseFile:
    async with wiring.connect(load(data_dir=data)) as services:
        live = await services.live.fresh(match_id)
        command = None if plain is None else services.play.game_command(live, plain)
        return Cases(services.signer, services.clock.now).case(live, version, ARBITER, command)
