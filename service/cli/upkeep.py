"""`podesta migrate`, `podesta token` and `podesta projections`: looking after a server's data."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from infra.projections.projector import Progress as Done
from infra.projections.projector import Projector, Rebuilt
from infra.signing import rotate_key_file
from service import app as wiring
from service.cli.errors import CannotError
from service.config import load

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Data folder (PODESTA_DATA_DIR, ./.data).")]

token = typer.Typer(help="Accounts and their bearer tokens.", no_args_is_help=True)
keys = typer.Typer(help="The keys that sign receipts.", no_args_is_help=True)
projections = typer.Typer(help="The read models: what is built from the log.", no_args_is_help=True)


def migrate(data: Data = None) -> None:
    """Bring the database to the schema of this build. On PostgreSQL run it as the role that owns the tables."""
    settings = load(data_dir=data)
    typer.echo(f"The database is at schema {asyncio.run(wiring.migrate(settings))}.")


@token.command("create")
def token_create(
    name: Annotated[str | None, typer.Option(help="Name of a new account.")] = None,
    account: Annotated[str | None, typer.Option(help="Id of an account that exists, instead.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Role of the new account; may be given again.")] = None,
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="Days until the token expires.")] = None,
    data: Data = None,
) -> None:
    """Make an account, if none is named, and a token for it. The token is shown once, on standard output."""
    if account is not None and (name is not None or role):
        raise CannotError("--account names an account that exists: --name and --role are for a new one.")

    async def create() -> tuple[str, str]:
        async with wiring.connect(load(data_dir=data)) as services:
            accounts = services.backend.accounts
            try:
                id_ = account or (await accounts.create(name, guest=False, roles=role or ())).id
                return id_, await accounts.issue(id_, None if days is None else days * 86_400)
            except (LookupError, ValueError) as error:
                raise CannotError(f"{str(error).capitalize()}.") from None

    id_, made = asyncio.run(create())
    typer.echo(f"account {id_}", err=True)
    typer.echo(made)


@token.command("revoke")
def token_revoke(
    value: Annotated[str, typer.Argument(metavar="TOKEN", help="The token; - reads it from standard input.")],
    data: Data = None,
) -> None:
    """End a token. Streams that were opened with it end within seconds."""

    async def revoke() -> bool:
        async with wiring.connect(load(data_dir=data)) as services:
            return await services.auth.revoke(sys.stdin.readline().strip() if value == "-" else value)

    if not asyncio.run(revoke()):
        raise CannotError("This token does not hold: it is unknown, expired, or revoked already.")
    typer.echo("Revoked.")


@projections.command("list")
def projections_list(data: Data = None) -> None:
    """Which projections there are, and how far each has come."""

    async def find() -> list[tuple[str, int, int]]:
        async with wiring.connect(load(data_dir=data)) as services:
            return [(p.name, *await p.standing()) for p in services.backend.projectors.values()]

    table = Table("projection", "commits projected", "of", box=None)
    for name, at, of in asyncio.run(find()):
        table.add_row(name, str(at), str(of))
    Console().print(table)


@projections.command("rebuild")
def projections_rebuild(name: Annotated[str, typer.Argument(help="The projection.")], data: Data = None) -> None:
    """Build a projection anew from the log while the old one serves, compare the two, and swap."""

    async def rebuild() -> Rebuilt:
        async with wiring.connect(load(data_dir=data)) as services:
            found = services.backend.projectors
            if name not in found:
                raise CannotError(f"There is no projection {name!r}. There are: {', '.join(sorted(found))}.")
            await services.backend.sequencer.drain()
            return await _with_progress(found[name])

    done = asyncio.run(rebuild())
    rate = done.events / done.seconds if done.seconds else 0
    same = "The old one said the same" if not done.differing else f"In {done.differing} rows the old one was wrong"
    typer.echo(f"{name}: {done.commits} commits, {done.events} events in {done.seconds:.2f} s ({rate:,.0f}/s). {same}.")


async def _with_progress(projector: Projector) -> Rebuilt:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(projector.name, total=None)

        def show(done: Done) -> None:
            bar.update(task, completed=done.commits, total=done.of)

        try:
            return await projector.rebuild(show)
        except RuntimeError as error:
            raise CannotError(f"{str(error).capitalize()}.") from None


@token.command("erase-account")
def token_erase(
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="The account's id.")],
    data: Data = None,
) -> None:
    """Erase an account for good: its name, its own key, its roles and tokens. What it played stays, by its id."""

    async def erase() -> bool:
        async with wiring.connect(load(data_dir=data)) as services:
            return await services.backend.accounts.erase(account)

    if not asyncio.run(erase()):
        raise CannotError(f"There is no account {account} that could be erased.")
    typer.echo(f"account {account} is erased", err=True)


@keys.command("list")
def keys_list(data: Data = None) -> None:
    """The public keys that receipts may be under, the present one first: id and key."""
    for key in wiring.make_signer(load(data_dir=data)).public_keys:
        typer.echo(f"{key.id} {key.key}")


@keys.command("rotate")
def keys_rotate(data: Data = None) -> None:
    """Make a new signing key and retire the present one. Restart every process; old receipts stay checkable."""
    settings = load(data_dir=data)
    wiring.make_signer(settings)
    signer = rotate_key_file(settings.signing_key_file or settings.data_dir / "signing.key")
    typer.echo(f"new key {signer.key_id}", err=True)
