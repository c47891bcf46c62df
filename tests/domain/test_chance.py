"""Chance: exact streams, equal likelihood, and a record of what was drawn."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.chance import Chance, Draw, ScriptedChance, SeededChance


def words(key: bytes, n: int, blocks: int) -> list[int]:
    """The stream as the docstring defines it, written again from scratch."""
    stream = b"".join(
        hmac.new(key, n.to_bytes(8, "big") + b.to_bytes(8, "big"), hashlib.sha256).digest() for b in range(blocks)
    )
    return [int.from_bytes(stream[i : i + 8], "big") for i in range(0, len(stream), 8)]


@given(key=st.binary(min_size=1, max_size=64), n=st.integers(0, 2**40), bound=st.integers(2, 2**40))
def test_draws_are_the_words_of_the_stream_modulo_the_bound(key: bytes, n: int, bound: int) -> None:
    chance = SeededChance(key, n)
    limit = 2**64 - 2**64 % bound
    expected = [w % bound for w in words(key, n, 8) if w < limit][:9]
    assert [chance.draw("x", bound) for _ in range(9)] == expected
    assert chance.draws == [Draw("x", bound, result) for result in expected]


def test_words_above_the_largest_multiple_are_rejected() -> None:
    bound = 2**63 + 1  # nearly half of all words are rejected
    chance = SeededChance(b"k", 0)
    kept = [w for w in words(b"k", 0, 10) if w < bound]
    assert [chance.draw("x", bound) for _ in range(10)] == kept[:10]


def test_one_possible_result_takes_no_word_and_is_not_recorded() -> None:
    plain, other = SeededChance(b"k", 0), SeededChance(b"k", 0)
    assert other.draw("only", 1) == 0
    assert other.draws == []
    assert plain.draw("x", 1000) == other.draw("x", 1000)


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        SeededChance(b"k", 0).draw("x", 0)


def test_numbers_of_draws_have_streams_of_their_own() -> None:
    assert SeededChance(b"k", 0).draw("x", 2**60) != SeededChance(b"k", 1).draw("x", 2**60)


def test_all_orders_are_about_equally_likely() -> None:
    seen = Counter(SeededChance(b"k", n).take("card", "abc", 3)[0] for n in range(6000))
    assert len(seen) == 6
    assert all(850 < times < 1150 for times in seen.values())


def test_take_leaves_the_remainder_in_order() -> None:
    taken, rest = ScriptedChance("c", "a").take("card", ("a", "b", "c", "d"), 2)
    assert taken == ("c", "a")
    assert rest == ("b", "d")


def test_scripts_name_items_or_results_and_say_what_is_wrong() -> None:
    chance = ScriptedChance("b", 0)
    assert chance.pick("x", ("a", "b")) == "b"
    assert chance.left == 1
    assert chance.pick("x", ("only",)) == "only"
    assert chance.draw("y", 3) == 0
    with pytest.raises(AssertionError, match="nothing for 'z'"):
        chance.draw("z", 3)
    with pytest.raises(AssertionError, match="wants 'q'"):
        ScriptedChance("q").pick("x", ("a", "b"))
    with pytest.raises(AssertionError, match="gives 5"):
        ScriptedChance(5).draw("x", 3)


def test_chance_itself_has_no_source() -> None:
    with pytest.raises(AssertionError, match="no source"):
        Chance().draw("x", 2)
