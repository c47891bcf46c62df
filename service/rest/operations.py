"""The table of operations: what each path and method does, takes and gives."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.responses import Response

from domain.core.record import Record
from infra.ports import Account
from service.cases import CaseFile
from service.graphql.catalogue import Offer
from service.rest import commands, matches
from service.rest.asking import Asked
from service.rest.shapes import (
    AcceptedShown,
    CommandBody,
    EventPage,
    GuestBody,
    GuestShown,
    Lobby,
    MatchShown,
    OpenBody,
    StepPage,
)

PREFIX: Final = "/api/v1"
ABOUT: Final = {
    "as": "As whom: a seat's number, or `gallery`; as yourself, if not given.",
    "version": "At the commit end at or before this version; now, if not given.",
    "after": "Only what comes behind this.",
    "first": "How many at most.",
    "proofs": "Whether what is needed to check the chain comes along.",
    "game": "Of this game.",
    "status": "seating, running or over.",
    "account": "Opened by this account, or with it.",
    "seat": "Where this seat acted.",
    "turn_of": "After which it is this seat's turn.",
    "round": "In this round.",
    "type": "With an event of this type.",
    "format": "json or html; else `Accept` decides.",
    "command": "Another command, as JSON: was it legal there, and by which rule not?",
}
"""The parameters of queries."""
NUMBERS: Final = frozenset({"version", "first", "seat", "turn_of", "round"})


class Revoked(msgspec.Struct, frozen=True):
    """Whether there was a token to end."""

    revoked: bool


class Erased(msgspec.Struct, frozen=True):
    """Whether there was an account to erase."""

    erased: bool


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One method on one path. gives: the type of the answer. needs_account: whether a stranger is turned away."""

    method: str
    path: str
    name: str
    summary: str
    act: Callable[[Asked], Awaitable[Response]]
    gives: Any
    status: int = 200
    query: tuple[str, ...] = ()
    body: Any = None
    needs_account: bool = False


def _get(path: str, name: str, summary: str, act: Any, gives: Any, query: str = "") -> Operation:
    return Operation(
        method="GET", path=path, name=name, summary=summary, act=act, gives=gives, query=tuple(query.split())
    )


OPERATIONS: Final = (
    _get("/games", "games", "The games on offer, with seats, options and rules.", matches.games, list[Offer]),
    _get("/matches", "matches", "The lobby.", matches.lobby, Lobby, "game status account after first"),
    Operation(
        method="POST",
        path="/matches",
        name="open_match",
        summary="Open a match; the same command id gives the same match again.",
        act=commands.open_match,
        gives=AcceptedShown,
        body=OpenBody,
        needs_account=True,
    ),
    _get("/matches/{match}", "match", "A match as a viewer sees it.", matches.match, MatchShown, "version as"),
    _get(
        "/matches/{match}/events",
        "events",
        "What has happened after a version.",
        matches.events,
        EventPage,
        "after first proofs as",
    ),
    _get(
        "/matches/{match}/steps",
        "steps",
        "Where replay can stand.",
        matches.find_steps,
        StepPage,
        "after first seat turn_of round type",
    ),
    Operation(
        method="POST",
        path="/matches/{match}/commands",
        name="act",
        summary="Send a command of the game or of the table.",
        act=commands.act,
        gives=AcceptedShown,
        body=CommandBody,
        needs_account=True,
    ),
    _get("/matches/{match}/record", "record", "The match as a file that proves itself.", matches.record, Record, "as"),
    _get(
        "/matches/{match}/case/{version}",
        "case",
        "All that is needed to judge the move that holds a version.",
        matches.case,
        CaseFile,
        "format command",
    ),
    Operation(
        method="POST",
        path="/guests",
        name="create_guest",
        summary="Make an account without any set-up.",
        act=commands.guest,
        gives=GuestShown,
        status=201,
        body=GuestBody,
    ),
    Operation(
        method="GET",
        path="/me",
        name="me",
        summary="The account that the token speaks for.",
        act=commands.me,
        gives=Account,
        needs_account=True,
    ),
    Operation(
        method="DELETE",
        path="/me",
        name="erase_account",
        summary="Erase your account, for good. Matches that it plays go on without it.",
        act=commands.forget_me,
        gives=Erased,
        needs_account=True,
    ),
    Operation(
        method="DELETE",
        path="/token",
        name="revoke_token",
        summary="End the token that this request came with.",
        act=commands.end_token,
        gives=Revoked,
        needs_account=True,
    ),
)
