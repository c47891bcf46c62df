"""Hired to settle disputes: a match of each game over a real server, disputed, rolled back, ended, exported, proved.

Then the operator, with full access to the database, edits one move and computes the chain anew; with the signing key
he signs it anew as well. The receipts, the checkpoint and the re-execution each expose it.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from domain.games import GAMES
from infra.backends import open_sqlite
from infra.signing import Signer, signer_from_file
from infra.vault import Vault, key_file
from tests.service.verifying import forge
from tests.support.match import TestMatch
from tests.support.podesta import ROOT, Podesta
from tests.support.process import Folder

OPTIONS: dict[str, dict[str, int]] = {"castles_of_tuscany": {"lap_limit": 10}, "majolica": {"round_limit": 1}}
ANSWER = (
    "__typename ... on Accepted { match first version receipt frame { status awaited } } "
    "... on Refused { code message receipt }"
)
LOOK = "query ($m: ID!) { match(id: $m) { ... on Match { version status awaited legal { json } } } }"


class Client:
    """An account of the server, over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        self.receipts: list[str] = []
        self._ids = 0
        self._http = httpx2.Client(trust_env=False, timeout=30, headers={"authorization": f"Bearer {token}"})

    def ask(self, query: str, **variables: Any) -> Any:
        answer = self._http.post(f"{self.url}/graphql", json={"query": query, "variables": variables}).json()
        assert "errors" not in answer, answer
        return answer["data"]

    def do(self, call: str, types: str = "", **variables: Any) -> Any:
        self._ids += 1
        given = f"($id: ID!{', ' + types if types else ''})"
        answer = self.ask(f"mutation {given} {{ {call} {{ {ANSWER} }} }}", id=f"c{self._ids}", **variables)
        found = next(iter(answer.values()))
        if found.get("receipt"):
            self.receipts.append(found["receipt"])
        return found

    def look(self, match: str) -> Any:
        return self.ask(LOOK, m=match)["match"]

    def close(self) -> None:
        self._http.close()


@pytest.fixture
def server(folder: Folder) -> Iterator[Podesta]:
    process = Podesta(folder, f"proof-{os.urandom(4).hex()}", checkpoint_s="0.3", poll_s="0.5")
    process.start()
    yield process
    process.kill()


