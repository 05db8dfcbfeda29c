"""Two servers on one data folder: one of them has the thread, for as long as it lives."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.journal.place import FILE_NAME
from cave_lab.limits import DEFAULT_LIMITS
from tests.journal.making import THREAD, created


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder with a thread that nobody holds."""
    journal = await Journal.open(tmp_path / "journal", DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    await journal.close()
    return tmp_path / "journal"


async def test_one_of_two_servers_gets_the_thread_and_the_other_learns_who_has_it(launch, folder):
    first = await launch("hold", folder)
    second = await launch("hold", folder)
    said = sorted([await first.line(), await second.line()], key=lambda line: "held" in line)
    assert said[0] == {"ours": said[0]["ours"], "taken_over": False}
    assert said[1] == {"held": said[0]["ours"], "alive": True}
    assert said[0]["ours"] in (first.process.pid, second.process.pid)
    assert await first.end() == await second.end() == ["closed"]


async def test_a_server_that_ends_gives_the_thread_back(launch, folder):
    first = await launch("hold", folder)
    assert "ours" in await first.line()
    await first.end()
    second = await launch("hold", folder)
    assert await second.line() == {"ours": second.process.pid, "taken_over": False}


async def test_the_thread_of_a_killed_server_is_taken_over_at_once(launch, folder):
    first = await launch("hold", folder)
    assert "ours" in await first.line()
    await first.kill()
    second = await launch("hold", folder)
    assert await second.line() == {"ours": second.process.pid, "taken_over": True}


async def test_a_foreign_process_under_the_pid_of_a_killed_server_holds_nothing(launch, folder):
    first = await launch("hold", folder)
    assert "ours" in await first.line()
    await first.kill()
    # The system can't be made to give out a certain pid: let the row name one that lives.
    bystander = await launch("hold", folder.with_name("elsewhere"))
    with closing(sqlite3.connect(folder / FILE_NAME)) as outside, outside:
        changed = outside.execute("UPDATE servers SET pid = ?", (bystander.process.pid,)).rowcount
    assert changed == 1
    second = await launch("hold", folder)
    assert await second.line() == {"ours": second.process.pid, "taken_over": True}
