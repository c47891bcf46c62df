"""The database schema, as Alembic migrations."""
