"""Small threads for tests, made of events as the server makes them."""

from datetime import UTC, datetime
from typing import Any

from cave_lab.protocol.content import NotebookRef, RunCellAction, Target, TextPart, Usage
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import Sha256
from cave_lab.protocol.run_events import (
    ApprovalClosed,
    ApprovalRequested,
    RunEnded,
    RunIntended,
    RunProposed,
    RunStarted,
)
from cave_lab.protocol.thread_events import (
    ActionDelta,
    TextDelta,
    ThreadCreated,
    TurnEnded,
    TurnStarted,
    VariablesSeen,
)
from cave_lab.state import ThreadState, fold

TARGET = Target(notebook=NotebookRef(path="sales.ipynb"), language="python")
AT = datetime(2026, 1, 1, tzinfo=UTC)
SHA = Sha256("a" * 64)
OTHER_SHA = Sha256("b" * 64)


class Story:
    """Folds events one after the other; `state` is where they led."""

    def __init__(self, **created: Any) -> None:
        self.events: list[Event] = []
        self._state: ThreadState | None = None
        fields = {"title": "New thread", "owner": "local", "mode": "review"}
        self.add(ThreadCreated, target=TARGET, **{**fields, "privacy": "standard", **created})

    @property
    def state(self) -> ThreadState:
        """The thread now."""
        assert self._state is not None
        return self._state

    def add(self, kind: type[Any], **fields: Any) -> "Story":
        """Let an event of a type happen."""
        stamp = {"seq": len(self.events) + 1, "thread_id": "thread-1", "at": AT}
        event: Event = kind(**stamp, **fields)
        self.events.append(event)
        self._state = fold(self._state, event)
        return self

    # ── what happens often

    def turn(self, number: int = 1, words: str = "hello", **fields: Any) -> "Story":
        """The person says something."""
        content = [TextPart(text=words)]
        return self.add(
            TurnStarted, turn_id=f"turn-{number}", content=content, target=TARGET, **fields
        )

    def seen(self, number: int = 1, **fields: Any) -> "Story":
        """The turn sees the kernel's variables."""
        return self.add(VariablesSeen, turn_id=f"turn-{number}", **fields)

    def says(self, words: str, number: int = 1, call: int = 1) -> "Story":
        """The model says something."""
        return self.add(TextDelta, turn_id=f"turn-{number}", call=call, text=words)

    def writes(self, code: str, run: int = 1, number: int = 1, call: int = 1) -> "Story":
        """The model writes code."""
        return self.add(
            ActionDelta, turn_id=f"turn-{number}", call=call, run_id=f"run-{run}", delta=code
        )

    def proposes(
        self, code: str, run: int = 1, number: int = 1, call: int = 1, **fields: Any
    ) -> "Story":
        """A complete cell."""
        values: dict[str, Any] = {
            "action": RunCellAction(code=code),
            "purpose": "Do it",
            "sha256": SHA,
            "by": "model",
            "target": TARGET,
            **fields,
        }
        return self.add(
            RunProposed,
            run_id=f"run-{run}",
            turn_id=f"turn-{number}",
            call=call,
            code=code,
            **values,
        )

    def asks(self, run: int = 1) -> "Story":
        """The person is asked."""
        return self.add(
            ApprovalRequested,
            approval_id=f"ap-{run}",
            run_id=f"run-{run}",
            sha256=SHA,
            reasons=["runs a shell command"],
        )

    def closes(self, outcome: str, run: int = 1, **fields: Any) -> "Story":
        """The question is closed."""
        return self.add(
            ApprovalClosed,
            approval_id=f"ap-{run}",
            run_id=f"run-{run}",
            sha256=SHA,
            outcome=outcome,
            **fields,
        )

    def intends(self, run: int = 1, **fields: Any) -> "Story":
        """The request is about to go out."""
        values = {"cell_id": f"cell-{run}", "target": TARGET, "generation": "1-a", **fields}
        return self.add(RunIntended, run_id=f"run-{run}", **values)

    def starts(self, run: int = 1) -> "Story":
        """The kernel takes it up."""
        return self.add(RunStarted, run_id=f"run-{run}", execution_count=7)

    def ends(self, status: str = "ok", run: int = 1, **fields: Any) -> "Story":
        """The run is over."""
        whole = {"variables_complete": True, **fields}
        return self.add(RunEnded, run_id=f"run-{run}", status=status, **whole)

    def runs(
        self,
        code: str,
        status: str = "ok",
        run: int = 1,
        number: int = 1,
        call: int = 1,
        **ended: Any,
    ) -> "Story":
        """A cell from its proposal to its end, allowed by the mode."""
        self.proposes(code, run, number, call)
        self.closes("allowed_by", run, allowed_by="mode:auto").intends(run).starts(run)
        return self.ends(status, run, **ended)

    def over(self, number: int = 1, reason: str = "end_turn") -> "Story":
        """The turn is over."""
        return self.add(TurnEnded, turn_id=f"turn-{number}", stop_reason=reason, usage=Usage())
