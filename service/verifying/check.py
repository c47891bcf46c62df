"""Checking a record file: both levels, one report."""

from collections.abc import Iterable, Sequence

import msgspec

from domain.core.past import Codecs
from domain.core.record import Record
from infra.notes import NoteError, Verifier, checkpoint_of
from infra.signing import PublicKey, ReceiptError, key_id, verify_receipt
from service.verifying.findings import Fault, Finding, Kind, Level, Report
from service.verifying.full import FullCheck
from service.verifying.sealed import Sealed, SealedCheck, read_record, unhex

KEY_FROM_FILE = "The server's key was taken from the file itself: it proves nothing against who made the file. Name it."
NO_LOG_KEY = "No log key was given: inclusion in the transparency log was not checked."
NO_CHECKPOINT = "The record carries no checkpoint: it does not show that the server has logged the match."


class Trust(msgspec.Struct, frozen=True):
    """What the holder knows apart from the file: the server's keys, its log's key, checkpoints seen elsewhere, and
    receipts that the holder was given for commands of this match.
    """

    keys: tuple[PublicKey, ...] = ()
    log: Verifier | None = None
    against: tuple[str, ...] = ()
    receipts: tuple[bytes, ...] = ()


def check(data: bytes, codecs: Codecs, trust: Trust, wanted: Level | None = None) -> Report:
    """Check a record. wanted: the level asked for; full if the match has ended, else sealed, when not given."""
    try:
        record = read_record(data)
    except Fault as fault:
        return _report(None, fault.finding, Level.NONE, wanted or Level.SEALED, [])
    level = wanted or (Level.FULL if record.over else Level.SEALED)
    keys = trust.keys or tuple(PublicKey(key.id, key.key) for key in record.keys)
    notes = _notes(record, trust)
    sealed: Sealed | None = None
    full: FullCheck | None = None
    reached, finding = Level.NONE, None
    try:
        sealed = SealedCheck(record, keys, trust.log).run()
        _split_view(record, trust)
        _own_receipts(record, keys, trust)
        reached = Level.SEALED
        if level is Level.FULL:
            full = FullCheck(codecs, record.match, sealed.commits)
            full.run()
            reached = Level.FULL
    except Fault as fault:
        finding = fault.finding
    return _report(record, finding, reached, level, [*notes, *(full.notes if full else ())], sealed, full)


def _notes(record: Record, trust: Trust) -> list[str]:
    notes = []
    if not trust.keys:
        notes.append(KEY_FROM_FILE)
    if not record.checkpoint:
        notes.append(NO_CHECKPOINT)
    elif trust.log is None:
        notes.append(NO_LOG_KEY)
    return notes


def _split_view(record: Record, trust: Trust) -> None:
    """Two checkpoints of one log with one size and different roots: the server has told two stories."""
    if not trust.against or trust.log is None:
        return
    try:
        seen = [checkpoint_of(note, trust.log) for note in trust.against]
        own = [checkpoint_of(record.checkpoint, trust.log)] if record.checkpoint else []
    except NoteError as error:
        raise Fault(Kind.INCLUSION, 0, f"A checkpoint is not the log's: {error}") from None
    by_size: dict[int, bytes] = {}
    for checkpoint in (*own, *seen):
        root = by_size.setdefault(checkpoint.size, checkpoint.root)
        if root != checkpoint.root:
            raise Fault(
                Kind.SPLIT_VIEW,
                0,
                f"The log has signed two different trees of {checkpoint.size} leaves: it shows different people "
                "different histories.",
                root.hex(),
                checkpoint.root.hex(),
            )


def _own_receipts(record: Record, keys: Iterable[PublicKey], trust: Trust) -> None:
    """What the server promised the holder must be in the record."""
    heads = {commit.events[-1].version: commit.head for commit in record.commits}
    for given in trust.receipts:
        try:
            receipt = verify_receipt(given, keys)
        except ReceiptError as error:
            raise Fault(Kind.RECEIPT, 0, f"A receipt that was given to compare is not the server's: {error}") from None
        if receipt.match == record.match and heads.get(receipt.version) != receipt.head:
            raise Fault(
                Kind.SPLIT_VIEW,
                receipt.first,
                "The server gave a receipt for a commit that this record does not have: it was changed or left out.",
                receipt.head,
                heads.get(receipt.version, "nothing at that version"),
            )


def _report(
    record: Record | None,
    finding: Finding | None,
    level: Level,
    wanted: Level,
    notes: Sequence[str],
    sealed: Sealed | None = None,
    full: FullCheck | None = None,
) -> Report:
    return Report(
        match=record.match if record else "",
        viewer=record.viewer if record else "",
        game=record.game if record else "",
        rules=record.rules if record else 0,
        level=level,
        wanted=wanted,
        versions=sum(len(commit.events) for commit in record.commits) if record else 0,
        commits=len(record.commits) if record else 0,
        signed_commands=sealed.signed if sealed else 0,
        receipts=sealed.receipts if sealed else 0,
        included=sealed.included if sealed else 0,
        openings=sealed.openings if sealed else 0,
        closed=sealed.closed if sealed else 0,
        draws=full.draws if full else 0,
        entropy=full.entropy if full else (0, 0),
        finding=finding,
        notes=tuple(notes),
    )


def public_keys(lines: Iterable[str]) -> tuple[PublicKey, ...]:
    """Server keys from lines `ID HEX`, or bare `HEX`. Raises ValueError for a line that is neither."""
    keys = []
    for line in lines:
        encoded = line.split()[-1] if line.split() else ""
        try:
            raw = unhex(encoded)
        except ValueError:
            raise ValueError(f"{line!r} is no Ed25519 public key: 64 lower-case hex digits") from None
        keys.append(PublicKey(key_id(raw), encoded))
    return tuple(keys)
