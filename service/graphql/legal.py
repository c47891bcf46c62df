"""Legal moves as rows of a table, as JSON that can be sent back, and as typed commands."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.core.canonical import canonical_trusted
from domain.core.game import Legal, Template
from domain.core.words import Command

_encode: Final = msgspec.json.Encoder(order="sorted").encode


class Moves(msgspec.Struct, frozen=True):
    """What a seat may do in a game."""

    game: str
    legal: Legal[Any]


class Table(msgspec.Struct, frozen=True):
    """All listed commands of one type: the names of its fields, and a JSON array of their values for each command."""

    command: str
    fields: Sequence[str]
    rows: Sequence[str]


class Pattern(msgspec.Struct, frozen=True):
    """A template in JSON."""

    base: str
    field: str
    items: Sequence[str]
    at_least: int
    at_most: int
    distinct: bool


def tables(moves: Moves) -> list[Table]:
    """The listed commands, a table for each type, in the order of the list."""
    found: dict[type, list[str]] = {}
    for command in moves.legal.commands:
        row = _encode(msgspec.structs.astuple(command)).decode()
        found.setdefault(type(command), []).append(row)
    return [Table(cls.__name__, cls.__struct_fields__, rows) for cls, rows in found.items()]  # type: ignore[attr-defined]


def as_json(moves: Moves) -> list[str]:
    """The listed commands as canonical JSON."""
    return [command_json(command) for command in moves.legal.commands]


def command_json(command: Command) -> str:
    """A command as canonical JSON: what `CommandInput.json` takes."""
    return canonical_trusted(command).decode()


def patterns(moves: Moves) -> list[Pattern]:
    """The templates."""
    return [_pattern(template) for template in moves.legal.templates]


def _pattern(template: Template[Any]) -> Pattern:
    items = [_encode(item).decode() for item in template.items]
    base = command_json(template.base)
    return Pattern(base, template.field, items, template.at_least, template.at_most, template.distinct)
