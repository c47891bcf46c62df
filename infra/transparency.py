"""The transparency log: a tree over every commit in the order of the log, and its signed heads.

A leaf is a commit's header in public form with the chain head after it. The tree is that of RFC 6962, its heads are
C2SP checkpoints, its parts C2SP tiles. A head is signed only over what was in the tree before: sizes only grow.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

import msgspec
import structlog
from sqlalchemy import Connection, func, insert, select, text

from infra.clock import SystemClock
from infra.database import Database
from infra.merkle import consistency, inclusion, leaf_hash, root
from infra.notes import Checkpoint, Verifier, sign_note
from infra.tables import checkpoints, commits, log
from infra.tiles import add_leaves, stored_nodes, tile, tree_size

_log = structlog.get_logger(__name__)
_LOCK: Final = text("SELECT pg_advisory_xact_lock(:key, :partition)")
_LOCK_KEY: Final = 0x706F6474
_encode: Final = msgspec.json.Encoder().encode


class LogSigner(msgspec.Struct, frozen=True):
    """The key that signs the log's heads, and the log's name (its origin line)."""

    origin: str
    key: bytes
    sign: Callable[[bytes], bytes]

    def of(self, partition: int) -> Verifier:
        """The verifier key of a partition's log: the first has the origin itself, the others a number behind it."""
        return Verifier(self.origin if partition == 0 else f"{self.origin}/{partition}", self.key)


class Witness(Protocol):
    """Somebody outside who watches that the log only grows, and says so on its heads."""

    async def cosign(self, note: str, checkpoint: Checkpoint, prove: Callable[[int], list[bytes]]) -> str:
        """The note with the witness's signature line; unchanged if the witness does not answer."""


class Proof(msgspec.Struct, frozen=True):
    """A commit's place in its partition's log, and the proof that it is there."""

    partition: int
    index: int
    path: tuple[str, ...]


class _Leaf(msgspec.Struct, frozen=True):
    head: str
    header: msgspec.Raw


class Transparency:
    """The trees of all partitions. batch: leaves per transaction; every_s: the least time between two heads."""

    def __init__(
        self,
        database: Database,
        signer: LogSigner,
        clock: SystemClock,
        *,
        partitions: int = 1,
        batch: int = 2000,
        every_s: float = 2.0,
        witness: Witness | None = None,
    ) -> None:
        self._database = database
        self._signer = signer
        self._clock = clock
        self._partitions = partitions
        self._batch = batch
        self._every_s = every_s
        self._witness = witness

    @property
    def signer(self) -> LogSigner:
        """Who signs the heads."""
        return self._signer

    async def run(self) -> None:
        """Grow the trees and sign their heads until cancelled."""
        while True:
            await self.step()
            await asyncio.sleep(self._every_s)

    async def step(self) -> int:
        """Take in all that is in the log and sign a head for each tree that grew; how many leaves were new."""
        total = 0
        for partition in range(self._partitions):
            while grown := await self._database.write(partial(self._grow, partition=partition)):
                total += grown
            await self._sign(partition)
        return total

    def _grow(self, connection: Connection, partition: int) -> int:
        if self._database.postgres:
            connection.execute(_LOCK, {"key": _LOCK_KEY, "partition": partition})
        size = tree_size(connection, partition)
        leaves = _leaves(connection, partition, size, self._batch)
        add_leaves(connection, partition, size, [leaf_hash(leaf) for leaf in leaves])
        return len(leaves)

    async def _sign(self, partition: int) -> None:
        head = await self._database.read(partial(self._unsigned, partition=partition))
        if head is None:
            return
        key = self._signer.of(partition)
        note = sign_note(head.text, key.name, key.key, self._signer.sign)
        if self._witness is not None:
            paths = await self._database.read(partial(_paths, partition=partition, size=head.size))
            note = await self._witness.cosign(note, head, paths)
        with contextlib.suppress(_Known):
            await self._database.write(partial(self._keep, partition=partition, size=head.size, note=note))

    def _keep(self, connection: Connection, partition: int, size: int, note: str) -> None:
        """Store a signed head, unless another process has signed one as large or larger."""
        if self._database.postgres:
            connection.execute(_LOCK, {"key": _LOCK_KEY, "partition": partition})
        newest = connection.scalar(select(func.max(checkpoints.c.size)).where(checkpoints.c.partition == partition))
        if newest is not None and newest >= size:
            raise _Known
        row = {"partition": partition, "size": size, "time": self._clock.now(), "note": note}
        connection.execute(insert(checkpoints).values(**row))

    def _unsigned(self, connection: Connection, partition: int) -> Checkpoint | None:
        size = tree_size(connection, partition)
        signed = connection.scalar(select(func.max(checkpoints.c.size)).where(checkpoints.c.partition == partition))
        if not size or size == signed:
            return None
        return Checkpoint(self._signer.of(partition).name, size, root(size, stored_nodes(connection, partition)))

    async def checkpoint(self, partition: int = 0, size: int | None = None) -> str | None:
        """The newest signed head, or that of a size; None if there is none yet."""
        return await self._database.read(partial(_note, partition=partition, size=size))

    async def proofs(self, match: str, size: int | None = None) -> tuple[str, tuple[Proof, ...]]:
        """(the newest head's note, a proof for each commit of the match that is under it); "" and () before any.

        size: of an older head that was signed, for who holds that one. Raises ValueError if none of that size was.
        """
        return await self._database.read(partial(_proofs, match=match, size=size))

    async def consistency(self, partition: int, old: int, new: int) -> list[bytes]:
        """The proof that the tree of `old` leaves is a prefix of that of `new`. Raises ValueError for other sizes."""

        def prove(connection: Connection) -> list[bytes]:
            if new > tree_size(connection, partition):
                raise ValueError(f"the tree has fewer than {new} leaves")
            return consistency(old, new, stored_nodes(connection, partition))

        return await self._database.read(prove)

    async def tile(self, partition: int, level: int, index: int) -> bytes:
        """The hashes of a tile, as many as there are."""
        return await self._database.read(lambda connection: tile(connection, partition, level, index))

    async def entries(self, partition: int, start: int, count: int) -> list[bytes]:
        """The leaves from this index on that are in the tree, at most `count`."""

        def read(connection: Connection) -> list[bytes]:
            known = tree_size(connection, partition) - start
            return _leaves(connection, partition, start, min(count, known)) if known > 0 else []

        return await self._database.read(read)


