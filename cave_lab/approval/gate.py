"""The gate: an approval is asked once, answered once, and bound to the code shown."""

from __future__ import annotations

import asyncio
from copy import copy
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from cave_lab import errors
from cave_lab.approval.digest import canonical
from cave_lab.protocol.ids import ApprovalId, RunId, Sha256


@dataclass(frozen=True)
class Answer:
    """What the person decided; `code` only when they edited it."""

    outcome: Literal["run", "run_edited", "rejected"]
    code: str | None = None
    reason: str | None = None
    for_turn: bool = False


@dataclass(frozen=True)
class Withdrawn:
    """The question is gone before an answer came."""

    outcome: Literal["cancelled", "kernel_changed"]


class Gate:
    """The open approvals of one thread."""

    def __init__(self) -> None:
        self._open: dict[ApprovalId, Question] = {}

    def ask(self, approval_id: ApprovalId, sha256: Sha256) -> Question:
        """Open a question; it is closed when its `with` block is left."""
        question = Question(self, approval_id, sha256)
        self._open[approval_id] = question
        return question

    async def answer(self, approval_id: ApprovalId, sha256: Sha256, answer: Answer) -> RunId:
        """Close a question; returns the run that it decides on, once that is written down.

        Raises ApprovalClosed, also when something else closed the question at the same moment,
        ApprovalMismatch, or what kept it from being written down: nothing runs by this answer then.
        """
        question = self._open.get(approval_id)
        if question is None or question.closed:
            raise errors.ApprovalClosed
        if question.sha256 != sha256:
            raise errors.ApprovalMismatch
        if answer.outcome == "run_edited" and not canonical(answer.code or "").strip():
            raise errors.InvalidCommand("The edited cell is empty, so nothing was run.")
        return await question.take(answer)

    def withdraw(self, outcome: Literal["cancelled", "kernel_changed"]) -> None:
        """Close all questions without an answer."""
        for question in self._open.values():
            question.withdraw(Withdrawn(outcome))

    def forget(self, approval_id: ApprovalId) -> None:
        """Drop a question nobody waits for any more."""
        self._open.pop(approval_id, None)


class Question:
    """One open approval, as the asking side holds it: a context."""

    def __init__(self, gate: Gate, approval_id: ApprovalId, sha256: Sha256) -> None:
        loop = asyncio.get_running_loop()
        self._gate = gate
        self._approval_id = approval_id
        self.sha256 = sha256
        self._answered: asyncio.Future[Answer | Withdrawn] = loop.create_future()
        self._settled: asyncio.Future[RunId] = loop.create_future()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._gate.forget(self._approval_id)
        if self._settled.done():
            return
        known = copy(error) if isinstance(error, errors.CaveLabError) else None
        self._settled.set_exception(known or errors.ApprovalClosed())
        self._settled.exception()  # retrieved: mostly nobody answered

    @property
    def closed(self) -> bool:
        """Whether it has been answered or withdrawn, or nobody waits any more."""
        return self._answered.done()

    async def outcome(self) -> Answer | Withdrawn:
        """Wait as long as it takes."""
        return await self._answered

    def settle(self, run_id: RunId) -> None:
        """The answer is written down, and decides on this run."""
        self._settled.set_result(run_id)

    async def take(self, answer: Answer) -> RunId:
        """Hand the answer to the one who asked, and wait until it is written down."""
        self._answered.set_result(answer)
        return await asyncio.shield(self._settled)

    def withdraw(self, withdrawn: Withdrawn) -> None:
        """Close it without an answer, unless it is closed."""
        if not self.closed:
            self._answered.set_result(withdrawn)
