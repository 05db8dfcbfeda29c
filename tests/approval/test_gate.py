"""An approval is bound to the code shown, closes once, and counts when it is written down."""

import asyncio

import pytest

from cave_lab import errors
from cave_lab.approval.digest import canonical, digest
from cave_lab.approval.gate import Answer, Gate, Withdrawn
from cave_lab.protocol.ids import ApprovalId, RunId, Sha256

ID, RUN, CODE = ApprovalId("ap-1"), RunId("run-1"), "print(1)\n"
RUN_IT = Answer("run")


async def test_an_answer_with_the_same_digest_opens_the_gate_and_counts_when_settled() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        click = asyncio.ensure_future(gate.answer(ID, digest(CODE), RUN_IT))
        assert await question.outcome() == RUN_IT
        await asyncio.wait({click}, timeout=0)
        assert not click.done()
        question.settle(RUN)
    assert await click == RUN


async def test_another_digest_is_refused_and_the_question_stays_open() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        with pytest.raises(errors.ApprovalMismatch):
            await gate.answer(ID, Sha256("0" * 64), RUN_IT)
        click = asyncio.ensure_future(gate.answer(ID, digest(CODE), RUN_IT))
        assert await question.outcome() == RUN_IT
        question.settle(RUN)
    assert await click == RUN


async def test_a_second_answer_is_refused() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        first = asyncio.ensure_future(gate.answer(ID, digest(CODE), Answer("rejected")))
        await question.outcome()
        with pytest.raises(errors.ApprovalClosed):
            await gate.answer(ID, digest(CODE), RUN_IT)
        question.settle(RUN)
    assert await first == RUN


async def test_an_answer_after_all_is_over_is_refused() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        first = asyncio.ensure_future(gate.answer(ID, digest(CODE), RUN_IT))
        await question.outcome()
        question.settle(RUN)
    await first
    with pytest.raises(errors.ApprovalClosed):
        await gate.answer(ID, digest(CODE), RUN_IT)


async def test_a_withdrawn_question_can_not_be_answered() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        gate.withdraw("kernel_changed")
        gate.withdraw("cancelled")
        with pytest.raises(errors.ApprovalClosed):
            await gate.answer(ID, digest(CODE), RUN_IT)
        assert await question.outcome() == Withdrawn("kernel_changed")


async def test_an_answer_that_lost_against_a_stop_is_refused_afterwards() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        click = asyncio.ensure_future(gate.answer(ID, digest(CODE), RUN_IT))
        await question.outcome()
        # The turn was cut at the same moment, so the answer decides on nothing.
    with pytest.raises(errors.ApprovalClosed):
        await click


async def test_an_answer_that_could_not_be_written_down_says_so() -> None:
    gate = Gate()

    async def ask() -> None:
        with gate.ask(ID, digest(CODE)) as question:
            await question.outcome()
            raise errors.JournalUnavailable

    asking = asyncio.ensure_future(ask())
    await asyncio.wait({asking}, timeout=0)
    with pytest.raises(errors.JournalUnavailable):
        await gate.answer(ID, digest(CODE), RUN_IT)
    await asyncio.wait({asking})
    assert isinstance(asking.exception(), errors.JournalUnavailable)


async def test_a_cancelled_wait_closes_the_question_at_once() -> None:
    gate = Gate()

    async def ask() -> None:
        with gate.ask(ID, digest(CODE)) as question:
            await question.outcome()

    asking = asyncio.ensure_future(ask())
    await asyncio.wait({asking}, timeout=0)
    asking.cancel()
    # Before the one who asked had a chance to leave.
    gate.withdraw("cancelled")
    with pytest.raises(errors.ApprovalClosed):
        await gate.answer(ID, digest(CODE), RUN_IT)
    await asyncio.wait({asking})
    assert asking.cancelled()


async def test_an_answer_whose_client_hung_up_counts_all_the_same() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        click = asyncio.ensure_future(gate.answer(ID, digest(CODE), RUN_IT))
        assert await question.outcome() == RUN_IT
        click.cancel()
        await asyncio.wait({click})
        question.settle(RUN)


async def test_an_empty_edit_runs_nothing() -> None:
    gate = Gate()
    with gate.ask(ID, digest(CODE)) as question:
        with pytest.raises(errors.InvalidCommand):
            await gate.answer(ID, digest(CODE), Answer("run_edited", code=" \n"))
        assert not question.closed


def test_line_ends_do_not_change_the_digest() -> None:
    assert canonical("a\r\nb\rc") == "a\nb\nc"
    assert digest("a\r\nb") == digest("a\nb")
    assert digest("a b") != digest("a\u00a0b")
    assert digest("\ud800") != digest("\ud801")
