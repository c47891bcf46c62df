"""One process of the service without its surfaces: the use cases over a real SQLite store, bell and signing key."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.past import Codecs
from domain.core.registry import Games
from domain.core.table import StartMatch, TakeSeat
from infra.backends import Backend, open_sqlite
from infra.bell.memory import MemoryBell
from infra.clock import SystemClock
from infra.ports import Bell
from infra.signing import Signer
from infra.transparency import LogSigner, Transparency
from infra.vault import Vault
from service.answers import Accepted, Answer
from service.cases import Cases
from service.live import Live
from service.play import Ask, Play
from service.records import Records
from service.watching import Watching
from tests.support.play import ALL_GAMES

LOG_KEY = Ed25519PrivateKey.from_private_bytes(b"l" * 32)
SIGNER = Signer(b"k" * 32)
VAULT = Vault(b"v" * 32)


class Desk:
    """A process. Several may stand over one store and bell."""

    def __init__(
        self, backend: Backend, bell: Bell, poll_s: float = 0.2, life_s: float = 60.0, games: Games = ALL_GAMES
    ) -> None:
        codecs = Codecs(games)
        self.backend = backend
        self.bell = bell
        self.live = Live(backend.store, codecs)
        self.play = Play(codecs, backend.store, bell, SIGNER, SystemClock().now, self.live)
        self.watching = Watching(self.live, bell, poll_s, life_s)
        log = LogSigner("podesta.test/log", LOG_KEY.public_key().public_bytes_raw(), LOG_KEY.sign)
        self.log = Transparency(backend.database, log, SystemClock())
        self.records = Records(self.play, SIGNER, self.log)
        self.cases = Cases(SIGNER, SystemClock().now)
        self._ids = 0

    async def send(self, account: str, match: str, command: Any, **fields: Any) -> Answer:
        """A command under an id of its own."""
        self._ids += 1
        ask = Ask(**{"command_id": f"t{id(self)}-{self._ids}", **fields})
        return await self.play.command(account, match, command, ask)

    async def open(self, seats: int = 3, command_id: str = "open", account: str = "a0", **options: Any) -> Accepted:
        from domain.core.table import OpenMatch

        command = OpenMatch("parley", seats, options)
        return accepted(await self.play.open(account, command, command_id))

    async def begin(self, seats: int = 3, command_id: str = "open", **options: Any) -> str:
        """A match that has started, accounts a0, a1, … on its seats."""
        match = (await self.open(seats, command_id, **options)).match
        for seat in range(seats):
            accepted(await self.send(f"a{seat}", match, TakeSeat()))
        accepted(await self.send("a0", match, StartMatch()))
        return match


def accepted(answer: Answer) -> Accepted:
    """The answer, which must be an acceptance."""
    assert isinstance(answer, Accepted), answer
    return answer


@asynccontextmanager
async def sqlite_desk(path: Path, games: Games = ALL_GAMES) -> AsyncIterator[Desk]:
    """A process over a SQLite file."""
    backend = await open_sqlite(path / "podesta.sqlite", VAULT)
    bell = MemoryBell()
    try:
        yield Desk(backend, bell, games=games)
    finally:
        await bell.close()
        await backend.close()
