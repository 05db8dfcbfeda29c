import asyncio

import pytest

from cave_lab.model.watchdog import TooLong, TooQuiet, Watchdog


async def nothing() -> None:
    await asyncio.Event().wait()


async def test_silence_ends_the_wait_and_cancels_the_work():
    cancelled = asyncio.Event()

    async def work() -> None:
        try:
            await nothing()
        finally:
            cancelled.set()

    with pytest.raises(TooQuiet, match=r"0\.05 seconds"):
        await Watchdog(0.05, 10).wait(work())
    assert cancelled.is_set()


async def test_what_is_not_content_does_not_put_the_clock_back():
    async def beats(watchdog: Watchdog) -> None:
        while True:
            await watchdog.wait(asyncio.sleep(0.01))

    with pytest.raises(TooQuiet):
        await beats(Watchdog(0.1, 10))


async def test_content_puts_the_clock_back_but_not_the_one_for_the_whole():
    async def contents(watchdog: Watchdog) -> None:
        while True:
            await watchdog.wait(asyncio.sleep(0.01))
            watchdog.content()

    with pytest.raises(TooLong, match="2 seconds"):
        await contents(Watchdog(1.5, 2))


async def test_a_timeout_of_the_work_itself_is_not_ours():
    async def late() -> None:
        raise TimeoutError("the library's own")

    with pytest.raises(TimeoutError, match="the library's own"):
        await Watchdog(5, 10).wait(late())
