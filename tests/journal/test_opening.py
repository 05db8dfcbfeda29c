import asyncio
import logging
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from cave_lab.errors import JournalTooNew, JournalUnavailable
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import FILE_NAME
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import ThreadId
from tests.journal.making import THREAD, created, delta, texts


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_folder_and_files_are_for_their_owner_alone(folder):
    before = os.umask(0)
    try:
        journal = await Journal.open(folder / "deeper", DEFAULT_LIMITS)
        await journal.append(THREAD, [created()])
    finally:
        os.umask(before)
    try:
        assert stat.S_IMODE((folder / "deeper").stat().st_mode) == 0o700
        assert modes(folder / "deeper") == {
            FILE_NAME: 0o600,
            "cave_lab.sqlite-wal": 0o600,
            "cave_lab.sqlite-shm": 0o600,
            "cave_lab.lock": 0o600,
        }
    finally:
        await journal.close()


async def test_a_folder_that_others_can_read_is_closed_to_them(folder):
    folder.mkdir(mode=0o755)
    (folder / FILE_NAME).touch(0o644)
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert modes(folder)[FILE_NAME] == 0o600


async def test_what_was_stored_is_there_after_a_restart(folder):
    for count in range(3):
        journal = await Journal.open(folder, DEFAULT_LIMITS)
        assert journal.notes == ()
        await journal.append(THREAD, [delta(str(count)) if count else created()])
        found = await journal.events(THREAD)
        await journal.close()
        assert [event.seq for event in found] == list(range(1, count + 2))


async def test_a_newer_file_is_refused_and_not_touched(folder):
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    await journal.close()
    path = folder / FILE_NAME
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with pytest.raises(JournalTooNew, match="Update CaveLab"):
        await Journal.open(folder, DEFAULT_LIMITS)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert not list(folder.glob("*corrupt*"))


async def test_a_folder_that_can_not_be_made_makes_the_journal_unavailable(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(JournalUnavailable, match="Check the disk's space and rights"):
        await Journal.open(tmp_path / "file" / "journal", DEFAULT_LIMITS)


async def test_opening_can_be_cancelled_and_leaves_the_folder_free(folder):
    opening = asyncio.create_task(Journal.open(folder, DEFAULT_LIMITS))
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)
    assert opening.cancelled()
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    await journal.close()


async def test_the_log_says_how_the_file_is_kept(folder, caplog):
    with caplog.at_level(logging.INFO, "cave_lab.journal"):
        journal = await Journal.open(folder, DEFAULT_LIMITS)
        await journal.close()
        assert "kept with a write-ahead log" in caplog.text
        caplog.clear()
        journal = await Journal.open(folder, DEFAULT_LIMITS, storage="rollback")
        await journal.close()
        assert "kept with a rollback journal, full sync" in caplog.text


async def test_without_a_write_ahead_log_all_is_kept_as_well(folder):
    journal = await Journal.open(folder, DEFAULT_LIMITS, storage="rollback")
    other = await Journal.open(folder, DEFAULT_LIMITS, storage="rollback")
    try:
        assert journal.storage == "rollback"
        await journal.append(THREAD, [created()])
        await asyncio.gather(*(journal.append(THREAD, [delta(str(n))]) for n in range(20)))
        assert texts(await other.events(THREAD)) == [str(n) for n in range(20)]
        level = await journal._writer.run(
            lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0],
            durable=False,
        )
        assert level == 2
        assert not list(folder.glob("*-wal"))
        await journal.delete_thread(THREAD)
    finally:
        await other.close()
        await journal.close()


async def test_a_file_with_a_write_ahead_log_moves_to_a_network_file_system(folder):
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    await journal.close()
    journal = await Journal.open(folder, DEFAULT_LIMITS, storage="rollback")
    assert journal.storage == "rollback"
    assert len(await journal.events(THREAD)) == 1
    await journal.close()


async def test_a_write_ahead_log_in_use_elsewhere_is_not_shared_over_a_network(journal, folder):
    limits = Limits(busy_seconds=0.1)
    with pytest.raises(JournalUnavailable):
        await Journal.open(folder, limits, storage="rollback")
    await journal.append(THREAD, [created()])


async def test_many_servers_may_open_a_new_folder_at_the_same_moment(folder):
    opened = await asyncio.gather(*(Journal.open(folder, DEFAULT_LIMITS) for _ in range(5)))
    for number, journal in enumerate(opened):
        await journal.append(ThreadId(f"thread-{number}"), [created()])
    assert len(await opened[0].threads("local")) == 5
    for journal in opened:
        await journal.close()


async def test_a_rollback_journal_left_by_a_crash_is_played_back(folder, tmp_path):
    journal = await Journal.open(folder, DEFAULT_LIMITS, storage="rollback")
    drafts: list[Event] = [created(), *(delta(f"{number} " + "x" * 3_000) for number in range(300))]
    appended = await journal.append(THREAD, drafts)
    await journal.close()
    crashed = tmp_path / "crashed"
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as writing:
        # So small a cache spills: half of an open transaction is in the file already.
        writing.execute("PRAGMA cache_size = 5")
        writing.execute("BEGIN IMMEDIATE")
        writing.execute("UPDATE events SET body = 'half written'")
        shutil.copytree(folder, crashed)
        writing.execute("ROLLBACK")
    assert b"half written" in (crashed / FILE_NAME).read_bytes()
    journal = await Journal.open(crashed, DEFAULT_LIMITS, storage="rollback")
    try:
        assert journal.notes == ()
        assert [event async for page in journal.pages(THREAD) for event in page] == appended
    finally:
        await journal.close()
