"""How the events of a thread and its turns change it."""

from __future__ import annotations

from cave_lab.protocol.content import Usage
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import (
    ActionDelta,
    ActionRefused,
    ContextCompacted,
    ContextSent,
    KernelChanged,
    MessageQueued,
    MessageUnqueued,
    ModelRetrying,
    Notice,
    ReasoningDelta,
    ReplyKept,
    TextDelta,
    ThreadChanged,
    ThreadCreated,
    TurnEnded,
    TurnStarted,
    UsageReported,
    VariablesLooked,
    VariablesSeen,
)
from cave_lab.state.change import (
    add_item,
    add_to_usage,
    edit_turn,
    put_run,
    with_run,
    with_turn,
)
from cave_lab.state.values import (
    CallState,
    CompactedItem,
    KernelLoss,
    LookItem,
    NoticeItem,
    QueuedMessage,
    ReasoningItem,
    RefusedItem,
    RetryItem,
    RunItem,
    RunState,
    SteerItem,
    TextItem,
    ThreadState,
    TurnState,
    VariablesView,
)

_SETTABLE = ("title", "target", "model", "mode", "privacy", "max_runs", "deleted")


def created(event: ThreadCreated) -> ThreadState:
    """A thread begins."""
    return ThreadState(
        thread_id=event.thread_id,
        seq=event.seq,
        title=event.title,
        owner=event.owner,
        created_at=event.at,
        target=event.target,
        mode=event.mode,
        privacy=event.privacy,
        model=event.model,
        parent=event.parent,
    )


def changed(state: ThreadState, event: ThreadChanged) -> ThreadState:
    """Fields that the event names take its values."""
    values = {name: getattr(event, name) for name in _SETTABLE}
    if event.budget_extended:
        values["budget_from"] = state.usage
    return state.model_copy(update={k: v for k, v in values.items() if v is not None})


def kernel_changed(state: ThreadState, event: KernelChanged) -> ThreadState:
    """The kernel is another one, or has forgotten; a memory that held nothing is no loss."""
    update: dict[str, object] = {"generation": event.generation}
    empty = event.lost_total == 0 and event.reason != "switched"
    if event.reason != "bound" and not empty:
        update["loss"] = KernelLoss(
            reason=event.reason, at=event.at, lost=event.lost, lost_total=event.lost_total
        )
    return state.model_copy(update=update)


def turn_started(state: ThreadState, event: TurnStarted) -> ThreadState:
    """A new turn is the last one."""
    turn = TurnState(
        turn_id=event.turn_id,
        parent_turn_id=event.parent_turn_id,
        message_id=event.message_id,
        content=event.content,
        target=event.target,
        anchor=event.anchor,
        outline=event.outline,
        started_at=event.at,
        origin=event.origin,
    )
    return state.model_copy(update={"turns": [*state.turns, turn]})


def queued(state: ThreadState, event: MessageQueued) -> ThreadState:
    """A message waits."""
    message = QueuedMessage(
        message_id=event.message_id,
        content=event.content,
        target=event.target,
        anchor=event.anchor,
        outline=event.outline,
        when=event.when,
    )
    return state.model_copy(update={"queue": [*state.queue, message]})


def unqueued(state: ThreadState, event: MessageUnqueued) -> ThreadState:
    """A message leaves the queue; a steering one joins its turn."""
    waiting = [message for message in state.queue if message.message_id == event.message_id]
    queue = [message for message in state.queue if message.message_id != event.message_id]
    state = state.model_copy(update={"queue": queue})
    if event.reason != "steered" or event.turn_id is None or not waiting:
        return state
    item = SteerItem(message_id=event.message_id, content=waiting[0].content)
    return add_item(state, event.turn_id, item)


def variables_seen(state: ThreadState, event: VariablesSeen) -> ThreadState:
    """The turn knows what its kernel held."""
    view = VariablesView(
        generation=event.generation,
        variables=event.variables,
        total=event.total,
        omitted=event.omitted,
        unavailable=event.unavailable,
        age_seconds=event.age_seconds,
        changes=event.changes,
        changes_complete=event.changes_complete,
        changes_lost=event.changes_lost,
        mark=event.mark,
    )
    return with_turn(state, event.turn_id, seen=view)


def variables_looked(state: ThreadState, event: VariablesLooked) -> ThreadState:
    """A look is shown where it was asked for."""
    item = LookItem(
        call=event.call,
        by=event.by,
        names=event.names,
        detail=event.detail,
        answers=event.answers,
        privacy=state.privacy,
    )
    return add_item(state, event.turn_id, item)


