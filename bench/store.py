"""How fast the event store appends and projects, as ratios to peers on the same machine: `python -m bench.store`."""

import asyncio
import time

from bench.peers import pgbench_rate
from domain.core.sealing import Commit
from infra.backends import Backend, migrate, open_postgres
from infra.ports import Appended
from infra.vault import Vault
from tests.support.commits import Line
from tests.support.postgres import Postgres
from tests.support.servers import folder

VAULT = Vault(b"k" * 32)
COMMITS = {1: 1500, 8: 6000, 32: 12000}
"""How many commits are appended at each number of writers: a second or so each."""


async def opened_lines(backend: Backend, writers: int) -> list[Line]:
    lines = [Line() for _ in range(writers)]
    for line in lines:
        await backend.store.append(line.advance(line.opening()), line.secrets)
    return lines


async def append_rate(backend: Backend, writers: int) -> float:
    """Commits per second of so many writers, each with a match of its own; commits are sealed beforehand."""
    lines = await opened_lines(backend, writers)
    share = COMMITS[writers] // writers
    sealed = [[line.advance(line.move()) for _ in range(share)] for line in lines]

    async def write(commits: list[Commit]) -> None:
        for commit in commits:
            assert await backend.store.append(commit) == Appended()

    began = time.perf_counter()
    await asyncio.gather(*[write(commits) for commits in sealed])
    return share * writers / (time.perf_counter() - began)


async def on_postgres(server: Postgres) -> None:
    url = server.databases.create()
    await migrate(url)
    backend = await open_postgres(url, VAULT)
    try:
        for writers in COMMITS:
            rates = []
            for _ in range(3):
                rates.append(
                    (await append_rate(backend, writers), await asyncio.to_thread(pgbench_rate, server, url, writers))
                )
            ours, theirs = (sorted(side)[len(side) // 2] for side in zip(*rates, strict=True))
            print(f"postgres {writers:3d} writers: {ours:7.0f}/s  pgbench {theirs:7.0f}/s  ratio {ours / theirs:.2f}")
    finally:
        await backend.close()


def main() -> None:
    with folder() as place:
        server = Postgres(place, durable=True)
        server.start()
        try:
            asyncio.run(on_postgres(server))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
