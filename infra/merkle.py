"""The Merkle tree of RFC 6962, section 2.1: hashes, roots, inclusion and consistency proofs, and their checks.

Provers are given `node(level, index)`, the hash over the complete subtree of 2^level leaves that starts at leaf
index * 2^level; so they work the same over a list, over tiles, or over a database.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

Node = Callable[[int, int], bytes]

EMPTY: Final = hashlib.sha256().digest()
"""The root of a tree without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def nodes_of(leaves: Sequence[bytes]) -> Node:
    """A `node` over leaf hashes in memory."""

    def node(level: int, index: int) -> bytes:
        return subtree(leaves[index << level : (index + 1) << level])

    return node


def subtree(hashes: Sequence[bytes]) -> bytes:
    """The root over these hashes, taken as the leaves of a tree of their own."""
    if not hashes:
        return EMPTY
    row = list(hashes)
    while len(row) > 1:
        paired = [node_hash(row[i], row[i + 1]) for i in range(0, len(row) - 1, 2)]
        row = paired + row[len(row) & ~1 :]
    return row[0]


def root(size: int, node: Node) -> bytes:
    """The root of the tree of the first `size` leaves."""
    return _range(0, size, node) if size else EMPTY


def inclusion(index: int, size: int, node: Node) -> list[bytes]:
    """The proof that leaf `index` is in the tree of `size` leaves. Raises ValueError unless 0 <= index < size."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    return _path(index, 0, size, node)


def consistency(old: int, new: int, node: Node) -> list[bytes]:
    """The proof that the tree of `old` leaves is a prefix of that of `new`. Raises ValueError unless 0 < old <= new."""
    if not 0 < old <= new:
        raise ValueError(f"no proof leads from a tree of {old} to one of {new}")
    return _prefix(old, 0, new, node, whole=True)


def _split(size: int) -> int:
    """The largest power of two below size."""
    return 1 << (size - 1).bit_length() - 1


def _range(start: int, end: int, node: Node) -> bytes:
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node(level, start >> level)
    middle = start + _split(size)
    return node_hash(_range(start, middle, node), _range(middle, end, node))


def _path(index: int, start: int, end: int, node: Node) -> list[bytes]:
    if end - start == 1:
        return []
    middle = start + _split(end - start)
    if index < middle:
        return [*_path(index, start, middle, node), _range(middle, end, node)]
    return [*_path(index, middle, end, node), _range(start, middle, node)]


def _prefix(old: int, start: int, end: int, node: Node, *, whole: bool) -> list[bytes]:
    if old == end:
        return [] if whole else [_range(start, end, node)]
    middle = start + _split(end - start)
    if old <= middle:
        return [*_prefix(old, start, middle, node, whole=whole), _range(middle, end, node)]
    return [*_prefix(old, middle, end, node, whole=False), _range(start, middle, node)]


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes) -> bool:
    """Whether the proof leads from the leaf's hash to the root of the tree of `size` leaves (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last, current = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            current = node_hash(sibling, current)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            current = node_hash(current, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and current == expected


def consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows the tree of `old` leaves to be a prefix of that of `new` (RFC 9162, 2.1.4.2)."""
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return not proof
    if not 0 < old < new or not proof:
        return False
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    position, last = old - 1, new - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    was = now = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            was, now = node_hash(sibling, was), node_hash(sibling, now)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            now = node_hash(now, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and was == old_root and now == new_root
