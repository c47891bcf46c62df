"""Parley's words after the change: a won round tells whether the better card had to settle it."""

from typing import ClassVar

from tests.tiny import words as before
from tests.tiny.words import BidMade, Boasted, CardDealt, HandShown, PrizePicked


class RoundWon(before.RoundWon, frozen=True):
    """A seat was the strongest of the round and picks next; by_card: several were, and it had the better card.

    Shape 2. Shape 1 had no by_card.
    """

    shape: ClassVar[int] = 2

    by_card: bool = False


ParleyEvent = CardDealt | BidMade | Boasted | HandShown | RoundWon | PrizePicked
