"""The tables, for both engines: what the schema is made from, and what reads and projections are written with."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

SCHEMA: Final = "0003"
"""The migration that this code is written for; a store at another one is refused."""

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_BIG = BigInteger().with_variant(Integer(), "sqlite")

commits: Final = Table(
    "commits",
    metadata,
    Column("match", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("time", _BIG, nullable=False),
    Column("account", Text, nullable=False),
    Column("seat", Integer),
    Column("command_id", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("command", LargeBinary, nullable=False),
    Column("command_public", LargeBinary, comment="null where nothing is hidden: then it is the command"),
    Column("draw", Integer),
    Column("draws", LargeBinary),
    Column("signature", LargeBinary),
    Column("previous", LargeBinary, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("receipt", LargeBinary, nullable=False),
    PrimaryKeyConstraint("match", "last"),
    UniqueConstraint("match", "account", "command_id"),
    Index(
        "uq_commits_opening",
        "account",
        "command_id",
        unique=True,
        postgresql_where=text("first = 1"),
        sqlite_where=text("first = 1"),
    ),
)

events: Final = Table(
    "events",
    metadata,
    Column("match", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("shape", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("public", LargeBinary, comment="null where nothing is hidden: then it is the body"),
    Column("hidden", Text, nullable=False, comment="the hidden paths, separated by spaces"),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("match", "version"),
)

heads: Final = Table(
    "heads",
    metadata,
    Column("match", Text, primary_key=True),
    Column("partition", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    comment="where each match stands: the row that an append locks",
)

outbox: Final = Table(
    "outbox",
    metadata,
    Column("id", _BIG, Identity(always=True), primary_key=True),
    Column("partition", Integer, nullable=False),
    Column("match", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("time", _BIG, nullable=False),
    Column("kinds", Text, nullable=False, comment="the types of the commit's events, each once, separated by spaces"),
    Index("ix_outbox_partition_id", "partition", "id"),
    sqlite_autoincrement=True,
    comment="commits that have no position yet",
)

log: Final = Table(
    "log",
    metadata,
    Column("partition", Integer, nullable=False),
    Column("position", _BIG, nullable=False),
    Column("match", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("time", _BIG, nullable=False),
    Column("kinds", Text, nullable=False),
    PrimaryKeyConstraint("partition", "position"),
    UniqueConstraint("match", "last"),
)

vault: Final = Table(
    "vault",
    metadata,
    Column("match", Text, primary_key=True),
    Column("key", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)

accounts: Final = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("sealed", LargeBinary, comment="the name, encrypted under the account's own key"),
    Column("guest", Boolean, nullable=False),
    Column("roles", Text, nullable=False, comment="separated by spaces"),
    Column("created", _BIG, nullable=False),
)

account_keys: Final = Table(
    "account_keys",
    metadata,
    Column("account", Text, primary_key=True),
    Column("key", Text, nullable=False, comment="which key of the vault encrypts it"),
    Column("sealed", LargeBinary, nullable=False),
    comment="each account's own key: destroyed with the account. Keep it out of the backups of the rest",
)

erasures: Final = Table(
    "erasures",
    metadata,
    Column("account", Text, primary_key=True),
    Column("time", _BIG, nullable=False),
    comment="accounts that were erased, and when",
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("account", Text, nullable=False),
    Column("created", _BIG, nullable=False),
    Column("expires", _BIG),
    Column("revoked", _BIG),
    Index("ix_tokens_account", "account"),
)

projections: Final = Table(
    "projections",
    metadata,
    Column("name", Text, primary_key=True),
    Column("serving", Integer, nullable=False),
    comment="which generation of a projection's rows is read",
)

positions: Final = Table(
    "positions",
    metadata,
    Column("name", Text, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("partition", Integer, nullable=False),
    Column("position", _BIG, nullable=False, comment="the next position to read"),
    PrimaryKeyConstraint("name", "generation", "partition"),
)

matches: Final = Table(
    "matches",
    metadata,
    Column("generation", Integer, nullable=False),
    Column("match", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("opener", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", _BIG, nullable=False),
    Column("updated", _BIG, nullable=False),
    Column("cause", Text, nullable=False),
    PrimaryKeyConstraint("generation", "match"),
    Index("ix_matches_created", "generation", "created", "match"),
    Index("ix_matches_opener", "generation", "opener"),
)

match_seats: Final = Table(
    "match_seats",
    metadata,
    Column("generation", Integer, nullable=False),
    Column("match", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("account", Text, nullable=False),
    PrimaryKeyConstraint("generation", "match", "seat"),
    Index("ix_match_seats_account", "generation", "account"),
)

tiles: Final = Table(
    "tiles",
    metadata,
    Column("partition", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    Column("index", _BIG, nullable=False),
    Column("hashes", LargeBinary, nullable=False, comment="up to 256 hashes of 32 bytes"),
    PrimaryKeyConstraint("partition", "level", "index"),
    comment="the Merkle tree over each partition of the log",
)

checkpoints: Final = Table(
    "checkpoints",
    metadata,
    Column("partition", Integer, nullable=False),
    Column("size", _BIG, nullable=False),
    Column("time", _BIG, nullable=False),
    Column("note", Text, nullable=False),
    PrimaryKeyConstraint("partition", "size"),
    comment="every tree head that was signed",
)

NEVER_CHANGED: Final = ("commits", "events", "log", "checkpoints", "erasures")
"""Tables whose rows are only ever added."""

GRANTS: Final = {
    "commits": "SELECT, INSERT",
    "events": "SELECT, INSERT",
    "log": "SELECT, INSERT",
    "vault": "SELECT, INSERT",
    "heads": "SELECT, INSERT, UPDATE",
    "outbox": "SELECT, INSERT, DELETE",
    "accounts": "SELECT, INSERT, UPDATE",
    "account_keys": "SELECT, INSERT, DELETE",
    "erasures": "SELECT, INSERT",
    "tokens": "SELECT, INSERT, UPDATE, DELETE",
    "projections": "SELECT, INSERT, UPDATE",
    "positions": "SELECT, INSERT, UPDATE, DELETE",
    "matches": "SELECT, INSERT, UPDATE, DELETE",
    "match_seats": "SELECT, INSERT, UPDATE, DELETE",
    "tiles": "SELECT, INSERT, UPDATE",
    "checkpoints": "SELECT, INSERT",
    "alembic_version": "SELECT",
}
"""What the service's database role may do, and nothing beside."""
