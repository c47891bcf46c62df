"""The transparency log: every commit in it once, in order; proofs hold; heads only grow; tiles are as specified."""

import asyncio
import hashlib
import itertools

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.sealing import leaf
from infra.clock import SystemClock
from infra.merkle import consistent, included, leaf_hash, nodes_of, root
from infra.notes import checkpoint_of
from infra.tiles import HASH_BYTES, WIDTH, split
from infra.transparency import LogSigner, Transparency
from tests.support.commits import Line

KEY = Ed25519PrivateKey.from_private_bytes(b"l" * 32)
SIGNER = LogSigner("podesta.test/log", KEY.public_key().public_bytes_raw(), KEY.sign)


def over(backend, **how):
    return Transparency(backend.database, SIGNER, SystemClock(), **how)


async def fill(backend, matches, moves):
    lines = [Line() for _ in range(matches)]
    made = {}
    for line in lines:
        made[line.match] = [line.advance(line.opening())]
        await backend.store.append(made[line.match][0], line.secrets)
    for _ in range(moves):
        for line in lines:
            made[line.match].append(commit := line.advance(line.move()))
            await backend.store.append(commit)
    await backend.sequencer.drain()
    return made


async def test_every_commit_of_a_match_is_proved_to_be_in_the_signed_tree(place):
    backend = await place.open()
    made = await fill(backend, 5, 3)
    log = over(backend)
    assert await log.checkpoint() is None
    assert await log.proofs("m") == ("", ())
    assert await log.step() == 20
    assert await log.step() == 0
    for match, commits in made.items():
        note, proofs = await log.proofs(match)
        head = checkpoint_of(note, SIGNER.of(0))
        assert head.size == 20
        for commit, proof in zip(commits, proofs, strict=True):
            path = [bytes.fromhex(node) for node in proof.path]
            assert included(leaf_hash(leaf(commit)), proof.index, head.size, path, head.root)
            assert not included(leaf_hash(leaf(commits[0]) + b" "), proof.index, head.size, path, head.root)


async def test_inclusion_is_proved_under_an_older_head_for_who_holds_it(place):
    backend = await place.open()
    log = over(backend)
    made = await fill(backend, 1, 3)
    await log.step()
    held = await log.checkpoint()
    await fill(backend, 2, 3)
    await log.step()
    [(match, commits)] = made.items()
    note, proofs = await log.proofs(match, 4)
    assert note == held != await log.checkpoint()
    head = checkpoint_of(note, SIGNER.of(0))
    for commit, proof in zip(commits, proofs, strict=True):
        path = [bytes.fromhex(node) for node in proof.path]
        assert included(leaf_hash(leaf(commit)), proof.index, head.size, path, head.root)
    with pytest.raises(ValueError, match="no checkpoint of 5"):
        await log.proofs(match, 5)


async def test_heads_only_grow_and_each_contains_the_one_before(place):
    backend = await place.open()
    log = over(backend, batch=7)
    heads = []
    for moves in (1, 3, 40):
        await fill(backend, 2, moves)
        await log.step()
        heads.append(checkpoint_of(await log.checkpoint(), SIGNER.of(0)))
    assert [head.size for head in heads] == [4, 12, 94]
    for old, new in itertools.pairwise(heads):
        path = await log.consistency(0, old.size, new.size)
        assert consistent(old.size, old.root, new.size, new.root, path)
        assert checkpoint_of(await log.checkpoint(size=old.size), SIGNER.of(0)) == old
    with pytest.raises(ValueError, match="fewer"):
        await log.consistency(0, 94, 95)


async def test_two_workers_at_once_make_one_tree(place):
    backends = [await place.open() for _ in range(2)]
    made = await fill(backends[0], 4, 5)
    logs = [over(backend, batch=5) for backend in backends]
    await asyncio.gather(*(log.step() for log in logs))
    await logs[0].step()
    head = checkpoint_of(await logs[1].checkpoint(), SIGNER.of(0))
    assert head.size == sum(map(len, made.values()))
    entries = await logs[0].entries(0, 0, 100)
    assert {*entries} == {leaf(commit) for commits in made.values() for commit in commits}
    assert root(head.size, nodes_of([leaf_hash(entry) for entry in entries])) == head.root


async def test_each_partition_has_a_tree_and_a_name_of_its_own(place):
    backend = await place.open(partitions=3)
    made = await fill(backend, 12, 0)
    log = over(backend, partitions=3)
    await log.step()
    sizes = []
    for partition in range(3):
        head = checkpoint_of(await log.checkpoint(partition), SIGNER.of(partition))
        assert head.origin == ("podesta.test/log" if not partition else f"podesta.test/log/{partition}")
        sizes.append(head.size)
    assert sum(sizes) == len(made)


async def test_full_tiles_are_hashed_into_the_level_above(sqlite_place):
    backend = await sqlite_place.open()
    await fill(backend, 20, 25)  # 520 leaves: two full tiles and one of eight
    log = over(backend, batch=100)
    await log.step()
    level0 = [split(await log.tile(0, 0, index)) for index in range(4)]
    assert [len(row) for row in level0] == [WIDTH, WIDTH, 8, 0]
    level1 = split(await log.tile(0, 1, 0))
    assert level1 == [root(WIDTH, nodes_of(row)) for row in level0[:2]]
    entries = [e for start in range(0, 520, 100) for e in await log.entries(0, start, 100)]
    assert [leaf_hash(entry) for entry in entries] == [h for row in level0 for h in row]
    assert hashlib.sha256().digest_size == HASH_BYTES
    head = checkpoint_of(await log.checkpoint(), SIGNER.of(0))
    assert head.root == root(520, nodes_of([leaf_hash(entry) for entry in entries]))
