"""An approval is bound to the code shown, and closes once."""

import asyncio

import pytest

from cave_lab import errors
from cave_lab.approval.digest import canonical, digest
from cave_lab.approval.gate import Answer, Gate, Withdrawn
from cave_lab.protocol.ids import ApprovalId, RunId, Sha256

ID, RUN, CODE = ApprovalId("ap-1"), RunId("run-1"), "print(1)\n"
RUN_IT = Answer("run")


async def test_an_answer_with_the_same_digest_opens_the_gate() -> None:
    gate = Gate()
    waiting = gate.ask(ID, RUN, digest(CODE))
    assert gate.answer(ID, digest(CODE), RUN_IT) == RUN
    assert await waiting.outcome() == RUN_IT


async def test_another_digest_is_refused_and_the_question_stays_open() -> None:
    gate = Gate()
    waiting = gate.ask(ID, RUN, digest(CODE))
    with pytest.raises(errors.ApprovalMismatch):
        gate.answer(ID, Sha256("0" * 64), RUN_IT)
    gate.answer(ID, digest(CODE), RUN_IT)
    assert await waiting.outcome() == RUN_IT


async def test_a_second_answer_is_refused() -> None:
    gate = Gate()
    gate.ask(ID, RUN, digest(CODE))
    gate.answer(ID, digest(CODE), Answer("rejected", reason="no"))
    with pytest.raises(errors.ApprovalClosed):
        gate.answer(ID, digest(CODE), RUN_IT)


async def test_a_withdrawn_question_can_not_be_answered() -> None:
    gate = Gate()
    waiting = gate.ask(ID, RUN, digest(CODE))
    gate.withdraw("kernel_changed")
    assert await waiting.outcome() == Withdrawn("kernel_changed")
    with pytest.raises(errors.ApprovalClosed):
        gate.answer(ID, digest(CODE), RUN_IT)


async def test_a_cancelled_wait_closes_the_question() -> None:
    gate = Gate()
    waiting = gate.ask(ID, RUN, digest(CODE))
    task = asyncio.ensure_future(waiting.outcome())
    await asyncio.wait({task}, timeout=0)
    task.cancel()
    await asyncio.wait({task})
    with pytest.raises(errors.ApprovalClosed):
        gate.answer(ID, digest(CODE), RUN_IT)


async def test_an_empty_edit_runs_nothing() -> None:
    gate = Gate()
    gate.ask(ID, RUN, digest(CODE))
    with pytest.raises(errors.InvalidCommand):
        gate.answer(ID, digest(CODE), Answer("run_edited", code=" \n"))


def test_line_ends_do_not_change_the_digest() -> None:
    assert canonical("a\r\nb\rc") == "a\nb\nc"
    assert digest("a\r\nb") == digest("a\nb")
    assert digest("a b") != digest("a\u00a0b")
    assert digest("\ud800") != digest("\ud801")
