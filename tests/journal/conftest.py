from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from tests.journal.making import THREAD, created


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
async def journal(folder: Path) -> AsyncIterator[Journal]:
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    yield journal
    await journal.close()


@pytest.fixture
async def other(journal: Journal, folder: Path) -> AsyncIterator[Journal]:
    """Another server's journal on the same folder."""
    other = await Journal.open(folder, DEFAULT_LIMITS)
    yield other
    await other.close()


@pytest.fixture
async def thread(journal: Journal) -> str:
    """A thread that has begun: one event."""
    await journal.append(THREAD, [created()])
    return THREAD
