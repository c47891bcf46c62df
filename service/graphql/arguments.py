"""Inputs that are the same for all games, and what they mean."""

from typing import Any

import msgspec
import strawberry

from domain.core.errors import Illegal
from domain.core.words import GALLERY, Viewer
from service.graphql.games import Types
from service.graphql.hints import or_null
from service.graphql.scalars import Yes

UNSET: Any = strawberry.UNSET


@strawberry.input(one_of=True, description="As whom to look: exactly one key.")
class ViewerInput:
    """As whom to look."""

    seat: int | None = strawberry.field(default=UNSET, description="A seat, by its number.")
    gallery: Yes | None = strawberry.field(default=UNSET, description="Everybody.")


def viewer_of(chosen: ViewerInput | None) -> Viewer | None:
    """The viewer that was asked for, if any. Raises Illegal for a negative seat."""
    if chosen is None:
        return None
    if isinstance(chosen.seat, int):
        if chosen.seat < 0:
            raise Illegal("no_such_viewer", "S3", f"There is no seat {chosen.seat}.", "Seats are numbered from 0.")
        return chosen.seat
    return GALLERY


class Commands:
    """The input that stands for a command of any game, and its reading."""

    def __init__(self, types: Types) -> None:
        self._games = types.games
        about = "A command as JSON with its `type`, as `Legal.json` lists it; it must be one of the match's game."
        body: dict[str, Any] = {"json": strawberry.field(default=UNSET, description=about)}
        annotations: dict[str, Any] = {}
        for found in types.games.values():
            annotations[found.key] = or_null(found.command_input)
            body[found.key] = strawberry.field(default=UNSET, description=f"A command of {found.game.title}.")
        annotations["json"] = or_null(str)
        made = type("CommandInput", (), {"__annotations__": annotations, "__module__": __name__, **body})
        self.input: Any = strawberry.input(
            made, name="CommandInput", description="A command: exactly one key.", one_of=True
        )

    def plain(self, given: Any, game: str) -> Any:
        """The command as plain values. Raises Illegal if it is another game's, or no JSON."""
        for name, found in self._games.items():
            chosen = getattr(given, found.key)
            if chosen is not UNSET and chosen is not None:
                if name != game:
                    raise Illegal(
                        "wrong_game",
                        "S1",
                        f"This is a command of {name}, and the match is one of {game}.",
                        f"Use `{game}`.",
                    )
                return found.read_command(chosen)
        try:
            return msgspec.json.decode(given.json)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Illegal(
                "bad_command", "S1", f"The command is no JSON: {error}.", "`Legal.json` lists commands."
            ) from error
