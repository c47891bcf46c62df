"""Tables whose rows are only ever added: the engine itself refuses to change or remove one, whoever asks."""

from alembic import op


def refuse_changes(table: str) -> None:
    """Put triggers on the table that refuse UPDATE, DELETE and TRUNCATE."""
    if op.get_bind().dialect.name == "sqlite":
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are never changed or removed'); END"
            )
        return
    op.execute(
        "CREATE OR REPLACE FUNCTION podesta_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% are never changed or removed', TG_TABLE_NAME; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION podesta_refuse()"
    )
