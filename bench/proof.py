"""Replay and proof: `python -m bench.proof`. Processor time in one process, medians of five rounds; about a minute.

fold: events folded per second from stored commits. version: time to any version of the longest match here, from its
stored commits and without a warm cache, and from a match that is held folded. audit: events per second and core when
every digest, commitment, draw and decision is checked, with and without the receipts' signatures. verify: a record
file at level sealed and full.
"""

import statistics
import time
from collections.abc import Callable
from functools import partial

import msgspec

from domain.core.words import GALLERY
from domain.games import GAMES
from infra.ports import Secrets
from infra.signing import PublicKey, Signer
from service.live import LiveMatch
from service.verifying.check import Trust, check
from service.verifying.findings import Level
from service.verifying.stored import StoredCheck
from tests.service.verifying.records import LOG, finished, record_of
from tests.support.match import CODECS, TestMatch

SIGNER = Signer(b"k" * 32)
ROUNDS = 5
MATCHES = 4


def cpu(work: Callable[[], object]) -> float:
    """The median processor time of the work, in seconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


def folded(match: TestMatch) -> LiveMatch:
    live = LiveMatch(CODECS, match.match, Secrets(match.seed, match.secret))
    live.add(match.commits)
    return live


def audited(matches: list[TestMatch], keys: tuple[PublicKey, ...]) -> None:
    for match in matches:
        found = StoredCheck(CODECS, match.match, Secrets(match.seed, match.secret), keys).run(match.commits)
        assert found is None, found


def main() -> None:
    whole: list[tuple[int, float, float]] = []
    longest: TestMatch | None = None
    for name, game in sorted(GAMES.current.items()):
        matches = [finished(game, game.seats[-1], seed) for seed in range(MATCHES)]
        for match in matches:
            match.commits = [msgspec.structs.replace(c, receipt=SIGNER.receipt(c)) for c in match.commits]
        events = sum(match.table.version for match in matches)
        longest = max([*matches, *([longest] if longest else [])], key=lambda match: match.table.version)
        fold_s = cpu(lambda ms=matches: [folded(match) for match in ms])  # type: ignore[misc]
        plain_s = cpu(lambda ms=matches: audited(ms, ()))  # type: ignore[misc]
        signed_s = cpu(lambda ms=matches: audited(ms, SIGNER.public_keys))  # type: ignore[misc]
        whole.append((events, plain_s, signed_s))
        print(
            f"{name:20} {events / MATCHES:6.0f} events a match   fold {events / fold_s:8.0f}/s   "
            f"audit {events / plain_s:7.0f}/s   with receipts {events / signed_s:7.0f}/s"
        )
    events = sum(each[0] for each in whole)
    print(
        f"{'all':20} audit {events / sum(each[1] for each in whole):.0f} events/s a core, "
        f"with receipts {events / sum(each[2] for each in whole):.0f}"
    )
    assert longest is not None
    versions(longest)
    files(longest)


def versions(match: TestMatch) -> None:
    """Time to any version of the longest match."""
    game, floor = match.game, match.table.floor
    ends = [end for end in match.history.ends if end >= floor]

    def cold(end: int) -> object:
        live = LiveMatch(CODECS, match.match, Secrets(match.seed, match.secret))
        live.add([commit for commit in match.commits if commit.last <= end])
        return game.view(live.history.at(end).state, GALLERY)

    live = folded(match)
    cold_ms = [1000 * cpu(partial(cold, end)) for end in ends[:: max(1, len(ends) // 25)]]
    warm_ms = [1000 * cpu(lambda at=end: game.view(live.history.at(at).state, GALLERY)) for end in ends]  # type: ignore[misc]
    print(
        f"any version of the longest match ({game.name}, {match.table.version} events): "
        f"{statistics.median(cold_ms):.1f} ms from stored commits (largest {max(cold_ms):.1f}), "
        f"{statistics.median(warm_ms):.2f} ms held folded"
    )


def files(match: TestMatch) -> None:
    """Time to check the longest match's record."""
    data = msgspec.json.encode(record_of(match, GALLERY))
    trust = Trust(SIGNER.public_keys, LOG)
    sealed_s = cpu(lambda: check(data, CODECS, trust, Level.SEALED))
    full_s = cpu(lambda: check(data, CODECS, trust, Level.FULL))
    print(f"its record ({len(data) / 1e6:.1f} MB): sealed in {sealed_s:.2f} s, full in {full_s:.2f} s")


if __name__ == "__main__":
    main()
