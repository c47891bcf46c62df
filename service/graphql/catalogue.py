"""The games on offer: their options, their rules, and which of these are the published game's."""

from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.core.game import AnyGame, Maturity, Origin
from service.graphql.attributes import Part, shape
from service.graphql.games import Types
from service.graphql.hints import bare, camel, is_enum, list_of, or_null, split_union
from service.graphql.scalars import JSON


class Option(msgspec.Struct, frozen=True):
    """One option of a game, as its Struct declares it."""

    name: str
    kind: str
    default: Any
    allowed: list[Any] | None
    minimum: int | None
    maximum: int | None
    description: str
    rule: str | None
    origin: str | None


class RuleEntry(msgspec.Struct, frozen=True):
    """A numbered rule."""

    number: str
    title: str
    origin: str


class Offer(msgspec.Struct, frozen=True):
    """A game as it is offered."""

    name: str
    key: str
    title: str
    rules: int
    maturity: str
    seats: list[int]
    options: list[Option]
    rulebook: list[RuleEntry]


def offer(game: AnyGame) -> Offer:
    """What can be said about a game before it is played."""
    return Offer(
        name=game.name,
        key=camel(game.name),
        title=game.title,
        rules=game.rules,
        maturity=game.maturity,
        seats=list(game.seats),
        options=options_of(game),
        rulebook=[RuleEntry(number, rule.title, rule.origin) for number, rule in game.rulebook.items()],
    )


def options_of(game: AnyGame) -> list[Option]:
    """The options of a game, from the fields of its options Struct and the notes on them."""
    hints = get_type_hints(game.options, include_extras=True)
    defaults = msgspec.to_builtins(game.options())
    return [_option(name, hints[name], defaults[name]) for name in game.options.__struct_fields__]


def _option(name: str, hint: Any, default: Any) -> Option:
    kind, notes = bare(hint)
    metas = [note for note in notes if isinstance(note, msgspec.Meta)]
    extra = {key: value for meta in metas for key, value in (meta.extra or {}).items()}
    return Option(
        name=name,
        kind=_kind(kind),
        default=default,
        allowed=_allowed(kind),
        minimum=_bound(hint, "ge", "gt", 1),
        maximum=_bound(hint, "le", "lt", -1),
        description="\n".join(meta.description for meta in metas if meta.description),
        rule=extra.get("rule"),
        origin=extra.get("origin"),
    )


def _kind(hint: Any) -> str:
    members, nullable = split_union(hint)
    kinds = {_kind_of(member) for member in members}
    return (kinds.pop() if len(kinds) == 1 else "json") + (" or null" if nullable else "")


def _kind_of(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return _kind_of(type(get_args(hint)[0]))
    if is_enum(hint):
        return "string" if issubclass(hint, str) else "integer"
    return {bool: "boolean", int: "integer", str: "string"}.get(hint, "json")


def _allowed(hint: Any) -> list[Any] | None:
    members, nullable = split_union(hint)
    if len(members) != 1:
        return None
    if get_origin(members[0]) is Literal:
        values: list[Any] = list(get_args(members[0]))
    elif is_enum(members[0]):
        values = [member.value for member in members[0]]
    elif members[0] is bool:
        values = [False, True]
    else:
        return None
    return [*values, None] if nullable else values


def _bound(hint: Any, inclusive: str, exclusive: str, step: int) -> int | None:
    """The bound of an integer, wherever in the hint it is noted."""
    if get_origin(hint) is Annotated:
        for note in get_args(hint)[1:]:
            if isinstance(note, msgspec.Meta):
                if (at := getattr(note, inclusive)) is not None:
                    return int(at)
                if (beyond := getattr(note, exclusive)) is not None:
                    return int(beyond) + step
    found = [_bound(arg, inclusive, exclusive, step) for arg in get_args(hint) if not isinstance(arg, str | Enum)]
    return next((bound for bound in found if bound is not None), None)


def game_type(types: Types) -> Any:
    """The type of a game on offer."""
    origin = types.core.enum(Origin)
    option = shape(
        "GameOption",
        "A rule option, chosen when a match is opened.",
        Part("name", str, "Its key in `options` of `openMatch`."),
        Part("type", str, "The JSON type of its value.", attribute="kind"),
        Part("default", or_null(JSON), "Its value if it is not chosen."),
        Part("allowed", or_null(list[JSON]), "All values there are; null if they are too many to list."),
        Part("minimum", or_null(int), "The least number allowed."),
        Part("maximum", or_null(int), "The greatest number allowed."),
        Part("description", str, "What it means."),
        Part("rule", or_null(str), "The number of the rule that it changes."),
        Part("origin", or_null(origin), "Whether it is the published game's, this project's reading, or a house rule."),
    )
    rule = shape(
        "GameRule",
        "A numbered rule; refusals name it.",
        Part("number", str),
        Part("title", str),
        Part("origin", origin, "Whether it is the published game's, this project's reading, or a house rule."),
    )
    return shape(
        "Game",
        "A game that can be played here.",
        Part("name", str, "Its name in `openMatch` and in every match."),
        Part("key", str, "Its field in `View`, `EventBody`, `LegalTyped` and `CommandInput`."),
        Part("title", str, "Its title as printed."),
        Part("rules", int, "The rules version that a new match gets, and keeps."),
        Part("maturity", types.core.enum(Maturity), "How far it can be trusted."),
        Part("seats", list[int], "The numbers of seats it can be played with."),
        Part("options", list_of(option)),
        Part("rulebook", list_of(rule)),
    )
