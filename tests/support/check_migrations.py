"""`alembic check` on fresh databases of both engines: the migrations lead to the tables that the code describes."""

import subprocess
import sys
import tempfile
from contextlib import ExitStack

from tests.support import servers


def check(url: str) -> None:
    """Bring the database to the newest revision, and compare it with the tables. Raises CalledProcessError."""
    for command in (["upgrade", "head"], ["check"]):
        subprocess.run([sys.executable, "-m", "alembic", "-x", f"url={url}", *command], check=True, timeout=120)


def main() -> None:
    """Check SQLite and every PostgreSQL version of this machine."""
    with ExitStack() as stack:
        check(f"sqlite:///{stack.enter_context(tempfile.TemporaryDirectory())}/check.db")
        print("alembic check: SQLite")  # noqa: T201
        folder = stack.enter_context(servers.folder())
        for name in servers.postgres_names():
            databases = stack.enter_context(servers.postgres_server(folder, name))
            url = databases.create()
            check(url)
            databases.drop(url)
            print(f"alembic check: PostgreSQL {name}")  # noqa: T201


if __name__ == "__main__":
    main()
