"""Events and commits as a viewer may see them, with what is needed to check them against the chain."""

from typing import Any

import strawberry

from domain.core.sealing import Opening
from domain.core.secrecy import members
from domain.core.showing import SeenCommit, SeenEvent
from domain.core.table import TableEvent
from service.frames import FrameEvent
from service.graphql.attributes import Adapt, Part, shape
from service.graphql.games import Types
from service.graphql.hints import list_of, or_null
from service.graphql.scalars import Time


def event_type(types: Types) -> Any:
    """The type of one event in a stream."""
    return shape(
        "Event",
        "Something that has happened, as the viewer may see it.",
        Part("version", int, "Its number in the match, from 1, dense."),
        Part("commit", int, "The number of the commit that it came in."),
        Part("time", Time, "When that commit was made."),
        Part("type", str, "The name of its type, as stored."),
        Part("seat", or_null(int), "The seat whose command brought it about; null if none.", attribute="actor"),
        Part("json", str, "The event as JSON, with null for what is hidden from the viewer."),
        Part("body", _body(types), "The event, typed.", read=lambda event: event),
        Part("proof", _proof(types), "What is needed to check it against the chain.", attribute="seen"),
        of=FrameEvent,
    )


def _body(types: Types) -> Any:
    def only(union: Any) -> Adapt:
        classes = frozenset(members(union))
        return lambda event: event.word if type(event.word) in classes else None

    parts = [Part("table", or_null(types.table_event), "An event of the table, if it is one.", read=only(TableEvent))]
    for found in types.games.values():
        about = f"An event of {found.game.title}, if it is one."
        parts.append(Part(found.key, or_null(found.event), about, read=only(found.game.event)))
    return shape("EventBody", "An event in the one field that it belongs to; the others are null.", *parts)


def _proof(types: Types) -> Any:
    opening = types.core.struct(Opening)
    return shape(
        "Proof",
        "What a viewer needs to check an event against the chain.",
        Part("shape", int, "The shape version of the stored event."),
        Part(
            "public_json",
            str,
            "The stored public form, byte for byte: in the place of each hidden field, the commitment to it.",
            attribute="public",
            adapt=bytes.decode,
        ),
        Part("hidden", list[str], "The paths of the hidden fields."),
        Part("digest", str, "The chain's digest over this event, as hex.", attribute="digest", adapt=bytes.hex),
        Part("openings", list_of(opening), "What the viewer may open, here or in events that this one reveals."),
        of=SeenEvent,
    )


def commit_type(types: Types) -> Any:
    """The type of one commit in a stream."""
    opening = types.core.struct(Opening)
    return shape(
        "Commit",
        "The header of one accepted command, and the chain before and after it.",
        Part("number", int, "Its number in the match, from 1.", attribute="commit"),
        Part("first", int, "The version of its first event."),
        Part("last", int, "The version of its last event."),
        Part("time", Time, "When it was made."),
        Part("account", strawberry.ID, "Who asked."),
        Part("seat", or_null(int), "Where that account sat; null if nowhere."),
        Part("command_id", strawberry.ID, "The id that the client gave the command."),
        Part("drew", bool, "Whether chance was drawn from."),
        Part("header_json", str, "The header as chained, byte for byte.", attribute="header", adapt=bytes.decode),
        Part(
            "command_json",
            str,
            "The command in public form, byte for byte: commitments for what it hides.",
            attribute="command",
            adapt=bytes.decode,
        ),
        Part("previous", str, "The chain head before it, as hex.", attribute="previous", adapt=bytes.hex),
        Part("head", str, "The chain head after it, as hex.", attribute="head", adapt=bytes.hex),
        Part("openings", list_of(opening), "What the viewer may open of the header and the command."),
        of=SeenCommit,
    )
