"""Everything joined: the page, health, readiness, metrics, keys and errors, over a real store."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from domain.core.table import OpenMatch
from infra.signing import PublicKey, verify_receipt
from service.app import Services, connect, create_app, working
from service.background import Background
from service.config import load
from tests.service.desk import accepted


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    async with connect(load({}, data_dir=tmp_path)) as joined:
        yield joined


@pytest.fixture
async def web(services: Services) -> AsyncIterator[httpx2.AsyncClient]:
    async with client(create_app(services)) as http:
        yield http


def client(app: Starlette) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url="http://podesta.test")


async def test_a_process_is_alive(web: httpx2.AsyncClient) -> None:
    answer = await web.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


async def test_readiness_names_store_migrations_and_bell(web: httpx2.AsyncClient) -> None:
    answer = await web.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "store": "ok", "migrations": "ok", "bell": "ok"}


async def test_a_process_with_another_schema_is_not_ready(web: httpx2.AsyncClient, services: Services) -> None:
    await services.backend.database.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = 'x'")))
    answer = await web.get("/readyz")
    assert (answer.status_code, answer.json()["status"], answer.json()["store"]) == (503, "unready", "ok")
    assert "podesta migrate" in answer.json()["migrations"]


async def test_without_the_bell_it_serves_on_and_says_so(web: httpx2.AsyncClient, services: Services) -> None:
    await services.bell.close()
    answer = await web.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "degraded", "store": "ok", "migrations": "ok", "bell": "out of reach"}


async def test_the_page_needs_nothing_from_elsewhere_and_no_script(web: httpx2.AsyncClient) -> None:
    answer = await web.get("/")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "<script" not in answer.text
    links = re.findall(r'(?:href|src)="?([^" >]+)', answer.text)
    for link in links:
        if link.startswith("/"):
            assert (await web.get(link, headers={"accept": "text/html"})).status_code == 200, link
        else:
            assert link.startswith("data:"), link


async def test_the_page_names_every_game(web: httpx2.AsyncClient, services: Services) -> None:
    page = (await web.get("/")).text
    assert all(f"<strong>{game.title}</strong>" in unescape(page) for game in services.play.games.current.values())


async def test_the_requests_on_the_page_work_as_they_stand(web: httpx2.AsyncClient) -> None:
    page = unescape((await web.get("/")).text)
    bodies = re.findall(r"<pre><code>curl http://podesta.test/graphql .*?-d '(.*?)'</code></pre>", page, re.DOTALL)
    assert len(bodies) == 3
    headers: dict[str, str] = {}
    answers: list[Any] = []
    for body in bodies:
        answer = (await web.post("/graphql", json=json.loads(body), headers=headers)).json()
        assert "errors" not in answer
        answers.append(answer["data"])
        if "createGuest" in body:
            headers = {"authorization": f"Bearer {answer['data']['createGuest']['token']}"}
    assert {game["name"] for game in answers[0]["games"]} >= {"toscana"}
    assert answers[2]["openMatch"]["__typename"] == "Accepted"


async def test_the_published_keys_verify_a_receipt(web: httpx2.AsyncClient, services: Services) -> None:
    answer = accepted(await services.play.open("a0", OpenMatch("toscana", 2), "open"))
    keys = [PublicKey(**key) for key in (await web.get("/.well-known/podesta-keys.json")).json()["keys"]]
    assert verify_receipt(answer.receipt.encode(), keys).match == answer.match


async def test_the_schema_can_be_downloaded(web: httpx2.AsyncClient) -> None:
    assert "type ToscanaView" in (await web.get("/schema.graphql")).text


async def test_guests_can_be_turned_away(tmp_path: Path) -> None:
    async with connect(load({}, data_dir=tmp_path, guests=False)) as joined, client(create_app(joined)) as web:
        query = "mutation { createGuest { __typename ... on Refused { code } } }"
        answer = (await web.post("/graphql", json={"query": query})).json()
    assert answer["data"]["createGuest"]["__typename"] == "Refused"


async def test_what_is_not_here_is_a_problem_document(web: httpx2.AsyncClient) -> None:
    answer = await web.get("/nowhere")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {"type": "about:blank", "title": "Not Found", "status": 404, "detail": ""}
    assert (await web.post("/healthz")).json()["status"] == 405


async def test_an_unexpected_error_is_masked_with_an_id(
    services: Services, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(_request: Request) -> Response:
        raise RuntimeError("the secret is 42")

    app = create_app(services)
    app.router.routes.append(Route("/broken", broken))
    async with client(app) as web:
        answer = await web.get("/broken")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "42" not in answer.text
    [found] = re.findall(r"[0-9a-f]{16}", answer.json()["detail"])
    assert found in caplog.text + capsys.readouterr().out


async def test_commands_and_appends_are_counted(web: httpx2.AsyncClient, services: Services) -> None:
    def count(page: str, line: str) -> float:
        return float(next((x.split(" ")[-1] for x in page.splitlines() if x.startswith(line)), "0"))

    accepted_line = 'podesta_commands_total{answer="accepted",game="toscana"}'
    refused_line = 'podesta_commands_total{answer="bad_seats",game="toscana"}'
    appended_line = 'podesta_appends_total{result="appended"}'
    before = (await web.get("/metrics")).text
    await services.play.open("a0", OpenMatch("toscana", 2), "open")
    await services.play.open("a0", OpenMatch("toscana", 7), "open7")
    answer = await web.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in (accepted_line, refused_line, appended_line):
        assert count(answer.text, line) == count(before, line) + 1
    assert count(answer.text, "podesta_matches_live") == 1


async def test_the_work_beside_the_requests_brings_matches_to_the_lobby(services: Services) -> None:
    async with working(services):
        answer = accepted(await services.play.open("a0", OpenMatch("toscana", 2), "open"))
        async with asyncio.timeout(20):
            while await services.backend.read_models.projected(answer.match) < answer.version:
                await asyncio.sleep(0.02)


async def test_what_fails_beside_the_requests_is_started_again(services: Services) -> None:
    tries = 0
    done = asyncio.Event()

    async def run() -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OSError("gone")
        done.set()
        await asyncio.Event().wait()

    background = Background()
    background.start("work", run)
    async with asyncio.timeout(5):
        await done.wait()
    await background.stop()
    assert tries == 2


async def test_rest_is_served_too(web: httpx2.AsyncClient) -> None:
    assert {game["name"] for game in (await web.get("/api/v1/games")).json()} >= {"toscana"}
    assert (await web.get("/api/v1/openapi.json")).json()["openapi"] == "3.1.0"
    token = (await web.post("/api/v1/guests")).json()["token"]
    opening = {"game": "toscana", "seats": 2, "command_id": "open"}
    opened = await web.post("/api/v1/matches", json=opening, headers={"authorization": f"Bearer {token}"})
    assert opened.json()["frame"]["status"] == "seating"
    lost = await web.get("/api/v1/nowhere")
    assert (lost.status_code, lost.headers["content-type"]) == (404, "application/problem+json")
