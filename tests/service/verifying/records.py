"""Records of matches played in memory, whole and honest; the planted faults start from these."""

import random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.game import AnyGame
from domain.core.record import FORMAT, Inclusion, Record, RecordKey, record_commits
from domain.core.sealing import leaf
from domain.core.words import Viewer, viewer_name
from infra.merkle import inclusion, leaf_hash, nodes_of, root
from infra.notes import Checkpoint, Verifier, sign_note
from infra.signing import Signer
from service.verifying.check import Trust
from tests.support.match import TestMatch
from tests.support.play import random_choice

SIGNER = Signer(b"k" * 32)
LOG_KEY = Ed25519PrivateKey.from_private_bytes(b"l" * 32)
LOG = Verifier("podesta.test/log", LOG_KEY.public_key().public_bytes_raw())
TRUST = Trust(SIGNER.public_keys, LOG)


def finished(game: AnyGame, seats: int, seed: int, commits: int | None = None) -> TestMatch:
    """A match by random play, to its end or for so many commits."""
    rng = random.Random(seed)
    match = TestMatch(game, seed=seed.to_bytes(32, "big")).begin(seats)
    choose = random_choice(rng)
    while not match.over and (commits is None or len(match.commits) < commits):
        seat = rng.choice([s for s, opened in enumerate(match.table.opened) if opened])
        state = match.table.state
        match.send(f"a{seat}", choose(game, state, seat, game.legal(state, seat)))
    return match


def record_of(match: TestMatch, viewer: Viewer, *, receipts: Signer = SIGNER) -> Record:
    """The record as the server would make it, with a log that holds this match between others."""
    import msgspec

    reads = [
        msgspec.structs.replace(
            read, commit=msgspec.structs.replace(read.commit, receipt=receipts.receipt(read.commit))
        )
        for read in match.reads
    ]
    leaves = [leaf_hash(b"another"), *(leaf_hash(leaf(read.commit)) for read in reads), leaf_hash(b"later")]
    node = nodes_of(leaves)
    checkpoint = Checkpoint(LOG.name, len(leaves), root(len(leaves), node))
    inclusions = [
        Inclusion(i, tuple(n.hex() for n in inclusion(i, len(leaves), node))) for i in range(1, len(reads) + 1)
    ]
    table = match.table
    return Record(
        format=FORMAT,
        match=match.match,
        viewer=viewer_name(viewer),
        game=table.game,
        rules=table.rules,
        digest=table.digest,
        over=match.over,
        keys=tuple(RecordKey(key.id, key.key) for key in receipts.public_keys),
        commits=record_commits(reads, viewer, match.salts, over=match.over, inclusions=inclusions),
        checkpoint=sign_note(checkpoint.text, LOG.name, LOG.key, LOG_KEY.sign),
    )
