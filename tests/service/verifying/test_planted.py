"""Planted faults, fifty of each kind, by the attacker's power: each is found, and named, at the level that can."""

import json
import random
from collections import Counter

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.canonical import canonical
from domain.core.sealing import signed_message
from domain.core.table import StartMatch, TakeSeat
from domain.core.words import GALLERY
from infra.notes import Checkpoint, sign_note
from service.verifying.check import Trust, check
from service.verifying.findings import Kind, Level, Report
from tests.service.verifying import forge
from tests.service.verifying.records import LOG, LOG_KEY, SIGNER, TRUST, finished, record_of
from tests.support.match import CODECS, TestMatch
from tests.support.play import EVERY_GAME
from tests.tiny import GAME

MANY = 50
HONEST = [finished(GAME, 3 + seed % 2, seed) for seed in range(4)]
SEAL_KINDS = {Kind.UNREADABLE, Kind.CHAIN, Kind.OPENING, Kind.RECEIPT, Kind.SIGNATURE, Kind.INCLUSION, Kind.INCOMPLETE}


def checked(match: TestMatch, trust: Trust = TRUST, level: Level | None = None, **fields: object) -> Report:
    return check(msgspec.json.encode(record_of(match, GALLERY, **fields)), CODECS, trust, level)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*forge.FILE_HOLDER, "changed_byte", "truncated"])
def test_who_holds_a_file_cannot_change_it_unnoticed(name: str) -> None:
    rng = random.Random(name)
    for index in range(MANY):
        data = msgspec.json.encode(record_of(HONEST[index % len(HONEST)], GALLERY))
        if name in forge.FILE_HOLDER:
            plain = json.loads(data)
            forge.FILE_HOLDER[name](plain, rng)
            data = json.dumps(plain, separators=(",", ":")).encode()
        else:
            data = getattr(forge, name)(data, rng)
        report = check(data, CODECS, TRUST, Level.SEALED)
        assert report.finding is not None, f"{name} number {index} was not found"
        assert report.level is Level.NONE
        assert report.finding.kind in SEAL_KINDS, report.finding
        assert report.finding.message
        assert report.exit_code >= 10


def forgeries(kind: str, rng: random.Random) -> list[tuple[TestMatch, TestMatch]]:
    """(honest, forged) matches, fifty of them, over every game."""
    made: list[tuple[TestMatch, TestMatch]] = []
    pool = [*HONEST, *(finished(game, game.seats[0], 3) for game in EVERY_GAME)]
    for turn in range(40 * MANY):
        match = pool[turn % len(pool)]
        number = rng.choice(list(forge.game_commits(match)))
        if kind == "illegal move":
            command = forge.illegal_command(match, number, rng)
            forged = command and forge.rewritten(match, number, command)
        elif kind == "unfair draw":
            decision = forge.unfair(match, number, rng)
            forged = decision and follows(match, number, None, decision)
        else:
            other = forge.another_move(match, number, rng)
            forged = other and follows(match, number, *other)
        if forged:
            made.append((match, forged))
        if len(made) == MANY:
            return made
    raise AssertionError(f"only {len(made)} of kind {kind!r} could be planted")


def follows(match: TestMatch, number: int, command: object, decision: object) -> TestMatch:
    """The forged match with the later commits of the honest one behind it, as far as their events fold."""
    return forge.rewritten(match, number, command, decision)


@pytest.mark.parametrize("kind", ["illegal move", "unfair draw", "move in a player's name"])
def test_an_operator_with_the_database(kind: str) -> None:
    """Each with a recomputed chain: the receipts that the signing key made are not for that chain."""
    for honest, forged in forgeries(kind, random.Random(kind)):
        report = checked(forged, level=Level.SEALED, receipts=forge.keeps_receipts(forged, honest))
        assert report.finding is not None
        assert report.finding.kind is Kind.RECEIPT
        first = next(a.first for a, b in zip(honest.commits, forged.commits, strict=True) if a.head != b.head)
        assert report.finding.version == first


NAMED = {"illegal move": {Kind.ILLEGAL}, "unfair draw": {Kind.DRAW}}


@pytest.mark.parametrize("kind", list(NAMED))
def test_an_operator_with_the_signing_key_too(kind: str) -> None:
    """Signed anew, the seal holds; the rules and the seed do not."""
    seen: Counter[Kind] = Counter()
    for honest, forged in forgeries(kind, random.Random(kind)):
        assert checked(forged, level=Level.SEALED).finding is None
        report = checked(forged)
        assert report.finding is not None, kind
        assert report.level is Level.SEALED
        assert report.finding.kind in NAMED[kind], report.finding
        first = next(a.first for a, b in zip(honest.commits, forged.commits, strict=True) if a.head != b.head)
        assert report.finding.version == first
        seen[report.finding.kind] += 1
    assert sum(seen.values()) == MANY


