"""The command line, `podesta`: to serve, to look after a server, to look at matches, and to try it all out."""

import sys
from typing import Final

import typer

from service import logs
from service.cli import auditing, casing, demo, looking, proving, serving, upkeep
from service.cli.errors import TOLD, in_a_line, tell

app: Final = typer.Typer(
    name="podesta",
    help="A board-game server that knows the rules, keeps every move, and can settle any argument about any move.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serving.serve)
app.command()(serving.worker)
app.command()(upkeep.migrate)
app.add_typer(upkeep.token, name="token")
app.add_typer(upkeep.keys, name="keys")
app.add_typer(upkeep.projections, name="projections")
app.add_typer(looking.match, name="match")
app.command()(demo.demo)
app.command()(proving.record)
app.command()(proving.verify)
app.command("opening")(proving.open_value)
app.command()(casing.case)
app.command()(auditing.audit)
app.command("shadow-replay")(auditing.shadow_replay)


def main() -> None:
    """The entry point: mistakes are one clear line and exit status 2."""
    logs.set_up("warning")
    try:
        app()
    except TOLD as error:
        tell(in_a_line(error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
