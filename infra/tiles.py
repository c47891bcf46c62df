"""The Merkle tree of a log partition kept as C2SP tiles: rows of 256 hashes, filled from the left."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from infra.merkle import Node, subtree
from infra.tables import tiles

WIDTH: Final = 256
HEIGHT: Final = 8
HASH_BYTES: Final = 32


def tree_size(connection: Connection, partition: int) -> int:
    """How many leaves the tree has."""
    last = connection.scalar(select(func.max(tiles.c.index)).where(tiles.c.partition == partition, tiles.c.level == 0))
    if last is None:
        return 0
    return int(last) * WIDTH + len(tile(connection, partition, 0, last)) // HASH_BYTES


def tile(connection: Connection, partition: int, level: int, index: int) -> bytes:
    """The hashes of a tile, as many as there are; empty where there is none."""
    found = connection.scalar(
        select(tiles.c.hashes).where(tiles.c.partition == partition, tiles.c.level == level, tiles.c.index == index)
    )
    return bytes(found) if found is not None else b""


def add_leaves(connection: Connection, partition: int, size: int, hashes: Sequence[bytes]) -> None:
    """Put leaf hashes behind the first `size` ones, and the hash of every tile that this fills one level up."""
    level = 0
    while hashes:
        full: list[bytes] = []
        index, within = divmod(size, WIDTH)
        row = tile(connection, partition, level, index) if within else b""
        for hash_ in hashes:
            row += hash_
            if len(row) == WIDTH * HASH_BYTES:
                _put(connection, partition, level, index, row)
                full.append(subtree(split(row)))
                index, row = index + 1, b""
        if row:
            _put(connection, partition, level, index, row)
        level, size, hashes = level + 1, size // WIDTH, full


def _put(connection: Connection, partition: int, level: int, index: int, hashes: bytes) -> None:
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(tiles).values(partition=partition, level=level, index=index, hashes=hashes)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["partition", "level", "index"], set_={"hashes": statement.excluded.hashes}
        )
    )


def split(hashes: bytes) -> list[bytes]:
    """The hashes of a tile one by one."""
    return [hashes[i : i + HASH_BYTES] for i in range(0, len(hashes), HASH_BYTES)]


def stored_nodes(connection: Connection, partition: int) -> Node:
    """The tree's `node` for proofs, read tile by tile as it is asked for."""
    known: dict[tuple[int, int], list[bytes]] = {}

    def node(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, HEIGHT)
        start = index << height
        tile_index, within = divmod(start, WIDTH)
        key = (tile_level, tile_index)
        if key not in known:
            known[key] = split(tile(connection, partition, tile_level, tile_index))
        return subtree(known[key][within : within + (1 << height)])

    return node
