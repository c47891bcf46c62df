"""A desk for every test of the use cases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.desk import Desk, sqlite_desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """One process over an empty SQLite store."""
    async with sqlite_desk(tmp_path) as made:
        yield made
