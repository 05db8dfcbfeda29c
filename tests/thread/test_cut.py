"""What cuts a turn: once, at once, and with nothing left running."""

import asyncio

import pytest

from cave_lab.thread.cut import Cut, TurnCut


async def forever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("ended")


async def test_work_that_is_done_in_time_is_returned() -> None:
    async def answer() -> int:
        return 42

    assert await Cut().guard(answer()) == 42


async def test_an_error_of_the_work_is_raised() -> None:
    async def fail() -> None:
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        await Cut().guard(fail())


async def test_a_cut_ends_the_work_before_it_is_raised() -> None:
    cut = Cut()
    ended: list[str] = []
    guarded = asyncio.ensure_future(cut.guard(forever(ended)))
    await asyncio.wait({guarded}, timeout=0)
    cut.set("kernel_lost")
    with pytest.raises(TurnCut) as caught:
        await guarded
    assert caught.value.reason == "kernel_lost"
    assert ended == ["ended"]


async def test_a_cut_that_came_before_lets_no_work_finish() -> None:
    cut = Cut()
    cut.set("stop")
    ended: list[str] = []
    with pytest.raises(TurnCut):
        await cut.guard(forever(ended))


async def test_the_first_reason_stays_and_a_stop_is_heard_all_the_same() -> None:
    cut = Cut()
    cut.set("kernel_lost")
    cut.set("stop")
    assert await cut.wait() == "kernel_lost"
    await asyncio.wait_for(cut.stop_pressed(), 1)


async def test_a_stop_is_taken_up_once_and_can_be_pressed_again() -> None:
    cut = Cut()
    cut.set("stop")
    await cut.stop_pressed()
    again = asyncio.ensure_future(cut.stop_pressed())
    await asyncio.wait({again}, timeout=0)
    assert not again.done()
    cut.set("stop")
    await asyncio.wait_for(again, 1)


async def test_a_cancelled_guard_leaves_nothing_running() -> None:
    ended: list[str] = []
    guarded = asyncio.ensure_future(Cut().guard(forever(ended)))
    await asyncio.wait({guarded}, timeout=0)
    guarded.cancel()
    await asyncio.wait({guarded})
    assert guarded.cancelled()
    assert ended == ["ended"]
    assert asyncio.all_tasks() == {asyncio.current_task()}