def context_sent(state: ThreadState, event: ContextSent) -> ThreadState:
    """A model call begins."""
    call = CallState(
        call=event.call,
        model=event.model,
        messages=event.messages,
        variables=event.variables,
        cells=event.cells,
        estimated_tokens=event.estimated_tokens,
        outline=event.outline,
        format=event.format,
    )
    return edit_turn(
        state,
        event.turn_id,
        lambda turn: turn.model_copy(update={"calls": [*turn.calls, call]}),
    )


def text_delta(state: ThreadState, event: TextDelta) -> ThreadState:
    """The answer grows."""
    return _grow(state, event.turn_id, TextItem(call=event.call, text=event.text))


def reasoning_delta(state: ThreadState, event: ReasoningDelta) -> ThreadState:
    """The reasoning grows."""
    return _grow(state, event.turn_id, ReasoningItem(call=event.call, text=event.text))


def _grow(state: ThreadState, turn_id: TurnId, more: TextItem | ReasoningItem) -> ThreadState:
    """Continue the last item if it is of the same kind and call, else begin one."""

    def grow(turn: TurnState) -> TurnState:
        last = turn.items[-1] if turn.items else None
        if type(last) is not type(more) or last.call != more.call:
            return turn.model_copy(update={"items": [*turn.items, more]})
        whole = more.model_copy(update={"text": last.text + more.text})
        return turn.model_copy(update={"items": [*turn.items[:-1], whole]})

    return edit_turn(state, turn_id, grow)


def action_delta(state: ThreadState, event: ActionDelta) -> ThreadState:
    """The code being written grows; its first piece makes the run."""
    run = state.runs.get(event.run_id)
    if run is not None:
        return with_run(state, event.run_id, code=run.code + event.delta)
    state = put_run(
        state,
        RunState(
            run_id=event.run_id,
            turn_id=event.turn_id,
            call=event.call,
            phase="writing",
            code=event.delta,
        ),
    )
    return add_item(state, event.turn_id, RunItem(call=event.call, run_id=event.run_id))


def action_refused(state: ThreadState, event: ActionRefused) -> ThreadState:
    """An unusable action is shown where it came."""
    item = RefusedItem(call=event.call, code=event.code, text=event.text)
    return add_item(state, event.turn_id, item)


def retrying(state: ThreadState, event: ModelRetrying) -> ThreadState:
    """A failed call is shown where it came."""
    item = RetryItem(
        call=event.call, attempt=event.attempt, wait_seconds=event.wait_seconds, text=event.text
    )
    return add_item(state, event.turn_id, item)


def compacted(state: ThreadState, event: ContextCompacted) -> ThreadState:
    """The shortening is shown where it came."""
    item = CompactedItem(
        call=event.call,
        tier=event.tier,
        reason=event.reason,
        before_tokens=event.before_tokens,
        after_tokens=event.after_tokens,
        up_to_turn=event.up_to_turn,
        up_to_call=event.up_to_call,
        summary=event.summary,
        privacy=event.privacy,
        generation=event.generation,
        variables=event.variables,
        variables_total=event.variables_total,
    )
    return add_item(state, event.turn_id, item)


def reply_kept(state: ThreadState, event: ReplyKept) -> ThreadState:
    """The call remembers what its provider wants back."""
    return _with_call(state, event.turn_id, event.call, kept=event.blob)


def _with_call(state: ThreadState, turn_id: TurnId, number: int, **update: object) -> ThreadState:
    """Change fields of one model call."""

    def edit(turn: TurnState) -> TurnState:
        calls = [
            call.model_copy(update=update) if call.call == number else call for call in turn.calls
        ]
        return turn.model_copy(update={"calls": calls})

    return edit_turn(state, turn_id, edit)


def usage(state: ThreadState, event: UsageReported) -> ThreadState:
    """A call's usage is added to the call, the turn and the thread."""
    used = Usage(
        calls=1,
        prompt=event.prompt,
        completion=event.completion,
        cached=event.cached,
        cost=event.cost,
        price_source=event.price_source,
        estimated=event.estimated,
        unpriced=int(event.cost is None),
        seconds=event.seconds,
    )
    state = _with_call(state, event.turn_id, event.call, usage=used)
    return add_to_usage(state, event.turn_id, used)


def notice(state: ThreadState, event: Notice) -> ThreadState:
    """A sentence joins its turn, or the thread."""
    item = NoticeItem(
        level=event.level,
        code=event.code,
        text=event.text,
        detail=event.detail,
        actions=event.actions,
    )
    if event.turn_id is None:
        return state.model_copy(update={"notices": [*state.notices, item]})
    return add_item(state, event.turn_id, item)


def turn_ended(state: ThreadState, event: TurnEnded) -> ThreadState:
    """The turn is over."""
    return with_turn(
        state,
        event.turn_id,
        stop_reason=event.stop_reason,
        usage=event.usage,
        suggestions=event.suggestions,
        ended_at=event.at,
    )
