"""The two statements that append on PostgreSQL: many matches' next commits at once, and many openings at once.

Each is one statement, so it is one round trip and one transaction, and losing a race is a missing row, not an
exception. Rows of `heads` are locked in the order of their ids before any is changed: without that, batches of
several processes that overlap deadlock. A process's own batch holds at most one commit of a match.
"""

from typing import Any, Final

from domain.core.sealing import Commit
from infra.events.rows import COMMITS, EVENTS, commit_row, event_row, kinds

Sealed = tuple[str, bytes]

_COMMIT_TYPES: Final = (
    *("text", "int", "int", "int", "bigint", "text", "int", "text", "int"),
    *("bytea", "bytea", "bytea", "int", "bytea", "bytea", "bytea", "bytea", "bytea", "text"),
)
_EVENT_TYPES: Final = ("text", "int", "text", "int", "bytea", "bytea", "text", "bytea")


def _unnest(types: tuple[str, ...], start: int) -> str:
    return ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(types, start))


_INPUT: Final = f"SELECT * FROM unnest({_unnest(_COMMIT_TYPES, 1)}) AS i ({COMMITS}, kinds)"
_EVENT_INPUT: Final = f"SELECT * FROM unnest({_unnest(_EVENT_TYPES, 20)}) AS e (match, {EVENTS})"
_OF_COMMIT: Final = ", ".join(f"i.{name.strip()}" for name in COMMITS.split(","))
_OF_EVENT: Final = ", ".join(f"e.{name.strip()}" for name in EVENTS.split(","))

_REST: Final = f"""
    queued AS (
      INSERT INTO outbox ("partition", match, first, last, time, kinds)
      SELECT w."partition", i.match, i.first, i.last, i.time, i.kinds FROM won w JOIN input i USING (match)
    ), told AS (
      INSERT INTO events (match, {EVENTS})
      SELECT e.match, {_OF_EVENT} FROM won w JOIN ({_EVENT_INPUT}) e USING (match)
    )
    SELECT match FROM won
"""

MOVE: Final = f"""
    WITH input AS MATERIALIZED ({_INPUT}), locked AS MATERIALIZED (
      SELECT match, version, head FROM heads WHERE match = ANY($1::text[]) ORDER BY match FOR UPDATE
    ), won AS (
      UPDATE heads h SET version = i.last, head = i.head
      FROM input i JOIN locked l USING (match)
      WHERE h.match = i.match AND l.version = i.first - 1 AND l.head = i.previous AND NOT EXISTS (
        SELECT FROM commits c WHERE c.match = i.match AND c.account = i.account AND c.command_id = i.command_id
      )
      RETURNING h.match, h."partition"
    ), added AS (
      INSERT INTO commits ({COMMITS}) SELECT {_OF_COMMIT} FROM won w JOIN input i USING (match)
    ), {_REST}
"""
"""Parameters: `parameters(...)`. Gives the matches whose commit was stored."""

OPEN: Final = f"""
    WITH input AS MATERIALIZED ({_INPUT}), extra AS MATERIALIZED (
      SELECT * FROM unnest($28::text[], $29::int[], $30::text[], $31::bytea[]) AS x (match, "partition", key, sealed)
    ), added AS (
      INSERT INTO commits ({COMMITS}) SELECT {_OF_COMMIT} FROM input i
      WHERE NOT EXISTS (SELECT FROM heads h WHERE h.match = i.match)
      ORDER BY i.account, i.command_id
      ON CONFLICT (account, command_id) WHERE first = 1 DO NOTHING
      RETURNING match
    ), won AS (
      INSERT INTO heads (match, "partition", version, head)
      SELECT i.match, x."partition", i.last, i.head FROM added a JOIN input i USING (match) JOIN extra x USING (match)
      RETURNING match, "partition"
    ), hidden AS (
      INSERT INTO vault (match, key, sealed)
      SELECT x.match, x.key, x.sealed FROM added a JOIN extra x USING (match) WHERE x.key IS NOT NULL
    ), {_REST}
"""
"""Parameters: `parameters(...)` and `opening_parameters(...)`. Gives the matches that were opened."""


_ONE_TYPED: Final = ", ".join(f"${n}::{kind}" for n, kind in enumerate(_COMMIT_TYPES[:-1], 1))
_ONE: Final = dict(zip((name.strip() for name in COMMITS.split(",")), range(1, 19), strict=True))

MOVE_ONE: Final = f"""
    WITH won AS (
      UPDATE heads SET version = ${_ONE["last"]}, head = ${_ONE["head"]}
      WHERE match = $1 AND version = ${_ONE["first"]} - 1 AND head = ${_ONE["previous"]} AND NOT EXISTS (
        SELECT FROM commits c
        WHERE c.match = $1 AND c.account = ${_ONE["account"]} AND c.command_id = ${_ONE["command_id"]}
      )
      RETURNING match, "partition"
    ), added AS (
      INSERT INTO commits ({COMMITS}) SELECT {_ONE_TYPED} FROM won
    ), queued AS (
      INSERT INTO outbox ("partition", match, first, last, time, kinds)
      SELECT "partition", match, ${_ONE["first"]}, ${_ONE["last"]}, ${_ONE["time"]}, $19 FROM won
    ), told AS (
      INSERT INTO events (match, {EVENTS})
      SELECT won.match, {_OF_EVENT} FROM won, unnest({_unnest(_EVENT_TYPES[1:], 20)}) AS e ({EVENTS})
    )
    SELECT match FROM won
"""
"""MOVE for a single commit: half the work of the server. Parameters: `one_parameters(...)`."""


def one_parameters(commit: Commit) -> list[Any]:
    """The values of the commit, and the columns of its events."""
    return [*commit_row(commit), kinds(commit), *zip(*map(event_row, commit.events), strict=True)]


def parameters(commits: list[Commit]) -> list[Any]:
    """The columns of the commits and of all their events."""
    rows = [(*commit_row(commit), kinds(commit)) for commit in commits]
    events = [(commit.match, *event_row(event)) for commit in commits for event in commit.events]
    return [*zip(*rows, strict=True), *zip(*events, strict=True)]


def opening_parameters(matches: list[tuple[str, int, Sealed | None]]) -> list[Any]:
    """What an opening has beside its commit: match, partition, and the sealed secrets with the name of their key."""
    rows = [(match, partition, *(sealed or (None, None))) for match, partition, sealed in matches]
    return list(zip(*rows, strict=True))
