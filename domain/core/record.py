"""A match exported whole: what one viewer is entitled to, and all that is needed to check it without the server."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from domain.core.sealing import Opening, Salts
from domain.core.showing import ReadCommit, show
from domain.core.words import Viewer

FORMAT: Final = "podesta-record/1"


class RecordKey(msgspec.Struct, frozen=True):
    """A public key of the server: its name and its 32 bytes as hex."""

    id: str
    key: str


class RecordEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event: its public form, exactly as it was hashed, and the openings of what the holder may read."""

    version: int
    type: str
    shape: int
    hidden: tuple[str, ...]
    public: str
    openings: tuple[Opening, ...]


class Inclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the commit's leaf stands in the transparency log, and its RFC 6962 inclusion proof (hex hashes)."""

    index: int
    proof: tuple[str, ...]


class RecordCommit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A commit: header and public command exactly as hashed, the openings, the receipt, the events, the inclusion."""

    header: str
    command: str
    head: str
    openings: tuple[Opening, ...]
    receipt: str
    events: tuple[RecordEvent, ...]
    inclusion: Inclusion | None = None


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file. keys and checkpoint are the server's; software is for information only."""

    format: str
    match: str
    viewer: str
    game: str
    rules: int
    digest: str
    over: bool
    keys: tuple[RecordKey, ...]
    commits: tuple[RecordCommit, ...]
    checkpoint: str = ""
    software: str = ""


def record_commits(
    reads: Iterable[ReadCommit], viewer: Viewer, salts: Salts, *, over: bool, inclusions: Sequence[Inclusion | None]
) -> tuple[RecordCommit, ...]:
    """The commits of a match as the viewer may take them away. inclusions: one for each commit, or as many as known."""
    made = []
    for index, read in enumerate(reads):
        seen = show(read, viewer, salts, over=over)
        made.append(
            RecordCommit(
                header=seen.header.decode(),
                command=seen.command.decode(),
                head=seen.head.hex(),
                openings=seen.openings,
                receipt=read.commit.receipt.decode(),
                events=tuple(
                    RecordEvent(e.version, e.type, e.shape, e.hidden, e.public.decode(), e.openings)
                    for e in seen.events
                ),
                inclusion=inclusions[index] if index < len(inclusions) else None,
            )
        )
    return tuple(made)
