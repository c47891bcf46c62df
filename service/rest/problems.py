"""Refusals as RFC 9457 problem documents: which status each code has, and what the document holds."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.responses import Response

from service.answers import Refused
from service.rest.shapes import LegalShown, PositionShown, encode, legal_of, position
from service.site.problems import MEDIA_TYPE

TYPE: Final = "urn:podesta:refusal:"

_CODES: Final[Mapping[int, str]] = {
    401: "unauthenticated",
    403: "no_guests not_your_seat not_your_case not_arbiter arbiter_seated not_opener not_seated bad_signature "
    "signature_required no_key",
    404: "no_such_match no_such_version no_such_viewer",
    409: "stale command_id_used wrong_phase match_over not_your_decision already_decided resigned halted table_full "
    "seat_taken already_seated entropy_closed already_revealed seats_free entropy_not_revealed already_offered "
    "already_disputing no_open_dispute not_over",
    503: "too_busy not_projected rules_not_here",
}
STATUSES: Final = {status: frozenset(codes.split()) for status, codes in _CODES.items()}
"""The codes that have a status of their own."""

_BY_CODE: Final = {code: status for status, codes in STATUSES.items() for code in codes}
FORM: Final = "S1"
"""The rule of requests without the right form: 400. What else rules refuse is 422."""


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A refusal: nothing has happened. code and rule are stable, for programs; title is the rule's title.

    receipt is the server's signed refusal of a seat's command; legal is what the seat may do now; frame, where the
    command was stale, is where you stand.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str
    hint: str = ""
    receipt: str = ""
    legal: LegalShown | None = None
    frame: PositionShown | None = None


def status_of(code: str, rule: str) -> int:
    """The HTTP status of a refusal."""
    return _BY_CODE.get(code, HTTPStatus.BAD_REQUEST if rule == FORM else HTTPStatus.UNPROCESSABLE_ENTITY)


def problem(answer: Refused) -> Response:
    """The refusal as an HTTP response."""
    status = status_of(answer.code, answer.rule)
    made = Problem(
        type=TYPE + answer.code,
        title=answer.title,
        status=status,
        detail=answer.message,
        code=answer.code,
        rule=answer.rule,
        hint=answer.hint,
        receipt=answer.receipt,
        legal=legal_of(answer.frame) if answer.frame and answer.code != "stale" else None,
        frame=position(answer.frame) if answer.frame and answer.code == "stale" else None,
    )
    headers: dict[str, Any] = {"cache-control": "no-store"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["retry-after"] = "1"
    return Response(encode(made), status, headers, media_type=MEDIA_TYPE)
