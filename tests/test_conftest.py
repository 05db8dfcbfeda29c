import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.waiting import until

ROOT = Path(__file__).parents[1]
PREAMBLE = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
pytest_plugins = ["pytest_jupyter.jupyter_server", "tests.async_fixtures"]
from tests.conftest import jp_server_cleanup, no_task_outlives_its_owner
"""


def run(pytester: pytest.Pytester) -> pytest.RunResult:
    """In a process of its own: these tests close the loop that they run on."""
    return pytester.runpytest_subprocess("-p", "no:cacheprovider")


@pytest.fixture
async def group() -> AsyncIterator[asyncio.TaskGroup]:
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        yield tasks


@pytest.fixture
async def loop_of_a_fixture() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def test_async_test_fixture_and_server_share_one_loop(
    loop_of_a_fixture, jp_asyncio_loop, jp_serverapp
):
    assert asyncio.get_running_loop() is loop_of_a_fixture is jp_asyncio_loop
    assert jp_serverapp.io_loop.asyncio_loop is jp_asyncio_loop


async def test_a_task_group_stays_open_across_the_yield_of_a_fixture(group):
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    group.create_task(work())
    assert await until(done.is_set, "the task of the fixture's group")


async def test_waiting_past_the_deadline_says_what_was_missed():
    with pytest.raises(AssertionError, match="never saw a miracle within"):
        await until(lambda: None, "a miracle", seconds=0.02)


async def test_a_condition_may_be_awaitable():
    async def answer() -> int:
        return 42

    assert await until(answer, "the answer") == 42


def test_an_error_behind_the_yield_of_an_async_fixture_is_an_error(pytester: pytest.Pytester):
    pytester.makeconftest(PREAMBLE)
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        async def broken():
            yield 1
            raise ValueError("in the teardown")

        def test_it(broken):
            assert broken == 1
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*ValueError: in the teardown*"])


def test_a_fixture_for_many_tests_may_not_be_async(pytester: pytest.Pytester):
    pytester.makeconftest(PREAMBLE)
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture(scope="session")
        async def wide():
            yield 1

        def test_it(wide):
            pass
        """
    )
    result = run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*give it the scope 'function'*"])


def test_a_task_of_ours_that_outlives_its_test_is_an_error(pytester: pytest.Pytester):
    pytester.makeconftest(PREAMBLE)
    pytester.makepyfile(
        ours="import asyncio\nasync def forever():\n    await asyncio.Event().wait()\n",
        test_leak="""
        import asyncio, os
        import ours, tests.conftest
        tests.conftest.OUR_CODE = os.path.dirname(ours.__file__)

        async def test_it():
            test_it.handle = asyncio.create_task(ours.forever())
        """,
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*left running*forever*"])


def test_a_test_that_hangs_is_cancelled_and_its_fixtures_are_taken_down(
    pytester: pytest.Pytester,
):
    pytester.makeconftest(PREAMBLE)
    pytester.makepyfile(
        """
        import asyncio

        import pytest

        @pytest.fixture
        async def room():
            yield
            print("taken down")

        @pytest.mark.timeout(10)
        async def test_it(room):
            try:
                await asyncio.Event().wait()
            finally:
                print("cancelled")

        async def test_next():
            assert len(asyncio.all_tasks()) == 1
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*not over in time*", "cancelled", "taken down"])
