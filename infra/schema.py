"""Whether the database has the schema that this code is written for."""

from sqlalchemy import Connection, inspect, text

from infra.tables import SCHEMA


class SchemaError(Exception):
    """The database is at another schema revision; the message says which, and what to do."""


def check_schema(connection: Connection) -> None:
    """Raises SchemaError unless the schema is the present one."""
    if not inspect(connection).has_table("alembic_version"):
        raise SchemaError("The database is empty. Run `podesta migrate`.")
    found = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found != SCHEMA:
        raise SchemaError(f"The database is at schema {found}, this build needs {SCHEMA}. Run `podesta migrate`.")
