"""What may be chosen when a match is opened, and the component data that follows from it."""

from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec

from domain.core.errors import Illegal

ROUND_LIMIT_MOST: Final = 1000


def _about(rule: str, origin: str, description: str, **bounds: Any) -> msgspec.Meta:
    return msgspec.Meta(description=description, extra={"rule": rule, "origin": origin}, **bounds)


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The rule options of a match of Majolica."""

    city_hall_tokens: Annotated[
        Literal["by_player_count", "all_five"],
        _about("R12", "published", "Tiles of each kind on the City Hall: 3, 4 or 5 by the number of seats, or five."),
    ] = "by_player_count"
    city_hall_reward: Annotated[
        Literal["choose_one", "pair"],
        _about("R50", "own", "What a run of workshop 4 pays: one tile of either kind, or one of each."),
    ] = "choose_one"
    start_card: Annotated[
        Literal["dealt", "chosen"],
        _about("R14", "published", "Whether start cards are dealt, or each player takes one of those left."),
    ] = "dealt"
    next_starter: Annotated[
        Literal["left_of_holder", "left_of_last_player"],
        _about("R65", "own", "Who starts a round: the seat left of the last starter, or left of the last player."),
    ] = "left_of_holder"
    incomplete_counting: Annotated[
        Literal["pooled", "per_card"],
        _about("R72", "own", "Whether tiles on incomplete cards are halved all together, or card by card."),
    ] = "pooled"
    empty_slot_run: Annotated[
        Literal["allowed", "blocked"],
        _about("R44", "own", "Whether workshops 1 to 3 run when nothing can be delivered."),
    ] = "allowed"
    exterior_rule: Annotated[
        Literal["outermost", "open_side"],
        _about(
            "R21",
            "own",
            "What is exterior: the outermost rows and columns that still show a tile, or every tile with an open side.",
        ),
    ] = "outermost"
    deck: Annotated[
        str,
        _about(
            "R8", "own", "The deck of start and design cards, by the name of its file.", min_length=1, max_length=40
        ),
    ] = "standard"
    round_limit: Annotated[
        int,
        _about("M7", "house", "The match ends after this round at the latest.", ge=1, le=ROUND_LIMIT_MOST),
    ] = 40


_HINTS: Final = get_type_hints(Options, include_extras=True)


def check_options(options: Options) -> None:
    """Raise Illegal unless every option has a value that it may have."""
    for name, hint in _HINTS.items():
        try:
            msgspec.convert(getattr(options, name), hint)
        except msgspec.ValidationError as error:
            rule = hint.__metadata__[0].extra["rule"]
            raise Illegal("bad_options", rule, f"The option {name} cannot have this value: {error}.") from None


class Card(msgspec.Struct, frozen=True):
    """A design card or start card (R8, R9): its cells as letters, and the points it is worth once completed."""

    name: str
    cells: str
    points: int


class Workshop(msgspec.Struct, frozen=True):
    """What a workshop holds, asks for and delivers (R5)."""

    number: int
    capacity: int
    set_count: int
    set_size: int
    deliver_min: int
    deliver_max: int


class Data(msgspec.Struct, frozen=True):
    """The component data of one match, stored with it, so that replay never looks at the files of the day."""

    workshops: tuple[Workshop, ...]
    jokers: int
    one_points: int
    start_cards: tuple[Card, ...]
    design_cards: tuple[Card, ...]
