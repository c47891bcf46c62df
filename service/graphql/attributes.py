"""How attributes of domain objects become values that GraphQL can complete."""

from collections.abc import Callable
from typing import Any

import msgspec
from strawberry.types.field import StrawberryField

from service.graphql.hints import camel

Adapt = Callable[[Any], Any]
"""Makes of an attribute's value what GraphQL can complete; None where it can complete the value as it is."""


class Attribute(StrawberryField):
    """A field that reads an attribute of a domain object, and adapts it where GraphQL cannot take it as it is."""

    def __init__(self, name: str, description: str | None, adapt: Adapt | None = None, *, constant: Any = None) -> None:
        super().__init__(python_name=name, graphql_name=camel(name), description=description)
        self.adapt = adapt
        self.constant = constant

    def get_result(self, source: Any, info: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """The value for GraphQL."""
        del info, args, kwargs
        if self.constant is not None:
            return self.constant
        value = getattr(source, self.python_name)
        return value if self.adapt is None or value is None else self.adapt(value)


def is_exactly(cls: type) -> Any:
    """An `is_type_of` that is true for this class and no subclass."""

    def is_type_of(value: object, _info: object) -> bool:
        return type(value) is cls

    return staticmethod(is_type_of)


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


def entries(entry: Any, adapt: Adapt | None) -> Adapt:
    """A mapping as a list of entries."""
    return lambda values: [
        entry(key=str(k), value=adapt(v) if adapt and v is not None else v) for k, v in values.items()
    ]
