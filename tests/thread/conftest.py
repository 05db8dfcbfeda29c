"""A real journal that gives up quickly on a lock, and a way to lock it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS, Limits
from tests.journal.making import THREAD, created
from tests.thread.blocked import Block


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def limits() -> Limits:
    """Gives up on a lock at once; no beat of the server's comes between what a test does."""
    return replace(DEFAULT_LIMITS, busy_seconds=0.02, claim_beat_seconds=3_600)


@pytest.fixture
async def journal(folder: Path, limits: Limits) -> AsyncIterator[Journal]:
    """A journal in which one thread has begun."""
    journal = await Journal.open(folder, limits)
    await journal.append(THREAD, [created()])
    yield journal
    await journal.close()


@pytest.fixture
def block(folder: Path, journal: Journal) -> Block:
    """Keeps the journal from being written, as another process would."""
    return Block(folder)
