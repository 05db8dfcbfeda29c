"""Deltas that continue each other become one; nothing else is joined."""

import pytest

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.protocol.ids import RunId, TurnId
from cave_lab.protocol.run_events import OutputAppended, OutputCleared
from cave_lab.protocol.thread_events import ActionDelta, ReasoningDelta, TextDelta
from cave_lab.thread.deltas import join

TURN = TurnId("turn-1")


def text(words: str, call: int = 1) -> TextDelta:
    return TextDelta(**DRAFT, turn_id=TURN, call=call, text=words)


def thought(words: str) -> ReasoningDelta:
    return ReasoningDelta(**DRAFT, turn_id=TURN, call=1, text=words)


def code(words: str, run: str = "run-1") -> ActionDelta:
    return ActionDelta(**DRAFT, turn_id=TURN, call=1, run_id=RunId(run), delta=words)


def printed(
    words: str, index: int = 0, *, late: bool = False, run: str = "run-1"
) -> OutputAppended:
    return OutputAppended(**DRAFT, run_id=RunId(run), index=index, text=words, late=late)


@pytest.mark.parametrize(
    "first, second, joined",
    [
        (text("a"), text("b"), text("ab")),
        (thought("a"), thought("b"), thought("ab")),
        (code("a"), code("b"), code("ab")),
        (printed("a"), printed("b"), printed("ab")),
    ],
)
def test_what_continues_is_joined(first: Draft, second: Draft, joined: Draft) -> None:
    assert join(first, second) == joined


@pytest.mark.parametrize(
    "first, second",
    [
        (text("a"), text("b", call=2)),
        (text("a"), thought("b")),
        (code("a"), code("b", run="run-2")),
        (printed("a"), printed("b", index=1)),
        (printed("a"), printed("b", late=True)),
        (printed("a"), printed("b", run="run-2")),
        (OutputCleared(**DRAFT, run_id=RunId("r")), OutputCleared(**DRAFT, run_id=RunId("r"))),
    ],
)
def test_what_belongs_to_something_else_is_not(first: Draft, second: Draft) -> None:
    assert join(first, second) is None
