"""A disk that is full, or may not be written, stops the journal with a sentence."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from tests.faults.journal_process import NOBODY, words
from tests.journal.making import THREAD, created, texts


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="cave-lab-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def take_rights_to_write(folder: Path) -> None:
    for path in (folder, *folder.iterdir()):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o500 if path.is_dir() else 0o400)


async def test_a_full_disk_loses_no_committed_event_and_the_journal_goes_on_when_it_is_not(
    launch, folder
):
    process = await launch("fill_disk", folder)
    failed, readable, again = await process.rest()
    committed = failed["committed"]
    assert failed["code"] == "journal_unavailable"
    assert committed > 10
    assert readable == {"readable": committed}
    assert again == {"again": [committed + 1, committed + 2]}
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    try:
        assert journal.notes == ()
        events = [event async for page in journal.pages(THREAD) for event in page]
    finally:
        await journal.close()
    assert [event.seq for event in events] == list(range(1, committed + 3))
    assert texts(events[:committed]) == [
        words(THREAD, number) for number in range(2, committed + 1) if number % 4
    ]


async def test_a_journal_that_may_only_be_read_is_unavailable(launch, reachable):
    folder = reachable / "journal"
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    await journal.close()
    before = (folder / "cave_lab.sqlite").read_bytes()
    take_rights_to_write(folder)
    process = await launch("open_without_rights", folder)
    said = await process.rest()
    folder.chmod(0o700)
    assert [line["code"] for line in said] == ["journal_unavailable"]
    assert "rights" in said[0]["sentence"]
    assert (folder / "cave_lab.sqlite").read_bytes() == before


async def test_a_folder_that_may_only_be_read_gets_no_journal(launch, reachable):
    folder = reachable / "journal"
    folder.mkdir()
    take_rights_to_write(folder)
    process = await launch("open_without_rights", folder)
    said = await process.rest()
    assert [line["code"] for line in said] == ["journal_unavailable"]
    assert list(folder.iterdir()) == []
