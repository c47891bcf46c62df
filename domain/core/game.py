"""What a game is: a record of pure functions over its own words."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

from domain.core.chance import Chance
from domain.core.words import Command, Event, Seat, Viewer

O = TypeVar("O", bound=msgspec.Struct)  # options  # noqa: E741 - the letters are those of the design
D = TypeVar("D", bound=msgspec.Struct)  # component data
S = TypeVar("S")  # state
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=msgspec.Struct)  # view


class Maturity(StrEnum):
    """How far a game can be trusted; shown to players."""

    ALPHA = "alpha"
    BETA = "beta"
    PRODUCTION = "production"


class Origin(StrEnum):
    """Where a rule or an option comes from."""

    PUBLISHED = "published"
    OWN = "own"
    HOUSE = "house"


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule: its title, and whether it is the published game's, this project's reading, or a house rule."""

    title: str
    origin: Origin = Origin.PUBLISHED


class Setup(msgspec.Struct, Generic[O, D], frozen=True):
    """What is fixed before play and stored in the match's first event: options, component data, number of seats."""

    options: O
    data: D
    seats: int


class Moment(msgspec.Struct, frozen=True):
    """Where in the game a state stands: 1-based round and turn, whose turn it is, and the phase by name."""

    round: int
    turn: int
    seat: Seat | None
    phase: str


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: place of each seat (1 is best, equal places are shared) and its score.

    cause says what ended it, snake_case; decided_by names the tie step that separated first place, or is empty.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    cause: str
    decided_by: str = ""


class Template(msgspec.Struct, Generic[C], frozen=True):
    """A pattern of commands that are too many to list.

    A command fits if it equals `base` but for the tuple in `field`, which holds `at_least` to `at_most` of `items`,
    each used at most once when `distinct`. Fitting is necessary; `decide` has the last word.
    """

    base: C
    field: str
    items: tuple[Any, ...]
    at_least: int
    at_most: int
    distinct: bool = False

    def fits(self, command: object) -> bool:
        """Whether the command is the base with an allowed tuple in the open field."""
        if type(command) is not type(self.base):
            return False
        chosen = getattr(command, self.field)
        plain = msgspec.structs.replace(command, **{self.field: getattr(self.base, self.field)})
        return (
            plain == self.base
            and self.at_least <= len(chosen) <= self.at_most
            and all(item in self.items for item in chosen)
            and not (self.distinct and any(item in chosen[:i] for i, item in enumerate(chosen)))
        )


class Legal(msgspec.Struct, Generic[C], frozen=True):
    """What a seat may do now: commands in normal form, each once, and templates for the few that cannot be listed."""

    commands: tuple[C, ...] = ()
    templates: tuple[Template[C], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.commands or self.templates)

    def allows(self, command: object) -> bool:
        """Whether a command in normal form is listed or fits a template."""
        return command in self.commands or any(t.fits(command) for t in self.templates)


Lift = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the stored fields of an event in one shape and gives those of the next shape."""


class Game(msgspec.Struct, Generic[O, D, S, C, E, V], frozen=True, kw_only=True):
    """One title's rules at one rules version. Every function is pure.

    name: snake_case; title: as printed; rules: the rules version; seats: allowed seat counts.
    options, data_type, view_type: Structs. command, event: a Command / Event subclass or a union of them.
    data(options, seats): the component data that the options name; raises Illegal for bad options.
    opening(setup, chance): the first events. blank(setup): the state before them.
    normal(command): the one spelling of equal commands.
    decide(state, seat, command, chance): the events of a legal command; raises Illegal.
    evolve(state, event): total, never refuses, also over closed events.
    to_act(state): seats with an open decision; several act simultaneously; empty once play is over.
    legal(state, seat): empty for a seat not to act. default(state, seat): what an absent seat does, legal.
    outcome(state): None while play goes on. view(state, viewer): built up from nothing.
    sketch(view): that view drawn for a terminal. moment(state): where replay can jump to.
    totals(state): quantities that no event changes. bound(setup): no match has more commits than this.
    rulebook: rule number to rule. grounds: command type to the rules that allow it, for case files.
    past: (event type, old shape) to the lift to the next shape.
    """

    name: str
    title: str
    rules: int
    seats: range
    maturity: Maturity
    options: type[O]
    data_type: type[D]
    command: Any
    event: Any
    view_type: type[V]
    data: Callable[[O, int], D]
    opening: Callable[[Setup[O, D], Chance], tuple[E, ...]]
    blank: Callable[[Setup[O, D]], S]
    normal: Callable[[C], C]
    decide: Callable[[S, Seat, C, Chance], tuple[E, ...]]
    evolve: Callable[[S, E], S]
    to_act: Callable[[S], frozenset[Seat]]
    legal: Callable[[S, Seat], Legal[C]]
    default: Callable[[S, Seat], C]
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Viewer], V]
    sketch: Callable[[V], str]
    moment: Callable[[S], Moment]
    totals: Callable[[S], Mapping[str, int]]
    bound: Callable[[Setup[O, D]], int]
    rulebook: Mapping[str, Rule]
    grounds: Mapping[str, tuple[str, ...]] = {}
    past: Mapping[tuple[str, int], Lift] = {}


AnyGame = Game[Any, Any, Any, Any, Any, Any]
