"""What attackers do, by their power: change a file, rewrite a database, sign it anew."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.match import decide
from domain.core.replay import History
from domain.core.sealing import Request, Salts, genesis, seal
from infra.signing import Signer
from tests.laws.laws import mutations
from tests.service.verifying.records import SIGNER
from tests.support.match import TestMatch
from tests.support.play import ALL_GAMES

Plain = dict[str, Any]
Change = Callable[[Plain, random.Random], None]


def changed_byte(data: bytes, rng: random.Random) -> bytes:
    """One character of what the server made is another one now."""
    text = bytearray(data)
    start = data.index(b'"commits":[')
    end = data.index(b'],"checkpoint"')
    while True:
        at = rng.randrange(start + 12, end)
        new = rng.choice(b"0123456789abcdefghijklmnopqrstuvwxyz{}[],:")
        if text[at] != new:
            text[at] = new
            return bytes(text)


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(1, len(data))]


def dropped(plain: Plain, rng: random.Random) -> None:
    commit = rng.choice(plain["commits"][:-1] if rng.random() < 0.5 else [c for c in plain["commits"] if c["events"]])
    if rng.random() < 0.5 and commit is not plain["commits"][-1]:
        plain["commits"].remove(commit)
    else:
        commit["events"].remove(rng.choice(commit["events"]))


def doubled(plain: Plain, rng: random.Random) -> None:
    commits = plain["commits"]
    at = rng.randrange(len(commits))
    if rng.random() < 0.5:
        commits.insert(at, commits[at])
    else:
        commits[at]["events"].append(commits[at]["events"][-1])


def swapped(plain: Plain, rng: random.Random) -> None:
    commits = plain["commits"]
    one, other = rng.sample(range(len(commits)), 2)
    commits[one], commits[other] = commits[other], commits[one]


def inserted(plain: Plain, rng: random.Random) -> None:
    commit = rng.choice(plain["commits"])
    event = json.loads(json.dumps(rng.choice(commit["events"])))
    event["version"] += 1
    commit["events"].insert(rng.randrange(len(commit["events"]) + 1), event)


def wrong_salt(plain: Plain, rng: random.Random) -> None:
    openings = [o for c in plain["commits"] for o in (*c["openings"], *(x for e in c["events"] for x in e["openings"]))]
    opening = rng.choice(openings)
    at = rng.randrange(64)
    new = rng.choice([d for d in "0123456789abcdef" if d != opening["salt"][at]])
    opening["salt"] = opening["salt"][:at] + new + opening["salt"][at + 1 :]


def changed_value(plain: Plain, rng: random.Random) -> None:
    openings = [o for c in plain["commits"] for e in c["events"] for o in e["openings"]]
    opening = rng.choice(openings)
    opening["value"] = "0" if opening["value"] != "0" else "1"


def foreign_signature(plain: Plain, rng: random.Random) -> None:
    """Another server's key signs what this server has not said."""
    commit = rng.choice(plain["commits"])
    receipt = json.loads(commit["receipt"])
    other = Signer(rng.randbytes(32))
    fields = {k: v for k, v in receipt.items() if k != "signature"}
    if rng.random() < 0.5:
        fields["key"] = other.key_id
    message = b"podesta/receipt/1\n" + json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    receipt = {**fields, "signature": other.sign(message).hex()}
    commit["receipt"] = json.dumps(receipt, sort_keys=True, separators=(",", ":"))


FILE_HOLDER: dict[str, Change] = {
    f.__name__: f for f in (dropped, doubled, swapped, inserted, wrong_salt, changed_value, foreign_signature)
}


