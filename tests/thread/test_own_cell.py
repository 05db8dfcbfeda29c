"""Which messages run a block at once, and which are refused."""

from datetime import UTC, datetime

import pytest

from cave_lab import errors
from cave_lab.protocol.content import CellPart, MentionPart, Part, Target, TextPart
from cave_lab.protocol.ids import ClientId, Seq, ThreadId
from cave_lab.protocol.words import Mode
from cave_lab.state.values import ThreadState
from cave_lab.thread.own_cell import check_own_cell, own_cell
from cave_lab.thread.services import Origin

CELL = CellPart(code="1 + 1")
WORDS = TextPart(text="hello")


def state(mode: Mode = "review") -> ThreadState:
    """A thread in this mode."""
    return ThreadState(
        thread_id=ThreadId("thread-1"),
        seq=Seq(1),
        title="",
        owner="local",
        created_at=datetime.now(UTC),
        target=Target(),
        mode=mode,
        privacy="standard",
    )


def origin(*, may_approve: bool = True) -> Origin:
    """Somebody at the panel, or a program."""
    return Origin(ClientId("client-1"), "local", "browser" if may_approve else "api", may_approve)


@pytest.mark.parametrize(
    "content, expected",
    [([CELL], CELL), ([WORDS], None), ([], None), ([WORDS, CELL], CELL)],
    ids=["a block", "words", "nothing", "both"],
)
def test_a_block_is_found_wherever_it_stands(
    content: list[Part], expected: CellPart | None
) -> None:
    assert own_cell(content) is expected


@pytest.mark.parametrize("mode", ["review", "auto"])
def test_a_block_alone_may_run_at_a_click(mode: Mode) -> None:
    check_own_cell([CELL], state(mode), origin(), busy=False)


@pytest.mark.parametrize("mode", ["chat", "review", "auto"])
@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("may_approve", [False, True])
def test_a_message_without_a_block_is_none_of_its_business(
    mode: Mode, busy: bool, may_approve: bool
) -> None:
    mention = MentionPart(kind="variable", name="x")
    check_own_cell([WORDS, mention], state(mode), origin(may_approve=may_approve), busy=busy)


@pytest.mark.parametrize(
    "content, mode, busy, may_approve, expected",
    [
        ([CELL], "review", False, False, errors.Forbidden),
        ([CELL], "chat", False, True, errors.ModeNotAllowed),
        ([CELL], "auto", True, True, errors.LimitReached),
        ([CELL, WORDS], "review", False, True, errors.InvalidCommand),
        ([WORDS, CELL], "review", False, True, errors.InvalidCommand),
        ([CELL, CELL], "review", False, True, errors.InvalidCommand),
        ([CellPart(code=" \n\t")], "review", False, True, errors.InvalidCommand),
    ],
    ids=["a program", "chat", "busy", "words behind", "words before", "two", "blank"],
)
def test_a_block_that_may_not_run_is_refused(
    content: list[Part],
    mode: Mode,
    busy: bool,
    may_approve: bool,
    expected: type[errors.CaveLabError],
) -> None:
    with pytest.raises(expected):
        check_own_cell(content, state(mode), origin(may_approve=may_approve), busy=busy)
