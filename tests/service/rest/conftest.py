"""A REST surface for every test."""

from collections.abc import AsyncIterator

import pytest

from tests.service.desk import Desk
from tests.service.rest.served import Rest


@pytest.fixture
async def rest(desk: Desk) -> AsyncIterator[Rest]:
    """The REST surface over an empty store."""
    made = Rest(desk)
    try:
        yield made
    finally:
        await made.web.aclose()
