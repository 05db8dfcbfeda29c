import random
import secrets
from pathlib import Path

import pytest

from cave_lab.errors import NotFound, ThreadElsewhere
from cave_lab.journal.claims import Ours
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import Storage
from cave_lab.limits import Limits
from cave_lab.protocol.ids import Seq, ThreadId
from tests.journal.making import (
    THREAD,
    changed,
    created,
    delta,
    run_ended,
    run_intended,
    snapshot,
    texts,
    turn_started,
)

OTHERS = [ThreadId(f"other-{number}") for number in range(3)]


def holds(folder: Path, canary: str) -> list[str]:
    """The files of the folder that hold the canary."""
    return [path.name for path in folder.iterdir() if canary.encode() in path.read_bytes()]


async def fill(journal: Journal, canary: str, seed: int) -> None:
    """Mix a thread with others so that their events share pages; many sizes, renamed often."""
    dice = random.Random(seed)
    await journal.append(THREAD, [created(owner=canary, title=canary)])
    for name in OTHERS:
        await journal.append(name, [created()])
    for number in range(150):
        name = dice.choice([THREAD, THREAD, *OTHERS])
        word = f"{canary} " if name == THREAD else "kept "
        draft = delta(word * dice.choice([1, 5, 40, 200]))
        await journal.append(
            name, [draft, changed(title=word * dice.randint(1, 9)), run_intended()]
        )
        if number % 10 == 0:
            await journal.put_blob(f"{word} {number}".encode() * 2_000, "text/plain", name)


@pytest.mark.parametrize("storage", ["wal", "rollback"])
@pytest.mark.parametrize("seed", range(3))
async def test_nothing_of_a_deleted_thread_is_left_in_any_file(folder, storage: Storage, seed: int):
    canary = secrets.token_hex(8)
    journal = await Journal.open(folder, Limits(batch_seconds=0.0), storage=storage)
    await fill(journal, canary, seed)
    assert holds(folder, canary)
    await journal.delete_thread(THREAD)
    # Read only when no connection is left: closing a file drops SQLite's locks on it.
    await journal.close()
    assert holds(folder, canary) == []


async def test_a_deleted_thread_leaves_its_id_and_last_number(journal, thread):
    await journal.append(thread, [delta("a"), turn_started()])
    await journal.put_blob(b"x", "text/plain", thread)
    await journal.delete_thread(thread)
    assert await journal.last_seq(thread) == 3
    assert await journal.threads("local") == []
    for refused in (
        journal.events(thread),
        journal.thread(thread),
        journal.claim(thread),
        journal.append(thread, [delta("b")]),
        journal.delete_thread(thread),
    ):
        with pytest.raises(NotFound):
            await refused
    with pytest.raises(ValueError, match="has begun before"):
        await journal.append(thread, [created()])
    await journal.release(thread)
    assert await journal.orphans() == []


async def test_only_the_server_that_holds_a_thread_deletes_it(journal, other, thread):
    with pytest.raises(ThreadElsewhere):
        await other.delete_thread(thread)
    assert len(await journal.events(thread)) == 1


async def test_pruning_removes_what_comes_before_a_snapshot(journal, thread):
    await journal.append(thread, [delta("old"), snapshot(), delta("new")])
    assert await journal.prune(thread, Seq(3)) == 2
    left = await journal.events(thread)
    assert [event.seq for event in left] == [3, 4]
    assert texts(left) == ["new"]
    assert (await journal.append(thread, [delta("next")]))[0].seq == 5


async def test_pruning_needs_a_snapshot_where_it_is_to_begin(journal, thread):
    await journal.append(thread, [delta("old"), snapshot()])
    for seq in (1, 2, 4):
        with pytest.raises(ValueError, match="is not a snapshot"):
            await journal.prune(thread, Seq(seq))
    assert [event.seq for event in await journal.events(thread)] == [1, 2, 3]


async def test_a_removal_that_fails_is_undone(journal, thread):
    await journal.append(thread, [run_intended(), run_ended()])

    def stumble(connection):
        connection.execute("DELETE FROM events")
        raise RuntimeError("in the removal")

    with pytest.raises(RuntimeError, match="in the removal"):
        await journal._upkeep.remove(stumble)
    assert len(await journal.events(thread)) == 3
    assert await journal.claim(thread) == Ours(thread)
