"""Carries out the commands of one thread."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.approval.gate import Answer
from cave_lab.journal.drafts import DRAFT
from cave_lab.model.tour import TOUR_PREFIX
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.frames import ApprovedResult, Result
from cave_lab.protocol.run_events import CellPlaced, CellReviewed
from cave_lab.protocol.thread_events import ThreadChanged
from cave_lab.state.values import RunState
from cave_lab.thread.glance import look_in
from cave_lab.thread.rights import check_change
from cave_lab.thread.sending import send, unqueue
from cave_lab.thread.services import Origin
from cave_lab.thread.thread import Thread

ThreadCommand = (
    cmd.ThreadChange
    | cmd.MessageSend
    | cmd.MessageUnqueue
    | cmd.TurnStop
    | cmd.ApprovalAnswer
    | cmd.StdinAnswer
    | cmd.CellPlacedReport
    | cmd.CellReview
    | cmd.NotebookOutline
    | cmd.KernelChoice
    | cmd.VariablesLook
)


async def carry_out(thread: Thread, command: ThreadCommand, origin: Origin) -> Result | None:
    """Carry out one command; raises CaveLabError, and then nothing changed."""
    if thread.read_only is not None and not isinstance(command, cmd.VariablesLook):
        raise errors.ThreadElsewhere(thread.read_only)
    if thread.broken and not isinstance(command, cmd.TurnStop):
        await thread.mend()
    match command:
        case cmd.MessageSend():
            return await send(thread, command, origin)
        case cmd.ApprovalAnswer():
            return await answer(thread, command)
        case cmd.VariablesLook():
            return await look_in(thread)
        case cmd.ThreadChange():
            await change(thread, command, origin)
        case cmd.CellPlacedReport():
            await placed(thread, command, origin)
        case _:
            await _carry_out_plain(thread, command)
    return None


async def _carry_out_plain(
    thread: Thread,
    command: cmd.MessageUnqueue
    | cmd.TurnStop
    | cmd.CellReview
    | cmd.StdinAnswer
    | cmd.NotebookOutline
    | cmd.KernelChoice,
) -> None:
    match command:
        case cmd.MessageUnqueue():
            await unqueue(thread, command)
        case cmd.TurnStop():
            thread.cut.set("stop")
        case cmd.CellReview():
            await review(thread, command)
        case cmd.StdinAnswer():
            await answer_stdin(thread, command)
        case cmd.NotebookOutline():
            thread.contexts.outlines.notice(command.outline)
        case cmd.KernelChoice():
            await choose(thread, command)


# ── what the person decides


async def answer(thread: Thread, command: cmd.ApprovalAnswer) -> Result:
    """Answer an approval; returns when the answer counts, with the run that it decides on."""
    if thread.state.mode == "chat" and command.outcome != "rejected":
        raise errors.ModeNotAllowed(
            "The thread is in chat mode, which never runs anything. Change the mode, then answer."
        )
    run_id = await thread.gate.answer(
        command.approval_id,
        command.sha256,
        Answer(
            outcome=command.outcome,
            code=command.edited_code,
            reason=command.reason,
            for_turn=command.scope == "turn",
        ),
    )
    return ApprovedResult(approval_id=command.approval_id, run_id=run_id)


async def answer_stdin(thread: Thread, command: cmd.StdinAnswer) -> None:
    """Give a running cell the line it waits for; raises NotFound if it waits for none, or another.

    The answer goes to the kernel alone: it is in no event, and so neither stored nor sent on.
    """
    run, link = thread.state.runs.get(command.run_id), thread.watch.link
    if run is None or run.stdin is None or link is None:
        raise errors.NotFound("The cell does not wait for input any more. Nothing was sent to it.")
    if command.question not in (None, run.stdin.question):
        raise errors.NotFound("The cell asks for something else by now. Nothing was sent to it.")
    await link.answer_stdin(command.run_id, command.value)


async def change(thread: Thread, command: cmd.ThreadChange, origin: Origin) -> None:
    """Change settings; all but the title from a browser only."""
    check_change(command, origin)
    policy = thread.services.policy
    if command.mode is not None and command.mode not in policy.allowed_modes:
        raise errors.ModeNotAllowed
    check_model(policy.allowed_models, command.model)
    if command.mode == "auto":
        # No message is taken in meanwhile: whose the last one was decides.
        async with thread.inbox:
            _check_auto(thread)
            await _record(thread, command)
    else:
        await _record(thread, command)
    if command.target is not None:
        await _follow_target(thread)


def _check_auto(thread: Thread) -> None:
    if thread.busy and thread.begun_by == "api":
        raise errors.Forbidden(
            "A program's message is being answered, so its runs go on asking. "
            "Let the turn end or press Stop, then switch to auto."
        )


async def _record(thread: Thread, command: cmd.ThreadChange) -> None:
    await thread.record(
        ThreadChanged(
            **DRAFT,
            title=command.title,
            target=command.target,
            model=command.model,
            mode=command.mode,
            privacy=command.privacy,
            max_runs=command.max_runs,
            budget_extended=command.extend_budget,
        )
    )


async def _follow_target(thread: Thread) -> None:
    """What was asked and runs was meant for the kernel before, if that was another."""
    before = thread.watch.link
    try:
        now = await thread.bind()
    except errors.KernelSilent:
        now = None
    if before is not None and now is not before:
        thread.kernel_replaced()


def check_model(allowed: tuple[str, ...], model: str | None) -> None:
    """Raise Forbidden if the administrator's list leaves this model out; the tour always may."""
    if model and allowed and model not in allowed and not model.startswith(TOUR_PREFIX):
        raise errors.Forbidden(
            "This model is not among those that the server's configuration allows. "
            "The model stays as it was."
        )


