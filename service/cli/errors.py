"""How a command says that it cannot do what was asked: one line on standard error, exit status 2, no traceback."""

from typing import Final

from rich.console import Console

from domain.core.errors import Illegal
from service.config import SettingsError


class CannotError(Exception):
    """The command cannot do what was asked; the message says why and what would be right."""


TOLD: Final = (CannotError, SettingsError, Illegal)
"""What is told to the user in a line; everything else is a fault of ours and keeps its traceback."""


def in_a_line(error: Exception) -> str:
    """What is said of it."""
    return f"{error.message} {error.hint}".strip() if isinstance(error, Illegal) else str(error)


def tell(message: str) -> None:
    """Say it on standard error, as it is, a line for each problem."""
    console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)
    for line in message.splitlines():
        console.print(f"podesta: {line}", style="red")
