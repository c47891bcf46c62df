"""What the service may ask of the outside world. Every adapter keeps these promises; one contract suite checks it."""

from collections.abc import Sequence
from typing import Protocol, Self

import msgspec

from domain.core.sealing import Commit
from domain.core.words import Version
from infra.signing import Refusal


class Appended(msgspec.Struct, frozen=True):
    """The commit is stored, durably."""


class Raced(msgspec.Struct, frozen=True):
    """Another commit came first: the match is not at the expected version and chain head. Nothing was stored."""


class Answered(msgspec.Struct, frozen=True):
    """The account's command id was answered before, by this stored commit. Nothing was stored now."""

    commit: Commit


AppendResult = Appended | Raced | Answered


class Secrets(msgspec.Struct, frozen=True):
    """What only the server knows of a match: the seed of its chance and the secret of its salts, 32 bytes each."""

    seed: bytes
    salts: bytes


class Store(Protocol):
    """The event store."""

    async def append(self, commit: Commit, secrets: Secrets | None = None) -> AppendResult:
        """Store one commit at the expected version (`first` - 1) and chain head (`previous`), or say why not.

        secrets come with the first commit of a match and are stored with it, encrypted. Idempotent by (match,
        account, command_id), and for a match's first commit by (account, command_id).
        """

    async def commits(self, match: str, after: Version = 0, limit: int | None = None) -> Sequence[Commit]:
        """The match's commits that end after the version, in order, at most `limit`."""

    async def answered(self, match: str, account: str, command_id: str) -> Commit | None:
        """The commit that answered this command id of the account in this match, if any."""

    async def opened(self, account: str, command_id: str) -> Commit | None:
        """The first commit of the match that this command id of the account opened, if any."""

    async def secrets(self, match: str) -> Secrets | None:
        """The match's secrets, decrypted."""

    async def ping(self) -> None:
        """Raises if the store cannot be reached or its schema is not the present one."""

    async def close(self) -> None:
        """Finish what is under way and let go of every connection."""


class Account(msgspec.Struct, frozen=True):
    """An account: an opaque id, a display name that can be erased, whether it is a guest, and its roles."""

    id: str
    name: str | None
    guest: bool
    roles: tuple[str, ...] = ()


class Accounts(Protocol):
    """Accounts and their bearer tokens (stored as hashes)."""

    async def create(self, name: str | None, *, guest: bool, roles: Sequence[str] = ()) -> Account:
        """A new account."""

    async def issue(self, account: str, lifetime_s: int | None = None) -> str:
        """A new token of the account, in clear: it is shown once and stored as a hash."""

    async def bearer(self, token: str) -> Account | None:
        """The account that a token speaks for; None if it is unknown, expired or revoked."""

    async def revoke(self, token: str) -> bool:
        """End a token; False if there was nothing to end."""

    async def find(self, account: str) -> Account | None:
        """The account with this id."""

    async def erase(self, account: str) -> bool:
        """Forget who the account is, for good: its name, its own key, roles and tokens. False if there is none left.

        What it did stays: events hold nothing but its id, so every chain and record still verifies.
        """

    async def erased(self, account: str) -> int | None:
        """When the account was erased (milliseconds since 1970, UTC); None if it was not."""


class Ring(msgspec.Struct, frozen=True):
    """A match has a new commit: its first and last version, and what everybody may see of it, ready to send.

    frame is empty where the ringer had none; it never holds a secret.
    """

    match: str
    first: Version
    version: Version
    frame: bytes = b""


class Listener(Protocol):
    """Rings of one match. `async with` it: from the entry on, no ring is missed without a None that says so."""

    def __aiter__(self) -> Self:
        """Itself."""

    async def __anext__(self) -> Ring | None:
        """The next ring; None when some may have been lost and the store must be read. Ends when the bell closes."""

    async def __aenter__(self) -> Self:
        """Begin to listen, unless the first `anext` has begun."""

    async def __aexit__(self, *failure: object) -> None:
        """Stop listening."""

    async def aclose(self) -> None:
        """Stop listening: waiting `anext`s end."""


class Bell(Protocol):
    """Fans rings out between processes. A ring may be lost; whoever listens looks into the store every few seconds.

    A ring may also come twice, or as one ring without a frame for several: versions tell.
    """

    async def ring(self, ring: Ring) -> None:
        """Tell everybody who listens to the match. Never raises, never waits for the network."""

    def listen(self, match: str) -> Listener:
        """Rings of the match, from the entry of the listener (or its first `anext`) on."""

    async def ping(self) -> None:
        """Raises BellDown if rings do not get through at present."""

    async def close(self) -> None:
        """Stop; every listener ends."""


class BellDown(Exception):
    """Rings do not get through at present. Nothing is lost by that: they only save a look into the store."""


class MatchRow(msgspec.Struct, frozen=True):
    """A match in the lobby read model. status: seating, running or over. seated holds the account of each seat."""

    match: str
    game: str
    rules: int
    status: str
    seats: int
    seated: tuple[str | None, ...]
    opener: str
    version: Version
    created: int
    updated: int
    cause: str = ""


class MatchFilter(msgspec.Struct, frozen=True):
    """Which matches: each field that is given must fit. account: one who opened it or sits in it."""

    game: str | None = None
    status: str | None = None
    account: str | None = None


class MatchPage(msgspec.Struct, frozen=True):
    """A page of matches, latest created first; `cursor` continues behind the last row, None at the end."""

    rows: tuple[MatchRow, ...]
    cursor: str | None


class ReadModels(Protocol):
    """The projections, as queries."""

    async def matches(self, wanted: MatchFilter, first: int, after: str | None) -> MatchPage:
        """A page of at most `first` matches behind the cursor. Raises ValueError for a cursor that is none."""

    async def projected(self, match: str) -> Version:
        """Up to which version of the match the lobby has been projected (0 if not at all)."""


class Signer(Protocol):
    """The server's signing key."""

    def receipt(self, commit: Commit) -> bytes:
        """The signed receipt of a commit, as canonical JSON."""

    def refusal(self, refused: Refusal, command: bytes) -> bytes:
        """The signed refusal of a command (its canonical bytes), as canonical JSON."""
