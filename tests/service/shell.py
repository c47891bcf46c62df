"""The command line as a user meets it: arguments in; exit status, output and errors out."""

import logging
from dataclasses import dataclass

import pytest
import structlog

from service.cli import main


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit status."""

    status: int
    out: str
    err: str


class Shell:
    """Runs `podesta` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Said:
        """Run it. A traceback is a failure of the test."""
        self._monkeypatch.setattr("sys.argv", ["podesta", *map(str, arguments)])
        self._capsys.readouterr()
        status = 0
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
            structlog.reset_defaults()
        out, err = self._capsys.readouterr()
        return Said(status, out, err)

    def refuses(self, *arguments: object) -> str:
        """What it says, in one line, when it cannot do this."""
        said = self(*arguments)
        assert (said.status, said.out) == (2, ""), said
        [line] = said.err.splitlines()
        return line.removeprefix("podesta: ")
