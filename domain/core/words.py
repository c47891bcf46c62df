"""The base words of the language: seats, viewers, events and commands."""

from typing import ClassVar, Final

import msgspec

Seat = int
"""A place in a match, 0-based."""

Version = int
"""The dense number of an event in its match, from 1; 0 is the empty stream."""

Viewer = int
"""Who looks: a seat (0 or more), GALLERY or ARBITER."""

GALLERY: Final[Viewer] = -1
ARBITER: Final[Viewer] = -2


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """What has happened. Subclasses are named in the past tense and are never changed once stored.

    `shape` is the shape version of the stored form: raise it, and give the game a lift, when fields change.
    """

    shape: ClassVar[int] = 1


class Command(msgspec.Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """What a seat asks for. Subclasses are named in the imperative."""


def viewer_name(viewer: Viewer) -> str:
    """The viewer as people write it: `seat 0`, `gallery`, `arbiter`."""
    if viewer == GALLERY:
        return "gallery"
    return "arbiter" if viewer == ARBITER else f"seat {viewer}"