def podesta(server: Podesta, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PODESTA_DATA_DIR": str(server.data)}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)


def account(server: Podesta, *more: str) -> Client:
    return Client(server.url, podesta(server, "token", "create", *more).stdout.strip())


def begun(game: str, one: Client, other: Client) -> str:
    options = OPTIONS.get(game, {})
    opened = one.do(
        "openMatch(game: $g, seats: 2, options: $o, disputeHalts: true, commandId: $id)",
        "$g: String!, $o: JSON",
        g=game,
        o=options,
    )
    match = str(opened["match"])
    for player in (one, other):
        assert player.do("joinMatch(match: $m, commandId: $id)", "$m: ID!", m=match)["__typename"] == "Accepted"
    assert one.do("startMatch(match: $m, commandId: $id)", "$m: ID!", m=match)["__typename"] == "Accepted"
    return match


def play(match: str, players: list[Client], rng: random.Random, moves: int | None = None) -> int:
    """Play so many moves, or to the end; the version of the last one."""
    last = 0
    now = players[0].look(match)
    while now["status"] != "OVER" and moves != 0:
        seat = rng.choice(now["awaited"])
        command = rng.choice(players[seat].look(match)["legal"]["json"])
        answer = players[seat].do(
            "act(match: $m, command: {json: $c}, commandId: $id)", "$m: ID!, $c: String!", m=match, c=command
        )
        assert answer["__typename"] == "Accepted", answer
        now, last = answer["frame"], answer["version"]
        moves = None if moves is None else moves - 1
    return last


def disputed(match: str, players: list[Client], judge: Client, back_to: int, version: int) -> None:
    """Seat 1 disputes the last move, play halts, the arbiter looks and rolls it back."""
    opened = players[1].do(
        'openDispute(match: $m, version: $v, reason: "I saw another board", commandId: $id)',
        "$m: ID!, $v: Int!",
        m=match,
        v=version,
    )
    assert opened["__typename"] == "Accepted", opened
    looks = [player.look(match) for player in players]
    seat = looks[0]["awaited"][0]
    command = looks[seat]["legal"]["json"][0]
    call = "act(match: $m, command: {json: $c}, commandId: $id)"
    assert players[seat].do(call, "$m: ID!, $c: String!", m=match, c=command)["code"] == "halted"
    assert judge.do("viewHidden(match: $m, version: $v, commandId: $id)", "$m: ID!, $v: Int!", m=match, v=version)
    ruled = judge.do(
        "ruleDispute(match: $m, dispute: 1, ruling: ROLLED_BACK, reason: $r, toVersion: $t, commandId: $id)",
        "$m: ID!, $r: String!, $t: Int!",
        m=match,
        r="granted",
        t=back_to,
    )
    assert ruled["__typename"] == "Accepted", ruled


def trust(server: Podesta) -> list[str]:
    keys = httpx2.get(f"{server.url}/.well-known/podesta-keys.json", trust_env=False).json()
    return ["--key", keys["keys"][0]["key"], "--log-key", keys["log"][0]]


def verified(server: Podesta, file: Path, *how: str) -> tuple[int, Any]:
    done = podesta(server, "verify", file, "--json", *how)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("game", sorted(GAMES.current))
def test_a_disputed_match_is_settled_and_proved_by_both_players(server: Podesta, game: str, tmp_path: Path) -> None:
    rng = random.Random(game)
    one, other, judge = account(server), account(server), account(server, "--role", "arbiter")
    with closing(one), closing(other), closing(judge):
        settle(server, game, (one, other, judge), rng, tmp_path)


def settle(
    server: Podesta, game: str, people: tuple[Client, Client, Client], rng: random.Random, tmp_path: Path
) -> None:
    one, other, judge = people
    players = [one, other]
    match = begun(game, one, other)
    play(match, players, rng, 6)
    back_to = players[0].look(match)["version"]
    version = play(match, players, rng, 1)
    disputed(match, players, judge, back_to, version)
    play(match, players, rng)
    keys = trust(server)
    wait_until_logged(server, match)
    for name, player in (("one", one), ("other", other)):
        text = player.ask(
            "query ($m: ID!) { match(id: $m) { ... on Match { record { ... on RecordFile { text } } } } }", m=match
        )["match"]["record"]["text"]
        file = tmp_path / f"{name}.podesta"
        file.write_text(text)
        receipts = []
        for index, receipt in enumerate(player.receipts):
            if '"code":' not in receipt:
                path = tmp_path / f"{name}-{index}.receipt"
                path.write_text(receipt)
                receipts += ["--receipt", str(path)]
        status, report = verified(server, file, *keys, *receipts)
        assert (status, report["level"], report["finding"]) == (0, "full", None), report
        assert report["included"] == report["commits"]


def wait_until_logged(server: Podesta, match: str) -> None:
    """Until every commit of the match is under a checkpoint."""
    until = time.monotonic() + 30
    while True:
        done = podesta(server, "record", match, "-o", "-")
        commits = json.loads(done.stdout)["commits"]
        if all(commit["inclusion"] for commit in commits):
            return
        assert time.monotonic() < until, "the log does not take the match in"
        time.sleep(0.3)


async def test_an_operator_who_edits_a_move_is_exposed_three_times(server: Podesta, tmp_path: Path) -> None:
    rng = random.Random(3)
    players = [account(server), account(server)]
    with closing(players[0]), closing(players[1]):
        match = begun("toscana", *players)
        play(match, players, rng)
    wait_until_logged(server, match)
    keys = trust(server)
    server.stop()
    number, forged = await edited(server, match, rng)

    def record() -> Path:
        file = tmp_path / "edited.podesta"
        assert podesta(server, "record", match, "-o", file).returncode == 0
        return file

    rewrite(server, forged, None)
    status, report = verified(server, record(), *keys)
    assert (status, report["finding"]["version"]) == (13, forged.commits[number - 1].first), report

    rewrite(server, forged, signer_from_file(server.data / "signing.key"))
    status, report = verified(server, record(), *keys)
    assert status == 15, "signed anew, but the log's checkpoint holds what was there before"

    plain = json.loads(record().read_text())
    plain["checkpoint"] = ""
    bare = tmp_path / "bare.podesta"
    bare.write_text(json.dumps(plain))
    status, report = verified(server, bare, *keys)
    assert (status, report["level"]) == (22, "sealed"), "without the log, deciding it again says that it was illegal"
    assert report["finding"]["version"] == forged.commits[number - 1].first
    assert "R" in report["finding"]["message"]


async def edited(server: Podesta, match: str, rng: random.Random) -> tuple[int, TestMatch]:
    """(the number of the commit, the match with an illegal command in it and the chain computed anew)."""
    backend = await open_sqlite(server.data / "podesta.sqlite3", Vault(key_file(server.data / "vault.key")))
    try:
        commits, secrets = await backend.store.commits(match), await backend.store.secrets(match)
        assert secrets is not None
    finally:
        await backend.close()
    honest = TestMatch(GAMES.current["toscana"], match, secrets.seed, secrets.salts)
    for commit in commits:
        honest._add(commit)
    while True:
        number = rng.choice(list(forge.game_commits(honest)))
        if (command := forge.illegal_command(honest, number, rng)) is not None:
            return number, forge.rewritten(honest, number, command)


def rewrite(server: Podesta, forged: TestMatch, signer: Signer | None) -> None:
    """Put the forged chain into the database, past the triggers; with a signer, its receipts too."""
    database = sqlite3.connect(server.data / "podesta.sqlite3")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f'DROP TRIGGER "{name}"')
    for commit in forged.commits:
        public = None if commit.command == commit.command_public else commit.command_public
        row = (commit.header, commit.command, public, commit.previous, commit.head, commit.match, commit.last)
        database.execute(
            "UPDATE commits SET header = ?, command = ?, command_public = ?, previous = ?, head = ? "
            "WHERE match = ? AND last = ?",
            row,
        )
        if signer is not None:
            receipt = signer.receipt(commit)
            database.execute(
                "UPDATE commits SET receipt = ? WHERE match = ? AND last = ?", (receipt, commit.match, commit.last)
            )
        for event in commit.events:
            database.execute(
                "UPDATE events SET digest = ? WHERE match = ? AND version = ?",
                (event.digest, commit.match, event.version),
            )
    head = forged.commits[-1].head
    database.execute("UPDATE heads SET head = ? WHERE match = ?", (head, forged.match))
    database.commit()
    database.close()
    assert msgspec.json.decode(forged.commits[-1].header)["match"] == forged.match
