"""Reading stored events: today's shape directly, older shapes through the game's lifts. For folding only."""

from collections.abc import Mapping
from typing import Any, Final, Union

import msgspec

from domain.core.errors import NotInThisBuild, no_rules
from domain.core.game import AnyGame, Lift
from domain.core.registry import Games
from domain.core.secrecy import members
from domain.core.table import Opened, TableCommand, TableEvent
from domain.core.words import Command, Event

TABLE_PAST: Final[Mapping[tuple[str, int], Lift]] = {}
"""The table's own lifts, for all games: (event type, old shape) to the lift to the next shape.

Not for Opened: it tells which game it is of, so it is read as it stands and may only gain fields with defaults.
"""


def lifted(game: AnyGame, shapes: Mapping[str, type[Event]], shape: int, fields: dict[str, Any]) -> Event:
    """An event from plain stored fields (with its `type`) in some shape. Raises NotInThisBuild."""
    kind: str = fields["type"]
    stored = (kind, shape)
    while (now := shapes.get(kind)) is None or now.shape != shape:
        lift = game.past.get((kind, shape)) or TABLE_PAST.get((kind, shape))
        if lift is None:
            raise NotInThisBuild(f"{game.name}: no lift leads from {stored[0]} in shape {stored[1]} to today's")
        fields = lift(fields)
        kind, shape = fields["type"], fields.pop("shape", shape + 1)
    return msgspec.convert(fields, now)


def shapes_of(union: Any) -> dict[str, type[Event]]:
    """The classes of an event union by name."""
    return {cls.__name__: cls for cls in members(union)}


class Codec:
    """Decodes the stored events and commands of one game, table words included."""

    def __init__(self, game: AnyGame) -> None:
        table_events, table_commands = members(TableEvent), members(TableCommand)
        events, commands = members(game.event), members(game.command)
        names = [cls.__name__ for cls in (*table_events, *table_commands, *events, *commands)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise TypeError(f"{game.name}: the word {twice[0]} stands for two things")
        self._game = game
        self._shapes: dict[str, type[Event]] = {cls.__name__: cls for cls in (*table_events, *events)}
        self._events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Union[(*table_events, *events)])
        self._commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Union[(*table_commands, *commands)])

    def event(self, kind: str, shape: int, body: bytes) -> Event:
        """The event that is stored under this type and shape version. Raises NotInThisBuild without a lift."""
        now = self._shapes.get(kind)
        if now is not None and now.shape == shape:
            return self._events.decode(body)
        return lifted(self._game, self._shapes, shape, {**msgspec.json.decode(body), "type": kind})

    def command(self, body: bytes) -> Command:
        """A stored command. Raises msgspec.ValidationError for bytes that are none."""
        return self._commands.decode(body)

    def game_command(self, plain: Any) -> Any:
        """One of the game's commands from plain values, in normal form. Raises msgspec.ValidationError."""
        return self._game.normal(msgspec.convert(plain, self._game.command))


class Codecs:
    """The codec of every game known, by the match's first event."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._codecs = {key: Codec(game) for key, game in games.items()}

    def of(self, opened: bytes) -> Codec:
        """The codec for a match whose first event has this body. Raises NotInThisBuild."""
        event = msgspec.json.decode(opened, type=Opened)
        return self.by_name(event.game, event.rules)

    def by_name(self, game: str, rules: int) -> Codec:
        """The codec of a game at a rules version. Raises NotInThisBuild."""
        if (codec := self._codecs.get((game, rules))) is None:
            raise no_rules(game, rules)
        return codec
