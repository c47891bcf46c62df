"""What mutations and root fields answer: unions whose members are data, refusals among them."""

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import strawberry

from domain.core.errors import STALE, Illegal
from domain.core.game import Legal
from service.answers import Accepted, Refused, refused
from service.graphql.attributes import Part, shape
from service.graphql.legal import Moves
from service.graphql.positions import Positions


class Results(NamedTuple):
    """The types of answers."""

    refused: Any
    answer: Any


def union(name: str, description: str, members: Iterable[Any]) -> Any:
    """A strawberry union of these types."""
    first, *others = members
    joined: Any = first
    for other in others:
        joined = joined | other
    return Annotated[joined, strawberry.union(name, description=description)]


def build(positions: Positions) -> Results:
    """The types of answers over these positions."""
    common = (
        Part("code", str, "What was wrong, in snake_case: stable, for programs."),
        Part(
            "rule", str, "The number of the rule that refused: a game's (R…), the table's (T…) or the service's (S…)."
        ),
        Part("title", str, "That rule's title."),
        Part("message", str, "What was wrong, for people."),
        Part("hint", str, "What would be right; empty if nothing can be said."),
        Part("receipt", str, "The server's signed refusal of a seat's command, as canonical JSON; else empty."),
    )
    refused_type = shape(
        "Refused",
        "The request was refused, and nothing has changed.",
        *common,
        Part("legal", positions.moves, "What your seat may do now, for a refused command; else empty.", read=_legal),
        of=lambda answer: type(answer) is Refused and answer.code != STALE,
    )
    stale = shape(
        "StaleVersion",
        "The command was for a decision that is no more: look at the frame and decide again. Nothing has changed.",
        *common,
        Part("frame", positions.frame, "Where you stand now."),
        of=lambda answer: type(answer) is Refused and answer.code == STALE,
    )
    accepted = shape(
        "Accepted",
        "The command is stored: its events are the versions `first` to `version`.",
        Part("match", strawberry.ID, "The match's id."),
        Part("command_id", strawberry.ID, "The id that you gave the command."),
        Part("first", int, "The version of the command's first event."),
        Part("version", int, "The version of its last event."),
        Part("frame", positions.frame, "Where you stand after it, with its events."),
        Part("receipt", str, "The server's signed receipt, as canonical JSON."),
        of=Accepted,
    )
    answer = union("Answer", "What became of a command.", (accepted, refused_type, stale))
    return Results(refused_type, answer)


def _legal(answer: Refused) -> Moves:
    if answer.frame is None:
        return Moves("", Legal())
    return Moves(answer.frame.table.game, answer.frame.legal)


def refusal(error: Illegal) -> Refused:
    """The refusal as data."""
    return refused(error)
