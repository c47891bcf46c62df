"""Scalars of the schema beside GraphQL's own, and how they are registered."""

from enum import Enum
from typing import Any, Final, NewType

import strawberry
from strawberry.scalars import JSON

Time = NewType("Time", int)
"""Milliseconds since 1970."""

SCALAR_MAP: Final[dict[object, Any]] = {
    Time: strawberry.scalar(
        name="Time",
        description="Milliseconds since 1970-01-01T00:00:00Z: a whole number below 2^53.",
        serialize=int,
        parse_value=int,
    )
}


@strawberry.enum(description="Stands where a command has no fields: its only value says that the command is meant.")
class Yes(Enum):
    """The only value."""

    YES = True


__all__ = ["JSON", "SCALAR_MAP", "Time", "Yes"]
