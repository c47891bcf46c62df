"""The schema as a contract: the golden SDL, one type per field name, nothing of the inside.

The golden file is written anew, after a change that clients are to see, by
`python -m service.graphql.schema > tests/golden/schema.graphql`; its diff is reviewed as one reads a contract.
"""

from pathlib import Path

import msgspec
from graphql import GraphQLInputObjectType, GraphQLObjectType, build_schema, is_introspection_type

from domain.core.game import Setup
from domain.games import GAMES
from service.graphql.games import derive
from service.graphql.schema import build, sdl
from tests.service.graphql.sdl import conflicts

TEXT = sdl(GAMES.current)
TYPES = derive(GAMES.current)
GOLDEN = Path(__file__).parents[2] / "golden" / "schema.graphql"


def test_the_schema_is_the_golden_one() -> None:
    assert GOLDEN.read_text() == TEXT, (
        "if clients are to see this change: python -m service.graphql.schema > tests/golden/schema.graphql"
    )


def test_in_every_union_one_field_name_has_one_type() -> None:
    assert conflicts(TEXT) == []


def test_no_state_of_any_game_can_be_asked_for() -> None:
    for name, found in TYPES.games.items():
        game = GAMES.current[name]
        seats = min(game.seats)
        state = type(game.blank(Setup(game.options(), game.data(game.options(), seats), seats)))
        assert issubclass(state, msgspec.Struct)
        assert state not in found.deriver.classes
        assert f"type {found.deriver.prefix}{state.__name__} " not in TEXT


def test_every_type_of_the_service_says_what_it_is() -> None:
    schema = build_schema(TEXT)
    prefixes = tuple(found.deriver.prefix for found in TYPES.games.values())
    silent = [
        name
        for name, kind in schema.type_map.items()
        if isinstance(kind, GraphQLObjectType | GraphQLInputObjectType)
        and not is_introspection_type(kind)
        and not name.startswith(prefixes)
        and not kind.description
    ]
    assert silent == []


def test_each_game_has_a_field_wherever_games_differ_and_no_union_crosses_games() -> None:
    schema = build_schema(TEXT)
    keys = {found.key for found in TYPES.games.values()}
    for name, more in (("View", set()), ("EventBody", {"table"}), ("LegalTyped", set()), ("CommandInput", {"json"})):
        assert set(schema.type_map[name].fields) == keys | more  # type: ignore[attr-defined]


def test_a_fifth_game_needs_nothing_but_itself() -> None:
    from tests.support.play import ALL_GAMES

    text = build(ALL_GAMES.current).as_str()
    assert "union ParleyEvent = " in text
    assert "parley: ParleyCommandInput" in text
