"""What every test of CaveLab stands on.

Async tests: write `async def test_…` and nothing else. pytest-jupyter runs it on the one event loop
of that test, the same loop its `jp_*` fixtures put the server on; no mark, no other async plugin.
Async fixtures are run on that loop by `tests/async_fixtures.py`. To wait for something, use
`tests/waiting.py`.

A test fails if a task that runs code of `cave_lab` is still alive when the test and its fixtures
have ended.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.serverapp import ServerApp

import cave_lab

pytest_plugins = [
    "pytest_jupyter.jupyter_server",
    "tests.async_fixtures",
    "tests.fakes.fixtures",
    "pytester",
]

OUR_CODE = str(Path(cave_lab.__file__).parent)


def _runs_our_code(task: asyncio.Task[Any]) -> bool:
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and code.co_filename.startswith(OUR_CODE)


async def _end_all_tasks() -> list[asyncio.Task[Any]]:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()
    return [task for task in left if _runs_our_code(task)]


@pytest.fixture(autouse=True)
def no_task_outlives_its_owner(jp_asyncio_loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Fail a test that leaves a task of ours running; end quietly what libraries left."""
    yield
    ours = jp_asyncio_loop.run_until_complete(_end_all_tasks())
    if ours:
        pytest.fail("left running: " + ", ".join(sorted(map(repr, ours))))


@pytest.fixture(autouse=True)
def jp_server_cleanup(
    jp_asyncio_loop: asyncio.AbstractEventLoop, no_task_outlives_its_owner: None
) -> Iterator[None]:
    """Stop the server of a test that started one (pytest-jupyter starts one to stop it)."""
    yield
    if ServerApp.initialized():
        app = ServerApp.instance()
        jp_asyncio_loop.run_until_complete(app._cleanup())
        app.kernel_manager.context.destroy()
        ServerApp.clear_instance()
