"""One of several processes that append to the same store at once: commits come in on stdin, results go to stdout.

`python -m tests.support.rival URL`: says it is ready, reads (commits, secrets) as MessagePack, appends all at once, and
prints for each the head that is stored under its command id, after `Appended`, `Answered` or `Raced`.
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from domain.core.sealing import Commit
from infra.backends import open_postgres, open_sqlite
from infra.ports import Answered, Secrets
from infra.vault import Vault

VAULT = Vault(b"k" * 32)

Work = list[tuple[Commit, Secrets | None]]


async def main(url: str) -> None:
    if url.startswith("sqlite"):
        backend = await open_sqlite(Path(url.removeprefix("sqlite:///")), VAULT)
    else:
        backend = await open_postgres(url, VAULT, pool_size=2)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    work = msgspec.msgpack.decode(await asyncio.to_thread(sys.stdin.buffer.read), type=Work)
    results = await asyncio.gather(*[backend.store.append(commit, secrets) for commit, secrets in work])
    for (commit, _), result in zip(work, results, strict=True):
        head = result.commit.head if isinstance(result, Answered) else commit.head
        sys.stdout.write(f"{type(result).__name__} {head.hex()}\n")
    await backend.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
