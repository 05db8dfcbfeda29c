"""Gathers what one model call is given, and records exactly that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.model.figures import figures_of, stored_figures
from cave_lab.model.kept import going_back
from cave_lab.model.messages import Derivation, Place, Placed, View, bounds_of
from cave_lab.model.port import (
    AssistantMessage,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    UserMessage,
)
from cave_lab.model.tokens import Measured, estimate, weigh
from cave_lab.protocol.content import Outline, Output
from cave_lab.protocol.ids import BlobId, RunId
from cave_lab.protocol.thread_events import ContextSent
from cave_lab.state.values import CallState, ThreadState
from cave_lab.thread.cutting import Weight
from cave_lab.thread.naming import Named, Naming
from cave_lab.thread.outlines import Outlines
from cave_lab.thread.outputs import read_output
from cave_lab.thread.services import Manner, Services
from cave_lab.thread.tallies import Tallies, calls_to
from cave_lab.thread.windows import window_in

_Behind = Callable[[ModelMessage], Sequence[BlobId] | None]
"""The names of the messages that a reply was made from, if anything was kept of it."""


@dataclass(frozen=True)
class Address:
    """Whom a call goes to, and how that model is spoken to."""

    choice: ModelChoice
    manner: Manner


@dataclass(frozen=True)
class Context:
    """One call: the request, the event that says so, and what of its messages is not stored yet."""

    request: ModelRequest
    sent: Draft
    tokens: int
    """An estimate of the prompt."""
    places: Sequence[Place]
    measured: Measured
    named: Sequence[Named]
    unstored: Mapping[BlobId, bytes]
    earlier: Sequence[CallState]
    """The calls before it to the same model."""
    newer: Outline | None = None
    """The notebook as the person has changed it, if that is told here for the first time."""

    @property
    def weights(self) -> list[Weight]:
        """The talk behind the prompt, message by message."""
        sizes = weigh(self.measured, self.earlier)
        pairs = zip(self.places, sizes, strict=True)
        return [Weight(place, size) for place, size in pairs][1:]


class ContextRoom:
    """Makes the contexts of one thread; keeps outlines and stored messages at hand."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.outlines = Outlines(services)
        self._derivation = Derivation()
        self._tallies = Tallies(services.replies)
        self._kept: dict[BlobId, str] = {}
        self._stored: Sequence[Named] = ()
        """Messages do not change, so each is named and stored once."""
        self._figures: dict[BlobId, Output] = {}
        """Large outputs of the running turn that hold figures."""

    async def keep_reply(self, state: ThreadState, data: str) -> BlobId:
        """Store what a provider wants back of a reply."""
        journal = self._services.journal
        blob = await journal.put_blob(data.encode(), "application/json", state.thread_id)
        self._kept[blob] = data
        return blob

    # ── what a call is given

    async def gather(self, state: ThreadState, call: int, to: Address) -> Context:
        """Derive the messages of the running turn's next call; nothing is taken up by that."""
        newer = self.outlines.newer
        blob = await self.outlines.keep(state, newer) if newer is not None else None
        view = await self._view(state, to, blob)
        context = await self._context(state, call, self._derivation.placed(state, view), to, blob)
        return replace(context, newer=newer)

    async def gather_before(
        self, state: ThreadState, call: int, to: Address, end: Place, words: str
    ) -> Context:
        """A call of words alone about the talk before a place, which is as it always was told."""
        view = await self._view(state, to, None)
        talk = [each for each in self._derivation.placed(state, view) if each.place < end]
        asked = Placed(end, UserMessage(words))
        return await self._context(state, call, [*talk, asked], to, None, acts=False)

    async def _view(self, state: ThreadState, to: Address, newer: BlobId | None) -> View:
        services = self._services
        await self._load_kept(state, to.choice)
        window = window_in(state, to.choice.name, to.manner.window, services.limits)
        system = services.system_prompt(
            state.target.language or "python",
            actions=state.mode != "chat",
            format=to.manner.format,
        )
        return View(
            system,
            services.redact,
            bounds_of(window, services.limits),
            await self.outlines.told_in(state),
            newer,
            self._kept,
            await self._load_figures(state) if to.manner.sees else {},
        )

    async def _context(
        self,
        state: ThreadState,
        call: int,
        told: Sequence[Placed],
        to: Address,
        newer: BlobId | None,
        *,
        acts: bool = True,
    ) -> Context:
        derived = [each.message for each in told]
        naming = Naming(self._stored)
        back = going_back(derived, to.choice, to.manner.format)
        behind = self._behind(state)
        naming.add_all(back, [behind(message) for message in derived])
        request = ModelRequest(
            choice=to.choice,
            messages=naming.messages,
            actions=acts and state.mode != "chat",
            language=state.target.language or "python",
            format=to.manner.format,
            plain_fences_run=to.manner.plain_fences_run,
        )
        measured = await self._tallies.measured(naming, request)
        earlier = calls_to(state, request)
        tokens = estimate(measured, earlier)
        return Context(
            request,
            self._sent(state, call, request, naming.blobs, tokens, newer),
            tokens,
            [each.place for each in told],
            measured,
            naming.named,
            naming.unstored,
            earlier,
        )

    def _sent(
        self,
        state: ThreadState,
        call: int,
        request: ModelRequest,
        messages: list[BlobId],
        tokens: int,
        newer: BlobId | None,
    ) -> ContextSent:
        turn = state.turns[-1]
        outline = self.outlines.known(turn.outline)
        return ContextSent(
            **DRAFT,
            turn_id=turn.turn_id,
            call=call,
            model=request.choice.name,
            messages=messages,
            variables=len(turn.seen.variables) if turn.seen else 0,
            cells=len(outline.cells) if outline else 0,
            estimated_tokens=tokens,
            outline=newer,
            format=request.format,
        )

    async def keep(self, state: ThreadState, context: Context) -> None:
        """Store the messages of a call; done beside the call, which need not wait for the disk."""
        if context.unstored:
            journal = self._services.journal
            await journal.put_blobs(context.unstored, "application/json", state.thread_id)
        self._stored = context.named

    # ── what the journal has

    async def _load_figures(self, state: ThreadState) -> Mapping[RunId, Sequence[str]]:
        """Have at hand the figures that the model is given as images."""
        limits, journal = self._services.limits, self._services.journal
        wanted = list(stored_figures(state, limits))
        self._figures = {name: self._figures[name] for name in wanted if name in self._figures}
        for name in wanted:
            if name not in self._figures:
                # One whose payload was deleted stays a line.
                with suppress(errors.NotFound):
                    self._figures[name] = await read_output(journal, name, state.thread_id)
        return figures_of(state, self._figures, limits)

    async def _load_kept(self, state: ThreadState, choice: ModelChoice) -> None:
        """Have at hand what was kept of this model's replies."""
        for call in (call for turn in state.turns for call in turn.calls):
            if call.kept is not None and call.model == choice.name and call.kept not in self._kept:
                blob = await self._services.journal.get_blob(call.kept, state.thread_id)
                self._kept[call.kept] = blob.data.decode()

    def _behind(self, state: ThreadState) -> _Behind:
        """Behind what each reply was made of which something was kept."""
        calls = [call for turn in state.turns for call in turn.calls]
        made = {
            self._kept[call.kept]: call.messages
            for call in calls
            if call.kept is not None and call.kept in self._kept
        }

        def behind(message: ModelMessage) -> Sequence[BlobId] | None:
            kept = message.kept if isinstance(message, AssistantMessage) else None
            return made.get(kept) if kept is not None else None

        return behind
