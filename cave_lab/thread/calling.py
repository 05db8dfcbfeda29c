"""One call of the model: how it is spoken to, what it is given, and what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.model.port import ModelChoice
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import ReplyKept
from cave_lab.protocol.words import ActionFormat
from cave_lab.thread.asking import NEVER_RAN
from cave_lab.thread.compacting import Compacting
from cave_lab.thread.context import Address, Context
from cave_lab.thread.cut import TurnCut
from cave_lab.thread.host import Host
from cave_lab.thread.notices import Notices
from cave_lab.thread.reply import Reply, read
from cave_lab.thread.run_drafts import never_ran
from cave_lab.thread.services import Learned
from cave_lab.thread.tasks import to_the_end
from cave_lab.thread.too_long import too_long

_NEVER_COMPLETE = "The cell was never complete, so it did not run."

_FROM_NOW_ON = (
    "so from now on it is asked for cells in fenced blocks. The model settings show what was "
    "learned."
)
_BLIND = (
    "This model takes no images, so it is told of figures in words from now on. If it should see "
    "them, say so in the model settings once its server can."
)
_IN_WORDS = (
    "The provider did not accept the figures of this turn as they were, so the model is told of "
    "them in words until the turn ends. The provider's own words are below."
)
_LEARNED: dict[Learned, str] = {
    "tools_refused": f"This model has no tools, {_FROM_NOW_ON}",
    "call_as_text": f"This model wrote its call as text, {_FROM_NOW_ON}",
    "broken_arguments": f"This model's calls could not be read several times, {_FROM_NOW_ON}",
}


class Calling:
    """The calls of one turn."""

    def __init__(self, host: Host, turn_id: TurnId, notices: Notices) -> None:
        self._host = host
        self._turn_id = turn_id
        self._notices = notices
        self._compacting = Compacting(host, turn_id, notices, self._quietly)
        self._format: ActionFormat = "tools"
        """How the latest call asked for a cell."""
        self._latest: tuple[Context, Address] | None = None
        self._in_words = False
        """Whether figures are lines for the rest of the turn."""
        self._overflowed = False
        """Whether the talk was shortened for a call that was refused, and none went well since."""
        self.made = 0
        """The calls so far, those for a summary too."""

    async def call(self) -> Reply | None:
        """Make one call; None if what it is given has changed, so that it is to be made anew.

        Raises TurnCut and ModelError; a run whose code was being written has been ended then.
        """
        try:
            return await self._call()
        except errors.ContextTooLong as error:
            await self._shorten_or_raise(error)
            return None
        except errors.ToolsUnsupported:
            if not await self.learn("tools_refused"):
                raise
            return None
        except errors.ImagesRefused:
            code = errors.ImagesRefused.code
            self._host.services.manners.blind(self._choice())
            await self._notices.say("info", code, _BLIND, "open_model_settings")
            return None
        except errors.FiguresRefused as error:
            self._in_words = True
            await self._notices.say("info", error.code, _IN_WORDS, detail=error.detail)
            return None

    async def learn(self, reason: Learned) -> bool:
        """Ask this model for fenced blocks from now on.

        False if it was just asked for them, or if the person decided otherwise.
        """
        if self._format == "fences":
            return False
        manners = self._host.services.manners
        learned = await manners.learn(self._host.state.owner, self._choice(), reason)
        if learned:
            await self._notices.say_to_both(
                "format_learned", _LEARNED[reason], "open_model_settings"
            )
        return learned

    async def drop(self, reply: Reply, reason: str | None) -> None:
        """End a run whose code was being written and that was never proposed."""
        if reply.run_id is not None:
            await self._host.recorder.soft(never_ran(reply.run_id, reason))

    async def _call(self) -> Reply | None:
        context, to = await self._host.cut.guard(self._prepared())
        if await self._compacting.shorten(self.made + 1, context, to, "window"):
            return None
        self._latest = context, to
        reply = Reply(self.made + 1)
        await self._record(context)
        try:
            await self._host.cut.guard(self._send(context, reply))
        except TurnCut as cut:
            await self.drop(reply, NEVER_RAN[cut.reason])
            raise
        except errors.ModelError:
            await self.drop(reply, _NEVER_COMPLETE)
            raise
        self._overflowed = False
        self._compacting.went_well()
        if reply.action is None:
            # What was refused is told beside it.
            await self.drop(reply, _NEVER_COMPLETE if reply.refused is None else None)
        return reply

    async def _shorten_or_raise(self, error: errors.ContextTooLong) -> None:
        """Shorten a talk that the model refused as too long, once; raises the error otherwise."""
        if self._latest is None:
            raise error
        context, to = self._latest
        again, self._overflowed = self._overflowed, True
        if again or not await self._compacting.shorten(self.made + 1, context, to, "overflow"):
            raise too_long(self._host.state, context, error)

    async def _quietly(self, context: Context, reply: Reply) -> None:
        """Make a call whose answer is no part of the talk; what it was given can be seen."""
        await self._record(context)
        await self._host.cut.guard(self._send(context, reply, shown=False))

    async def _prepared(self) -> tuple[Context, Address]:
        state, services = self._host.state, self._host.services
        manner = await services.manners.of(state.owner, self._choice())
        self._format = manner.format
        manner = replace(manner, sees=manner.sees and not self._in_words)
        to = Address(replace(self._choice(), effort=manner.effort), manner)
        return await self._host.contexts.gather(state, self.made + 1, to), to

    async def _record(self, context: Context) -> None:
        self.made += 1
        self._host.contexts.outlines.taken(context.newer)
        await self._host.recorder.soft(context.sent)

    async def _send(self, context: Context, reply: Reply, *, shown: bool = True) -> None:
        """Make the call, and store beside it what it was given."""
        keeping = asyncio.ensure_future(self._host.contexts.keep(self._host.state, context))
        try:
            replies, recorder = self._host.services.replies, self._host.recorder
            await read(replies, context.request, recorder, self._turn_id, reply, shown=shown)
        finally:
            # Also of a call that was stopped the person can see what it was given.
            await to_the_end(keeping)
        if shown:
            await self._keep(reply)

    async def _keep(self, reply: Reply) -> None:
        """Keep what the provider wants back with the cell's result; of mere words it wants none."""
        if reply.kept is not None and reply.action is not None:
            blob = await self._host.contexts.keep_reply(self._host.state, reply.kept)
            kept = ReplyKept(**DRAFT, turn_id=self._turn_id, call=reply.call, blob=blob)
            await self._host.recorder.soft(kept)

    def _choice(self) -> ModelChoice:
        return self._host.services.choice(self._host.state.owner, self._host.state.model)
