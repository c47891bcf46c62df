"""Commits and events as rows: the same columns, in the same order, on both engines."""

from collections.abc import Sequence
from typing import Any, Final

from domain.core.sealing import Commit, StoredEvent
from infra import tables

COMMIT_COLUMNS: Final = tuple(column.name for column in tables.commits.columns)
EVENT_COLUMNS: Final = tuple(column.name for column in tables.events.columns if column.name != "match")

COMMITS: Final = ", ".join(COMMIT_COLUMNS)
EVENTS: Final = ", ".join(EVENT_COLUMNS)


def commit_row(commit: Commit) -> tuple[Any, ...]:
    """The commit's values for COMMIT_COLUMNS."""
    return (
        commit.match,
        commit.commit,
        commit.first,
        commit.last,
        commit.time,
        commit.account,
        commit.seat,
        commit.command_id,
        commit.rules,
        commit.header,
        commit.command,
        None if commit.command_public == commit.command else commit.command_public,
        commit.draw,
        commit.draws,
        commit.signature,
        commit.previous,
        commit.head,
        commit.receipt,
    )


def event_row(event: StoredEvent) -> tuple[Any, ...]:
    """The event's values for EVENT_COLUMNS."""
    public = None if event.public == event.body else event.public
    return event.version, event.type, event.shape, event.body, public, " ".join(event.hidden), event.digest


def kinds(commit: Commit) -> str:
    """The types of the commit's events, each once, in order."""
    return " ".join(dict.fromkeys(event.type for event in commit.events))


def read_commits(commits: Sequence[Sequence[Any]], events: Sequence[Sequence[Any]]) -> list[Commit]:
    """The commits of one match from their rows, in order, and the rows of exactly their events, in order."""
    stored = [read_event(row) for row in events]
    made: list[Commit] = []
    start = 0
    for row in commits:
        size = row[3] - row[2] + 1
        made.append(read_commit(row, tuple(stored[start : start + size])))
        start += size
    if start != len(stored):
        raise AssertionError(f"{len(stored)} events stand under commits that hold {start}")
    return made


def read_commit(row: Sequence[Any], events: tuple[StoredEvent, ...]) -> Commit:
    """The commit in a row of COMMIT_COLUMNS."""
    return Commit(
        match=row[0],
        commit=row[1],
        first=row[2],
        last=row[3],
        time=row[4],
        account=row[5],
        seat=row[6],
        command_id=row[7],
        rules=row[8],
        header=row[9],
        command=row[10],
        command_public=row[10] if row[11] is None else row[11],
        draw=row[12],
        draws=row[13],
        signature=row[14],
        previous=row[15],
        head=row[16],
        receipt=row[17],
        events=events,
    )


def read_event(row: Sequence[Any]) -> StoredEvent:
    """The event in a row of EVENT_COLUMNS."""
    version, kind, shape, body, public, hidden, digest = row
    return StoredEvent(version, kind, shape, body, body if public is None else public, tuple(hidden.split()), digest)
