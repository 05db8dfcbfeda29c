"""One turn: the model speaks and asks for runs until it is done, cut, or out of budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cave_lab import errors
from cave_lab.approval.policy import CHAT_SENTENCE
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.model.messages import ANSWER_CUT, BROKEN_CODE
from cave_lab.protocol.content import Budget, Budgets, CellPart, LookAction, RunCellAction
from cave_lab.protocol.ids import RunId, TurnId, new_id
from cave_lab.protocol.thread_events import ActionRefused, MessageUnqueued
from cave_lab.protocol.words import NextStep, Refusal, StopReason
from cave_lab.state.values import QueuedMessage, ThreadState, TurnState
from cave_lab.thread.calling import Calling
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.cut import TurnCut
from cave_lab.thread.host import Host
from cave_lab.thread.looking import Looking
from cave_lab.thread.notices import PRICE_UNKNOWN, Notices, was_told
from cave_lab.thread.own_cell import own_cell
from cave_lab.thread.patience import Patience
from cave_lab.thread.reply import Reply
from cave_lab.thread.running import BrokenCell, Running
from cave_lab.thread.seeing import see_variables, unseen
from cave_lab.thread.usage import Scope, since, spent, stricter

_GOES_ON = "The answer reached the model's limit and goes on."
_CUT_FOR_GOOD = (
    "The answer reached the model's limit again and again, so the turn was ended. What came is "
    "kept; a cell that was cut did not run. Ask for less at once, or go on."
)
_GIVEN_UP = (
    "The model asked for something unusable several times in a row, so the turn was ended. "
    "Nothing of it ran. Try again, or choose another model."
)
_STAYS = "Its cells and variables are there; you can go on."
_NOT_ASKED = "The model was not asked; your message is there, and you can go on."
_OWN_PURPOSE = "A cell from the answer"
_NO_PRICE = (
    "This model's price is unknown, so a budget in money can't be kept for it. "
    "A budget of tokens, in the model settings, can."
)
_LOOKED_ENOUGH = "You have looked {looks} times in a row: run a cell or answer."
_WITH_RESULT = "Go on with this result."

_STEPS_ON: dict[Scope, Sequence[NextStep]] = {
    "turn": ("go_on",),
    "thread": ("extend_budget", "open_model_settings"),
}
_ANEW: dict[Scope, str] = {
    "turn": "",
    "thread": " The thread's budget then begins anew.",
}


class Turn:
    """The loop over one message of the person's."""

    def __init__(self, host: Host, turn_id: TurnId) -> None:
        self._host = host
        self._turn_id = turn_id
        self._clock = WorkClock()
        self._notices = Notices(host.recorder, turn_id)
        self._calling = Calling(host, turn_id, self._notices)
        self._running = Running(host, turn_id, self._clock)
        self._looking = Looking(host, turn_id)
        self._patience = Patience(host.services.limits)
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
            await self._notices.failed(error)
            return "refusal" if isinstance(error, errors.ModelRefused) else "model_error"

    @property
    def _state(self) -> ThreadState:
        return self._host.state

    @property
    def _turn(self) -> TurnState:
        return self._host.state.turns[-1]

    async def _begin(self) -> None:
        await self._host.recorder.full(await self._host.cut.guard(self._look()))
        await self._looking.mentioned(self._turn.content, 0)

    async def _look(self) -> Draft:
        """See the kernel's variables, or why they can't be seen; a silent kernel ends no talk."""
        try:
            link = await self._host.bind()
        except errors.KernelError as error:
            return unseen(self._turn_id, str(error))
        return await see_variables(link, self._turn_id, self._state)

    # ── the loop

    async def _loop(self) -> StopReason:
        while True:
            self._host.cut.check()
            over = await self._over_budget(self._calling.made)
            if over is not None:
                return over
            await self._steer(self._calling.made)
            reply = await self._calling.call()
            if reply is None:
                continue
            self.suggestions = reply.suggestions
            end = await self._after(reply)
            if end is not None:
                return end

    async def _over_budget(self, calls: int) -> StopReason | None:
        """Say that a budget is used up, if one is; the cell that crossed it has run to its end."""
        budgets = await self._host.services.budgets(self._state.owner)
        # A thread may have a stricter number of runs of its own.
        own = Budgets(turn=Budget(runs=self._state.max_runs))
        turn = stricter(budgets, own).turn
        worked = self._turn.usage.model_copy(update={"seconds": self._clock.seconds})
        # The first call is made in any case: a slow kernel must not use up a turn.
        over = spent("turn", turn, worked) if calls else None
        used = since(self._state.usage, self._state.budget_from)
        over = over or spent("thread", budgets.thread, used)
        if over is None:
            await self._warn_of_price(budgets)
            return None
        text = f"{over.sentence} {_STAYS if calls else _NOT_ASKED}{_ANEW[over.scope]}"
        await self._notices.say("info", over.reason, text, *_STEPS_ON[over.scope])
        return over.reason

    async def _warn_of_price(self, budgets: Budgets) -> None:
        """Say once in a thread that a budget in money can't be kept."""
        bounded = budgets.turn.cost is not None or budgets.thread.cost is not None
        if bounded and self._state.usage.unpriced and not was_told(self._state, PRICE_UNKNOWN):
            await self._notices.say("warning", PRICE_UNKNOWN, _NO_PRICE, "open_model_settings")

    async def _steer(self, made: int) -> None:
        """Give the call behind those made what the person sent meanwhile to be heard at once."""
        async with self._host.inbox:
            steering = [message for message in self._state.queue if message.when == "steer"]
            if steering:
                await self._host.recorder.full(*(self._steered(message) for message in steering))
        for message in steering:
            await self._looking.mentioned(message.content, made)

    def _steered(self, message: QueuedMessage) -> MessageUnqueued:
        return MessageUnqueued(
            **DRAFT, message_id=message.message_id, reason="steered", turn_id=self._turn_id
        )

    # ── what a reply asks for; a stop reason when the turn is over

    async def _after(self, reply: Reply) -> StopReason | None:
        match reply.action.action if reply.action is not None else None:
            case RunCellAction() as action:
                return await self._carry_out(reply, action)
            case LookAction() as action:
                return await self._look_closer(reply, action)
            case _:
                pass
        if reply.finish == "length":
            return await self._go_on_after_cut()
        if reply.refused is not None:
            return await self._refuse(reply.refused)
        return "refusal" if reply.finish == "refusal" else "end_turn"

    async def _carry_out(self, reply: Reply, action: RunCellAction) -> StopReason | None:
        if self._state.mode == "chat":
            return await self._refuse_action(reply, "mode", CHAT_SENTENCE)
        run_id = reply.run_id or RunId(new_id("run"))
        try:
            await self._running.carry_out(action, run_id, reply.call)
        except BrokenCell as error:
            return await self._refuse_action(reply, "broken_code", str(error))
        except errors.KernelError as error:
            self._patience.went_well()
            return await self._no_kernel(error)
        self._patience.went_well()
        self._without_kernel = False
        return None

    async def _look_closer(self, reply: Reply, action: LookAction) -> StopReason | None:
        if not self._patience.may_look():
            looks = self._host.services.limits.looks_in_a_row
            text = _LOOKED_ENOUGH.format(looks=looks)
            return await self._refuse_action(reply, "looks_in_a_row", text)
        await self._looking.look(action, reply.call, "model")
        return None

    async def _own_cell(self, cell: CellPart) -> StopReason:
        """Run a block that the person chose of an answer; the model hears of it the next turn."""
        action = RunCellAction(code=cell.code, purpose=cell.purpose or _OWN_PURPOSE)
        try:
            await self._running.carry_out(action, RunId(new_id("run")), 0, by="user")
        except BrokenCell as error:
            await self._notices.say("warning", BROKEN_CODE, str(error))
        except errors.KernelError as error:
            await self._notices.failed(error)
        else:
            self.suggestions = [_WITH_RESULT]
        return "end_turn"

    async def _go_on_after_cut(self) -> StopReason | None:
        """An answer that reached the model's limit goes on by itself, but not for ever."""
        if not self._patience.after_cut():
            await self._notices.say("warning", "max_tokens", _CUT_FOR_GOOD, "go_on")
            return "max_tokens"
        await self._notices.say_to_both(ANSWER_CUT, _GOES_ON)
        return None

    async def _no_kernel(self, error: errors.KernelError) -> StopReason | None:
        """Tell both of it, once; a model that insists all the same is not asked again."""
        if self._without_kernel:
            return "end_turn"
        self._without_kernel = True
        await self._notices.failed(error)
        # The model is told what the journal holds, so the notice must be there first.
        await self._host.recorder.flush()
        return None

    async def _refuse_action(
        self, reply: Reply, code: Literal["mode", "broken_code", "looks_in_a_row"], text: str
    ) -> StopReason | None:
        await self._calling.drop(reply, None)
        await self._host.recorder.soft(
            ActionRefused(**DRAFT, turn_id=self._turn_id, call=reply.call, code=code, text=text)
        )
        return await self._refuse(code)

    async def _refuse(self, code: Refusal) -> StopReason | None:
        """Let the model try again, in another format if it can't use this one, but not for ever."""
        if self._patience.has_no_tools(code):
            await self._calling.learn(
                "call_as_text" if code == "call_as_text" else "broken_arguments"
            )
        if not self._patience.after_refusal():
            raise errors.ModelError(_GIVEN_UP)
        # The model is told what the journal holds, so the refusal must be there first.
        await self._host.recorder.flush()
        return None
