"""Fields that read domain objects as they are: an attribute, or a pure function of the object."""

import keyword
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec
import strawberry
from strawberry.types.field import StrawberryField

from service.graphql.hints import camel

Adapt = Callable[[Any], Any]
"""Makes of an attribute's value what GraphQL can complete; None where it can complete the value as it is."""


class Attribute(StrawberryField):
    """A field that needs nothing but its object: `attribute` of it (the object itself if None), then `adapt`ed."""

    def __init__(
        self, name: str, description: str | None = None, *, attribute: str | None = None, adapt: Adapt | None = None
    ) -> None:
        safe = f"{name}_" if keyword.iskeyword(name) else name
        super().__init__(python_name=safe, graphql_name=camel(name), description=description)
        self.read = _reader(attribute, adapt)
        """What reads the value for GraphQL off an object."""

    def get_result(self, source: Any, info: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Strawberry's way to ask for it."""
        del info, args, kwargs
        return self.read(source)


def _reader(attribute: str | None, adapt: Adapt | None) -> Adapt:
    if attribute is None:
        return adapt or (lambda source: source)
    get = attrgetter(attribute)
    if adapt is None:
        return get

    def read(source: Any) -> Any:
        value = get(source)
        return None if value is None else adapt(value)

    return read


class Part:
    """A field of a `shape`: its name, its annotation, what it means, and how it is read (by its name, if not told)."""

    def __init__(
        self,
        name: str,
        annotation: Any,
        description: str | None = None,
        *,
        attribute: str | None = None,
        read: Adapt | None = None,
        adapt: Adapt | None = None,
    ) -> None:
        self.name = name
        self.annotation = annotation
        source = None if read else attribute or name
        self.field = Attribute(name, description, attribute=source, adapt=read or adapt)


def shape(name: str, description: str, *parts: Part, of: Any = None, **resolved: Any) -> Any:
    """An output type over objects that are no strawberry objects.

    of: the class of the objects, or a predicate over them; needed where the type stands in a union.
    resolved: strawberry fields with resolvers, beside the parts.
    """
    body: dict[str, Any] = {part.field.python_name: part.field for part in parts}
    made = type(
        name,
        (),
        {
            "__annotations__": {part.field.python_name: part.annotation for part in parts},
            "__module__": __name__,
            **body,
            **resolved,
        },
    )
    if of is not None:
        made.is_type_of = is_exactly(of) if isinstance(of, type) else _fits(of)  # type: ignore[attr-defined]
    return strawberry.type(made, name=name, description=description)


def is_exactly(cls: type) -> Any:
    """An `is_type_of` that is true for this class and no subclass."""

    def is_type_of(value: object, _info: object) -> bool:
        return type(value) is cls

    is_type_of.exactly = cls  # type: ignore[attr-defined]
    return staticmethod(is_type_of)


def _fits(predicate: Callable[[Any], bool]) -> Any:
    return staticmethod(lambda value, _info: predicate(value))


def each(adapt: Adapt) -> Adapt:
    """Adapts every item of a sequence."""
    return lambda values: [None if v is None else adapt(v) for v in values]


def ordered_set(adapt: Adapt | None) -> Adapt:
    """Sets have no order, answers must: by value, else by canonical bytes."""

    def ordered(values: Any) -> list[Any]:
        try:
            found = sorted(values)
        except TypeError:
            found = sorted(values, key=lambda v: msgspec.json.encode(v, order="sorted"))
        return [adapt(v) for v in found] if adapt else found

    return ordered


class Entry(msgspec.Struct, frozen=True):
    """One entry of a mapping, as GraphQL has no mappings."""

    key: str
    value: Any


def entries(adapt: Adapt | None) -> Adapt:
    """A mapping as a list of entries."""
    return lambda values: [Entry(str(k), adapt(v) if adapt and v is not None else v) for k, v in values.items()]
