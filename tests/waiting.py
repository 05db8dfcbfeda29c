"""The one way a test waits: until something is so, or a deadline that says what was missed."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

INTERVAL = 0.01
"""Seconds between two looks: short beside a kernel's answer, long beside the cost of a look."""


T = TypeVar("T")


@overload
async def until(condition: Callable[[], Awaitable[T]], what: str, *, seconds: float = ...) -> T: ...


@overload
async def until(condition: Callable[[], T], what: str, *, seconds: float = ...) -> T: ...


async def until(condition: Callable[[], Any], what: str, *, seconds: float = 20.0) -> Any:
    """Return the first true value of `condition`; fail with "never saw …" after `seconds`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while True:
        value = condition()
        if inspect.isawaitable(value):
            value = await value
        if value:
            return value
        if loop.time() > deadline:
            raise AssertionError(f"never saw {what} within {seconds:g} s (last: {value!r})")
        await asyncio.sleep(INTERVAL)
