"""The pen of a thread, over a real journal."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cave_lab import errors
from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import Seq
from cave_lab.thread.recorder import Recorder
from tests.journal.making import THREAD, created, delta, texts, turn_ended, turn_started
from tests.thread.blocked import Block
from tests.waiting import until


class Desk:
    """A recorder and what it told."""

    def __init__(self, journal: Journal, limits: Limits) -> None:
        self.told: list[Event] = []
        self.failures: list[errors.CaveLabError] = []
        self.on_told: Callable[[], None] = lambda: None
        self.pen = Recorder(journal, THREAD, limits, self._tell, self.failures.append)

    def _tell(self, events: Any) -> None:
        self.told += events
        self.on_told()

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.told]


@pytest.fixture
async def desk(journal: Journal, limits: Limits) -> AsyncIterator[Desk]:
    desk = Desk(journal, limits)
    desk.pen.start(Seq(1))
    yield desk
    await desk.pen.close()


async def failed(desk: Desk, block: Block) -> None:
    """Let a batch of deltas fail."""
    with block():
        await desk.pen.soft(delta("lost"))
        await until(lambda: desk.failures, "the failure")


# ── order


async def test_events_are_told_in_the_order_in_which_they_were_written(desk: Desk) -> None:
    await desk.pen.soft(delta("a"))
    await desk.pen.full(turn_started())
    await desk.pen.soft(delta("b"))
    await desk.pen.full(turn_ended())
    assert desk.types == ["text.delta", "turn.started", "text.delta", "turn.ended"]
    assert [event.seq for event in desk.told] == [2, 3, 4, 5]


async def test_nothing_is_told_before_it_is_in_the_file(desk: Desk, block: Block) -> None:
    seen: list[tuple[int, int]] = []

    def compare() -> None:
        [(stored,)] = block.rows("SELECT max(seq) FROM events")
        seen.append((desk.told[-1].seq, stored))

    desk.on_told = compare
    for number in range(5):
        await desk.pen.soft(delta(str(number)))
        await desk.pen.full(turn_started(turn=f"turn-{number}"))
    assert seen
    assert all(told <= stored for told, stored in seen)


async def test_many_writers_at_once_leave_no_gap_and_lose_nothing(desk: Desk) -> None:
    async def write(number: int) -> None:
        await desk.pen.soft(delta(f"{number} "))
        await desk.pen.full(turn_started(turn=f"turn-{number}"))

    await asyncio.gather(*(write(number) for number in range(50)))
    await desk.pen.flush()
    assert [event.seq for event in desk.told] == list(range(2, len(desk.told) + 2))
    assert sorted("".join(texts(desk.told)).split(), key=int) == [str(n) for n in range(50)]


# ── gathering


async def test_deltas_that_come_while_others_are_written_become_one_event(
    tmp_path: Path, limits: Limits
) -> None:
    slow = replace(limits, batch_seconds=0.5)
    journal = await Journal.open(tmp_path / "slow", slow)
    await journal.append(THREAD, [created()])
    desk = Desk(journal, slow)
    desk.pen.start(Seq(1))
    await desk.pen.soft(delta("first "))
    await until(lambda: desk.pen._writing, "the first batch on its way")
    for word in ("and ", "many ", "more"):
        await desk.pen.soft(delta(word))
    await until(lambda: len(texts(desk.told)) == 2, "both batches")
    await desk.pen.close()
    await journal.close()
    assert texts(desk.told) == ["first ", "and many more"]


async def test_an_awaited_event_takes_the_deltas_before_it_along_at_once(
    tmp_path: Path, limits: Limits
) -> None:
    unhurried = replace(limits, batch_seconds=60.0)
    journal = await Journal.open(tmp_path / "unhurried", unhurried)
    await journal.append(THREAD, [created()])
    desk = Desk(journal, unhurried)
    desk.pen.start(Seq(1))
    await desk.pen.soft(delta("by itself it would wait a minute"))
    await until(lambda: desk.pen._writing, "the batch on its way")
    await asyncio.wait_for(desk.pen.full(turn_started()), 20)
    await desk.pen.close()
    await journal.close()
    assert desk.types == ["text.delta", "turn.started"]


async def test_those_who_make_deltas_wait_when_the_disk_is_far_behind(
    journal: Journal, limits: Limits, block: Block
) -> None:
    desk = Desk(journal, replace(limits, waiting_drafts=2))
    # Not started: nothing is taken off the pile.
    desk.pen.closed = False
    await desk.pen.soft(turn_started(turn="turn-1"), turn_started(turn="turn-2"))
    late = asyncio.ensure_future(desk.pen.soft(delta("late")))
    done, _ = await asyncio.wait({late}, timeout=0.05)
    assert not done
    desk.pen.start(Seq(1))
    await late
    await desk.pen.close()
    assert desk.types == ["turn.started", "turn.started", "text.delta"]


# ── failure


async def test_a_failure_reaches_the_one_who_waits_and_nothing_was_written(
    desk: Desk, block: Block
) -> None:
    with block(), pytest.raises(errors.JournalUnavailable):
        await desk.pen.full(turn_started())
    assert desk.told == []
    assert [failure.code for failure in desk.failures] == ["journal_unavailable"]


async def test_a_failure_of_deltas_stops_the_next_writer_and_a_flush_says_so(
    desk: Desk, block: Block
) -> None:
    await failed(desk, block)
    for work in (desk.pen.soft(delta("x")), desk.pen.full(turn_started()), desk.pen.flush()):
        with pytest.raises(errors.JournalUnavailable):
            await work


async def test_a_flush_in_the_middle_of_a_failing_batch_does_not_call_it_written(
    desk: Desk, block: Block
) -> None:
    with block():
        await desk.pen.soft(delta("lost"))
        await until(lambda: desk.pen._writing, "the batch on its way")
        with pytest.raises(errors.JournalUnavailable):
            await desk.pen.flush()


async def test_what_was_on_its_way_behind_a_failure_is_not_written(
    desk: Desk, block: Block
) -> None:
    with block():
        await desk.pen.soft(delta("lost"))
        await until(lambda: desk.pen._writing, "the batch on its way")
        behind = asyncio.ensure_future(desk.pen.full(turn_started()))
        await until(lambda: len(desk.pen._writing) == 2, "the next one behind it")
        await until(lambda: desk.failures, "the failure")
    with pytest.raises(errors.JournalUnavailable):
        await behind
    assert desk.types == []
    assert block.rows("SELECT type FROM events") == [("thread.created",)]


async def test_after_a_failure_it_writes_again_when_told_to(desk: Desk, block: Block) -> None:
    await failed(desk, block)
    await desk.pen.settle()
    desk.pen.recover(Seq(1))
    await desk.pen.full(turn_started())
    assert desk.types == ["turn.started"]


async def test_an_error_raised_again_and_again_does_not_grow(desk: Desk, block: Block) -> None:
    await failed(desk, block)
    raised = []
    for _ in range(3):
        with pytest.raises(errors.JournalUnavailable) as caught:
            await desk.pen.soft(delta("x"))
        raised.append(caught.value)
    assert len(set(map(id, raised))) == 3
    assert desk.pen.failure is not None
    assert desk.pen.failure.__traceback__ is None


async def test_an_event_that_can_not_be_encoded_fails_its_writer_instead_of_hanging_it(
    desk: Desk,
) -> None:
    broken = delta("x").model_copy(update={"text": "\ud800"})
    with pytest.raises(errors.CaveLabError, match="could not write down"):
        await desk.pen.full(broken)
    await desk.pen.settle()
    desk.pen.recover(Seq(1))
    await desk.pen.full(turn_started())
    assert desk.types == ["turn.started"]


async def test_a_fault_of_the_one_who_is_told_fails_the_writer_instead_of_hanging_it(
    desk: Desk,
) -> None:
    def stumble() -> None:
        raise ValueError("no such state")

    desk.on_told = stumble
    with pytest.raises(errors.CaveLabError, match="could not write down"):
        await desk.pen.full(turn_started())


# ── cancelled callers, and the end


async def test_a_cancelled_writer_leaves_its_event_written_once_and_told(desk: Desk) -> None:
    writing = asyncio.ensure_future(desk.pen.full(turn_started()))
    await asyncio.wait({writing}, timeout=0)
    writing.cancel()
    await asyncio.wait({writing})
    assert writing.cancelled()
    await desk.pen.flush()
    assert desk.types == ["turn.started"]


async def test_what_waits_when_the_pen_is_put_down_is_written(
    journal: Journal, limits: Limits
) -> None:
    desk = Desk(journal, limits)
    desk.pen.start(Seq(1))
    await desk.pen.soft(delta("a"))
    writing = asyncio.ensure_future(desk.pen.full(turn_started()))
    await asyncio.wait({writing}, timeout=0)
    await desk.pen.close()
    await writing
    assert desk.types == ["text.delta", "turn.started"]


async def test_a_writer_who_comes_after_the_pen_was_put_down_is_refused_and_does_not_hang(
    journal: Journal, limits: Limits
) -> None:
    desk = Desk(journal, limits)
    desk.pen.start(Seq(1))
    await desk.pen.close()
    await desk.pen.close()
    for work in (desk.pen.soft(delta("x")), desk.pen.full(turn_started()), desk.pen.flush()):
        with pytest.raises(errors.JournalUnavailable, match="put away"):
            await asyncio.wait_for(work, 30)


async def test_a_writer_who_waits_for_room_is_refused_when_the_pen_is_put_down(
    journal: Journal, limits: Limits
) -> None:
    desk = Desk(journal, replace(limits, waiting_drafts=1))
    desk.pen.closed = False
    await desk.pen.soft(turn_started())
    late = asyncio.ensure_future(desk.pen.soft(delta("late")))
    await asyncio.wait({late}, timeout=0)
    desk.pen.start(Seq(1))
    await desk.pen.close()
    with pytest.raises(errors.JournalUnavailable):
        await asyncio.wait_for(late, 30)


async def test_the_thread_of_another_server_is_not_written(
    desk: Desk, journal: Journal, block: Block
) -> None:
    other = Recorder(journal, created().thread_id, Limits(), desk.told.extend, desk.failures.append)
    other.start(Seq(1))
    with pytest.raises(errors.NotFound):
        await other.full(turn_started())
    await other.close()
    assert desk.told == []