async def choose(thread: Thread, command: cmd.KernelChoice) -> None:
    """Restart a stuck kernel; waiting and going on need nothing from the server."""
    if command.choice != "restart":
        return
    try:
        link = await thread.bind()
    except errors.KernelSilent:
        # Just then a restart is wanted.
        link = thread.watch.link
    if link is None:
        raise errors.NoKernel
    await link.restart()


# ── cells


def _run_with_cell(thread: Thread, command: cmd.CellPlacedReport | cmd.CellReview) -> RunState:
    run = thread.state.runs.get(command.run_id)
    if run is None or run.cell_id is None:
        raise errors.NotFound("This cell is not known to the thread.")
    return run


async def _run_by_now(thread: Thread, command: cmd.CellPlacedReport | cmd.CellReview) -> RunState:
    """The run after all that was said of it before: that may still be on its way to the disk."""
    await thread.recorder.flush()
    return _run_with_cell(thread, command)


async def placed(thread: Thread, command: cmd.CellPlacedReport, origin: Origin) -> None:
    """Record where the writer has the cell; saying it again changes nothing, unless it was out."""
    run = _run_with_cell(thread, command)
    if run.cell_id != command.cell_id:
        raise errors.NotFound("This cell is not known to the thread.")
    if _is_there(run, command) and _is_there(await _run_by_now(thread, command), command):
        return
    await thread.recorder.soft(
        CellPlaced(
            **DRAFT,
            run_id=command.run_id,
            cell_id=command.cell_id,
            level=command.level,
            by=origin.client_id,
        )
    )


def _is_there(run: RunState, command: cmd.CellPlacedReport) -> bool:
    if run.verdict == "deleted_by_user":
        return False
    return run.placed == command.level or (run.placed == "in_file" and run.verdict != "undone")


async def review(thread: Thread, command: cmd.CellReview) -> None:
    """Record what became of the cell; saying it again changes nothing."""
    run = _run_with_cell(thread, command)
    if run.verdict == command.verdict:
        run = await _run_by_now(thread, command)
    if run.verdict == command.verdict or run.cell_id is None:
        return
    await thread.recorder.full(
        CellReviewed(**DRAFT, run_id=command.run_id, cell_id=run.cell_id, verdict=command.verdict)
    )
