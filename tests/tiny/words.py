"""Parley's words."""

from typing import Annotated

import msgspec

from domain.core.game import Setup
from domain.core.secrecy import OnlyActor, OnlyFor, Reveals
from domain.core.words import Command, Event


class Options(msgspec.Struct, frozen=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=2, description="How many rounds", extra={"rule": "R1"})] = 2


class Data(msgspec.Struct, frozen=True):
    cards: tuple[int, ...]
    words: tuple[str, ...]
    prizes: tuple[int, ...]


class Bid(Command, frozen=True):
    """Bid secretly."""

    amount: Annotated[int, OnlyActor()]


class Boast(Command, frozen=True):
    """Boast with up to two different words, in any order."""

    words: tuple[str, ...] = ()


class PickPrize(Command, frozen=True):
    """Pick one of the prizes left."""

    prize: int


ParleyCommand = Bid | Boast | PickPrize


class CardDealt(Event, frozen=True):
    """A seat was dealt a card, which only it sees."""

    seat: int
    card: Annotated[int | None, OnlyFor("seat")]


class BidMade(Event, frozen=True):
    """A seat has bid; how much, only it knows."""

    seat: int
    amount: Annotated[int | None, OnlyFor("seat")]


class Boasted(Event, frozen=True):
    """A seat has boasted; with what, only it knows yet."""

    seat: int
    words: Annotated[tuple[str, ...] | None, OnlyFor("seat")]


class HandShown(Event, frozen=True):
    """All have chosen: a seat's card, bid and words."""

    seat: int
    card: Annotated[int | None, Reveals("CardDealt", "card")]
    amount: Annotated[int | None, Reveals("BidMade", "amount")]
    words: Annotated[tuple[str, ...] | None, Reveals("Boasted", "words")]


class RoundWon(Event, frozen=True):
    """A seat was the strongest of the round and picks next."""

    seat: int


class PrizePicked(Event, frozen=True):
    """A prize went to a seat; the next round begins, or the game ends."""

    seat: int
    prize: int


ParleyEvent = CardDealt | BidMade | Boasted | HandShown | RoundWon | PrizePicked


class Hand(msgspec.Struct, frozen=True):
    """A seat in this round: what it holds and chose; None while closed, and `done` counts its stages."""

    card: int | None = None
    amount: int | None = None
    words: tuple[str, ...] | None = None
    done: int = 0


class State(msgspec.Struct, frozen=True):
    setup: Setup[Options, Data]
    hands: tuple[Hand, ...]
    points: tuple[int, ...]
    prizes: tuple[int, ...]
    shown: tuple[int, ...] = ()
    round: int = 1
    picker: int | None = None
    over: bool = False


class ParleyView(msgspec.Struct, frozen=True):
    """What a viewer sees."""

    round: int
    points: tuple[int, ...]
    prizes: tuple[int, ...]
    done: tuple[int, ...]
    picker: int | None
    card: int | None
    amount: int | None
    words: tuple[str, ...] | None
