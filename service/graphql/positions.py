"""Where a viewer stands: the frame, its view, its seats and its legal moves. All of it pure reading."""

from typing import Any, NamedTuple

import msgspec
import strawberry

from domain.core.game import Moment, Outcome
from domain.core.table import Seating, Status, Table
from domain.core.words import Seat
from service.frames import Frame
from service.graphql import legal
from service.graphql.attributes import Adapt, Part, shape
from service.graphql.games import Types
from service.graphql.hints import list_of, or_null
from service.graphql.proofs import commit_type, event_type


class Positions(NamedTuple):
    """The types, for what is built on them. parts: the fields of a frame but for its events and commits."""

    frame: Any
    event: Any
    commit: Any
    view: Any
    moves: Any
    status: Any
    parts: tuple[Part, ...]


class SeatAt(msgspec.Struct, frozen=True):
    """A seat of a table, taken or free."""

    seat: Seat
    seating: Seating | None
    table: Table


def build(types: Types) -> Positions:
    """The types of positions for these games."""
    event, commit, view, moves = event_type(types), commit_type(types), _view(types), _moves(types)
    status = types.core.enum(Status)
    parts = (
        Part("game", str, "The game's name.", read=lambda frame: frame.table.game),
        Part("version", int, "The version reached: the number of the last event so far."),
        Part("status", status, "Where the match stands."),
        Part("seat", or_null(int), "The seat that looks; null for the gallery.", read=_looking_seat),
        Part("seats", list_of(_seat_type()), "All seats, in order.", read=_seats),
        Part("awaited", list[int], "The seats that are asked to decide now."),
        Part("legal", moves, "What the viewer's seat may do now; empty if it is not asked.", read=_moves_of),
        Part("moment", or_null(types.core.struct(Moment)), "Round, turn and phase; null before the start."),
        Part("outcome", or_null(types.core.struct(Outcome)), "How the match ended, once it has."),
    )
    frame = shape(
        "Frame",
        "Where a viewer stands at a commit end, and the events `first` to `version` that led there.",
        Part("match", strawberry.ID, "The match's id."),
        Part("first", int, "The version of the first event of this frame; `version` + 1 if it has none."),
        *parts,
        Part("view", or_null(view), "What the viewer sees; null before the start.", read=with_view),
        Part("events", list_of(event), "The events from `first` to `version`, as the viewer may see them."),
        Part("commits", list_of(commit), "The commits that these events came in: their headers and the chain."),
        of=Frame,
    )
    return Positions(frame, event, commit, view, moves, status, parts)


def with_view(frame: Frame) -> Frame | None:
    """The frame, as the object that `View` reads; None before the start."""
    return None if frame.view is None else frame


def _looking_seat(frame: Frame) -> Seat | None:
    return frame.viewer if frame.viewer >= 0 else None


def _moves_of(frame: Frame) -> legal.Moves:
    return legal.Moves(frame.table.game, frame.legal)


def _seats(frame: Frame) -> list[SeatAt]:
    return [SeatAt(i, seating, frame.table) for i, seating in enumerate(frame.table.seats)]


def _view(types: Types) -> Any:
    def only(game: str) -> Adapt:
        return lambda frame: frame.view if frame.table.game == game else None

    parts = [Part(found.key, or_null(found.view), read=only(name)) for name, found in types.games.items()]
    return shape("View", "What the viewer sees: the field of the match's game; the others are null.", *parts)


def _seat_type() -> Any:
    def seating(name: str) -> Adapt:
        return lambda at: None if at.seating is None else getattr(at.seating, name)

    commitment = "The SHA-256 of the entropy that the seat will reveal, if it contributes any."
    return shape(
        "Seat",
        "A place in a match.",
        Part("seat", int, "Its number, from 0."),
        Part("account", or_null(strawberry.ID), "Who sits there; null if it is free.", read=seating("account")),
        Part("entropy_commitment", or_null(str), commitment, read=seating("entropy_commitment")),
        Part("entropy", or_null(str), "The entropy, once revealed.", read=seating("entropy")),
        Part("key", or_null(str), "The Ed25519 public key for the seat's commands, as hex.", read=seating("key")),
        Part("resigned", bool, "Whether it has given up.", read=lambda at: at.seat in at.table.resigned),
        Part(
            "opened",
            or_null(int),
            "The version at which its open decision opened; null if it is not asked.",
            read=lambda at: at.table.opened[at.seat] or None,
        ),
    )


def _moves(types: Types) -> Any:
    return shape(
        "Legal",
        "What a seat may do now, in several forms: choose the cheapest that serves.",
        Part("count", int, "How many commands are listed.", read=lambda moves: len(moves.legal.commands)),
        Part("tables", list_of(_table_type()), "The listed commands, compactly: a table per type.", read=legal.tables),
        Part(
            "json",
            list[str],
            "The listed commands as canonical JSON, each ready to be sent back as `command: {json: …}`.",
            read=legal.as_json,
        ),
        Part("templates", list_of(_pattern_type()), "Patterns of commands too many to list.", read=legal.patterns),
        Part("typed", _typed(types), "The listed commands, typed.", read=lambda moves: moves),
    )


def _table_type() -> Any:
    return shape(
        "LegalTable",
        "All listed commands of one type.",
        Part("command", str, "The type's name: `type` in the command's JSON."),
        Part("fields", list[str], "The names of its fields, as in the command's JSON."),
        Part("rows", list[str], "For each command a JSON array of the fields' values, in that order."),
    )


def _pattern_type() -> Any:
    return shape(
        "LegalTemplate",
        "Commands that equal `base` but for the list in `field`; the rules have the last word on each.",
        Part("base", str, "A command as canonical JSON."),
        Part("field", str, "The field that holds the list."),
        Part("items", list[str], "What the list may hold, each as JSON."),
        Part("at_least", int, "The fewest items."),
        Part("at_most", int, "The most items."),
        Part("distinct", bool, "Whether each item may be used only once."),
    )


def _typed(types: Types) -> Any:
    def only(game: str) -> Adapt:
        return lambda moves: moves.legal.commands if moves.game == game else None

    parts = [Part(found.key, or_null(list_of(found.command)), read=only(name)) for name, found in types.games.items()]
    return shape("LegalTyped", "The listed commands in the field of the match's game; the others are null.", *parts)
