"""A server that is killed in the middle of matches and started again: every client goes on, and nothing is lost."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tests.support.podesta import ROOT, Podesta, coverage
from tests.support.process import Folder


@pytest.fixture
def podesta(folder: Folder) -> Iterator[Podesta]:
    server = Podesta(folder, "survivor", poll_s="0.5")
    server.start()
    yield server
    server.kill()


@contextmanager
def demo(url: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`podesta demo` as a process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "demo", "--url", url, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **coverage()},
        cwd="/",
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def metric(url: str, name: str) -> float:
    page = httpx2.get(f"{url}/metrics", trust_env=False).text
    return sum(float(line.split(" ")[-1]) for line in page.splitlines() if line.startswith(name))


def wait_for_commands(url: str, count: int) -> None:
    until = time.monotonic() + 60
    while metric(url, 'podesta_commands_total{answer="accepted"') < count:
        assert time.monotonic() < until, "the demo does not play"
        time.sleep(0.02)


def ask(url: str, query: str, **variables: Any) -> Any:
    body = {"query": query, "variables": variables}
    answer = httpx2.post(f"{url}/graphql", json=body, trust_env=False).json()
    assert "errors" not in answer, answer
    return answer["data"]


def test_matches_go_on_when_the_server_is_killed_and_started_again(podesta: Podesta) -> None:
    with demo(podesta.url, "--game", "toscana", "--matches", "2") as playing:
        for _ in range(2):
            wait_for_commands(podesta.url, 16)
            podesta.kill()
            podesta.start()
        out, err = playing.communicate(timeout=120)
    assert playing.returncode == 0, out + err
    assert out.startswith("2 of 2 matches played to the end")
    assert "; 0 streams resumed" not in out
    nodes = ask(podesta.url, "{ matches { ... on MatchConnection { nodes { status cause } } } }")["matches"]["nodes"]
    assert nodes == [{"status": "OVER", "cause": "finished"}] * 2


def test_matches_go_on_over_an_orderly_restart(podesta: Podesta) -> None:
    with demo(podesta.url, "--game", "toscana", "--matches", "1") as playing:
        wait_for_commands(podesta.url, 10)
        assert podesta.stop() == 0
        podesta.start()
        out, err = playing.communicate(timeout=120)
    assert playing.returncode == 0, out + err


async def test_streams_end_with_a_reason_when_the_server_is_told_to_stop(podesta: Podesta) -> None:
    guest = ask(podesta.url, "mutation { createGuest { ... on Guest { token } } }")["createGuest"]["token"]
    headers = {"authorization": f"Bearer {guest}"}
    query = 'mutation { openMatch(game: "toscana", seats: 2, commandId: "1") { ... on Accepted { match } } }'
    async with httpx2.AsyncClient(trust_env=False) as http:
        opened = (await http.post(f"{podesta.url}/graphql", json={"query": query}, headers=headers)).json()
    match = opened["data"]["openMatch"]["match"]
    document = (
        "subscription ($match: ID!) { watch(match: $match, after: 0) "
        "{ __typename ... on StreamEnded { reason version } } }"
    )
    protocol = Subprotocol("graphql-transport-ws")
    async with connect(f"ws{podesta.url[4:]}/graphql", subprotocols=[protocol], proxy=None) as socket:

        async def receive() -> Any:
            return json.loads(await asyncio.wait_for(socket.recv(), 10))

        await socket.send(json.dumps({"type": "connection_init"}))
        assert (await receive())["type"] == "connection_ack"
        payload = {"query": document, "variables": {"match": match}}
        await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
        assert (await receive())["payload"]["data"]["watch"]["__typename"] == "Frame"
        stopping = asyncio.create_task(asyncio.to_thread(podesta.stop))
        ended = (await receive())["payload"]["data"]["watch"]
        assert ended == {"__typename": "StreamEnded", "reason": "SHUTDOWN", "version": 1}
        assert (await receive())["type"] == "complete"
    assert await stopping == 0


def test_a_stopped_server_says_so_and_leaves_no_journal_behind(podesta: Podesta) -> None:
    assert podesta.stop() == 0
    assert '"event": "stopped"' in podesta.tail(1)
    names = {path.name for path in podesta.data.iterdir()}
    assert names >= {"podesta.sqlite3", "signing.key", "vault.key"}
    assert not any(name.endswith(("-wal", "-shm")) for name in names)


def test_the_demo_says_what_the_server_plays(podesta: Podesta) -> None:
    for arguments, expected in [
        (["--game", "chess"], "The server does not play 'chess'. It plays: calimala, "),
        (["--game", "toscana", "--seats", "5"], "toscana is not played by 5. Seats: 2."),
        (["--game", "toscana", "--options", '{"x": 1}'], "toscana has no option 'x'. Options: "),
    ]:
        with demo(podesta.url, *arguments) as playing:
            out, err = playing.communicate(timeout=60)
        assert (playing.returncode, out) == (2, "")
        assert err.startswith(f"podesta: {expected}"), err
        assert len(err.splitlines()) == 1