def rewritten(
    match: TestMatch,
    at: int,
    command: Any = None,
    decision: Any = None,
    *,
    seed: bytes | None = None,
    signature: bytes | None = None,
) -> TestMatch:
    """The match as an operator rewrites it: commit number `at` (from 1) says something else, and the chain after it
    is computed anew. Later commits are kept as they were where they still follow, else the record ends there.
    """
    made = TestMatch(match.game, match.match, seed or match.seed, match.secret)
    made.salts = Salts(match.secret, match.match)
    made.history = History(ALL_GAMES, match.match)
    for read in match.reads:
        old = read.commit
        header = msgspec.json.decode(old.header)
        here = old.commit == at
        last = (made.commits[-1].commit, made.commits[-1].last) if made.commits else (0, 0)
        request = Request(
            account=old.account,
            seat=old.seat,
            command_id=old.command_id,
            command=command if here and command is not None else _command(made, old.command),
            time=old.time,
            seen=header["seen"],
            signature=signature if here else old.signature,
            arbiter=header["arbiter"],
        )
        draws = msgspec.json.decode(old.draws, type=tuple[Any, ...]) if old.draws else ()
        events = decision.events if here and decision else read.events
        draws = decision.draws if here and decision else tuple(_draw(d) for d in draws)
        previous = made.commits[-1].head if made.commits else genesis(match.match)
        number = made.history.table.draws if made.commits else 0
        made._add(seal(match.match, old.rules, last, previous, request, events, draws, number, made.salts))
    return made


def _command(match: TestMatch, body: bytes) -> Any:
    return match.reader._codec.command(body)


def _draw(plain: Any) -> Any:
    from domain.core.chance import Draw

    return Draw(*plain)


def game_commits(match: TestMatch) -> Iterator[int]:
    """The numbers of the commits in which the game was played, after the start."""
    floor = match.table.floor
    for commit in match.commits:
        if commit.first > floor and commit.seat is not None and commit.commit < len(match.commits):
            yield commit.commit


def before(match: TestMatch, number: int) -> History:
    """The history up to the commit before this one."""
    return History(ALL_GAMES, match.match).extend(read.facts for read in match.reads[: number - 1])


def illegal_command(match: TestMatch, number: int, rng: random.Random) -> Any:
    """A command that the rules refuse where commit `number` was decided; None if none was found."""
    history = before(match, number)
    commit = match.commits[number - 1]
    seat = commit.seat
    assert seat is not None
    legal = match.game.legal(history.table.state, seat)
    for command in mutations(match.game, legal, rng, 80):
        try:
            decide(history, commit.account, command, match.seed)
        except Illegal:
            return command
    return None


def unfair(match: TestMatch, number: int, rng: random.Random) -> Any:
    """The decision of commit `number` under chance of the operator's liking; None if it drew nothing."""
    from unittest import mock

    from domain.core import match as core_match

    history = before(match, number)
    commit = match.commits[number - 1]
    if commit.draw is None:
        return None
    for _ in range(8):
        key = rng.randbytes(32)
        with mock.patch.object(core_match, "SeededChance", lambda _key, n, k=key: SeededChance(k, n)):
            decision = decide(history, commit.account, _command(match, commit.command), match.seed)
        if decision.events != match.reads[number - 1].events:
            return decision
    return None


def another_move(match: TestMatch, number: int, rng: random.Random) -> tuple[Any, Any] | None:
    """A legal command that the seat did not send, and what it brings about; None if there was no choice."""
    history = before(match, number)
    commit = match.commits[number - 1]
    assert commit.seat is not None
    own = _command(match, commit.command)
    others = [c for c in match.game.legal(history.table.state, commit.seat).commands if c != own]
    if not others:
        return None
    command = rng.choice(others)
    return command, decide(history, commit.account, command, match.seed)


def keeps_receipts(forged: TestMatch, honest: TestMatch) -> Signer:
    """A signer that can only repeat what the server signed: an operator without the key."""
    old = {commit.commit: SIGNER.receipt(commit) for commit in honest.commits}

    class Repeats(Signer):
        def receipt(self, commit: Any) -> bytes:
            return old[commit.commit]

    return Repeats(b"k" * 32)
