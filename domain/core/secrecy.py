"""Which fields are hidden, from whom, and what a viewer gets instead: the one redaction layer.

A field is hidden where it is declared: `cards: Annotated[tuple[str, ...] | None, OnlyFor("seat")]`. For everybody
but the seat named by the event's own field `seat` (and the arbiter) it is closed: its value is None, which the open
value can never be. In a command, `Annotated[T, OnlyActor()]` hides a field from all but the seat that commands.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from domain.core.words import ARBITER, Command, Event, Seat, Viewer

W = TypeVar("W", bound=Event)


class OnlyFor(msgspec.Struct, frozen=True):
    """The annotated field is open to the seat, or the tuple of seats, that the named field of the event holds."""

    owner: str


class OnlyActor(msgspec.Struct, frozen=True):
    """The annotated field of a command is open to the commanding seat alone."""


class Reveals(msgspec.Struct, frozen=True):
    """The annotated field shows to all what `field` of the seat's last event of type `event` hid.

    Both events hold the seat in the field named `owner`. The revealing event carries the opening of the hidden one.
    """

    event: str
    field: str
    owner: str = "seat"


@cache
def _marks(cls: type) -> tuple[tuple[str, object], ...]:
    """(field, mark) for every field of the class that is annotated with a mark of this module."""
    found: list[tuple[str, object]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if get_origin(hint) is Annotated:
            found += [(name, m) for m in get_args(hint)[1:] if isinstance(m, OnlyFor | OnlyActor | Reveals)]
    return tuple(found)


@cache
def hidden_fields(cls: type) -> tuple[str, ...]:
    """The names of the class's hidden fields, sorted."""
    return tuple(sorted(name for name, mark in _marks(cls) if isinstance(mark, OnlyFor | OnlyActor)))


@cache
def _owners(cls: type) -> tuple[tuple[str, str], ...]:
    return tuple((name, mark.owner) for name, mark in _marks(cls) if isinstance(mark, OnlyFor))


@cache
def reveals(cls: type) -> tuple[tuple[str, Reveals], ...]:
    """(field, what it reveals) for every revealing field of an event class."""
    return tuple((name, mark) for name, mark in _marks(cls) if isinstance(mark, Reveals))


def readers(event: Event, field: str) -> frozenset[Seat]:
    """The seats to whom a hidden field of the event is open."""
    owner = getattr(event, dict(_owners(type(event)))[field])
    return frozenset({owner} if isinstance(owner, int) else owner)


def may_read(event: Event, field: str, viewer: Viewer) -> bool:
    """Whether the viewer sees the field of this event while the match runs."""
    return viewer == ARBITER or viewer in readers(event, field)


def close(event: W, viewer: Viewer) -> W:
    """The event as the viewer may see it while the match runs: what is hidden from the viewer is None."""
    owners = _owners(type(event))
    if not owners or viewer == ARBITER:
        return event
    closed = {name: None for name, _ in owners if viewer not in readers(event, name)}
    return msgspec.structs.replace(event, **closed) if closed else event


def close_all(events: Iterable[W], viewer: Viewer) -> tuple[W, ...]:
    """Every event as the viewer may see it; none is dropped, so versions are the same for all."""
    return tuple(close(event, viewer) for event in events)


def members(union: Any) -> tuple[type, ...]:
    """The classes of a union, or the one class that stands alone."""
    return tuple(get_args(union)) or (union,)


def check_words(game_name: str, commands: Any, events: Any) -> None:
    """Refuse at import what could leak or mislead: TypeError tells which word is wrong and why."""
    for cls in members(events):
        if not issubclass(cls, Event):
            raise TypeError(f"{game_name}: {cls.__name__} is not an Event")
        for name, owner in _owners(cls):
            if owner not in cls.__struct_fields__:
                raise TypeError(f"{game_name}: {cls.__name__}.{name} is OnlyFor({owner!r}), which it has no field for")
            if type(None) not in get_args(_bare(cls, name)):
                raise TypeError(f"{game_name}: {cls.__name__}.{name} is hidden and must allow None, its closed form")
    for cls in members(commands):
        if not issubclass(cls, Command):
            raise TypeError(f"{game_name}: {cls.__name__} is not a Command")
        if "hidden" in cls.__struct_fields__:
            raise TypeError(f"{game_name}: {cls.__name__}.hidden is the name that public forms use")


def _bare(cls: type, name: str) -> Any:
    hint = get_type_hints(cls, include_extras=True)[name]
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
