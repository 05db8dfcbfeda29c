"""Async tests and fixtures on the loop that pytest-jupyter runs its tests and its server on.

pytest-jupyter runs every `async def test_…` on the one loop of the test, with or without a server;
it has nothing for fixtures. A fixture lives in a single task here, so a task group or a timeout may
stay open across its `yield`. A test that hangs is cancelled on that loop, so that it ends and its
fixtures can be taken down; the alarm of pytest-timeout would leave it running beneath them.
"""

import asyncio
import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator
from typing import Any

import pytest
from jupyter_core.utils import ensure_event_loop

SHARE_OF_TEST = 0.8
"""Of the time a test has in all: the rest is for its fixtures."""


def _loop() -> asyncio.AbstractEventLoop:
    return ensure_event_loop(prefer_selector_loop=True)


def _run_coroutine(function: Callable[..., Awaitable[Any]], **arguments: Any) -> Any:
    async def run() -> Any:
        return await function(**arguments)

    return _loop().run_until_complete(run())


def _run_generator(
    function: Callable[..., AsyncGenerator[Any, None]], **arguments: Any
) -> Iterator[Any]:
    ready: asyncio.Future[Any] = _loop().create_future()
    finish = asyncio.Event()
    end = object()

    async def live() -> None:
        values = function(**arguments)
        ready.set_result(await anext(values))
        await finish.wait()
        if await anext(values, end) is not end:
            raise RuntimeError("an async fixture yields exactly once")

    async def start() -> asyncio.Task[None]:
        owner = asyncio.create_task(live())
        await asyncio.wait({owner, ready}, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            await owner
        return owner

    owner = _loop().run_until_complete(start())
    yield ready.result()
    finish.set()
    _loop().run_until_complete(owner)


def _as_plain(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """The same fixture as pytest itself can run it; None if it is plain already."""
    if inspect.iscoroutinefunction(function):
        return functools.partial(_run_coroutine, function)
    if inspect.isasyncgenfunction(function):
        return functools.partial(_run_generator, function)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
    """Run an async fixture as pytest runs a plain one."""
    function = fixturedef.func
    plain = _as_plain(function)
    if plain is None:
        return (yield)
    if fixturedef.scope != "function":
        raise pytest.UsageError(
            f"{fixturedef.argname}: an async fixture lives on the loop of one test; "
            "give it the scope 'function'"
        )
    fixturedef.func = plain  # type: ignore[misc]
    try:
        return (yield)
    finally:
        fixturedef.func = function  # type: ignore[misc]


def _seconds(item: pytest.Function) -> float | None:
    marker = item.get_closest_marker("timeout")
    whole = marker.args[0] if marker else item.config.getini("timeout")
    return float(whole) * SHARE_OF_TEST if whole else None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Give an async test its time, and cancel it when that is over."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return (yield)

    @functools.wraps(test)
    async def in_time(**arguments: Any) -> None:
        clock = asyncio.timeout(_seconds(pyfuncitem))
        try:
            async with clock:
                await test(**arguments)
        except TimeoutError:
            if clock.expired():
                pytest.fail("not over in time, so it was cancelled")
            raise

    pyfuncitem.obj = in_time
    try:
        return (yield)
    finally:
        pyfuncitem.obj = test
