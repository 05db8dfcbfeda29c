"""A write-ahead log that lost its end in a power failure leaves a prefix of what was committed."""

import random
import shutil
from pathlib import Path

import pytest

from cave_lab.errors import NotFound
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import FILE_NAME
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.ids import Seq, ThreadId
from tests.faults.conftest import Launch
from tests.faults.journal_process import TURN_TAKERS as NAMES
from tests.faults.journal_process import TURNS, draft

FRAME = 4_096 + 24
HEADER = 32
CUTS_A_TEST = 12

Counts = tuple[int, ...]


async def counts(journal: Journal) -> Counts:
    """How many events each thread has; none if it has not begun."""

    async def count(name: ThreadId) -> int:
        try:
            events = [event async for page in journal.pages(name) for event in page]
        except NotFound:
            return 0
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        return len(events)

    return tuple([await count(name) for name in NAMES])


def states() -> list[Counts]:
    """What the journal holds after each of the commits of `take_turns`."""
    return [
        tuple(round_ + (place < taken) for place in range(len(NAMES)))
        for round_ in range(TURNS)
        for taken in range(len(NAMES))
    ] + [(TURNS,) * len(NAMES)]


async def killed(launch: Launch, folder: Path) -> bytes:
    """Let a process write and kill it; return the write-ahead log that it leaves."""
    process = await launch("take_turns", folder)
    assert await process.line() == "done"
    await process.kill()
    (folder / f"{FILE_NAME}-shm").unlink()
    return (folder / f"{FILE_NAME}-wal").read_bytes()


def cuts(length: int, seed: int) -> list[int]:
    """Anywhere, and right before, at and after the end of a frame."""
    dice = random.Random(seed)
    ends = [HEADER + FRAME * dice.randint(0, length // FRAME) for _ in range(CUTS_A_TEST // 2)]
    return [
        *(min(length, max(0, end + dice.choice([-1, 0, 1]))) for end in ends),
        *(dice.randint(0, length) for _ in range(CUTS_A_TEST // 2)),
    ]


@pytest.mark.parametrize("seed", range(5))
async def test_a_log_cut_anywhere_leaves_a_prefix_of_the_commits_and_goes_on(
    launch, folder, tmp_path, seed
):
    log = await killed(launch, folder)
    for cut in cuts(len(log), seed):
        crashed = tmp_path / f"crashed-{cut}"
        shutil.copytree(folder, crashed, dirs_exist_ok=True)
        (crashed / f"{FILE_NAME}-wal").write_bytes(log[:cut])
        journal = await Journal.open(crashed, DEFAULT_LIMITS)
        try:
            assert journal.notes == ()
            found = await counts(journal)
            assert found in states()
            for name, count in zip(NAMES, found, strict=True):
                if count:
                    await journal.claim(name)
                events = await journal.append(name, [draft(name, count + 1)])
                assert events[0].seq == Seq(count + 1)
        finally:
            await journal.close()


async def test_a_whole_log_leaves_everything(launch, folder):
    await killed(launch, folder)
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    try:
        assert await counts(journal) == states()[-1] == (TURNS, TURNS, TURNS)
    finally:
        await journal.close()
