"""The schema of these games, whole: `build` makes it, `python -m service.graphql.schema` prints its SDL."""

import sys
from collections.abc import Mapping
from typing import Any

import strawberry
from strawberry.schema.config import StrawberryConfig

from domain.core.dispute_words import Ruling
from domain.core.game import AnyGame
from domain.games import GAMES
from service.graphql import lobby, positions, results
from service.graphql.arguments import Commands
from service.graphql.catalogue import game_type, offer
from service.graphql.disputing import dispute_mutations
from service.graphql.documents import Documents, Gate
from service.graphql.errors import Schema
from service.graphql.games import derive
from service.graphql.hints import list_of
from service.graphql.limits import Limits
from service.graphql.looking import match_field, match_type
from service.graphql.mutations import mutation_type
from service.graphql.plans import Planner, planned
from service.graphql.proving import replay_fields
from service.graphql.scalars import SCALAR_MAP
from service.graphql.subscription import subscription_type


def build(games: Mapping[str, AnyGame], limits: Limits | None = None) -> Schema:
    """The schema for these games, by name. Raises TypeError for a word that GraphQL cannot say."""
    types = derive(games)
    seen = positions.build(types)
    answers = results.build(seen)
    halls = lobby.build(types, seen, answers)
    account = lobby.account_type(halls)
    game = game_type(types)
    _, match_result = match_type(seen, answers, game, replay_fields(types, answers.refused))

    def all_games() -> Any:
        return [offer(found) for _, found in sorted(games.items())]

    query = {
        "games": strawberry.field(resolver=all_games, graphql_type=list_of(game), description="The games on offer."),
        "match": match_field(match_result),
        "matches": lobby.matches_field(halls),
        "me": lobby.me_field(account),
    }
    disputes = dispute_mutations(answers.answer, types.core.enum(Ruling))
    documents = Documents(limits or Limits())
    return Schema(
        execution_context_class=planned(Planner()),
        query=strawberry.type(type("Query", (), query), name="Query", description="What can be looked at."),
        mutation=mutation_type(Commands(types), answers, account, disputes),
        subscription=subscription_type(types, seen, answers),
        config=StrawberryConfig(scalar_map=SCALAR_MAP),
        extensions=[lambda: Gate(documents)],
        documents=documents,
    )


def sdl(games: Mapping[str, AnyGame]) -> str:
    """The schema as text."""
    return build(games).as_str() + "\n"


if __name__ == "__main__":
    sys.stdout.write(sdl(GAMES.current))
