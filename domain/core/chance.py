"""Chance as something asked for: drawn from a key that was fixed before play, and recorded.

The stream of draw number n of a match is HMAC-SHA256(key, n || block) for block 0, 1, 2, ..., both numbers as
8 bytes big-endian. It is read as 64-bit big-endian words. A draw below `bound` takes the first word under the
largest multiple of `bound` that fits in 2^64 (rejection sampling) and gives word mod bound, so every result is
equally likely. A draw with one possible result takes no word and is not recorded.
"""

import hmac
from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

_WORD: Final = 1 << 64


class Draw(msgspec.Struct, frozen=True, array_like=True):
    """One recorded draw: what for, how many results there were, and which came (0-based)."""

    label: str
    bound: int
    result: int


class Chance:
    """Where `opening` and `decide` get random outcomes from; every draw is kept in `draws`, in order."""

    def __init__(self) -> None:
        self.draws: list[Draw] = []

    def draw(self, label: str, bound: int) -> int:
        """A number from 0 to bound - 1, all equally likely."""
        if bound < 1:
            raise ValueError(f"nothing to draw from for {label!r}: bound {bound}")
        if bound == 1:
            return 0
        result = self._result(label, bound)
        self.draws.append(Draw(label, bound, result))
        return result

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of the items, which stand in the order of their component ids."""
        return items[self.draw(label, len(items))]

    def take(self, label: str, items: Sequence[T], count: int) -> tuple[tuple[T, ...], tuple[T, ...]]:
        """(count items drawn one after another without return, the remainder in its old order)."""
        rest = list(items)
        taken: list[T] = []
        for _ in range(count):
            taken.append(chosen := self.pick(label, rest))
            rest.remove(chosen)
        return tuple(taken), tuple(rest)

    def _result(self, label: str, bound: int) -> int:
        raise AssertionError(f"no source of chance for {label!r} below {bound}")


class SeededChance(Chance):
    """The draws number n of the match whose key this is (Chance, above)."""

    def __init__(self, key: bytes, n: int) -> None:
        super().__init__()
        self._key = key
        self._n = n.to_bytes(8, "big")
        self._block = 0
        self._words: list[int] = []

    def _result(self, label: str, bound: int) -> int:
        del label
        limit = _WORD - _WORD % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def _word(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, self._n + self._block.to_bytes(8, "big"), "sha256")
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()


class ScriptedChance(Chance):
    """Chance that a test writes down beforehand.

    Each entry answers one draw: an int is the result of `draw`; anything else is the item that `pick` shall give.
    Draws with one possible result use no entry when `draw` is asked, and none when `pick` is.
    """

    def __init__(self, *script: object) -> None:
        super().__init__()
        self._script = list(script)

    def pick(self, label: str, items: Sequence[T]) -> T:
        """The item that the script names; AssertionError if it is not among the items."""
        if len(items) > 1 and self._script and not isinstance(self._script[0], int):
            wanted = self._script[0]
            if wanted not in items:
                raise AssertionError(f"{label!r}: the script wants {wanted!r}, there are {list(items)!r}")
            self._script[0] = list(items).index(wanted)  # type: ignore[arg-type]
        return super().pick(label, items)

    def _result(self, label: str, bound: int) -> int:
        if not self._script:
            raise AssertionError(f"the script has nothing for {label!r} below {bound}")
        result = self._script.pop(0)
        if not isinstance(result, int) or not 0 <= result < bound:
            raise AssertionError(f"the script gives {result!r} for {label!r} below {bound}")
        return result

    @property
    def left(self) -> int:
        """How many entries have not been used."""
        return len(self._script)
