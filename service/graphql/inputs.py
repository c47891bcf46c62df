"""GraphQL input types derived from Structs, and readers that turn what a client sent into plain values.

A union becomes an input `@oneOf` with a key per member, even if it has one member only. What a reader gives is what
the same command looks like as JSON, so both ways in meet in one place.
"""

import keyword
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Literal, get_args, get_origin

import msgspec
import strawberry

from service.graphql import hints
from service.graphql.derive import Deriver
from service.graphql.hints import (
    bare,
    camel,
    describe,
    is_enum,
    is_struct,
    list_of,
    lower_first,
    or_null,
    pascal,
    split_union,
    struct_class,
)
from service.graphql.scalars import JSON, Yes

Read = Callable[[Any], Any]
"""From strawberry's value to plain JSON values."""

UNSET = strawberry.UNSET


class Inputs:
    """Derives the inputs of one game; enumerations and names are those of its output types."""

    def __init__(self, outputs: Deriver) -> None:
        self._outputs = outputs
        self._known: dict[Any, tuple[Any, Read]] = {}

    def one_of(self, members: Iterable[Any], name: str, description: str | None = None) -> tuple[Any, Read]:
        """(input type, reader) with one key for each Struct; exactly one key may be given."""
        members = tuple(members)
        key = (name, frozenset(members))
        if key not in self._known:
            self._outputs.names.take(name, key)
            self._known[key] = self._one_of(members, name, description)
        return self._known[key]

    def _one_of(self, members: tuple[Any, ...], name: str, description: str | None) -> tuple[Any, Read]:
        body: dict[str, Any] = {}
        annotations: dict[str, Any] = {}
        readers: dict[str, Read] = {}
        for member in members:
            if not is_struct(member):
                raise TypeError(f"{name}: a union is of Structs, and {member!r} is none")
            cls = struct_class(member)
            key = lower_first(cls.__name__)
            attribute = f"{key}_" if keyword.iskeyword(key) else key
            annotation, read = self.struct(member)
            annotations[attribute] = or_null(annotation)
            body[attribute] = strawberry.field(name=key, description=describe(cls), default=UNSET)
            readers[attribute] = read
        made = type(name, (), {"__annotations__": annotations, "__module__": __name__, **body})
        return strawberry.input(made, name=name, description=description, one_of=True), _pick(readers)

    def struct(self, hint: Any) -> tuple[Any, Read]:
        """(input type, reader) of a Struct; one without fields is the enumeration Yes."""
        cls = struct_class(hint)
        tag = _tag(cls)
        if not hints.members_of(hint):
            return Yes, lambda _value: dict(tag)
        if hint not in self._known:
            self._known[hint] = self._struct(hint, cls, tag)
        return self._known[hint]

    def _struct(self, hint: Any, cls: type, tag: Mapping[str, Any]) -> tuple[Any, Read]:
        name = self._outputs.names.take(f"{self._outputs.name_of(hint)}Input", ("input", hint))
        body: dict[str, Any] = {}
        annotations: dict[str, Any] = {}
        readers: list[tuple[str, str, Read]] = []
        for member in hints.members_of(hint):
            attribute = f"{member.name}_" if keyword.iskeyword(member.name) else member.name
            annotation, read = self.annotation(member.hint, member.name)
            default = self._default(member, annotation)
            if default is UNSET:
                annotation = or_null(annotation)
            settings: dict[str, Any] = {"name": camel(member.name), "description": member.description}
            if default is not hints.MISSING:
                settings["default"] = default
            annotations[attribute] = annotation
            body[attribute] = strawberry.field(**settings)
            readers.append((attribute, member.name, read))
        made = type(name, (), {"__annotations__": annotations, "__module__": __name__, **body})
        # dataclasses want fields without defaults first: keyword-only arguments take any order
        return strawberry.input(made, name=name, description=describe(cls)), _fill(tag, readers)

    def _default(self, member: hints.Member, annotation: Any) -> Any:
        if member.default is hints.MISSING:
            return UNSET if member.has_factory else hints.MISSING
        default = member.default
        kind = split_union(annotation)[0][0]
        if default is None:
            return None
        if is_enum(kind):
            return kind(default.value if isinstance(default, Enum) else default)
        return default if kind in (bool, int, str) else UNSET

    def annotation(self, hint: Any, label: str) -> tuple[Any, Read]:
        """(strawberry annotation, reader) of any hint; label names what has no name of its own."""
        members, nullable = split_union(hint)
        if len(members) == 1:
            found, read = self._single(members[0], label)
        else:
            found, read = self.one_of(members, f"{self._outputs.prefix}{pascal(label)}Input")
        if nullable:
            return or_null(found), lambda value: None if value is None else read(value)
        return found, read

    def _single(self, hint: Any, label: str) -> tuple[Any, Read]:
        origin = get_origin(hint) or hint
        if is_struct(hint):
            return self.struct(hint)
        if is_enum(hint):
            return self._outputs.enum(hint), _value
        if origin is Literal:
            found = self._outputs.literal(get_args(hint), label)
            return found, _value if is_enum(found) else _same
        if origin in (tuple, list, frozenset, set):
            return self._sequence(hint, label)
        if origin in (dict, Mapping):
            return self._dict(hint, label)
        if hint is Any or hint is object:
            return JSON, _same
        if hint in (bool, int, str):
            return hint, _same
        raise TypeError(f"{label}: {hint!r} has no GraphQL input type")

    def _sequence(self, hint: Any, label: str) -> tuple[Any, Read]:
        args = [a for a in get_args(hint) if a is not ...]
        if not args or any(bare(a)[0] != bare(args[0])[0] for a in args):
            raise TypeError(f"{label}: {hint!r} mixes types: make it a Struct with named fields")
        annotation, read = self.annotation(args[0], label)
        return list_of(annotation), lambda values: [read(v) for v in values]

    def _dict(self, hint: Any, label: str) -> tuple[Any, Read]:
        _, value = get_args(hint) or (str, Any)
        value = bare(value)[0]
        if value in (Any, object):
            return JSON, _same
        annotation, read = self.annotation(value, label)
        key = ("entry", value)
        if key not in self._known:
            own = f"{self._outputs.prefix}{pascal(value.__name__ if value in (bool, int, str) else label)}EntryInput"
            name = self._outputs.names.take(own, ("input", key))
            made = type(name, (), {"__annotations__": {"key": str, "value": annotation}, "__module__": __name__})
            self._known[key] = (
                strawberry.input(made, name=name, description="A key and what it stands for."),
                lambda entry: (entry.key, read(entry.value)),
            )
        entry_type, pair = self._known[key]
        return list_of(entry_type), lambda entries: dict(pair(e) for e in entries)


def _tag(cls: type[msgspec.Struct]) -> dict[str, Any]:
    config = cls.__struct_config__
    return {config.tag_field: config.tag} if config.tag_field else {}


def _pick(readers: Mapping[str, Read]) -> Read:
    def read(value: Any) -> Any:
        for attribute, inner in readers.items():
            given = getattr(value, attribute)
            if given is not UNSET and given is not None:
                return inner(given)
        raise ValueError("exactly one key is given")

    return read


def _fill(tag: Mapping[str, Any], readers: Iterable[tuple[str, str, Read]]) -> Read:
    def read(value: Any) -> Any:
        plain = dict(tag)
        for attribute, name, inner in readers:
            given = getattr(value, attribute)
            if given is not UNSET:
                plain[name] = inner(given)
        return plain

    return read


def _value(given: Any) -> Any:
    return given.value


def _same(given: Any) -> Any:
    return given
