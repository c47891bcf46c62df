"""`podesta serve` and `podesta worker` as processes under supervision, like any other server."""

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.process import Folder, Server, free_port

ROOT = Path(__file__).resolve().parents[2]


class Podesta(Server):
    """A process of this service, over a data folder of its own unless the settings name stores."""

    def __init__(self, folder: Folder, name: str = "podesta", kind: str = "serve", **settings: str) -> None:
        super().__init__(folder, name)
        self.kind = kind
        self.settings = settings
        self.port = free_port()
        self.data = folder.path / f"{name}.data"
        self._said = 0

    @property
    def url(self) -> str:
        """Where it serves."""
        return f"http://127.0.0.1:{self.port}"

    def credentials(self) -> dict[str, object]:
        """Ourselves: this program does not mind who runs it."""
        return {}

    def command(self) -> Sequence[str | Path]:
        """`podesta serve` or `podesta worker`."""
        where = ["--host", "127.0.0.1", "--port", str(self.port)] if self.kind == "serve" else []
        return [sys.executable, "-m", "service.cli", self.kind, *where, "--data", self.data]

    def environment(self) -> Mapping[str, str]:
        """The settings, and this source."""
        named = {f"PODESTA_{name.upper()}": value for name, value in self.settings.items()}
        return {**super().environment(), "PYTHONPATH": str(ROOT), **coverage(), **named}

    def start(self) -> None:
        """See Server."""
        self._said = self.log.stat().st_size if self.log.exists() else 0
        super().start()

    def ready(self) -> bool:
        """Whether it says that it is ready; a worker, whether it has said so in its log since it was started."""
        if self.kind != "serve":
            return b'"working"' in self.log.read_bytes()[self._said :]
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def coverage() -> dict[str, str]:
    """What coverage needs in child processes, if it runs."""
    return {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
