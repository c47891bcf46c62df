"""The transparency log: the Merkle tree over the log, and every tree head that was signed."""

import sqlalchemy as sa
from alembic import op

from migrations.refusing import refuse_changes

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tiles",
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("index", _BIG, nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False, comment="up to 256 hashes of 32 bytes"),
        sa.PrimaryKeyConstraint("partition", "level", "index", name=op.f("pk_tiles")),
        comment="the Merkle tree over each partition of the log",
    )
    op.create_table(
        "checkpoints",
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("size", _BIG, nullable=False),
        sa.Column("time", _BIG, nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("partition", "size", name=op.f("pk_checkpoints")),
        comment="every tree head that was signed",
    )
    refuse_changes("checkpoints")


def downgrade() -> None:
    raise NotImplementedError("what is stored is never removed; restore a backup instead")
