"""The Merkle tree of RFC 6962: the reference implementations' published roots, proofs against a second writing."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra import merkle
from infra.merkle import consistency, consistent, included, inclusion, leaf_hash, nodes_of, root

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
"""The leaves of the test tree that Certificate Transparency implementations share, as hex."""

ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots over the first 0 to 8 of them."""

HASHES = [leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]


def mth(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, section 2.1, letter by letter."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(size: int) -> None:
    assert root(size, nodes_of(HASHES)).hex() == ROOTS[size]
    assert merkle.subtree(HASHES[:size]).hex() == ROOTS[size]
    assert mth([bytes.fromhex(leaf) for leaf in LEAVES[:size]]).hex() == ROOTS[size]


PATHS = {
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
"""Published inclusion paths of that tree: (leaf, size) to hashes."""


@pytest.mark.parametrize(("where", "path"), PATHS.items())
def test_the_published_inclusion_paths(where: tuple[int, int], path: list[str]) -> None:
    index, size = where
    assert [node.hex() for node in inclusion(index, size, nodes_of(HASHES))] == path


def test_the_published_consistency_path() -> None:
    assert [node.hex() for node in consistency(6, 8, nodes_of(HASHES))] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@given(size=st.integers(1, 70), data=st.data())
def test_every_proof_holds_and_no_other_does(size: int, data: st.DataObject) -> None:
    leaves = [leaf_hash(bytes([i])) for i in range(size)]
    node, whole = nodes_of(leaves), mth([bytes([i]) for i in range(size)])
    assert root(size, node) == whole
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion(index, size, node)
    assert included(leaves[index], index, size, proof, whole)
    assert not included(leaf_hash(b"other"), index, size, proof, whole)
    assert not included(leaves[index], index, size, [*proof, whole], whole)
    if proof:
        assert not included(leaves[index], index, size, proof[:-1], whole)
        assert not included(leaves[index], index ^ 1, size, proof, whole)
    old = data.draw(st.integers(1, size))
    before = root(old, node)
    path = consistency(old, size, node)
    assert consistent(old, before, size, whole, path)
    assert not consistent(old, leaf_hash(b"x"), size, whole, path)
    if path:
        assert not consistent(old, before, size, whole, path[:-1])
        assert not consistent(old, before, size, leaf_hash(b"x"), path)


def test_what_is_not_in_the_tree_has_no_proof() -> None:
    node = nodes_of(HASHES)
    for index, size in ((8, 8), (-1, 8), (0, 0)):
        with pytest.raises(ValueError, match="no leaf"):
            inclusion(index, size, node)
        assert not included(HASHES[0], index, size, [], merkle.EMPTY)
    for old, new in ((0, 8), (9, 8)):
        with pytest.raises(ValueError, match="no proof leads"):
            consistency(old, new, node)
    assert consistent(0, merkle.EMPTY, 8, root(8, node), [])
    assert not consistent(9, HASHES[0], 8, root(8, node), [HASHES[1]])