def test_a_move_in_the_name_of_a_seat_that_signs_everything() -> None:
    """Neither without a signature nor with the old one, not even with the server's key."""
    for seed in range(MANY):
        match, number = signing(seed)
        other = forge.another_move(match, number, random.Random(seed))
        assert other is not None
        old = match.commits[number - 1].signature if seed % 2 else None
        forged = forge.rewritten(match, number, *other, signature=old)
        report = checked(forged)
        assert report.finding is not None
        assert report.finding.kind is Kind.SIGNATURE
        assert report.finding.version == match.commits[number - 1].first


def signing(seed: int) -> tuple[TestMatch, int]:
    """A match in which seat 0 signs everything, and the number of a commit of its."""
    key = Ed25519PrivateKey.from_private_bytes(seed.to_bytes(32, "big"))
    match = TestMatch(GAME, seed=seed.to_bytes(32, "big")).open(3)
    match.send("a0", TakeSeat(key=key.public_key().public_bytes_raw().hex(), signed_only=True))
    match.send("a1", TakeSeat())
    match.send("a2", TakeSeat())
    match.send("a1", StartMatch())
    rng = random.Random(seed)
    mine = 0
    while not match.over:
        seat = rng.choice([s for s, opened in enumerate(match.table.opened) if opened])
        command = rng.choice(GAME.legal(match.table.state, seat).commands)
        fields = {}
        if seat == 0:
            message = signed_message(match.match, 0, f"id{match.table.commit + 1}", None, canonical(command))
            fields = {"signature": key.sign(message)}
        commit = match.send(f"a{seat}", command, **fields)
        if seat == 0 and not mine:
            mine = commit.commit
    assert check(msgspec.json.encode(record_of(match, GALLERY)), CODECS, TRUST).signed_commands > 1
    return match, mine


def test_a_move_in_a_players_name_is_found_by_the_players_own_receipt() -> None:
    for honest, forged in forgeries("move in a player's name", random.Random(9)):
        at = next(i for i, (a, b) in enumerate(zip(honest.commits, forged.commits, strict=True)) if a.head != b.head)
        given = SIGNER.receipt(honest.commits[at])
        report = checked(forged, msgspec.structs.replace(TRUST, receipts=(given,)), Level.SEALED)
        assert report.finding is not None
        assert report.finding.kind is Kind.SPLIT_VIEW
        assert report.finding.version == honest.commits[at].first


def test_a_record_that_leaves_out_the_end_is_found_by_a_receipt() -> None:
    match = HONEST[0]
    record = record_of(match, GALLERY)
    short = msgspec.structs.replace(record, commits=record.commits[:-2], over=False)
    assert check(msgspec.json.encode(short), CODECS, TRUST).finding is None, "by itself it is a sound beginning"
    given = msgspec.structs.replace(TRUST, receipts=(SIGNER.receipt(match.commits[-1]),))
    report = check(msgspec.json.encode(short), CODECS, given)
    assert report.finding is not None
    assert report.finding.kind is Kind.SPLIT_VIEW


def test_a_split_view_is_found_against_a_checkpoint_seen_elsewhere() -> None:
    rng = random.Random(5)
    for index in range(MANY):
        match = HONEST[index % len(HONEST)]
        size = len(match.commits) + 2
        other = Checkpoint(LOG.name, size, rng.randbytes(32))
        note = sign_note(other.text, LOG.name, LOG.key, LOG_KEY.sign)
        report = checked(match, msgspec.structs.replace(TRUST, against=(note,)))
        assert report.finding is not None
        assert report.finding.kind is Kind.SPLIT_VIEW
        same = record_of(match, GALLERY).checkpoint
        assert checked(match, msgspec.structs.replace(TRUST, against=(same,))).finding is None


def test_a_server_that_reveals_another_seed_is_found() -> None:
    for index in range(MANY):
        match = HONEST[index % len(HONEST)]
        last = match.reads[-1]
        ended = msgspec.structs.replace(last.events[-1], seed=random.Random(index).randbytes(32).hex())
        events = (*last.events[:-1], ended)
        decision = msgspec.structs.replace(_decision(match), events=events)
        report = checked(forge.rewritten(match, len(match.commits), None, decision))
        assert report.finding is not None
        assert report.finding.kind is Kind.SEED


def _decision(match: TestMatch) -> object:
    from domain.core.match import Decision

    return Decision(match.reads[-1].events)
