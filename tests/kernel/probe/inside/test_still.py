"""Calls into a library that locks, while other threads go in and out of it."""

import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from cave_lab.kernel.probe.inside.still import Stillness, Unstill, call_alone

LIBRARY = """
def stay(inside, rounds):
    inside.append(1)
    for _ in range(rounds):
        pass
    inside.pop()

def call_back(function):
    function()
"""

CALLS, ROUNDS = 30_000, 1_000
"""In so many calls a look at the threads before each was slipped past about 30 times."""


@pytest.fixture
def library() -> Any:
    """A library written in Python, which threads can be inside of."""
    module = ModuleType("locking.inner")
    exec(LIBRARY, module.__dict__)
    return module


@pytest.fixture
def restless() -> Iterator[None]:
    """Python lets another thread go on very often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def beside(work: Callable[[], object], ask: Callable[[], object]) -> None:
    """Ask while another thread works, over and over."""
    going = True

    def loop() -> None:
        while going:
            work()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        ask()
    finally:
        going = False
        thread.join()


@pytest.mark.usefixtures("restless")
def test_a_thread_that_goes_in_and_out_is_never_inside_when_the_call_is_made(library: Any) -> None:
    inside: list[int] = []
    found: list[list[int] | None] = []

    def ask() -> None:
        for _ in range(CALLS):
            try:
                found.append(call_alone("locking", inside.copy))
            except Unstill:
                found.append(None)

    def work() -> None:
        library.stay(inside, ROUNDS)
        for _ in range(ROUNDS):
            pass

    beside(work, ask)
    assert [] in found, "no call was made at all"
    assert [1] not in found


def test_a_thread_that_the_library_calls_back_is_inside(library: Any) -> None:
    entered, leave = threading.Event(), threading.Event()

    def wait() -> None:
        entered.set()
        leave.wait(30)

    thread = threading.Thread(target=library.call_back, args=(wait,))
    thread.start()
    try:
        assert entered.wait(30)
        with pytest.raises(Unstill):
            call_alone("locking", len, "four")
        assert Stillness(watched=True).read(lambda: call_alone("locking", len, "four")) is None
        assert call_alone("another", len, "four") == 4
    finally:
        leave.set()
        thread.join()
    assert call_alone("locking", len, "four") == 4


def test_what_the_call_raises_is_raised() -> None:
    with pytest.raises(TypeError):
        call_alone("locking", len, 4)


def test_nothing_is_read_while_a_cell_runs() -> None:
    still = Stillness(watched=True)
    still.cell_starts()
    assert still.read(lambda: 1) is None
    still.cell_ends()
    assert still.read(lambda: 1) == 1
