"""What another generation of the kernel's memory means for a thread."""

from typing import Any

from cave_lab.protocol.content import Target, ValueBrief, Variable, VariableChange
from cave_lab.protocol.ids import Generation, KernelId, SessionId
from cave_lab.protocol.thread_events import KernelChanged, ThreadChanged
from cave_lab.state import ThreadState
from cave_lab.thread.kernel_watch import change_of
from tests.state.making import Story

SESSION, NEW_SESSION = SessionId("session-1"), SessionId("session-2")
HERE = Target(session_id=SESSION, kernel_id=KernelId("kernel-1"))
OTHER = Target(session_id=SESSION, kernel_id=KernelId("kernel-2"))
REOPENED = Target(session_id=NEW_SESSION, kernel_id=KernelId("kernel-2"))
ONE, TWO = Generation("1-a"), Generation("2-b")


def variables(names: str) -> list[Variable]:
    """A number for each letter."""
    return [Variable(name=name, type="int", kind="number") for name in names]


def bound(**seen: Any) -> ThreadState:
    """A thread that saw the variables of one generation."""
    return begun(**seen).state


def begun(**seen: Any) -> Story:
    """The same, to be told on."""
    story = Story().add(ThreadChanged, target=HERE)
    story.add(KernelChanged, reason="bound", generation=ONE)
    if seen:
        story.turn().seen(generation=ONE, **seen)
    return story


def test_the_first_kernel_is_bound() -> None:
    change = change_of(Story().state, ONE, HERE, 50)
    assert change is not None
    assert (change.reason, change.generation) == ("bound", ONE)


def test_the_same_memory_is_no_news_and_neither_is_none_yet() -> None:
    assert change_of(bound(), ONE, HERE, 50) is None
    assert change_of(bound(), None, HERE, 50) is None


def test_another_memory_of_the_same_kernel_was_lost_unseen() -> None:
    change = change_of(bound(variables=variables("abc"), total=7), TWO, HERE, 2)
    assert change is not None
    assert (change.reason, change.lost, change.lost_total) == ("lost", ["a", "b"], 7)


def test_another_kernel_of_the_session_is_a_switch() -> None:
    change = change_of(bound(), TWO, OTHER, 50)
    assert change is not None
    assert (change.reason, change.lost, change.lost_total) == ("switched", [], None)


def test_a_new_session_has_lost_what_the_old_one_knew() -> None:
    story = begun(variables=variables("ab"), total=2)
    changes = [
        VariableChange(name="made", kind="added"),
        VariableChange(name="a", kind="removed"),
        VariableChange(name="b", kind="changed"),
    ]
    story.proposes("made = a").intends().starts().ends(variables=changes)
    change = change_of(story.state, TWO, REOPENED, 50)
    assert change is not None
    assert (change.reason, change.lost, change.lost_total) == ("lost", ["b", "made"], 2)


def test_a_turn_that_could_not_see_the_variables_does_not_hide_what_was_lost() -> None:
    story = begun(variables=variables("abc"), total=3)
    story.turn(2).seen(2, unavailable="There is no kernel.")
    change = change_of(story.state, TWO, REOPENED, 50)
    assert change is not None
    assert (change.lost, change.lost_total) == (["a", "b", "c"], 3)


def test_what_was_lost_before_is_not_lost_again() -> None:
    story = begun(variables=variables("abc"), total=3)
    story.add(KernelChanged, reason="lost", generation=TWO, lost=["a", "b", "c"], lost_total=3)
    change = change_of(story.state, Generation("3-c"), HERE, 50)
    assert change is not None
    assert (change.lost, change.lost_total) == ([], None)


def test_what_matters_is_named_before_the_cut() -> None:
    rows = [
        Variable(name="i", type="int", kind="number"),
        Variable(name="pd", type="module", kind="module"),
        Variable(name="words", type="list", kind="container", length=3),
        Variable(name="df", type="DataFrame", kind="frame", shape=[90, 3]),
    ]
    story = begun(variables=rows, total=4)
    made = VariableChange(name="big", kind="added", after=ValueBrief(type="ndarray", shape=[999]))
    story.proposes("big = 1").intends().starts().ends(variables=[made])
    change = change_of(story.state, TWO, HERE, 3)
    assert change is not None
    assert (change.lost, change.lost_total) == (["big", "df", "words"], 5)


def test_of_an_empty_memory_nobody_says_that_it_was_empty_who_did_not_see_it_go() -> None:
    change = change_of(bound(variables=[], total=0), TWO, HERE, 50)
    assert change is not None
    assert (change.lost, change.lost_total) == ([], None)
