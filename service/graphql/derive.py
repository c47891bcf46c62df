"""GraphQL output types derived from Structs, so that no type is written by hand for any game.

The derived type carries names, descriptions and an `is_type_of` by exact class; its fields read attributes. So
resolvers return the objects of the domain as they are. Everything is named once: a second type under a taken name,
or a hint that GraphQL has no word for, is a TypeError when the schema is built.
"""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec
import strawberry

from service.graphql import hints
from service.graphql.attributes import Adapt, Attribute, Part, each, entries, is_exactly, ordered_set, shape
from service.graphql.hints import (
    bare,
    describe,
    is_enum,
    is_struct,
    list_of,
    mirror,
    or_null,
    pascal,
    split_union,
    struct_class,
)
from service.graphql.scalars import JSON

SHARED: Final = "domain.core"
"""Types from here are the same in every game and carry no prefix."""

_NAME: Final = re.compile(r"^[_A-Za-z][_0-9A-Za-z]*$")
_RESERVED: Final = frozenset({"true", "false", "null"})
_SEQUENCES: Final = (tuple, list, frozenset, set)


class Names:
    """Which GraphQL name stands for what; shared by all derivers of one schema."""

    def __init__(self) -> None:
        self._taken: dict[str, object] = {}

    def take(self, name: str, what: object) -> str:
        """The name, from now on of this thing. Raises TypeError if it is another's."""
        if self._taken.setdefault(name, what) != what:
            raise TypeError(f"the GraphQL name {name} would stand for both {self._taken[name]!r} and {what!r}")
        return name

    def is_taken(self, name: str, what: object) -> bool:
        """Whether the name stands for something else."""
        return self._taken.get(name, what) != what


