"""What a check of a record found: each fault with its kind, where it is, and what was expected."""

from enum import IntEnum, StrEnum

import msgspec


class Level(StrEnum):
    """How much was checked."""

    NONE = "none"
    SEALED = "sealed"
    FULL = "full"


class Kind(IntEnum):
    """A kind of fault; its number is the exit code of `podesta verify`. Documented in docs/record-format.md."""

    UNREADABLE = 10
    CHAIN = 11
    OPENING = 12
    RECEIPT = 13
    SIGNATURE = 14
    INCLUSION = 15
    SPLIT_VIEW = 16
    INCOMPLETE = 17
    SEED = 20
    DRAW = 21
    ILLEGAL = 22
    EVENTS = 23
    PINNED = 30


class Finding(msgspec.Struct, frozen=True):
    """One fault. version is the first version concerned, 0 where the whole file is."""

    kind: Kind
    version: int
    message: str
    expected: str = ""
    found: str = ""


class Fault(Exception):
    """Checking stopped at a fault: what follows from it cannot be trusted."""

    def __init__(self, kind: Kind, version: int, message: str, expected: object = "", found: object = "") -> None:
        super().__init__(message)
        self.finding = Finding(kind, version, message, _short(expected), _short(found))


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of checking a record.

    level: what holds. wanted: what was asked. notes: what a reader should know beside, e.g. that the key came from
    the file itself. entropy: how many seats contributed to the match key, of how many.
    """

    match: str
    viewer: str
    game: str
    rules: int
    level: Level
    wanted: Level
    versions: int
    commits: int
    signed_commands: int
    receipts: int
    included: int
    openings: int
    closed: int
    draws: int
    entropy: tuple[int, int]
    finding: Finding | None
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 if all that was asked holds, else the number of the fault's kind."""
        return 0 if self.finding is None else int(self.finding.kind)


_SHORT = 200


def _short(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]} …"
