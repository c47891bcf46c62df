"""Alembic's entry: brings a PostgreSQL or SQLite database to a revision, one process at a time."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, text

from infra.engines import postgres_engine, sqlite_engine
from infra.tables import GRANTS, metadata

ROLE = "podesta_service"


def main() -> None:
    """Run on the connection that the caller gives, else on the database named by `-x url=` or the environment."""
    given: Connection | None = context.config.attributes.get("connection")
    if given is not None:
        migrate(given)
        return
    url = context.get_x_argument(as_dictionary=True).get("url") or os.environ.get("PODESTA_DATABASE_URL", "")
    if url.startswith("postgres"):
        asyncio.run(_on_postgres(url))
    elif url.startswith("sqlite:///"):
        engine = sqlite_engine(url.removeprefix("sqlite:///"))
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
    else:
        raise SystemExit("Name the database: -x url=postgresql://… or sqlite:///FILE, or PODESTA_DATABASE_URL.")


async def _on_postgres(url: str) -> None:
    engine = postgres_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


def migrate(connection: Connection) -> None:
    """Run the migrations inside the transaction that the caller has begun, and grant what the service may do."""
    postgres = connection.dialect.name == "postgresql"
    if postgres:
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('podesta migrations'))"))
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=not postgres)
    context.run_migrations()
    role = context.config.attributes.get("role") or os.environ.get("PODESTA_SERVICE_ROLE", ROLE)
    if postgres:
        grant(connection, role)


def grant(connection: Connection, role: str) -> None:
    """Give the role its rights on the tables that exist, if there is such a role."""
    if connection.scalar(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}) is None:
        return
    quoted = connection.dialect.identifier_preparer.quote_identifier(role)
    for table, rights in GRANTS.items():
        if connection.scalar(text("SELECT to_regclass(:table) IS NOT NULL"), {"table": table}):
            connection.execute(text(f"GRANT {rights} ON {table} TO {quoted}"))


main()
