"""How fast the event store appends and projects, as ratios to peers on the same machine: `python -m bench.store`.

Takes about a minute. Each figure is the median of three rounds in which ours and the peer's take turns, so that what
else the machine does weighs on both. Commits hold three events and are sealed beforehand: it is the store that is
measured. Both servers keep their durability: fsync and synchronous_commit are on, synchronous is FULL.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench.peers import SECONDS, eventsourcing_rate, one_by_one_rate, pgbench_rate
from domain.core.sealing import Commit
from infra.backends import Backend, migrate, open_postgres, open_sqlite
from infra.ports import Appended
from infra.vault import Vault
from tests.support.commits import Line
from tests.support.postgres import Postgres
from tests.support.servers import folder

VAULT = Vault(b"k" * 32)
ROUNDS = 3
COMMITS = {1: 1600, 8: 6400, 32: 12800}
"""How many commits are at most appended in a round at each number of writers."""
EVENTS = 50_000
"""How many events the projection is rebuilt from."""

Rate = Callable[[int], Awaitable[float]]


def sealed(writers: int) -> list[tuple[Line, Commit, list[Commit]]]:
    """For each writer a match, its opening, and the commits to follow."""
    made = []
    for _ in range(writers):
        line = Line()
        opening = line.advance(line.opening())
        made.append((line, opening, [line.advance(line.move()) for _ in range(COMMITS[writers] // writers)]))
    return made


async def append_rate(backend: Backend, writers: int) -> float:
    """Commits per second of so many writers, each with a match of its own."""
    work = sealed(writers)
    for line, opening, _ in work:
        await backend.store.append(opening, line.secrets)

    began = time.perf_counter()

    async def write(commits: list[Commit]) -> int:
        for n, commit in enumerate(commits):
            if time.perf_counter() > began + SECONDS:
                return n
            assert await backend.store.append(commit) == Appended()
        return len(commits)

    stored = await asyncio.gather(*[write(commits) for _, _, commits in work])
    return sum(stored) / (time.perf_counter() - began)


async def compare(name: str, ours: Rate, peers: dict[str, Rate], aims: dict[str, float]) -> None:
    """Print our rate, each peer's, and their ratio, at each number of writers. aims: ratios at the most writers."""
    for writers in COMMITS:
        rounds = [[await rate(writers) for rate in (ours, *peers.values())] for _ in range(ROUNDS)]
        own, *others = (statistics.median(side) for side in zip(*rounds, strict=True))
        for peer, other in zip(peers, others, strict=True):
            aim = f" (aim: {aims[peer]})" if peer in aims and writers == max(COMMITS) else ""
            print(f"{name}, {writers:2d} writers: {own:6.0f}/s; {peer}: {other:6.0f}/s; ratio {own / other:5.2f}{aim}")


async def on_postgres(server: Postgres) -> None:
    url = await asyncio.to_thread(server.databases.create)
    await migrate(url)
    backend = await open_postgres(url, VAULT)

    async def ours(writers: int) -> float:
        return await append_rate(backend, writers)

    async def pgbench(writers: int) -> float:
        return await asyncio.to_thread(pgbench_rate, server, url, writers)

    async def library(writers: int) -> float:
        return await asyncio.to_thread(eventsourcing_rate, url, writers)

    try:
        peers = {"pgbench, the same statements": pgbench, "eventsourcing, aggregate save": library}
        await compare("PostgreSQL", ours, peers, dict(zip(peers, (1.5, 5), strict=True)))
        await rebuild("PostgreSQL", backend)
    finally:
        await backend.close()


async def on_sqlite(place: Path) -> None:
    backend = await open_sqlite(place / "ours.db", VAULT)

    async def ours(writers: int) -> float:
        return await append_rate(backend, writers)

    async def one_by_one(writers: int) -> float:
        work = [commits for _, _, commits in sealed(writers)]
        return await asyncio.to_thread(one_by_one_rate, place / "ours.db", work)

    try:
        await compare("SQLite", ours, {"a transaction per command": one_by_one}, {})
        await rebuild("SQLite", backend)
    finally:
        await backend.close()


async def rebuild(name: str, backend: Backend) -> None:
    """Print how fast the lobby is rebuilt from matches of a hundred events or so, and its log made."""
    matches = [Line(time=n) for n in range(EVENTS // 100)]

    async def play(line: Line) -> None:
        await backend.store.append(line.advance(line.opening()), line.secrets)
        await backend.store.append(line.advance(line.sit(0, "a_0")))
        await backend.store.append(line.advance(line.start()))
        while line.version < 97:
            await backend.store.append(line.advance(line.move(events=8)))
        await backend.store.append(line.advance(line.end()))

    await asyncio.gather(*map(play, matches))
    began = time.perf_counter()
    commits = await backend.sequencer.drain()
    sequenced = commits / (time.perf_counter() - began)
    done = await backend.projectors["lobby"].rebuild()
    rate = done.events / done.seconds
    print(f"{name}, lobby rebuilt: {rate:.0f} events/s (aim: 30000), {done.commits / done.seconds:.0f} commits/s")
    print(f"{name}, sequencer: {sequenced:.0f} commits/s")


def main() -> None:
    """Run all of it, or what the arguments name: postgres, sqlite."""
    wanted = sys.argv[1:] or ["postgres", "sqlite"]
    if "postgres" in wanted:
        with folder() as place:
            server = Postgres(place, durable=True)
            server.start()
            try:
                asyncio.run(on_postgres(server))
            finally:
                server.stop()
    if "sqlite" in wanted:
        with tempfile.TemporaryDirectory() as place:
            asyncio.run(on_sqlite(Path(place)))


if __name__ == "__main__":
    main()
