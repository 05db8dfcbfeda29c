import asyncio

import pytest

from cave_lab.errors import JournalUnavailable
from tests.journal.making import THREAD, created, delta, turn_started


async def test_closing_twice_and_at_once_is_allowed(journal, folder):
    await journal.append(THREAD, [created()])
    await asyncio.gather(journal.close(), journal.close())
    await journal.close()
    assert sorted(path.name for path in folder.iterdir()) == ["cave_lab.lock", "cave_lab.sqlite"]


async def test_a_closed_journal_says_so(journal, thread):
    await journal.close()
    with pytest.raises(JournalUnavailable, match="closed"):
        await journal.append(thread, [turn_started()])
    with pytest.raises(JournalUnavailable, match="closed"):
        await journal.events(thread)


async def test_a_cancelled_close_ends_the_journal_all_the_same(journal, folder):
    await journal.append(THREAD, [created()])
    closing = asyncio.create_task(journal.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    await journal.close()
    assert not list(folder.glob("*-wal"))


async def test_the_log_does_not_grow_without_end(journal, thread, folder):
    for _ in range(8):
        await journal.put_blob(bytes(3_000_000), "image/png", thread)
        await journal.append(thread, [delta("x" * 3_000_000), turn_started()])
    assert (folder / "cave_lab.sqlite-wal").stat().st_size < 24_000_000
