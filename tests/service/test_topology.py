"""The production shape: two web processes and a worker over PostgreSQL and Redis, whole matches through both."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx2
import pytest

from tests.service.shell import Shell
from tests.service.test_survives import ask, demo, wait_for_commands
from tests.support.podesta import Podesta
from tests.support.process import Folder

KEYS = {"vault_key": "ab" * 32, "background": "auto", "poll_s": "0.5"}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], database_url: str) -> Shell:
    monkeypatch.setenv("PODESTA_DATABASE_URL", database_url)
    return Shell(monkeypatch, capsys)


@pytest.fixture
def processes(folder: Folder, shell: Shell, database_url: str, redis_url: str) -> Iterator[list[Podesta]]:
    """Two web processes and a worker."""
    assert shell("migrate").status == 0
    settings = {**KEYS, "database_url": database_url, "redis_url": redis_url}
    with ExitStack() as stack:
        made: list[Podesta] = []
        for name, kind in (("web1", "serve"), ("web2", "serve"), ("worker", "worker")):
            process = Podesta(folder, f"{name}-{os.urandom(4).hex()}", kind, **settings)
            process.data = folder.path / "shared.data"
            stack.callback(process.kill)
            process.start()
            made.append(process)
        yield made


def test_a_database_that_was_not_migrated_is_said(shell: Shell) -> None:
    for command in (("worker",), ("projections", "list"), ("token", "create")):
        said = shell.refuses(*command)
        assert said.endswith("(PODESTA_DATABASE_URL) cannot be used: The database is empty. Run `podesta migrate`.")


def test_a_web_process_is_not_ready_until_the_database_is_migrated(
    shell: Shell, folder: Folder, database_url: str
) -> None:
    class Unready(Podesta):
        def ready(self) -> bool:
            try:
                return httpx2.get(f"{self.url}/healthz", trust_env=False).status_code == 200
            except httpx2.TransportError:
                return False

    process = Unready(folder, "unready", **KEYS, database_url=database_url)
    try:
        process.start()
        before = httpx2.get(f"{process.url}/readyz", trust_env=False)
        assert (before.status_code, before.json()["store"]) == (503, "ok")
        assert before.json()["migrations"] == "The database is empty. Run `podesta migrate`."
        assert shell("migrate").status == 0
        assert httpx2.get(f"{process.url}/readyz", trust_env=False).status_code == 200
        assert process.stop() == 0
    finally:
        process.kill()


def test_matches_are_played_and_watched_across_processes(processes: list[Podesta]) -> None:
    one, other, worker = processes
    with demo(one.url, "--url", other.url, "--game", "toscana", "--matches", "3") as playing:
        wait_for_commands(one.url, 10)
        other.kill()
        worker.kill()
        other.start()
        worker.start()
        out, err = playing.communicate(timeout=150)
    assert playing.returncode == 0, out + err
    lobby = """{ matches(filter: {status: "over"}) { ... on MatchConnection { nodes { game status } } } }"""
    until = time.monotonic() + 20
    while ask(other.url, lobby)["matches"]["nodes"] != [{"game": "toscana", "status": "OVER"}] * 3:
        assert time.monotonic() < until, "the worker does not bring the matches to the lobby"
        time.sleep(0.1)
    assert httpx2.get(f"{other.url}/readyz", trust_env=False).json()["bell"] == "ok"
    assert worker.stop() == 0
