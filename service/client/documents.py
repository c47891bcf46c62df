"""The GraphQL documents of the demo's clients, and the selection of a whole view from what the schema says of it."""

from collections.abc import Mapping
from typing import Any, Final

_REFUSED: Final = "code rule message hint"
_ANSWER: Final = (
    f"__typename ... on Accepted {{ match commandId first version receipt }} ... on Refused {{ {_REFUSED} }} "
    f"... on StaleVersion {{ {_REFUSED} }}"
)

GAMES: Final = "query Games { games { name key seats options { name } } }"
GUEST: Final = (
    "mutation Guest($name: String) { createGuest(name: $name) { ... on Guest { token account { id } } "
    f"... on Refused {{ {_REFUSED} }} }} }}"
)
OPEN: Final = (
    "mutation Open($id: ID!, $game: String!, $seats: Int!, $options: JSON) "
    f"{{ openMatch(game: $game, seats: $seats, options: $options, commandId: $id) {{ {_ANSWER} }} }}"
)
JOIN: Final = (
    "mutation Join($id: ID!, $match: ID!, $place: Int!, $commitment: String!) "
    f"{{ joinMatch(match: $match, seat: $place, entropyCommitment: $commitment, commandId: $id) {{ {_ANSWER} }} }}"
)
REVEAL: Final = (
    "mutation Reveal($id: ID!, $match: ID!, $entropy: String!) "
    f"{{ revealEntropy(match: $match, entropy: $entropy, commandId: $id) {{ {_ANSWER} }} }}"
)
START: Final = f"mutation Start($id: ID!, $match: ID!) {{ startMatch(match: $match, commandId: $id) {{ {_ANSWER} }} }}"
ACT: Final = (
    "mutation Act($id: ID!, $match: ID!, $command: String!, $version: Int) "
    f"{{ act(match: $match, command: {{json: $command}}, version: $version, commandId: $id) {{ {_ANSWER} }} }}"
)

_OPENINGS: Final = "openings { place path value salt }"
_PROOFS: Final = (
    f"events {{ version commit type json proof {{ shape publicJson hidden digest {_OPENINGS} }} }} "
    "commits { number first last time account seat commandId headerJson commandJson previous head "
    f"{_OPENINGS} }}"
)
_LEGAL: Final = "legal { tables { command fields rows } templates { base field items atLeast atMost distinct } }"

TYPES: Final = (
    "query Types { __schema { types { name kind possibleTypes { name } fields { name args { name type { kind } } type "
    "{ kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } "
    "} } } } } } }"
)


def watch(view: str, *, seat: bool) -> str:
    """The subscription that follows a match as oneself, with the view, the proofs, and for a seat the legal moves."""
    legal = _LEGAL if seat else ""
    return (
        "subscription Watch($match: ID!, $after: Int) { watch(match: $match, after: $after) { __typename "
        f"... on Frame {{ first version status seat awaited outcome {{ places scores cause }} {legal} {view} {_PROOFS} "
        f"}} ... on StreamEnded {{ reason version }} ... on Refused {{ {_REFUSED} }} }} }}"
    )


def final(view: str) -> str:
    """The query for where a match stands, as oneself."""
    return (
        "query Final($match: ID!) { match(id: $match) { ... on Match { version status seed seedCommitment outcome "
        f"{{ places scores cause }} {view} }} ... on Refused {{ {_REFUSED} }} }} }}"
    )


def whole_view(schema: Mapping[str, Any], key: str) -> str:
    """The selection of everything that the view of a game holds, given the answer to TYPES and the game's key."""
    types = {each["name"]: each for each in schema["__schema"]["types"]}
    field = next(field for field in types["View"]["fields"] if field["name"] == key)
    return f"view {{ {key} {_selection(types, _named(field['type']))} }}"


def _named(kind: Mapping[str, Any]) -> str:
    while kind.get("ofType"):
        kind = kind["ofType"]
    return str(kind["name"])


def _selection(types: Mapping[str, Any], name: str) -> str:
    """`{ … }` for an object or a union; nothing for what has no fields."""
    found = types[name]
    if found["kind"] == "UNION":
        members = (f"... on {each['name']} {_selection(types, each['name'])}" for each in found["possibleTypes"])
        return f"{{ __typename {' '.join(members)} }}"
    if found["kind"] != "OBJECT":
        return ""
    plain = [field for field in found["fields"] if not _needs_arguments(field)]
    return f"{{ {' '.join(field['name'] + _selection(types, _named(field['type'])) for field in plain)} }}"


def _needs_arguments(field: Mapping[str, Any]) -> bool:
    return any(argument["type"]["kind"] == "NON_NULL" for argument in field["args"])
