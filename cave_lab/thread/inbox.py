"""Carries out the commands of one thread."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.approval.gate import Answer
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.model.tour import TOUR_PREFIX
from cave_lab.privacy.modes import previews_wanted, variables_out
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.content import Part, TextPart
from cave_lab.protocol.frames import (
    ApprovedResult,
    QueuedResult,
    Result,
    TurnResult,
    VariablesResult,
)
from cave_lab.protocol.ids import BlobId, MessageId, TurnId, new_id
from cave_lab.protocol.run_events import CellPlaced, CellReviewed
from cave_lab.protocol.thread_events import (
    MessageQueued,
    MessageUnqueued,
    ThreadChanged,
    TurnStarted,
)
from cave_lab.state.values import RunState, SteerItem
from cave_lab.thread.rights import check_message
from cave_lab.thread.services import Origin
from cave_lab.thread.thread import Thread

DEFAULT_TITLE = "New thread"

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
            return await look(thread)
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
            link = await thread.bind()
            if link is None:
                raise errors.NoKernel
            await link.answer_stdin(command.run_id, command.value)
        case cmd.NotebookOutline():
            thread.contexts.notice_outline(command.outline)
        case cmd.KernelChoice():
            await choose(thread, command)


# ── messages


async def send(thread: Thread, command: cmd.MessageSend, origin: Origin) -> Result:
    """Begin a turn, or queue the message while one runs; a program may do the former only."""
    _check_size(thread, command.content)
    message_id = MessageId(command.command_id)
    async with thread.inbox:
        repeated = _already_there(thread, message_id)
        if repeated is not None:
            return repeated
        check_message(thread.state, origin, busy=thread.busy, when=command.when)
        outline = await _keep_outline(thread, command)
        if thread.busy:
            return await _queue(thread, command, message_id, outline)
        # The message brings the notebook as it is now.
        thread.contexts.take_newer()
        started = TurnStarted(
            **DRAFT,
            turn_id=TurnId(new_id("turn")),
            content=command.content,
            target=command.target or thread.state.target,
            anchor=command.anchor,
            outline=outline,
            outline_sha256=command.outline.sha256 if command.outline else None,
            message_id=message_id,
            origin=origin.kind,
        )
        turn_id = await thread.begin_turn(started, *_changes_before(thread, command))
        return TurnResult(turn_id=turn_id)


def _check_size(thread: Thread, content: list[Part]) -> None:
    limit = thread.services.limits.message_chars
    if sum(len(part.text) for part in content if isinstance(part, TextPart)) > limit:
        raise errors.LimitReached(f"A message may have {limit:,} characters. Nothing was sent.")


def _already_there(thread: Thread, message_id: MessageId) -> Result | None:
    """A command sent again after a lost connection must not become a second message."""
    for turn in thread.state.turns:
        if turn.message_id == message_id:
            return TurnResult(turn_id=turn.turn_id)
    steered = (item for turn in thread.state.turns for item in turn.items)
    waiting = [item.message_id for item in steered if isinstance(item, SteerItem)]
    waiting += [message.message_id for message in thread.state.queue]
    return QueuedResult(message_id=message_id) if message_id in waiting else None


async def _keep_outline(thread: Thread, command: cmd.MessageSend) -> BlobId | None:
    if command.outline is None:
        return None
    return await thread.contexts.keep_outline(thread.state, command.outline)


async def _queue(
    thread: Thread, command: cmd.MessageSend, message_id: MessageId, outline: BlobId | None
) -> Result:
    if len(thread.state.queue) >= thread.services.limits.queued_messages:
        raise errors.LimitReached("Too many messages are waiting already. Nothing was sent.")
    await thread.recorder.full(
        MessageQueued(
            **DRAFT,
            message_id=message_id,
            content=command.content,
            target=command.target,
            anchor=command.anchor,
            outline=outline,
            when=command.when,
        )
    )
    return QueuedResult(message_id=message_id)


def _changes_before(thread: Thread, command: cmd.MessageSend) -> list[Draft]:
    """The thread follows the notebook it was sent from, and is named after its first message."""
    state = thread.state
    target = command.target if command.target not in (None, state.target) else None
    unnamed = not state.turns and state.title == DEFAULT_TITLE
    limit = thread.services.limits.title_chars
    title = title_of(command.content, limit) if unnamed else None
    if target is None and title is None:
        return []
    return [ThreadChanged(**DRAFT, target=target, title=title)]


def title_of(content: list[Part], limit: int) -> str | None:
    """Name a thread after its first message, cut at a word; None if there are no words."""
    text = " ".join(part.text for part in content if isinstance(part, TextPart))
    words = " ".join(text.split())
    if len(words) <= limit:
        return words or None
    return words[:limit].rsplit(" ", 1)[0] + " …"


async def unqueue(thread: Thread, command: cmd.MessageUnqueue) -> None:
    """Take a queued message back; one that has been sent meanwhile is not there any more."""
    async with thread.inbox:
        if all(message.message_id != command.message_id for message in thread.state.queue):
            raise errors.NotFound("This message is no longer waiting: it has been sent.")
        await thread.recorder.full(
            MessageUnqueued(**DRAFT, message_id=command.message_id, reason="removed")
        )


# ── what the person decides


async def answer(thread: Thread, command: cmd.ApprovalAnswer) -> Result:
    """Answer an approval; returns when the answer counts, with the run that it decides on."""
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


async def change(thread: Thread, command: cmd.ThreadChange, origin: Origin) -> None:
    """Change settings; modes, privacy and budgets from a browser only."""
    decides = (command.mode, command.privacy, command.max_runs, command.model)
    if not origin.may_approve and any(value is not None for value in decides):
        raise errors.Forbidden("These settings can only be changed in the panel.")
    policy = thread.services.policy
    if command.mode is not None and command.mode not in policy.allowed_modes:
        raise errors.ModeNotAllowed
    check_model(policy.allowed_models, command.model)
    await thread.recorder.full(
        ThreadChanged(
            **DRAFT,
            title=command.title,
            target=command.target,
            model=command.model,
            mode=command.mode,
            privacy=command.privacy,
            max_runs=command.max_runs,
        )
    )
    if command.target is not None:
        await _follow_target(thread)


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


# ── cells and variables


def _run_with_cell(thread: Thread, command: cmd.CellPlacedReport | cmd.CellReview) -> RunState:
    run = thread.state.runs.get(command.run_id)
    if run is None or run.cell_id is None:
        raise errors.NotFound("This cell is not known to the thread.")
    return run


async def placed(thread: Thread, command: cmd.CellPlacedReport, origin: Origin) -> None:
    """Record where the writer has the cell; saying it again changes nothing."""
    run = _run_with_cell(thread, command)
    if run.cell_id != command.cell_id:
        raise errors.NotFound("This cell is not known to the thread.")
    if run.placed in ("in_file", command.level):
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


async def review(thread: Thread, command: cmd.CellReview) -> None:
    """Record what became of the cell."""
    run = _run_with_cell(thread, command)
    if run.verdict == command.verdict or run.cell_id is None:
        return
    await thread.recorder.full(
        CellReviewed(**DRAFT, run_id=command.run_id, cell_id=run.cell_id, verdict=command.verdict)
    )


async def look(thread: Thread) -> Result:
    """Show the person what the model would be told of the variables."""
    privacy = thread.state.privacy
    try:
        link = await thread.bind() if thread.read_only is None else None
        if link is None:
            raise errors.NoKernel
        seen = await link.variables(previews=previews_wanted(privacy))
    except errors.KernelError as error:
        return VariablesResult(variables=[], total=0, unavailable=str(error))
    return VariablesResult(
        variables=variables_out(privacy, seen.variables), total=seen.total, unavailable=None
    )
