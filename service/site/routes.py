"""The routes beside the API."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from infra import metrics
from infra.database import Database
from infra.ports import Bell
from infra.signing import Signer
from service.site.health import measured, readiness
from service.site.page import Page

STYLE: Final = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
POLICY: Final = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"


VERIFIER: Final = Path(__file__).parent / "verifier"
VERIFIER_POLICY: Final = POLICY.replace("style-src", "script-src 'self'; style-src")


def json_response(value: Any, status: int = 200) -> Response:
    """The value as JSON."""
    return Response(msgspec.json.encode(value) + b"\n", status, media_type="application/json")


def site_routes(
    page: Page, database: Database, bell: Bell, signer: Signer, log_keys: Sequence[str] = ()
) -> list[Route]:
    """`/`, `/healthz`, `/readyz`, `/metrics` and `/.well-known/podesta-keys.json`."""

    async def index(request: Request) -> Response:
        headers = {"content-security-policy": POLICY, "x-content-type-options": "nosniff"}
        return Response(page.html(str(request.base_url).rstrip("/")), media_type="text/html", headers=headers)

    async def style(_request: Request) -> Response:
        return Response(STYLE, media_type="text/css", headers={"cache-control": "max-age=300"})

    async def healthz(_request: Request) -> Response:
        return json_response({"status": "alive"})

    async def readyz(_request: Request) -> Response:
        found = await readiness(database, bell)
        return json_response(found, 503 if found.status == "unready" else 200)

    async def exposition(_request: Request) -> Response:
        await measured(database)
        return Response(metrics.exposition(), headers={"content-type": metrics.CONTENT_TYPE})

    async def keys(_request: Request) -> Response:
        return json_response({"keys": signer.public_keys, "log": log_keys})

    return [
        _file("/verify", "index.html", "text/html"),
        _file("/verify/page.js", "page.js", "text/javascript"),
        _file("/verify/sealed.js", "sealed.js", "text/javascript"),
        Route("/", index),
        Route("/style.css", style),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", exposition),
        Route("/.well-known/podesta-keys.json", keys),
    ]


def _file(path: str, name: str, kind: str) -> Route:
    """A file of the page that checks records."""
    content = (VERIFIER / name).read_bytes()
    headers = {"content-security-policy": VERIFIER_POLICY, "x-content-type-options": "nosniff"}

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=kind, headers=headers)

    return Route(path, serve)
