"""Takes in the person's messages: begins turns, or queues while one runs."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.content import Part, TextPart
from cave_lab.protocol.frames import QueuedResult, Result, TurnResult
from cave_lab.protocol.ids import BlobId, MessageId, TurnId, new_id
from cave_lab.protocol.thread_events import (
    MessageQueued,
    MessageUnqueued,
    TurnStarted,
)
from cave_lab.state.values import SteerItem
from cave_lab.thread.changes import changes_before
from cave_lab.thread.own_cell import check_own_cell
from cave_lab.thread.rights import check_message
from cave_lab.thread.services import Origin
from cave_lab.thread.thread import Thread


async def send(thread: Thread, command: cmd.MessageSend, origin: Origin) -> Result:
    """Begin a turn, or queue the message while one runs; a program may do the former only."""
    _check_size(thread, command.content)
    message_id = MessageId(command.command_id)
    # Which Stop came before this message is decided now: the next one is meant for it too.
    cut_before = thread.cut if thread.cut.reason is not None else None
    async with thread.inbox:
        repeated = _already_there(thread, message_id)
        if repeated is not None:
            return repeated
        check_message(command, thread.state, origin, busy=thread.busy)
        check_own_cell(command.content, thread.state, origin, busy=thread.busy)
        if not thread.busy:
            # Before anything is waited for: the panel offers Stop from the click on.
            thread.expect_turn()
        outline = await _keep_outline(thread, command)
        if thread.busy:
            queued = await _queue(thread, command, message_id, outline)
            thread.queued(message_id, cut_before)
            return queued
        if cut_before is thread.cut:
            # The turn ended meanwhile, and the Stop was meant for that one.
            thread.expect_turn()
        # The message brings the notebook as it is now.
        thread.contexts.outlines.take()
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
        chars = thread.services.limits.title_chars
        before = changes_before(thread.state, command.target, command.content, chars)
        turn_id = await thread.begin_turn(started, *before)
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
    return await thread.contexts.outlines.keep(thread.state, command.outline)


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


async def unqueue(thread: Thread, command: cmd.MessageUnqueue) -> None:
    """Take a queued message back; one that has been sent meanwhile is not there any more."""
    async with thread.inbox:
        if all(message.message_id != command.message_id for message in thread.state.queue):
            raise errors.NotFound("This message is no longer waiting: it has been sent.")
        await thread.recorder.full(
            MessageUnqueued(**DRAFT, message_id=command.message_id, reason="removed")
        )
