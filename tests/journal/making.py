"""Drafts for tests of the journal."""

from datetime import UTC, datetime

from cave_lab.journal.drafts import DRAFT
from cave_lab.protocol.content import NotebookRef, Target, TextPart, Usage
from cave_lab.protocol.events import (
    ApprovalClosed,
    ApprovalRequested,
    Event,
    KernelChanged,
    MessageQueued,
    MessageUnqueued,
    RunEnded,
    RunIntended,
    TextDelta,
    ThreadChanged,
    ThreadCreated,
    ThreadSnapshot,
    TurnEnded,
    TurnStarted,
)
from cave_lab.protocol.ids import (
    ApprovalId,
    CellId,
    Generation,
    MessageId,
    RunId,
    Sha256,
    ThreadId,
    TurnId,
)
from cave_lab.protocol.words import StopReason

THREAD = ThreadId("thread-1")
TARGET = Target(notebook=NotebookRef(path="sales.ipynb"), language="python")
SHA = Sha256("0" * 64)


def created(owner: str = "local", title: str = "Revenue") -> ThreadCreated:
    return ThreadCreated(
        **DRAFT, title=title, owner=owner, target=TARGET, mode="review", privacy="standard"
    )


def changed(
    title: str | None = None, target: Target | None = None, deleted: bool | None = None
) -> ThreadChanged:
    return ThreadChanged(**DRAFT, title=title, target=target, deleted=deleted)


def delta(text: str) -> TextDelta:
    """Of a batched type."""
    return TextDelta(**DRAFT, turn_id=TurnId("turn-1"), call=1, text=text)


def turn_started(words: str = "plot it", turn: str = "turn-1") -> TurnStarted:
    """Of a type that is synced."""
    return TurnStarted(**DRAFT, turn_id=TurnId(turn), content=[TextPart(text=words)], target=TARGET)


def turn_ended(turn: str = "turn-1", stop_reason: StopReason = "end_turn") -> TurnEnded:
    return TurnEnded(**DRAFT, turn_id=TurnId(turn), stop_reason=stop_reason, usage=Usage())


def kernel_changed() -> KernelChanged:
    return KernelChanged(**DRAFT, generation=Generation("2-b"), reason="restarted")


def run_intended(run: str = "run-1") -> RunIntended:
    return RunIntended(
        **DRAFT,
        run_id=RunId(run),
        cell_id=CellId("cell-1"),
        target=TARGET,
        generation=Generation("1-a"),
    )


def run_ended(run: str = "run-1") -> RunEnded:
    return RunEnded(**DRAFT, run_id=RunId(run), status="ok")


def approval_requested() -> ApprovalRequested:
    return ApprovalRequested(
        **DRAFT, approval_id=ApprovalId("approval-1"), run_id=RunId("run-1"), sha256=SHA, reasons=[]
    )


def approval_closed() -> ApprovalClosed:
    return ApprovalClosed(
        **DRAFT,
        approval_id=ApprovalId("approval-1"),
        run_id=RunId("run-1"),
        sha256=SHA,
        outcome="run",
    )


def queued() -> MessageQueued:
    return MessageQueued(
        **DRAFT, message_id=MessageId("message-1"), content=[TextPart(text="and by region")]
    )


def unqueued() -> MessageUnqueued:
    return MessageUnqueued(**DRAFT, message_id=MessageId("message-1"), reason="sent")


def snapshot() -> ThreadSnapshot:
    return ThreadSnapshot(**DRAFT, state={"title": "Revenue"})


def texts(events: list[Event]) -> list[str]:
    """The words of the deltas among the events."""
    return [event.text for event in events if isinstance(event, TextDelta)]


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time
