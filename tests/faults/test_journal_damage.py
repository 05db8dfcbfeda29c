"""A damaged journal is set aside unchanged, and a new one is begun."""

import random
from pathlib import Path

import pytest

from cave_lab.errors import JournalCorrupt
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import FILE_NAME
from cave_lab.limits import DEFAULT_LIMITS, Limits
from tests.faults.journal_process import TURNS, draft
from tests.journal.making import THREAD, Clock, created

PAGE = 4_096
COMPANIONS = ("-wal", "-shm")


async def filled(folder: Path) -> Path:
    """A closed journal of about a hundred pages."""
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [draft(THREAD, number) for number in range(1, 201)])
    await journal.close()
    return folder / FILE_NAME


def garbage(path: Path, start: int, length: int) -> bytes:
    """Overwrite a part of the file; return all of it."""
    data = bytearray(path.read_bytes())
    data[start : start + length] = random.Random(start).randbytes(length)
    path.write_bytes(data)
    return bytes(data)


def asides(folder: Path) -> list[Path]:
    """The files set aside, without what SQLite keeps beside them."""
    return sorted(path for path in folder.glob("*.corrupt-*") if path.name[-4:] not in COMPANIONS)


async def begun_anew(folder: Path) -> Journal:
    """Open the folder and see that a new journal works there."""
    journal = await Journal.open(folder, DEFAULT_LIMITS, now=Clock())
    assert await journal.threads("local") == []
    assert [event.seq for event in await journal.append(THREAD, [created()])] == [1]
    return journal


@pytest.mark.parametrize(
    "start, length",
    [(0, 100), (0, PAGE), (PAGE, PAGE), (10 * PAGE, PAGE), (40 * PAGE, 3 * PAGE), (16, 2)],
)
async def test_a_damaged_file_is_set_aside_unchanged_and_a_new_one_begun(folder, start, length):
    damaged = garbage(await filled(folder), start, length)
    journal = await begun_anew(folder)
    await journal.close()
    assert [path.name for path in asides(folder)] == [f"{FILE_NAME}.corrupt-20260101T000000Z"]
    assert asides(folder)[0].read_bytes() == damaged
    assert len(journal.notes) == 1
    assert asides(folder)[0].name in journal.notes[0]


async def test_what_is_no_database_at_all_is_set_aside(folder):
    folder.mkdir(mode=0o700)
    (folder / FILE_NAME).write_text("a shopping list, " * 1_000)
    journal = await begun_anew(folder)
    await journal.close()
    assert asides(folder)[0].read_text().startswith("a shopping list")


async def test_a_file_that_was_cut_short_is_set_aside(folder):
    path = await filled(folder)
    path.write_bytes(path.read_bytes()[: 30 * PAGE])
    journal = await begun_anew(folder)
    await journal.close()
    assert len(asides(folder)) == 1


async def test_the_log_of_a_damaged_file_goes_with_it(folder, launch):
    process = await launch("write", folder)
    for _ in range(40):
        assert await process.line() is not None
    await process.kill()
    # Where the log holds the same pages as the file, it would heal it.
    log = garbage(folder / f"{FILE_NAME}-wal", 0, 100)
    damaged = garbage(folder / FILE_NAME, 0, 100)
    journal = await begun_anew(folder)
    await journal.close()
    aside = folder / f"{FILE_NAME}.corrupt-20260101T000000Z"
    assert aside.read_bytes() == damaged
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log


async def test_damage_that_a_sound_log_covers_is_healed(folder, launch):
    process = await launch("take_turns", folder)
    assert await process.line() == "done"
    await process.kill()
    garbage(folder / FILE_NAME, 0, 100)
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    assert {record.last_seq for record in await journal.threads("local")} == {TURNS}
    await journal.close()
    assert journal.notes == ()
    assert asides(folder) == []


async def test_a_second_damaged_file_does_not_overwrite_the_first(folder):
    damaged = []
    for _ in range(2):
        damaged.append(garbage(await filled(folder), 0, 100))
        journal = await begun_anew(folder)
        await journal.delete_thread(THREAD)
        await journal.close()
        (folder / FILE_NAME).unlink()
    assert [path.read_bytes() for path in asides(folder)] == damaged


async def test_damage_met_while_running_is_said_and_the_file_set_aside_at_the_next_start(folder):
    path = await filled(folder)
    garbage(path, 10 * PAGE, 60 * PAGE)
    # Too large a file to be read through at every start.
    unread = Limits(journal_check_bytes=0)
    journal = await Journal.open(folder, unread)
    with pytest.raises(JournalCorrupt, match="Restart Jupyter"):
        async for _ in journal.pages(THREAD):
            pass
    await journal.close()
    journal = await Journal.open(folder, unread, now=Clock())
    await journal.close()
    assert len(journal.notes) == 1
    assert len(asides(folder)) == 1
    journal = await Journal.open(folder, unread)
    await journal.close()
    assert journal.notes == ()


async def test_a_damaged_file_stays_in_place_while_another_server_has_it_open(folder, launch):
    await filled(folder)
    elder = await launch("hold", folder)
    assert "ours" in await elder.line()
    damaged = garbage(folder / FILE_NAME, 10 * PAGE, 60 * PAGE)
    with pytest.raises(JournalCorrupt, match="Stop all Jupyter servers"):
        await Journal.open(folder, DEFAULT_LIMITS)
    assert asides(folder) == []
    assert (folder / FILE_NAME).read_bytes() == damaged
    await elder.kill()
    journal = await begun_anew(folder)
    await journal.close()
    assert asides(folder)[0].read_bytes() == damaged