class _Known(Exception):
    """Another process has signed a head of this size."""


def _leaves(connection: Connection, partition: int, start: int, count: int) -> list[bytes]:
    rows = connection.execute(
        select(commits.c.header, commits.c.head)
        .select_from(log.join(commits, (commits.c.match == log.c.match) & (commits.c.last == log.c.last)))
        .where(log.c.partition == partition, log.c.position >= start)
        .order_by(log.c.position)
        .limit(count)
    )
    return [_encode(_Leaf(bytes(head).hex(), msgspec.Raw(bytes(header)))) for header, head in rows]


def _note(connection: Connection, partition: int, size: int | None) -> str | None:
    chosen = select(checkpoints.c.note).where(checkpoints.c.partition == partition)
    chosen = chosen.where(checkpoints.c.size == size) if size is not None else chosen
    return connection.scalar(chosen.order_by(checkpoints.c.size.desc()).limit(1))


def _paths(connection: Connection, partition: int, size: int) -> Callable[[int], list[bytes]]:
    """Consistency proofs to this size from every older signed head, computed while the connection is at hand."""
    node = stored_nodes(connection, partition)
    sizes = connection.scalars(
        select(checkpoints.c.size).where(checkpoints.c.partition == partition).order_by(checkpoints.c.size.desc())
    )
    known = {old: consistency(old, size, node) for old in list(sizes)[:16] if 0 < old <= size}
    return lambda old: known.get(old, [])


def _proofs(connection: Connection, match: str, size: int | None) -> tuple[str, tuple[Proof, ...]]:
    rows: Sequence[tuple[int, int]] = [
        (partition, position)
        for partition, position in connection.execute(
            select(log.c.partition, log.c.position).where(log.c.match == match).order_by(log.c.last)
        )
    ]
    if not rows:
        return "", ()
    partition = rows[0][0]
    heads = select(checkpoints.c.size, checkpoints.c.note).where(checkpoints.c.partition == partition)
    heads = heads if size is None else heads.where(checkpoints.c.size == size)
    newest = connection.execute(heads.order_by(checkpoints.c.size.desc()).limit(1)).first()
    if newest is None and size is not None:
        raise ValueError(f"no checkpoint of {size} leaves was signed")
    if newest is None:
        return "", ()
    size, note = newest
    node = stored_nodes(connection, partition)
    made = [
        Proof(partition, position, tuple(h.hex() for h in inclusion(position, size, node)))
        for _, position in rows
        if position < size
    ]
    return note, tuple(made)
