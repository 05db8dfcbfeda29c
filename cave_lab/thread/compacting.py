"""Shortens the talk for the model before a call that it would be too long for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.model.messages import Place, bounds_of, results_in, shortening
from cave_lab.model.prompt import summary_prompt
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import ContextCompacted
from cave_lab.state.fold_thread import compacted
from cave_lab.state.values import CompactedItem, NoticeItem, ThreadState, VariablesView
from cave_lab.thread.context import Address, Context
from cave_lab.thread.cutting import first_that_fits, is_passed, left_out
from cave_lab.thread.host import Host
from cave_lab.thread.notices import Notices
from cave_lab.thread.reply import Reply
from cave_lab.thread.seeing import alive
from cave_lab.thread.windows import Room, bounded, room_of, window_in

SUMMARY_FAILED = "summary_failed"
"""The code of the notice that the model could not sum up the talk."""

_FAILED = (
    "The earlier messages could not be summed up for the model. Nothing was left out for that; "
    "it is tried again later."
)
_FAILED_FOR_GOOD = (
    "The earlier messages could not be summed up for the model, again and again. From now on the "
    "oldest are left out when there is no more room; all of them stay here."
)
_EMPTY = "The model wrote no summary."
_CUT = "The summary was cut off by the model's own limit."
_NO_SHORTER = "The summary was no shorter than what it would have stood for."

_WORDS_PER_TOKEN = 0.6
_WORTH = 4
"""What is left out must be at least such a part of a summary, or nothing is gained."""

Tier = Literal["stubs", "summary", "trimmed"]
Reason = Literal["window", "overflow"]
Speak = Callable[[Context, Reply], Awaitable[None]]
"""Make a call whose answer is not shown."""


@dataclass(frozen=True)
class _Talk:
    """The talk as the coming call would be given it."""

    state: ThreadState
    context: Context
    tokens: int


@dataclass(frozen=True)
class _Step:
    """The call that the talk is shortened for."""

    call: int
    to: Address
    reason: Reason
    room: Room


class Compacting:
    """The shortenings of one turn."""

    def __init__(self, host: Host, turn_id: TurnId, notices: Notices, speak: Speak) -> None:
        self._host = host
        self._turn_id = turn_id
        self._notices = notices
        self._speak = speak
        self._failed = False
        """Whether a summary has failed since the last call that went well."""

    def went_well(self) -> None:
        """A call was answered: a summary may be tried again."""
        self._failed = False

    async def shorten(self, call: int, context: Context, to: Address, reason: Reason) -> bool:
        """Shorten the talk before a call for which it is too long; False if it stays as it is.

        Raises TurnCut. A summary is a call of its own, and takes this call's number.
        """
        room = self._room(context, to, reason)
        if reason == "window" and context.tokens <= room.most:
            return False
        step = _Step(call, to, reason, room)
        talk = _Talk(self._host.state, context, context.tokens)
        stubbed = await self._stub(talk, step)
        if stubbed is not None and stubbed.tokens <= room.enough:
            return True
        return await self._leave_out(stubbed or talk, step) or stubbed is not None

    def _room(self, context: Context, to: Address, reason: Reason) -> Room:
        state, limits = self._host.state, self._host.services.limits
        window = window_in(state, to.choice.name, to.manner.window, limits)
        # What was refused is beyond the window, whatever was known of it.
        refused = [context.tokens] if reason == "overflow" else []
        return room_of(bounded(window, refused, limits), limits)

    # ── first: a line for each older result

    async def _stub(self, talk: _Talk, step: _Step) -> _Talk | None:
        """Tell older results in a line; None if nothing is gained by that."""
        short = shortening(talk.state)
        places = [place for place in results_in(talk.state) if short.tells(place)]
        whole = self._host.services.limits.whole_results
        if len(places) <= whole or places[-whole] <= short.stubs_before:
            return None
        return await self._write(talk, step, self._event(talk, step, "stubs", places[-whole]))

    # ── then: a summary of the talk, or nothing of its beginning

    async def _leave_out(self, talk: _Talk, step: _Step) -> bool:
        cut = self._cut(talk, step)
        if cut is None:
            return False
        if self._may_sum_up():
            summary = await self._sum_up(talk, step, cut)
            if summary is not None:
                event = self._event(talk, step, "summary", cut, summary)
                if await self._write(talk, step, await self._seen(event)) is not None:
                    return True
                # Unsaid, each further call would ask for another one.
                await self._not_summed_up(_NO_SHORTER)
            if step.reason == "window":
                # Nothing is left out for a summary that failed: the call is looked at anew.
                return True
        elif self._failed and step.reason == "window" and talk.tokens <= step.room.window:
            return False
        event = await self._seen(self._event(talk, step, "trimmed", cut))
        return await self._write(talk, step, event) is not None

    def _cut(self, talk: _Talk, step: _Step) -> Place | None:
        """Where the talk begins that is kept: as early as there is room for it."""
        end = Place(len(talk.state.turns) - 1, step.call)
        weights, room = talk.context.weights, step.room
        # The prompt and the tools stay; a summary and the table of variables come.
        fixed = talk.tokens - sum(weight.tokens for weight in weights)
        table = bounds_of(room.window, self._host.services.limits).model_variables_chars // 4
        spare = max(0, fixed) + self._summary_tokens(room) + table
        cut = first_that_fits(weights, end, room.enough - spare, room.most - spare)
        if cut is None or left_out(weights, cut) < self._summary_tokens(room) // _WORTH:
            return None
        return cut

    # ── the summary

    def _may_sum_up(self) -> bool:
        limit = self._host.services.limits.summary_failures
        return not self._failed and failures_in(self._host.state) < limit

    def _summary_tokens(self, room: Room) -> int:
        return min(self._host.services.limits.summary_tokens, room.window // 8)

    async def _sum_up(self, talk: _Talk, step: _Step, cut: Place) -> str | None:
        """Let the model write a summary of the talk before a place; None if it did not."""
        try:
            words = await self._written(await self._asked(talk, step, cut), step.call)
        except errors.ModelError as error:
            await self._not_summed_up(str(error))
            return None
        return await self._bounded(words, self._summary_tokens(step.room))

    async def _written(self, context: Context, call: int) -> str:
        """What the model writes; raises ModelError also for what is no whole summary."""
        reply = Reply(call)
        await self._speak(context, reply)
        words = "".join(reply.words).strip()
        if reply.finish == "length":
            raise errors.ModelError(_CUT)
        if reply.finish != "stop" or not words:
            raise errors.ModelError(_EMPTY)
        return words

    async def _asked(self, talk: _Talk, step: _Step, cut: Place) -> Context:
        """The call for a summary; a talk too long even for that is given without its beginning."""
        words = summary_prompt(int(self._summary_tokens(step.room) * _WORDS_PER_TOKEN))
        passed = is_passed(talk.context.weights, cut)
        end = cut if passed else Place(cut.turn, -1)

        def asked(state: ThreadState) -> Coroutine[Any, Any, Context]:
            return self._host.contexts.gather_before(state, step.call, step.to, end, words)

        context = await self._host.cut.guard(asked(talk.state))
        if context.tokens <= step.room.most:
            return context
        *weights, last = context.weights
        fixed = context.tokens - sum(weight.tokens for weight in weights)
        later = first_that_fits(weights, end, step.room.most - fixed - last.tokens)
        if later is None or later >= end:
            return context
        shorter = compacted(talk.state, self._event(talk, step, "trimmed", later))
        return await self._host.cut.guard(asked(shorter))

    async def _bounded(self, words: str, most: int) -> str:
        """A summary that is longer than it was asked to be loses its end."""
        tallies = await self._host.services.replies.count([words])
        tokens = tallies[0].narrow + tallies[0].wide if tallies else 0.0
        return words if tokens <= most else f"{words[: int(len(words) * most / tokens)]} …"

    async def _not_summed_up(self, why: str) -> None:
        self._failed = True
        last = failures_in(self._host.state) + 1 >= self._host.services.limits.summary_failures
        text = _FAILED_FOR_GOOD if last else _FAILED
        await self._notices.say("info", SUMMARY_FAILED, text, detail=why)
        await self._host.recorder.flush()

    # ── what is written down

    def _event(
        self, talk: _Talk, step: _Step, tier: Tier, cut: Place, summary: str | None = None
    ) -> ContextCompacted:
        return ContextCompacted(
            **DRAFT,
            turn_id=self._turn_id,
            call=step.call,
            tier=tier,
            reason=step.reason,
            before_tokens=talk.tokens,
            after_tokens=talk.tokens,
            up_to_turn=talk.state.turns[cut.turn].turn_id,
            up_to_call=cut.call,
            summary=summary,
            privacy=talk.state.privacy,
        )

    async def _seen(self, event: ContextCompacted) -> ContextCompacted:
        """Put with it what lives in the kernel."""
        view = await self._host.cut.guard(self._alive())
        if view is None:
            return event
        return event.model_copy(
            update={
                "generation": view.generation,
                "variables": view.variables,
                "variables_total": view.total,
            }
        )

    async def _alive(self) -> VariablesView | None:
        try:
            link = await self._host.bind()
        except errors.KernelError:
            return None
        return await alive(link, self._host.state)

    async def _write(self, talk: _Talk, step: _Step, event: ContextCompacted) -> _Talk | None:
        """Write a shortening down; None, and nothing is, if it would gain nothing."""
        state = compacted(talk.state, event)
        context = await self._host.contexts.gather(state, step.call, step.to)
        before, after = (sum(c.tokens for c in each.weights) for each in (talk.context, context))
        if after >= before:
            return None
        tokens = talk.tokens - before + after
        await self._host.recorder.full(event.model_copy(update={"after_tokens": tokens}))
        return _Talk(self._host.state, context, tokens)


def failures_in(state: ThreadState) -> int:
    """How many summaries have failed in a thread since one was written."""
    failed = 0
    for item in (item for turn in state.turns for item in turn.items):
        match item:
            case CompactedItem(tier="summary"):
                failed = 0
            case NoticeItem() if item.code == SUMMARY_FAILED:
                failed += 1
            case _:
                pass
    return failed
