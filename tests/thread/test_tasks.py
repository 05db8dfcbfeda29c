"""Tasks end with their owner, and what must be finished is."""

import asyncio
import logging

import pytest

from cave_lab.thread.tasks import Tasks, to_the_end


async def test_closing_ends_what_runs_and_what_its_ending_starts() -> None:
    tasks, ended = Tasks(), []

    async def last() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("last")

    async def first() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("first")
            tasks.spawn(last(), "last")

    running = tasks.spawn(first(), "first")
    await asyncio.wait({running}, timeout=0)
    assert len(tasks) == 1
    await tasks.close()
    assert len(tasks) == 0
    assert "first" in ended
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_failure_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("seen in the log")

    with caplog.at_level(logging.ERROR, "cave_lab"):
        await asyncio.wait({Tasks().spawn(fail(), "a failing task")})
    assert "a failing task" in caplog.text
    assert "seen in the log" in caplog.text


async def test_work_that_must_be_finished_is_finished_although_cancelled_twice() -> None:
    may_end, ended = asyncio.Event(), []

    async def write() -> str:
        await may_end.wait()
        ended.append("written")
        return "written"

    writing = asyncio.ensure_future(to_the_end(write()))
    for _ in range(2):
        await asyncio.wait({writing}, timeout=0)
        writing.cancel()
    await asyncio.wait({writing}, timeout=0)
    assert not writing.done()
    may_end.set()
    await asyncio.wait({writing})
    assert writing.cancelled()
    assert ended == ["written"]


async def test_uncancelled_it_returns_or_raises_what_the_work_does() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise ValueError("of the work")

    assert await to_the_end(answer()) == 42
    with pytest.raises(ValueError, match="of the work"):
        await to_the_end(fail())
