"""What another generation of the kernel's memory means for a thread."""

from typing import Any

from cave_lab.protocol.content import Target, Variable
from cave_lab.protocol.ids import Generation, KernelId
from cave_lab.protocol.thread_events import KernelChanged, ThreadChanged
from cave_lab.state import ThreadState
from cave_lab.thread.kernel_watch import change_of
from tests.state.making import Story

HERE, OTHER = KernelId("kernel-1"), KernelId("kernel-2")
ONE, TWO = Generation("1-a"), Generation("2-b")


def bound(**seen: Any) -> ThreadState:
    """A thread that saw the variables of one generation."""
    story = Story().add(ThreadChanged, target=Target(kernel_id=HERE))
    story.add(KernelChanged, reason="bound", generation=ONE)
    if seen:
        story.turn().seen(generation=ONE, **seen)
    return story.state


def test_the_first_kernel_is_bound() -> None:
    change = change_of(Story().state, ONE, HERE, 50)
    assert change is not None
    assert (change.reason, change.generation) == ("bound", ONE)


def test_the_same_memory_is_no_news_and_neither_is_none_yet() -> None:
    assert change_of(bound(), ONE, HERE, 50) is None
    assert change_of(bound(), None, HERE, 50) is None


def test_another_memory_of_the_same_kernel_was_lost_unseen() -> None:
    names = [Variable(name=name, type="int", kind="number") for name in "abc"]
    change = change_of(bound(variables=names, total=7), TWO, HERE, 2)
    assert change is not None
    assert (change.reason, change.lost, change.lost_total) == ("lost", ["a", "b"], 7)


def test_another_kernel_is_a_switch() -> None:
    change = change_of(bound(), TWO, OTHER, 50)
    assert change is not None
    assert (change.reason, change.lost, change.lost_total) == ("switched", [], 0)
