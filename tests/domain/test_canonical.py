"""Canonical bytes: RFC 8785 for the values that are allowed here, and refusal of the others."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.canonical import SAFE, canonical, digest, keyed

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE + 1, SAFE - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_canonical_is_what_rfc_8785_says(value: object) -> None:
    # For ASCII keys, integers and strings, RFC 8785 is sorted keys, no spaces, and Python's minimal escapes.
    try:
        expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate is no text
        return
    assert canonical(value) == expected


def test_control_characters_are_escaped_as_the_rfc_says() -> None:
    assert canonical('\b\t\n\f\r"\\/\x00\x1f\x7fé') == '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\x7fé"'.encode()


@pytest.mark.parametrize("value", [1.5, [0.0], SAFE, -SAFE, {"é": 1}, [{"a": {"ü": 2}}]])
def test_values_without_one_spelling_everywhere_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"2\^53|float|ASCII"):
        canonical(value)


def test_tags_keep_digests_apart() -> None:
    assert digest("a", b"x") == hashlib.sha256(b"podesta/a/1\nx").digest()
    assert digest("a", b"x") != digest("b", b"x")
    assert keyed(b"k", "a", ["x"]) != keyed(b"k", "b", ["x"])
