"""Gathers what one model call is given, and records exactly that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink
from cave_lab.model.kept import going_back
from cave_lab.model.messages import View, derive
from cave_lab.model.port import AssistantMessage, ModelChoice, ModelMessage
from cave_lab.privacy.modes import previews_wanted
from cave_lab.protocol.content import Outline
from cave_lab.protocol.ids import BlobId, Generation, TurnId
from cave_lab.protocol.thread_events import ContextSent, VariablesSeen
from cave_lab.protocol.words import ActionFormat
from cave_lab.state.values import ThreadState
from cave_lab.thread.naming import Named, Naming
from cave_lab.thread.services import Services

BYTES_PER_TOKEN = 4
"""A first estimate of tokens, of UTF-8 bytes; the provider's own count follows with the answer."""


_Behind = Callable[[ModelMessage], Sequence[BlobId] | None]
"""The names of the messages that a reply was made from, if anything was kept of it."""


@dataclass(frozen=True)
class Context:
    """The messages of one call, the event that says so, and what of them is not stored yet."""

    messages: Sequence[ModelMessage]
    sent: Draft
    named: Mapping[ModelMessage, Named]
    unstored: Mapping[BlobId, bytes]


def unseen(turn_id: TurnId, why: str, generation: Generation | None = None) -> VariablesSeen:
    """The variables can't be seen, for a reason in a sentence."""
    return VariablesSeen(**DRAFT, turn_id=turn_id, generation=generation, unavailable=why)


def _mark(state: ThreadState, generation: Generation | None) -> int | None:
    """Up to where the thread knows what cells did to this memory."""
    marks = [
        turn.seen.mark
        for turn in state.turns
        if turn.seen is not None and turn.seen.generation == generation
    ]
    return next((mark for mark in reversed(marks) if mark is not None), None)


class ContextRoom:
    """Makes the contexts of one thread; keeps outlines and stored messages at hand."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._outlines: dict[BlobId, Outline] = {}
        self._kept: dict[BlobId, str] = {}
        self._stored: Mapping[ModelMessage, Named] = {}
        """Messages do not change, so each is named and stored once."""
        self._newer: Outline | None = None
        """The notebook as the writer saw it last, until a call or a message takes it up."""

    def notice_outline(self, outline: Outline) -> None:
        """The notebook has changed; raises LimitReached if the outline is too large."""
        self._check(outline.model_dump_json().encode())
        self._newer = outline

    def take_newer(self) -> Outline | None:
        """The notebook as it was seen since the last message or call; None if it was not."""
        newer, self._newer = self._newer, None
        return newer

    def _check(self, data: bytes) -> None:
        if len(data) > self._services.limits.outline_bytes:
            raise errors.LimitReached("The outline of the notebook is too large to send.")

    async def keep_outline(self, state: ThreadState, outline: Outline) -> BlobId:
        """Store an outline; raises LimitReached if it is too large."""
        data = outline.model_dump_json().encode()
        self._check(data)
        blob = await self._services.journal.put_blob(data, "application/json", state.thread_id)
        self._outlines[blob] = outline
        return blob

    async def see_variables(
        self, link: KernelLink | None, turn_id: TurnId, state: ThreadState
    ) -> Draft:
        """Look at the kernel's variables, or say why they can't be seen."""
        if link is None:
            return unseen(turn_id, errors.NoKernel.default)
        try:
            seen = await link.variables(previews=previews_wanted(state.privacy))
            theirs = await link.changes_since(_mark(state, seen.generation))
        except errors.KernelError as error:
            return unseen(turn_id, str(error), link.generation)
        return VariablesSeen(
            **DRAFT,
            turn_id=turn_id,
            generation=seen.generation,
            variables=list(seen.variables),
            total=seen.total,
            omitted=dict(seen.omitted),
            age_seconds=seen.age_seconds,
            changes=list(theirs.changes),
            changes_lost=theirs.lost,
            mark=theirs.mark,
        )

    async def keep_reply(self, state: ThreadState, data: str) -> BlobId:
        """Store what a provider wants back of a reply."""
        journal = self._services.journal
        blob = await journal.put_blob(data.encode(), "application/json", state.thread_id)
        self._kept[blob] = data
        return blob

    async def gather(
        self, state: ThreadState, call: int, choice: ModelChoice, format: ActionFormat
    ) -> Context:
        """Derive the messages of the running turn's next call to this model."""
        turn = state.turns[-1]
        await self._load_outlines(state)
        behind = await self._load_kept(state, choice)
        changed = self.take_newer()
        newer = await self.keep_outline(state, changed) if changed is not None else None
        services = self._services
        system = services.system_prompt(
            state.target.language or "python", actions=state.mode != "chat", format=format
        )
        view = View(system, services.redact, services.limits, self._outlines, newer, self._kept)
        naming = Naming(self._stored)
        derived = derive(state, view)
        naming.add_all(going_back(derived, choice, format), [behind(m) for m in derived])
        outline = self._outlines.get(turn.outline) if turn.outline else None
        size = sum(naming.named[message].size for message in naming.messages)
        sent = ContextSent(
            **DRAFT,
            turn_id=turn.turn_id,
            call=call,
            model=choice.name,
            messages=naming.blobs,
            variables=len(turn.seen.variables) if turn.seen else 0,
            cells=len(outline.cells) if outline else 0,
            estimated_tokens=size // BYTES_PER_TOKEN,
            outline=newer,
            format=format,
        )
        return Context(naming.messages, sent, naming.named, naming.unstored)

    async def keep(self, state: ThreadState, context: Context) -> None:
        """Store the messages of a call; done beside the call, which need not wait for the disk."""
        if context.unstored:
            journal = self._services.journal
            await journal.put_blobs(context.unstored, "application/json", state.thread_id)
        self._stored = context.named

    async def _load_outlines(self, state: ThreadState) -> None:
        told = [turn.outline for turn in state.turns]
        told += [call.outline for turn in state.turns for call in turn.calls]
        for name in told:
            if name is not None and name not in self._outlines:
                blob = await self._services.journal.get_blob(name, state.thread_id)
                self._outlines[name] = Outline.model_validate_json(blob.data)

    async def _load_kept(self, state: ThreadState, choice: ModelChoice) -> _Behind:
        """Have at hand what was kept of this model's replies, and behind what each was made."""
        made: dict[str, Sequence[BlobId]] = {}
        for call in (call for turn in state.turns for call in turn.calls):
            if call.kept is None or call.model != choice.name:
                continue
            if call.kept not in self._kept:
                blob = await self._services.journal.get_blob(call.kept, state.thread_id)
                self._kept[call.kept] = blob.data.decode()
            made[self._kept[call.kept]] = call.messages

        def behind(message: ModelMessage) -> Sequence[BlobId] | None:
            kept = message.kept if isinstance(message, AssistantMessage) else None
            return made.get(kept) if kept is not None else None

        return behind
