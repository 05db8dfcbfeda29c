"""One turn: the model speaks and asks for runs until it is done, cut, or out of budget."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from cave_lab import errors
from cave_lab.approval.policy import CHAT_SENTENCE
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.model.messages import ANSWER_CUT
from cave_lab.model.port import ModelChoice, ModelRequest
from cave_lab.protocol.content import CellPart, RunCellAction
from cave_lab.protocol.ids import RunId, TurnId, new_id
from cave_lab.protocol.thread_events import ActionRefused, MessageUnqueued, Notice
from cave_lab.protocol.words import NextStep, StopReason
from cave_lab.state.values import QueuedMessage, ThreadState, TurnState
from cave_lab.thread.asking import NEVER_RAN
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.context import Context, unseen
from cave_lab.thread.cut import TurnCut
from cave_lab.thread.host import Host
from cave_lab.thread.own_cell import own_cell
from cave_lab.thread.reply import Refusal, Reply, read
from cave_lab.thread.run_drafts import never_ran
from cave_lab.thread.running import BrokenCell, Running
from cave_lab.thread.services import Learned
from cave_lab.thread.tasks import to_the_end
from cave_lab.thread.usage import Scope, since, spent

_NEXT_STEPS: dict[type[errors.ModelError], Sequence[NextStep]] = {
    errors.ModelNotSet: ("open_model_settings",),
    errors.ModelNotFound: ("open_model_settings",),
    errors.ModelKeyRejected: ("open_model_settings",),
    errors.ModelUnreachable: ("try_again", "open_model_settings"),
    errors.EmptyResponse: ("open_model_settings", "try_again"),
    errors.ToolsUnsupported: ("open_model_settings",),
    errors.ModelTimeout: ("try_again", "open_model_settings"),
    errors.ContextTooLong: ("new_thread",),
    errors.ModelQuota: ("open_model_settings",),
    errors.ModelRefused: (),
}

_NO_KERNEL: dict[type[errors.KernelError], Sequence[NextStep]] = {
    errors.NoKernel: ("start_kernel", "try_again"),
}
_SILENT_KERNEL: Sequence[NextStep] = ("wait_for_kernel", "restart_kernel", "try_again")

_LEARNED: dict[Learned, str] = {
    "tools_refused": "This model has no tools, so from now on it is asked for cells in fenced "
    "blocks. The model settings show what was learned.",
    "call_as_text": "This model wrote its call as text, so from now on it is asked for cells in "
    "fenced blocks. The model settings show what was learned.",
    "broken_arguments": "This model's calls could not be read twice in a row, so from now on it is "
    "asked for cells in fenced blocks. The model settings show what was learned.",
}
_GOES_ON = "The answer reached the model's limit and goes on. A cell that was cut did not run."
_CUT_FOR_GOOD = (
    "The answer reached the model's limit again and again, so the turn was ended. What came is "
    "kept; a cell that was cut did not run. Ask for less at once, or go on."
)
_WITH_RESULT = "Go on with this result."

_NEVER_COMPLETE = "The cell was never complete, so it did not run."


class Turn:
    """The loop over one message of the person's."""

    def __init__(self, host: Host, turn_id: TurnId) -> None:
        self._host = host
        self._turn_id = turn_id
        self._clock = WorkClock()
        self._running = Running(host, turn_id, self._clock)
        self._refused = 0
        self._broken = 0
        """Calls of the tool in a row whose arguments could not be read."""
        self._cut_off = 0
        """Answers in a row that reached the model's limit."""
        self._without_kernel = False
        self.suggestions: list[str] = []
        """What the person may want to ask next."""

    async def run(self) -> StopReason:
        """Go on to the end; raises JournalError when nothing more can be written down."""
        try:
            await self._begin()
            cell = own_cell(self._turn.content)
            return await self._loop() if cell is None else await self._own_cell(cell)
        except TurnCut as cut:
            return "cancelled" if cut.reason == "stop" else "kernel_lost"
        except errors.ModelError as error:
            await self._notice(error, _NEXT_STEPS.get(type(error), ("try_again",)))
            return "refusal" if isinstance(error, errors.ModelRefused) else "model_error"

    @property
    def _state(self) -> ThreadState:
        return self._host.state

    @property
    def _turn(self) -> TurnState:
        return self._host.state.turns[-1]

    async def _soft(self, *drafts: Draft) -> None:
        await self._host.recorder.soft(*drafts)

    async def _notice(self, error: errors.CaveLabError, actions: Sequence[NextStep]) -> None:
        await self._soft(
            Notice(
                **DRAFT,
                turn_id=self._turn_id,
                level="error",
                code=error.code,
                text=str(error),
                detail=error.detail,
                actions=list(actions),
            )
        )

    async def _begin(self) -> None:
        await self._host.recorder.full(await self._host.cut.guard(self._look()))

    async def _look(self) -> Draft:
        """See the kernel's variables, or why they can't be seen; a silent kernel ends no talk."""
        try:
            link = await self._host.bind()
        except errors.KernelError as error:
            return unseen(self._turn_id, str(error))
        return await self._host.contexts.see_variables(link, self._turn_id, self._state)

    # ── the loop

    async def _loop(self) -> StopReason:
        call = 0
        while True:
            self._host.cut.check()
            over = await self._over_budget(call)
            if over is not None:
                return over
            call += 1
            await self._steer()
            try:
                reply = await self._call(call)
            except errors.ToolsUnsupported:
                if not await self._learn("tools_refused"):
                    raise
                continue
            self.suggestions = reply.suggestions
            end = await self._after(reply)
            if end is not None:
                return end

    async def _over_budget(self, calls: int) -> StopReason | None:
        """Say that a budget is used up, if one is; the cell that crossed it has run to its end."""
        budgets = await self._host.services.budgets(self._state.owner)
        runs = self._state.max_runs or budgets.turn.runs
        worked = self._turn.usage.model_copy(update={"seconds": self._clock.seconds})
        # The first call is made in any case: a slow kernel must not use up a turn.
        over = spent("turn", budgets.turn.model_copy(update={"runs": runs}), worked)
        over = over if calls else None
        thread = since(self._state.usage, self._state.budget_from)
        over = over or spent("thread", budgets.thread, thread)
        if over is None:
            return None
        steps: dict[Scope, NextStep] = {"turn": "go_on", "thread": "extend_budget"}
        await self._soft(
            Notice(
                **DRAFT,
                turn_id=self._turn_id,
                level="info",
                code=over.reason,
                text=f"{over.sentence} Its cells and variables are there; you can go on.",
                actions=[steps[over.scope]],
            )
        )
        return over.reason

    async def _learn(self, reason: Learned) -> bool:
        """Ask this model for fenced blocks from now on; False if the person decided otherwise."""
        learned = await self._host.services.manners.learn(self._state.owner, self._choice(), reason)
        if learned:
            await self._say("info", "format_learned", _LEARNED[reason], ("open_model_settings",))
            await self._host.recorder.flush()
        return learned

    async def _say(
        self, level: Literal["info", "warning"], code: str, text: str, steps: Sequence[NextStep]
    ) -> None:
        await self._soft(
            Notice(
                **DRAFT,
                turn_id=self._turn_id,
                level=level,
                code=code,
                text=text,
                actions=list(steps),
            )
        )

    async def _steer(self) -> None:
        """Give the turn what the person sent meanwhile to be heard at once."""
        async with self._host.inbox:
            steering = [message for message in self._state.queue if message.when == "steer"]
            if steering:
                await self._host.recorder.full(*(self._steered(message) for message in steering))

    def _steered(self, message: QueuedMessage) -> MessageUnqueued:
        return MessageUnqueued(
            **DRAFT, message_id=message.message_id, reason="steered", turn_id=self._turn_id
        )

    async def _call(self, call: int) -> Reply:
        choice = self._choice()
        manner = await self._host.cut.guard(
            self._host.services.manners.of(self._state.owner, choice)
        )
        context = await self._host.cut.guard(
            self._host.contexts.gather(self._state, call, choice.name, manner.format)
        )
        await self._soft(context.sent)
        request = ModelRequest(
            choice=replace(choice, effort=manner.effort),
            messages=context.messages,
            actions=self._state.mode != "chat",
            language=self._state.target.language or "python",
            format=manner.format,
            plain_fences_run=manner.plain_fences_run,
        )
        reply = Reply(call)
        try:
            await self._host.cut.guard(self._send(context, request, reply))
        except TurnCut as cut:
            await self._drop(reply, NEVER_RAN[cut.reason])
            raise
        except errors.ModelError:
            await self._drop(reply, _NEVER_COMPLETE)
            raise
        if reply.action is None:
            # What was refused is told beside it.
            await self._drop(reply, _NEVER_COMPLETE if reply.refused is None else None)
        return reply

    async def _send(self, context: Context, request: ModelRequest, reply: Reply) -> None:
        """Make the call, and store beside it what it was given."""
        keeping = asyncio.ensure_future(self._host.contexts.keep(self._state, context))
        try:
            replies, recorder = self._host.services.replies, self._host.recorder
            await read(replies, request, recorder, self._turn_id, reply)
        finally:
            # Also of a call that was stopped the person can see what it was given.
            await to_the_end(keeping)

    def _choice(self) -> ModelChoice:
        return self._host.services.choice(self._state.owner, self._state.model)

    async def _drop(self, reply: Reply, reason: str | None) -> None:
        """End a run whose code was being written and that was never proposed."""
        if reply.run_id is not None:
            await self._soft(never_ran(reply.run_id, reason))

    async def _after(self, reply: Reply) -> StopReason | None:
        """Carry out what the reply asks for; returns the stop reason when the turn is over."""
        if reply.action is not None and isinstance(reply.action.action, RunCellAction):
            return await self._carry_out(reply, reply.action.action)
        if reply.finish == "length":
            return await self._go_on_after_cut()
        if reply.refused is not None:
            await self._learn_from(reply.refused)
            return await self._refuse()
        return "refusal" if reply.finish == "refusal" else "end_turn"

    async def _learn_from(self, refused: Refusal) -> None:
        """A model that can't use the tool is asked for fenced blocks instead."""
        self._broken = self._broken + 1 if refused == "broken_arguments" else 0
        if refused == "call_as_text":
            await self._learn("call_as_text")
        elif self._broken == self._host.services.limits.broken_calls_until_fences:
            await self._learn("broken_arguments")

    async def _go_on_after_cut(self) -> StopReason | None:
        """An answer that reached the model's limit goes on by itself, but not for ever."""
        self._cut_off += 1
        if self._cut_off > self._host.services.limits.continuations_per_answer:
            await self._say("warning", "max_tokens", _CUT_FOR_GOOD, ("go_on",))
            return "max_tokens"
        await self._say("info", ANSWER_CUT, _GOES_ON, ())
        # The model is told what the journal holds, so the notice must be there first.
        await self._host.recorder.flush()
        return None

    async def _carry_out(self, reply: Reply, action: RunCellAction) -> StopReason | None:
        if self._state.mode == "chat":
            return await self._refuse_action(reply, "mode", CHAT_SENTENCE)
        run_id = reply.run_id or RunId(new_id("run"))
        try:
            await self._running.carry_out(action, run_id, reply.call)
        except BrokenCell as error:
            return await self._refuse_action(reply, "broken_code", str(error))
        except errors.KernelError as error:
            self._refused = 0
            return await self._no_kernel(error)
        self._refused, self._broken, self._cut_off, self._without_kernel = 0, 0, 0, False
        return None

    async def _own_cell(self, cell: CellPart) -> StopReason:
        """Run a block that the person chose of an answer; the model hears of it the next turn."""
        action = RunCellAction(code=cell.code, purpose=cell.purpose)
        try:
            await self._running.carry_out(action, RunId(new_id("run")), 0, by="user")
        except BrokenCell as error:
            await self._say("warning", "broken_code", str(error), ())
        except errors.KernelError as error:
            await self._notice(error, _NO_KERNEL.get(type(error), _SILENT_KERNEL))
        else:
            self.suggestions = [_WITH_RESULT]
        return "end_turn"

    async def _no_kernel(self, error: errors.KernelError) -> StopReason | None:
        """Tell both of it, once; a model that insists all the same is not asked again."""
        if self._without_kernel:
            return "end_turn"
        self._without_kernel = True
        await self._notice(error, _NO_KERNEL.get(type(error), _SILENT_KERNEL))
        # The model is told what the journal holds, so the notice must be there first.
        await self._host.recorder.flush()
        return None

    async def _refuse_action(
        self, reply: Reply, code: Literal["mode", "broken_code"], text: str
    ) -> StopReason | None:
        await self._drop(reply, None)
        await self._soft(
            ActionRefused(**DRAFT, turn_id=self._turn_id, call=reply.call, code=code, text=text)
        )
        return await self._refuse()

    async def _refuse(self) -> StopReason | None:
        """Let the model try again, but not for ever."""
        self._refused += 1
        if self._refused < self._host.services.limits.refused_actions_per_turn:
            # The model is told what the journal holds, so the refusal must be there first.
            await self._host.recorder.flush()
            return None
        raise errors.ModelError(
            "The model asked for something unusable several times in a row, so the turn was ended. "
            "Nothing of it ran. Try again, or choose another model."
        )
