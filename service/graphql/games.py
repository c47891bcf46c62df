"""What each game adds to the schema: its events, its view, its commands as output and as input."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from domain.core.game import AnyGame
from domain.core.secrecy import members
from domain.core.table import TableEvent
from service.graphql.derive import Deriver
from service.graphql.hints import camel, pascal
from service.graphql.inputs import Inputs, Read


class GameTypes(NamedTuple):
    """The GraphQL types of one game. key is its field in every type that has one field per game."""

    game: AnyGame
    key: str
    event: Any
    view: Any
    command: Any
    command_input: Any
    read_command: Read
    deriver: Deriver


class Types(NamedTuple):
    """The types of all games and of the table around them."""

    core: Deriver
    table_event: Any
    games: Mapping[str, GameTypes]


def derive(games: Mapping[str, AnyGame]) -> Types:
    """The types of these games, by name. Raises TypeError for a word that GraphQL cannot say."""
    core = Deriver()
    table_event = core.union(members(TableEvent), "TableEvent", "What happens at the table around any game.")
    found = {name: _game_types(game, core) for name, game in sorted(games.items())}
    return Types(core, table_event, found)


def _game_types(game: AnyGame, core: Deriver) -> GameTypes:
    prefix = pascal(game.name)
    deriver = Deriver(prefix, core, renamed={game.view_type: f"{prefix}View"})
    commands = members(game.command)
    event = deriver.union(members(game.event), f"{prefix}Event", f"What happens in {game.title}.")
    view = deriver.struct(game.view_type)
    command = deriver.union(commands, f"{prefix}Command", f"What a seat may ask for in {game.title}.")
    command_input, read = Inputs(deriver).one_of(
        commands, f"{prefix}CommandInput", f"A command of {game.title}: exactly one key."
    )
    return GameTypes(
        game=game,
        key=camel(game.name),
        event=event,
        view=view,
        command=command,
        command_input=command_input,
        read_command=read,
        deriver=deriver,
    )
