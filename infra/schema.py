"""Whether the database has the schema that this code is written for."""

from sqlalchemy import Connection, inspect, text

from infra.tables import SCHEMA

_REVISION = text("SELECT version_num FROM alembic_version")


class SchemaError(Exception):
    """The database is at another schema revision; the message says which, and what to do."""


def check_schema(connection: Connection) -> None:
    """Raises SchemaError unless the schema is the present one."""
    if not inspect(connection).has_table("alembic_version"):
        raise SchemaError("The database is empty. Run `podesta migrate`.")
    found = connection.scalar(_REVISION)
    if found != SCHEMA:
        raise SchemaError(f"The database is at schema {found}, this build needs {SCHEMA}. Run `podesta migrate`.")


def is_current(connection: Connection) -> bool:
    """Whether nothing needs to be migrated."""
    return inspect(connection).has_table("alembic_version") and connection.scalar(_REVISION) == SCHEMA
