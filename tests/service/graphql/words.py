"""A small invented game's words, with every kind of hint that GraphQL types are derived from."""

from enum import IntEnum, StrEnum
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from domain.core.game import Game, Legal, Maturity, Moment, Outcome, Rule
from domain.core.secrecy import OnlyActor, OnlyFor, Reveals
from domain.core.words import Command, Event

T = TypeVar("T")


class Suit(StrEnum):
    """The suit of a card."""

    CUPS = "cups"
    COINS = "coins"


class Rank(IntEnum):
    """The rank of a card."""

    LOW = 1
    HIGH = 9


class Card(msgspec.Struct, frozen=True):
    """A card."""

    suit: Suit
    rank: Annotated[Rank, Meta(description="How high it is.")] = Rank.LOW


class Box(msgspec.Struct, Generic[T], frozen=True):
    """Holds one thing."""

    content: T


class ByHand(msgspec.Struct, frozen=True, tag=True):
    """Pay by hand."""

    coins: int


class OnCredit(msgspec.Struct, frozen=True, tag=True):
    """Pay later."""


class Play(Command, frozen=True):
    """Play cards."""

    cards: tuple[Card, ...]
    face_down: Annotated[bool, OnlyActor()] = False
    for_: Literal["gold", "glory"] = "gold"
    payment: ByHand | OnCredit | None = None
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    note: str | None = None


class Pass(Command, frozen=True):
    """Do nothing."""


class Played(Event, frozen=True):
    """Cards were played; None of them may be hidden, face_up says whether they are."""

    seat: int
    face_up: bool
    cards: Annotated[tuple[Card, ...] | None, OnlyFor("seat")]
    pairs: tuple[tuple[int, int], ...]
    grid: tuple[tuple[Card | None, ...], ...]
    counts: dict[str, int]
    by_seat: dict[str, Card]
    names: frozenset[str]
    kept: frozenset[Card]
    reason: Literal["gold", "glory"]
    size: Literal[1, 2]
    codes: Literal["a-b", "c"]
    boxed: Box[int]
    inner: Box[Card | None]
    anything: dict[str, Any]


class Passed(Event, frozen=True):
    """A seat did nothing at all."""


class Shown(Event, frozen=True):
    """A seat showed its cards."""

    seat: int
    cards: Annotated[tuple[Card, ...] | None, Reveals("Played", "cards")]


class View(msgspec.Struct, frozen=True):
    """What a viewer sees."""

    rows: tuple[str, ...]
    hand: tuple[Card, ...] | None
    stacks: dict[str, tuple[Card, ...]]


class State(msgspec.Struct, frozen=True):
    """What nobody may see."""

    secret: int = 0


class Options(msgspec.Struct, frozen=True):
    """The options."""

    long: Annotated[bool, Meta(description="A long match.", extra={"rule": "R2", "origin": "house"})] = False


class Data(msgspec.Struct, frozen=True):
    """The component data."""


def _refuse(*_: object) -> Any:
    raise AssertionError("the invented game is never played")


GAME: Any = Game(
    name="inn_game",
    title="Inn Game",
    rules=1,
    seats=range(2, 4),
    maturity=Maturity.ALPHA,
    options=Options,
    data_type=Data,
    command=Play | Pass,
    event=Played | Passed | Shown,
    view_type=View,
    data=lambda _o, _n: Data(),
    opening=_refuse,
    blank=lambda _setup: State(),
    normal=lambda command: command,
    decide=_refuse,
    evolve=_refuse,
    to_act=lambda _state: frozenset(),
    legal=lambda _state, _seat: Legal(),
    default=_refuse,
    outcome=lambda _state: Outcome((1, 1), (0, 0), "none"),
    view=_refuse,
    sketch=lambda view: "\n".join(view.rows),
    moment=lambda _state: Moment(1, 1, None, "end"),
    totals=lambda _state: {},
    bound=lambda _setup: 1,
    rulebook={"R1": Rule("Play or pass")},
)

CARD = Card(Suit.COINS, Rank.HIGH)

PLAYED = Played(
    seat=1,
    face_up=True,
    cards=(CARD,),
    pairs=((1, 2), (3, 4)),
    grid=((CARD, None), (None,)),
    counts={"b": 1, "a": 2},
    by_seat={"0": CARD},
    names=frozenset({"z", "a", "m"}),
    kept=frozenset({Card(Suit.CUPS), CARD}),
    reason="glory",
    size=2,
    codes="a-b",
    boxed=Box(7),
    inner=Box(None),
    anything={"x": [1, None]},
)
