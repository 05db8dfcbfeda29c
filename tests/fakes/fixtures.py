"""The fake model server as a fixture."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.model_server import ModelServer


@pytest.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A fake provider; the test fails if a request found no turn of the script."""
    async with ModelServer() as server:
        yield server
        assert server.mismatches == []
