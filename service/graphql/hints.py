"""Type hints of Structs, taken apart: what a field holds, whether it may be null, and what is written about it."""

import inspect
import re
import types
from collections.abc import AsyncIterator
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.core.secrecy import OnlyActor, OnlyFor, Reveals

NONE = type(None)
MISSING = msgspec.NODEFAULT


class Member(NamedTuple):
    """One field of a Struct: its Python name, bare hint, description, and default (MISSING if it has none)."""

    name: str
    hint: Any
    description: str | None
    default: Any
    has_factory: bool


def bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The hint without Annotated and NewType, and all that was noted on it."""
    notes: tuple[Any, ...] = ()
    while True:
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            notes = (*more, *notes)
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        else:
            return hint, notes


def split_union(hint: Any) -> tuple[tuple[Any, ...], bool]:
    """(the members other than None, whether None is one) of a hint; a hint that is no union stands alone."""
    hint, _ = bare(hint)
    origin = get_origin(hint)
    if origin is Literal:
        values = get_args(hint)
        if None not in values:
            return (hint,), False
        return (Literal[tuple(v for v in values if v is not None)],), True
    if origin is Union or origin is types.UnionType:
        members: list[Any] = []
        nullable = False
        for arg in get_args(hint):
            inner, none = split_union(arg)
            members += [m for m in inner if m is not NONE and m not in members]
            nullable = nullable or none or NONE in inner
        return tuple(members), nullable
    return (hint,), hint is NONE


def or_null(hint: Any) -> Any:
    """The hint, or None."""
    return Optional[hint]  # noqa: UP045 - a value, not a type expression


def list_of(hint: Any) -> Any:
    """A list of it."""
    return list[hint]


def is_struct(hint: Any) -> bool:
    """Whether the hint is a Struct class, or a generic one with its arguments."""
    origin = get_origin(hint) or hint
    return isinstance(origin, type) and issubclass(origin, msgspec.Struct)


def is_enum(hint: Any) -> bool:
    """Whether the hint is an enumeration."""
    return isinstance(hint, type) and issubclass(hint, Enum)


def iterator_of(hint: Any) -> Any:
    """An asynchronous iterator of it."""
    return AsyncIterator[hint]


def mirror(name: str, members: list[tuple[str, Any]]) -> Any:
    """A new enumeration."""
    return Enum(name, members, module=__name__)


def struct_class(hint: Any) -> type[msgspec.Struct]:
    """The class of a Struct hint, without generic arguments."""
    cls: type[msgspec.Struct] = get_origin(hint) or hint
    return cls


def members_of(hint: Any) -> tuple[Member, ...]:
    """The fields of a Struct hint in order, type variables replaced by the arguments of the hint."""
    cls = struct_class(hint)
    hints = get_type_hints(cls, include_extras=True)
    known: dict[Any, Any] = dict(zip(getattr(cls, "__parameters__", ()), get_args(hint), strict=False))
    return tuple(_member(field, _substitute(hints[field.name], known)) for field in msgspec.structs.fields(cls))


def _member(field: msgspec.structs.FieldInfo, hint: Any) -> Member:
    hint, notes = bare(hint)
    lines = [note.description for note in notes if isinstance(note, msgspec.Meta) and note.description]
    lines += [line for note in notes if (line := _mark(note))]
    factory = field.default_factory is not MISSING
    return Member(field.name, hint, "\n".join(lines) or None, field.default, factory)


def _mark(note: object) -> str | None:
    if isinstance(note, OnlyFor):
        return f"Null, while the match runs, to everybody but the seat in `{camel(note.owner)}`."
    if isinstance(note, OnlyActor):
        return "Hidden from the other seats while the match runs."
    if isinstance(note, Reveals):
        return f"What the seat's last `{note.event}` hid in `{camel(note.field)}`."
    return None


def _substitute(hint: Any, known: dict[Any, Any]) -> Any:
    if not known:
        return hint
    if isinstance(hint, TypeVar):
        return known.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(known.get(p, p) for p in parameters)] if parameters else hint


def describe(cls: type) -> str | None:
    """The class's own docstring, with null for None and fields by their GraphQL names."""
    text = cls.__dict__.get("__doc__")
    if not text:
        return None
    text = re.sub(r"\bNone\b", "null", inspect.cleandoc(text))
    for name in getattr(cls, "__struct_fields__", ()):
        if "_" in name:
            text = re.sub(rf"\b{name}\b", camel(name), text)
    return text


def camel(name: str) -> str:
    """snake_case as camelCase; a trailing underscore (a Python keyword's) goes."""
    head, *rest = name.strip("_").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def pascal(name: str) -> str:
    """snake_case as PascalCase."""
    word = camel(name)
    return word[:1].upper() + word[1:]


def lower_first(name: str) -> str:
    """PascalCase as camelCase: the key that stands for a class."""
    return name[:1].lower() + name[1:]
