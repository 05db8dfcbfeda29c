"""The gate: an approval is asked once, answered once, and bound to the code shown."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

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
        self._open: dict[ApprovalId, _Question] = {}

    def ask(self, approval_id: ApprovalId, run_id: RunId, sha256: Sha256) -> Waiting:
        """Open a question."""
        question = _Question(run_id, sha256, asyncio.get_running_loop().create_future())
        self._open[approval_id] = question
        return Waiting(self, approval_id, question.answered)

    def answer(self, approval_id: ApprovalId, sha256: Sha256, answer: Answer) -> RunId:
        """Close a question; raises ApprovalClosed or ApprovalMismatch, and then nothing happens."""
        question = self._open.get(approval_id)
        if question is None:
            raise errors.ApprovalClosed
        if question.sha256 != sha256:
            raise errors.ApprovalMismatch
        if answer.outcome == "run_edited" and not canonical(answer.code or "").strip():
            raise errors.InvalidCommand("The edited cell is empty, so nothing was run.")
        del self._open[approval_id]
        question.answered.set_result(answer)
        return question.run_id

    def withdraw(self, outcome: Literal["cancelled", "kernel_changed"]) -> None:
        """Close all questions without an answer."""
        for question in self._open.values():
            question.answered.set_result(Withdrawn(outcome))
        self._open.clear()

    def forget(self, approval_id: ApprovalId) -> None:
        """Drop a question nobody waits for any more."""
        self._open.pop(approval_id, None)


@dataclass(frozen=True)
class _Question:
    run_id: RunId
    sha256: Sha256
    answered: asyncio.Future[Answer | Withdrawn]


@dataclass(frozen=True)
class Waiting:
    """The asking side of a question."""

    gate: Gate
    approval_id: ApprovalId
    answered: asyncio.Future[Answer | Withdrawn]

    async def outcome(self) -> Answer | Withdrawn:
        """Wait as long as it takes; a cancelled wait withdraws the question."""
        try:
            return await self.answered
        finally:
            self.gate.forget(self.approval_id)