class Deriver:
    """Derives the types of one game; what comes from the core is left to `shared`, which all games have in common."""

    def __init__(
        self, prefix: str = "", shared: "Deriver | None" = None, renamed: Mapping[type, str] | None = None
    ) -> None:
        self.prefix = prefix
        self.shared = shared
        self.names: Names = shared.names if shared else Names()
        self.classes: dict[Any, Any] = {}
        self._renamed = renamed or {}
        self._enums: dict[Any, Any] = {}
        self._unions: dict[Any, Any] = {}
        self._busy: list[Any] = []

    # -- names ------------------------------------------------------------------------------------------------

    def name_of(self, hint: Any) -> str:
        """The GraphQL name of a Struct or an enumeration."""
        cls = get_origin(hint) or hint
        own = self._renamed.get(cls) or cls.__name__
        arguments = "".join(self._argument_name(arg) for arg in get_args(hint))
        return own if own.startswith(self.prefix) and not arguments else f"{self.prefix}{arguments}{own}"

    def _argument_name(self, hint: Any) -> str:
        members, nullable = split_union(hint)
        words = [self._member_name(member) for member in members]
        return ("Optional" if nullable else "") + "Or".join(words)

    def _member_name(self, hint: Any) -> str:
        if get_origin(hint) in _SEQUENCES:
            return f"{self._argument_name(get_args(hint)[0])}List"
        name: str = (get_origin(hint) or hint).__name__
        return name[:1].upper() + name[1:]

    def _home(self, cls: type) -> "Deriver":
        if self.shared is not None and cls.__module__.startswith(SHARED):
            return self.shared
        return self

    # -- types ------------------------------------------------------------------------------------------------

    def annotation(self, hint: Any, label: str) -> tuple[Any, Adapt | None]:
        """(strawberry annotation, adaptation) of any hint; label names what has no name of its own."""
        members, nullable = split_union(hint)
        if not members:
            raise TypeError(f"{label}: nothing but None has no GraphQL type")
        if len(members) == 1:
            found, adapt = self._single(members[0], label)
        else:
            found, adapt = self.union(members, f"{self.prefix}{pascal(label)}"), None
        return (or_null(found) if nullable else found), adapt

    def _single(self, hint: Any, label: str) -> tuple[Any, Adapt | None]:
        origin = get_origin(hint) or hint
        if hint is Any or hint is object or hint is msgspec.Raw:
            return JSON, None
        if is_struct(hint):
            return self.struct(hint), None
        if is_enum(hint):
            return self.enum(hint), None
        if origin is Literal:
            return self.literal(get_args(hint), label), None
        if origin in _SEQUENCES:
            return self._sequence(hint, origin, label)
        if origin in (dict, Mapping) or getattr(origin, "__name__", "") == "Mapping":
            return self._dict(hint, label)
        if hint in (bool, int, str):
            return hint, None
        raise TypeError(f"{label}: {hint!r} has no GraphQL type")

    def struct(self, hint: Any) -> Any:
        """The strawberry type of a Struct."""
        cls = struct_class(hint)
        home = self._home(cls)
        if home is not self:
            return home.struct(hint)
        if hint not in self.classes:
            if hint in self._busy:
                raise TypeError(f"{cls.__name__} holds itself: derive nothing recursive")
            self._busy.append(hint)
            self.classes[hint] = self._make(hint, cls)
            self._busy.pop()
        return self.classes[hint]

    def _make(self, hint: Any, cls: type) -> Any:
        name = self.names.take(self.name_of(hint), hint)
        body: dict[str, Any] = {}
        annotations: dict[str, Any] = {}
        for member in hints.members_of(hint):
            annotation, adapt = self.annotation(member.hint, member.name)
            annotations[member.name] = annotation
            body[member.name] = Attribute(member.name, member.description, attribute=member.name, adapt=adapt)
        if not annotations:
            annotations["happened"] = bool
            body["happened"] = Attribute("happened", "Always true: this has no fields.", adapt=lambda _event: True)
        made = type(name, (), {"__annotations__": annotations, "__module__": __name__, **body})
        made.is_type_of = is_exactly(cls)  # type: ignore[attr-defined]
        return strawberry.type(made, name=name, description=describe(cls))

    def enum(self, cls: type[Enum]) -> Any:
        """The strawberry enumeration that mirrors one of the domain by value; the domain's stays as it is."""
        home = self._home(cls)
        if home is not self:
            return home.enum(cls)
        if cls not in self._enums:
            if not issubclass(cls, str | int):
                raise TypeError(f"{cls.__name__}: only StrEnum and IntEnum are mirrored")
            name = self.names.take(self.name_of(cls), cls)
            mirrored = mirror(name, [(m.name, m.value) for m in cls])
            self._enums[cls] = strawberry.enum(mirrored, name=name, description=describe(cls))
        return self._enums[cls]

    def literal(self, values: tuple[Any, ...], label: str) -> Any:
        """An enumeration of the strings of a Literal, in capitals; plain Int or String where they are no names."""
        if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            return int
        if not all(isinstance(value, str) for value in values):
            raise TypeError(f"{label}: a Literal holds either strings or integers")
        words = [value.upper() for value in values]
        if len(set(words)) < len(words) or not all(_NAME.match(w) and w.lower() not in _RESERVED for w in words):
            return str
        key = (label, values)
        if key not in self._enums:
            name = f"{self.prefix}{pascal(label)}"
            if self.names.is_taken(name, key) and self._busy:
                name = f"{self.name_of(self._busy[-1])}{pascal(label)}"
            self.names.take(name, key)
            mirrored = mirror(name, list(zip(words, values, strict=True)))
            self._enums[key] = strawberry.enum(mirrored, name=name)
        return self._enums[key]

    def union(self, members: Iterable[Any], name: str, description: str | None = None) -> Any:
        """The strawberry union of Structs, under a name, even of a single one: a second may come."""
        members = tuple(members)
        if wrong := [m for m in members if not is_struct(m)]:
            raise TypeError(f"{name}: a union is of Structs, and {wrong[0]!r} is none")
        key = frozenset(members)
        if key not in self._unions:
            self.names.take(name, key)
            derived = tuple(self.struct(member) for member in members)
            joined: Any = derived[0]
            for more in derived[1:]:
                joined = joined | more
            self._unions[key] = Annotated[joined, strawberry.union(name, description=description)]
        return self._unions[key]

    # -- collections ------------------------------------------------------------------------------------------

    def _sequence(self, hint: Any, origin: Any, label: str) -> tuple[Any, Adapt | None]:
        args = [a for a in get_args(hint) if a is not ...]
        if not args or any(bare(a)[0] != bare(args[0])[0] for a in args):
            raise TypeError(f"{label}: {hint!r} mixes types: make it a Struct with named fields")
        annotation, adapt = self.annotation(args[0], label)
        whole = each(adapt) if adapt else None
        if origin in (frozenset, set):
            whole = ordered_set(adapt)
        return list_of(annotation), whole

    def _dict(self, hint: Any, label: str) -> tuple[Any, Adapt | None]:
        key, value = get_args(hint) or (str, Any)
        if bare(value)[0] in (Any, object):
            return JSON, None
        if bare(key)[0] is not str and not is_enum(bare(key)[0]):
            raise TypeError(f"{label}: keys of {hint!r} are not strings")
        annotation, adapt = self.annotation(value, label)
        entry = self._entry(bare(value)[0], annotation, label)
        return list_of(entry), entries(adapt)

    def _entry(self, value: Any, annotation: Any, label: str) -> Any:
        key = ("entry", value)
        if key not in self.classes:
            plain = value in (bool, int, str)
            own = f"{pascal(value.__name__)}Entry" if plain else f"{self.prefix}{pascal(label)}Entry"
            if plain and self.shared is not None:
                return self.shared._entry(value, annotation, label)  # noqa: SLF001 - the same class
            name = self.names.take(own, key)
            parts = (Part("key", str), Part("value", annotation))
            self.classes[key] = shape(name, "A key and what it stands for.", *parts)
        return self.classes[key]
