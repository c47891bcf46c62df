"""The first schema: the event store, the log, the vault, accounts and the lobby."""

import sqlalchemy as sa
from alembic import op

from migrations.refusing import refuse_changes

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_NEVER_CHANGED = ("commits", "events", "log")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("guest", sa.Boolean(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False, comment="separated by spaces"),
        sa.Column("created", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    op.create_table(
        "commits",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("time", _BIG, nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("command_id", sa.Text(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("header", sa.LargeBinary(), nullable=False),
        sa.Column("command", sa.LargeBinary(), nullable=False),
        sa.Column(
            "command_public",
            sa.LargeBinary(),
            nullable=True,
            comment="null where nothing is hidden: then it is the command",
        ),
        sa.Column("draw", sa.Integer(), nullable=True),
        sa.Column("draws", sa.LargeBinary(), nullable=True),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.Column("previous", sa.LargeBinary(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("receipt", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", "last", name=op.f("pk_commits")),
        sa.UniqueConstraint("match", "account", "command_id", name=op.f("uq_commits_match_account_command_id")),
    )
    op.create_index(
        "uq_commits_opening",
        "commits",
        ["account", "command_id"],
        unique=True,
        postgresql_where=sa.text("first = 1"),
        sqlite_where=sa.text("first = 1"),
    )

    op.create_table(
        "events",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("shape", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column(
            "public", sa.LargeBinary(), nullable=True, comment="null where nothing is hidden: then it is the body"
        ),
        sa.Column("hidden", sa.Text(), nullable=False, comment="the hidden paths, separated by spaces"),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", "version", name=op.f("pk_events")),
    )
    op.create_table(
        "heads",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_heads")),
        comment="where each match stands: the row that an append locks",
    )
    op.create_table(
        "log",
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("position", _BIG, nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("time", _BIG, nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("partition", "position", name=op.f("pk_log")),
        sa.UniqueConstraint("match", "last", name=op.f("uq_log_match_last")),
    )
    op.create_table(
        "match_seats",
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("generation", "match", "seat", name=op.f("pk_match_seats")),
    )
    op.create_index("ix_match_seats_account", "match_seats", ["generation", "account"])

    op.create_table(
        "matches",
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("opener", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", _BIG, nullable=False),
        sa.Column("updated", _BIG, nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("generation", "match", name=op.f("pk_matches")),
    )
    op.create_index("ix_matches_created", "matches", ["generation", "created", "match"])
    op.create_index("ix_matches_opener", "matches", ["generation", "opener"])

    op.create_table(
        "outbox",
        sa.Column("id", _BIG, sa.Identity(always=True), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("time", _BIG, nullable=False),
        sa.Column(
            "kinds",
            sa.Text(),
            nullable=False,
            comment="the types of the commit's events, each once, separated by spaces",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        comment="commits that have no position yet",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_partition_id", "outbox", ["partition", "id"])

    op.create_table(
        "positions",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("position", _BIG, nullable=False, comment="the next position to read"),
        sa.PrimaryKeyConstraint("name", "generation", "partition", name=op.f("pk_positions")),
    )
    op.create_table(
        "projections",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("serving", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_projections")),
        comment="which generation of a projection's rows is read",
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("created", _BIG, nullable=False),
        sa.Column("expires", _BIG, nullable=True),
        sa.Column("revoked", _BIG, nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tokens")),
    )
    op.create_index("ix_tokens_account", "tokens", ["account"])

    op.create_table(
        "vault",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_vault")),
    )

    for table in _NEVER_CHANGED:
        refuse_changes(table)


def downgrade() -> None:
    raise NotImplementedError("what is stored is never removed; restore a backup instead")
