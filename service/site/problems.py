"""Errors outside of GraphQL as RFC 9457 problem documents; what went wrong here is masked, and logged with an id."""

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from infra import metrics

log = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"


async def explained(_request: Request, error: Exception) -> Response:
    """What the client asked wrongly."""
    assert isinstance(error, HTTPException)
    return _problem(error.status_code, error.detail, error.headers or {})


async def masked(request: Request, error: Exception) -> Response:
    """What went wrong here: the client is given its id in the log, and no more."""
    found = secrets.token_hex(8)
    metrics.UNEXPECTED.inc()
    log.error("request_failed", error_id=found, path=request.url.path, exc_info=error)
    detail = f"Something went wrong here, and it is not your doing. Its id in our log is {found}."
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail, {})


def _problem(status: int, detail: str, headers: Mapping[str, str]) -> Response:
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail if detail != title else ""}
    return Response(msgspec.json.encode(body) + b"\n", status, headers, media_type=MEDIA_TYPE)
