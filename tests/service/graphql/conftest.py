"""A served desk for the tests of the GraphQL surface."""

from collections.abc import AsyncIterator

import pytest

from service.graphql.limits import Limits
from tests.service.desk import Desk
from tests.service.graphql.served import Served


@pytest.fixture
async def served(desk: Desk) -> AsyncIterator[Served]:
    """The GraphQL surface over an empty store, on a port of its own."""
    async with Served(desk, Limits()).running() as made:
        yield made
