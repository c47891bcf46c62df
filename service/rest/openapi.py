"""The OpenAPI 3.1 description, from the same Structs that are served, and from the commands and views of the games."""

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.core.game import AnyGame
from domain.core.table import TableCommand
from domain.games import GAMES
from service.graphql.hints import pascal
from service.rest.operations import ABOUT, NUMBERS, OPERATIONS, PREFIX, Operation
from service.rest.problems import STATUSES, Problem

REF: Final = "#/components/schemas/"
JSON_TYPE: Final = "application/json"


def document(games: Mapping[str, AnyGame]) -> bytes:
    """The description as JSON, for these games by name."""
    given = [o.gives for o in OPERATIONS]
    bodies = [o.body for o in OPERATIONS if o.body]
    kinds = [*given, *bodies, Problem, TableCommand]
    refs, schemas = msgspec.json.schema_components(kinds, ref_template=REF + "{name}")
    answers = dict(zip([o.name for o in OPERATIONS], refs, strict=False))
    asked = dict(zip([o.name for o in OPERATIONS if o.body], refs[len(given) :], strict=False))
    schemas["TableCommand"] = refs[-1]
    schemas |= _games(games)
    _type_what_is_the_games(schemas)
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        made = _operation(operation, answers[operation.name], asked.get(operation.name))
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = made
    return msgspec.json.format(msgspec.json.encode(_whole(paths, schemas), order="deterministic"), indent=1) + b"\n"


def _whole(paths: Any, schemas: Any) -> dict[str, Any]:
    about = (
        "The same matches, commands and refusals as GraphQL. Give every command an id of your own, and repeat it under "
        "that id until an answer comes: it is done once. Live streams are GraphQL's, at /graphql."
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Podestà", "version": "1", "description": about},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _games(games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """The commands and views of each game, under names that begin with the game's; then the choice among all."""
    schemas: dict[str, Any] = {}
    commands, views = [{"$ref": REF + "TableCommand"}], []
    for name, game in sorted(games.items()):
        prefix = pascal(name)
        kinds = [game.command, game.view_type]
        (command, view), own = msgspec.json.schema_components(kinds, ref_template=f"{REF}{prefix}.{{name}}")
        schemas |= {f"{prefix}.{key}": value for key, value in own.items()}
        schemas |= {f"{prefix}Command": command, f"{prefix}View": view}
        commands.append({"$ref": f"{REF}{prefix}Command"})
        views.append({"$ref": f"{REF}{prefix}View"})
    schemas["Command"] = {"anyOf": commands, "description": "A command of the table, or of the match's game."}
    schemas["View"] = {
        "anyOf": [*views, {"type": "null"}],
        "description": "What the viewer sees; null before the start.",
    }
    return schemas


def _type_what_is_the_games(schemas: dict[str, Any]) -> None:
    command, view = {"$ref": REF + "Command"}, {"$ref": REF + "View"}
    for name in ("PositionShown", "MatchShown", "FrameShown"):
        schemas[name]["properties"]["view"] = view
    schemas["CommandBody"]["properties"]["command"] = command
    schemas["LegalShown"]["properties"]["commands"]["items"] = command
    schemas["TemplateShown"]["properties"]["base"] = command


def _operation(operation: Operation, answer: Any, body: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": _parameters(operation),
        "security": [{"bearer": []}] if operation.needs_account else [{}, {"bearer": []}],
        "responses": {str(operation.status): {"description": "Done.", "content": {JSON_TYPE: {"schema": answer}}}},
    }
    if operation.name == "case":
        made["responses"]["200"]["content"]["text/html"] = {"schema": {"type": "string"}}
    if body is not None:
        made["requestBody"] = {"required": True, "content": {JSON_TYPE: {"schema": body}}}
    problem = {"application/problem+json": {"schema": {"$ref": REF + "Problem"}}}
    for status in sorted({400, 422, *STATUSES}):
        made["responses"][str(status)] = {"description": _when(status), "content": problem}
    return made


def _when(status: int) -> str:
    codes = ", ".join(sorted(STATUSES.get(status, ())))
    return codes or {400: "The request has not the form of one.", 422: "A rule refuses."}[status]


def _parameters(operation: Operation) -> list[Any]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if name == "version" else "string"}}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    for name in operation.query:
        kind = "integer" if name in NUMBERS or (name == "after" and "{match}" in operation.path) else "string"
        schema = {"type": "boolean" if name == "proofs" else kind}
        found.append({"name": name, "in": "query", "description": ABOUT[name], "schema": schema})
    if operation.body is not None and operation.needs_account:
        found.append({"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}})
    return found


if __name__ == "__main__":
    sys.stdout.write(document(GAMES.current).decode())
