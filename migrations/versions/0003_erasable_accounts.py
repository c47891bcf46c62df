"""Erasable accounts: names encrypted under a key of each account's own, and a record of erasures.

Names that were stored in clear are forgotten: only the vault's key could encrypt them, and it is not at hand here.
"""

import sqlalchemy as sa
from alembic import op

from migrations.refusing import refuse_changes

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("accounts") as accounts:
        accounts.drop_column("name")
        accounts.add_column(
            sa.Column(
                "sealed",
                sa.LargeBinary(),
                nullable=True,
                comment="the name, encrypted under the account's own key",
            )
        )
    op.create_table(
        "account_keys",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False, comment="which key of the vault encrypts it"),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_account_keys")),
        comment="each account's own key: destroyed with the account. Keep it out of the backups of the rest",
    )
    op.create_table(
        "erasures",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("time", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_erasures")),
        comment="accounts that were erased, and when",
    )
    refuse_changes("erasures")


def downgrade() -> None:
    raise NotImplementedError("what is stored is never removed; restore a backup instead")
