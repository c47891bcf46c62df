"""Whether this process can serve: the store and its schema must be there; without the bell it serves, but slower."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import structlog
from sqlalchemy import Connection, text

from infra.database import Database
from infra.lag import measure_lag
from infra.ports import Bell
from infra.schema import SchemaError, check_schema

log = structlog.get_logger(__name__)

CHECK_S: Final = 3.0
OK: Final = "ok"


class Readiness(msgspec.Struct, frozen=True):
    """The state of everything a process leans on. status: ready, degraded (no bell: watchers are late), or unready."""

    status: str
    store: str
    migrations: str
    bell: str


async def readiness(database: Database, bell: Bell) -> Readiness:
    """Ask the store, its schema and the bell, at the same time and each for a few seconds at most."""
    store, migrations, rings = await asyncio.gather(
        _check("store", lambda: database.read(_select_one)),
        _check("migrations", lambda: database.read(check_schema)),
        _check("bell", bell.ping),
    )
    serves = store == OK and migrations == OK
    status = "unready" if not serves else "ready" if rings == OK else "degraded"
    return Readiness(status=status, store=store, migrations=migrations, bell=rings)


async def measured(database: Database) -> None:
    """Bring the gauges that the store must be asked for up to date; if it does not answer, they stay as they were."""
    try:
        async with asyncio.timeout(CHECK_S):
            await measure_lag(database)
    except Exception as error:  # noqa: BLE001 - what is wrong with the store is told by `/readyz`
        log.warning("lag_not_measured", reason=str(error))


async def _check(name: str, ask: Callable[[], Awaitable[Any]]) -> str:
    """`ok`, or what is wrong; details, which may name hosts, go to the log alone."""
    try:
        async with asyncio.timeout(CHECK_S):
            await ask()
    except SchemaError as error:
        return str(error)
    except TimeoutError:
        return f"no answer in {CHECK_S:g} s"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is not ready
        log.warning("not_ready", check=name, reason=str(error))
        return "out of reach"
    return OK


def _select_one(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))
