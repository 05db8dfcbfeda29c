from collections.abc import Callable
from pathlib import Path

import pytest

from cave_lab.journal.claims import Ours
from cave_lab.journal.journal import Journal
from cave_lab.journal.unfinished import Begun
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import ThreadId
from tests.journal.making import (
    THREAD,
    approval_closed,
    approval_requested,
    created,
    delta,
    queued,
    run_ended,
    run_intended,
    snapshot,
    turn_ended,
    turn_started,
    unqueued,
)

PAIRS: dict[str, tuple[Callable[[], Event], Callable[[], Event], str]] = {
    "turn": (turn_started, turn_ended, "turn-1"),
    "run": (run_intended, run_ended, "run-1"),
    "approval": (approval_requested, approval_closed, "approval-1"),
    "message": (queued, unqueued, "message-1"),
}


async def reopened(folder: Path) -> tuple[Journal, list[ThreadId]]:
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    return journal, await journal.orphans()


@pytest.mark.parametrize("kind", PAIRS)
async def test_what_began_and_did_not_end_makes_an_orphan(folder, kind):
    begin, end, name = PAIRS[kind]
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created(), begin(), delta("a")])
    assert await journal.orphans() == []
    await journal.close()

    journal, orphans = await reopened(folder)
    claim = await journal.claim(THREAD)
    assert orphans == [THREAD]
    assert claim == Ours(THREAD, unfinished=(Begun(kind, name),))
    assert await journal.orphans() == []
    await journal.append(THREAD, [end()])
    await journal.close()

    journal, orphans = await reopened(folder)
    assert orphans == []
    assert await journal.claim(THREAD) == Ours(THREAD)
    await journal.close()


async def test_the_end_of_a_run_that_was_never_intended_ends_nothing_else(journal, thread):
    await journal.append(thread, [turn_started(), run_intended("run-1"), run_ended("run-2")])
    await journal.release(thread)
    claim = await journal.claim(thread)
    assert isinstance(claim, Ours)
    assert claim.unfinished == (Begun("run", "run-1"), Begun("turn", "turn-1"))


async def test_pruning_does_not_forget_what_is_unfinished(journal, thread):
    await journal.append(thread, [turn_started(), snapshot()])
    assert await journal.prune(thread, 3) == 2
    await journal.release(thread)
    assert await journal.orphans() == [thread]


async def test_a_thread_that_a_living_server_holds_is_no_orphan(journal, other, thread):
    await journal.append(thread, [turn_started()])
    assert await other.orphans() == []
