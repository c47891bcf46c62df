"""Twenty matches at once through two web processes and a worker, while processes and Redis are killed at random.

The clients are those of `podesta demo`: random legal players with a watcher on every seat and in the gallery, who
repeat what was not answered under the same id, to either process, and check every version, digest, opening and
receipt that they get. Afterwards the server's side is looked at.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.service.test_survives import ask, metric
from tests.support.podesta import ROOT, Podesta, coverage
from tests.support.process import Folder
from tests.support.redis import Redis

PLAYED = [
    ("toscana", 8, {}),
    ("castles_of_tuscany", 4, {}),
    ("majolica", 4, {"round_limit": 12}),
    ("calimala", 4, {}),
]
MATCHES = sum(matches for _, matches, _ in PLAYED)
KILLS = 6
ENOUGH = 4
"""On a fast machine the matches may be over before the last kill; so many there must have been, Redis' among them."""
SEATS = 2


class House:
    """Two web processes and a worker over PostgreSQL and a Redis of their own."""

    def __init__(self, folder: Folder, database_url: str, stack: ExitStack) -> None:
        self.redis = Redis(folder)
        stack.callback(self.redis.kill)
        self.redis.start()
        settings = {"vault_key": "ab" * 32, "poll_s": "0.5", "database_url": database_url, "redis_url": self.redis.url}
        self.environment = {f"PODESTA_{name.upper()}": value for name, value in settings.items()}
        self.data = folder.path / f"house-{os.urandom(4).hex()}.data"
        self.podesta("migrate")
        self.processes: list[Podesta] = []
        for name, kind in (("web1", "serve"), ("web2", "serve"), ("worker", "worker")):
            process = Podesta(folder, f"{name}-{os.urandom(4).hex()}", kind, **settings)
            process.data = self.data
            stack.callback(process.kill)
            process.start()
            self.processes.append(process)

    @property
    def urls(self) -> list[str]:
        return [process.url for process in self.processes[:2]]

    def podesta(self, *arguments: str | Path) -> str:
        """A command of the command line; what it says."""
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", *map(str, arguments), "--data", str(self.data)],
            capture_output=True,
            text=True,
            check=False,
            timeout=170,
            env={**os.environ, "PYTHONPATH": str(ROOT), **self.environment},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def house(folder: Folder, database_url: str) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(folder, database_url, stack)


def demo(house: House, game: str, matches: int, options: dict[str, int]) -> subprocess.Popen[str]:
    urls = [part for url in house.urls for part in ("--url", url)]
    how = ["--game", game, "--matches", str(matches), "--at-once", str(matches), "--options", json.dumps(options)]
    return subprocess.Popen(
        [sys.executable, "-m", "service.cli", "demo", *urls, *how, "--patience", "90"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **coverage()},
    )


def test_nothing_is_lost_doubled_or_shown_to_whom_it_is_not_for(house: House) -> None:
    rng = random.Random(20)
    playing = [demo(house, *what) for what in PLAYED]
    try:
        killed = disturb(house, playing, rng)
        said = [process.communicate(timeout=400) for process in playing]
    finally:
        for process in playing:
            process.kill()
    for process, (out, err) in zip(playing, said, strict=True):
        assert process.returncode == 0, out + err
    assert killed >= ENOUGH, "the matches were over before the killing was"
    commands = sum(int(out.splitlines()[1].split(" ")[0]) for out, _ in said)
    assert_stored(house, commands)


def disturb(house: House, playing: list[subprocess.Popen[str]], rng: random.Random) -> int:
    """Kill a process at random, several times, and Redis once; each comes back. How many kills there were."""
    victims: list[Podesta | Redis] = [rng.choice(house.processes) for _ in range(KILLS - 1)]
    victims.insert(1, house.redis)
    for done, victim in enumerate(victims):
        before = sum(accepted(url) for url in house.urls)
        until = time.monotonic() + 60
        while sum(accepted(url) for url in house.urls) < before + 10 and time.monotonic() < until:
            if all(process.poll() is not None for process in playing):
                return done
            time.sleep(0.05)
        victim.kill()
        time.sleep(rng.uniform(0.05, 0.4))
        victim.start()
    return len(victims)


def accepted(url: str) -> float:
    return metric(url, 'podesta_commands_total{answer="accepted"')


def assert_stored(house: House, commands: int) -> None:
    """What the clients were told is stored, every chain and decision holds, every projection is its rebuild."""
    audited = json.loads(last_line(house.podesta("audit", "--all", "--json", "--workers", "2")))
    assert audited["faults"] == []
    assert audited["matches"] == MATCHES
    over = '{ matches(first: 50, filter: {status: "over"}) { ... on MatchConnection { nodes { match: id version } } } }'
    until = time.monotonic() + 30
    while len(nodes := ask(house.urls[0], over)["matches"]["nodes"]) < MATCHES:
        assert time.monotonic() < until, "the worker does not bring the matches to the lobby"
        time.sleep(0.2)
    assert sum(node["version"] for node in nodes) == audited["events"]
    commits = sum(commits_of(house, node["match"]) for node in nodes)
    at_the_tables = MATCHES * (2 + 2 * SEATS)  # opened, started; each seat taken, its entropy revealed
    assert commits == commands + at_the_tables, "every accepted command is stored once, and nothing else is"
    rebuilt = house.podesta("projections", "rebuild", "lobby")
    assert "The old one said the same" in rebuilt, rebuilt


def commits_of(house: House, match: str) -> int:
    query = "query ($m: ID!, $v: Int!) { match(id: $m) { ... on Match { steps(backwards: true, after: $v, first: 1) "
    query += "{ commit } } } }"
    return int(ask(house.urls[1], query, m=match, v=10**9)["match"]["steps"][0]["commit"])


def last_line(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("{"))
