"""One thread: its state, its pen, its followers, its kernel and one turn at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Literal

from cave_lab import errors
from cave_lab.approval.gate import Gate
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import CaughtUp, Signal
from cave_lab.protocol.ids import MessageId, Seq, TurnId, new_id
from cave_lab.protocol.thread_events import MessageUnqueued, TurnStarted
from cave_lab.protocol.words import StopReason
from cave_lab.state import ThreadState, fold
from cave_lab.thread.binding import Binding
from cave_lab.thread.changes import changes_before, target_of
from cave_lab.thread.context import ContextRoom
from cave_lab.thread.cut import Cut
from cave_lab.thread.faults import JOURNAL_FAILED, fault_of, internal_error, reason_after
from cave_lab.thread.followers import Followers
from cave_lab.thread.kernel_watch import KernelWatch
from cave_lab.thread.recorder import Recorder
from cave_lab.thread.recovery import closing, kept_back
from cave_lab.thread.services import Client, Services
from cave_lab.thread.tasks import Tasks, to_the_end
from cave_lab.thread.turn import Turn

_log = logging.getLogger("cave_lab")

_GOES_ON = frozenset({"end_turn", "max_runs", "max_tokens", "max_time", "max_cost"})
"""After these the next queued message is sent; after the others the person looks first, and only
what they sent since then goes on."""


Moved = Callable[[str, str], None]
"""Hears of a notebook's path before and after it was renamed."""


class Thread:
    """A live thread of this server. It is the Host of its turns."""

    def __init__(
        self, services: Services, state: ThreadState, read_only: str | None, moved: Moved
    ) -> None:
        self.services = services
        self._moved = moved
        self.state = state
        self.read_only = read_only
        self.gate = Gate()
        self.cut = Cut()
        self.contexts = ContextRoom(services)
        self.inbox = asyncio.Lock()
        """Held while a message is taken in or sent on, so that two can't begin a turn at once."""
        self.recorder = Recorder(
            services.journal, state.thread_id, services.limits, self._told, self._fault
        )
        self.followers = Followers()
        self.watch = KernelWatch(self, services.kernels, services.limits.lost_names)
        self._tasks = Tasks()
        self._binding = Binding(self.watch, self.recorder, lambda: self.state.target)
        self._turn: asyncio.Task[None] | None = None
        self.begun_by: Literal["browser", "api"] = "browser"
        """The kind of connection that the last turn's message came over."""
        self._unended = False
        """Whether the end of the last turn could not be written down."""
        self._told_of_fault = False
        self._said_since_cut: list[MessageId] = []

    # ── life

    def start(self) -> None:
        """Take up the pen."""
        self.recorder.start(self.state.seq)

    async def close(self) -> None:
        """End what runs, truthfully, and put the pen down; may be called twice."""
        self.watch.close()
        await self._tasks.close()
        if not self.recorder.closed and self.read_only is None:
            await self._end_turns("interrupted")
        await self.recorder.close()

    @property
    def busy(self) -> bool:
        """Whether a turn is running here; not any more when its end can be seen."""
        running = self._turn is not None and not self._turn.done()
        return running and self.state.turn is not None

    @property
    def broken(self) -> bool:
        """Whether something could not be written down; `mend` tries again."""
        return self._unended or self.recorder.failure is not None

    @property
    def in_use(self) -> bool:
        """Whether anybody looks on, or anything is being done."""
        return bool(len(self.followers) or len(self._tasks) or self.inbox.locked())

    # ── being told

    def _told(self, events: Sequence[Event]) -> None:
        before = self.state.target
        for event in events:
            self.state = fold(self.state, event)
        self.followers.tell(events)
        old, new = before.notebook, self.state.target.notebook
        same = before.session_id is not None and before.session_id == self.state.target.session_id
        if old is not None and new is not None and same and old.path != new.path:
            self._moved(old.path, new.path)

    def signal(self, signal: Signal) -> None:
        """Tell all followers."""
        self.followers.signal(signal)

    def invite(self, client: Client, after: Seq) -> None:
        """Let a client follow that has not asked for it; nobody waits for it."""
        # It may leave before it has begun to follow; then nothing is left of it here.
        self.followers.expect(client)
        self._tasks.spawn(self._follow_if_there(client, after), "invite")

    async def _follow_if_there(self, client: Client, after: Seq) -> None:
        if client.origin.client_id in self.followers:
            await self.follow(client, after)

    async def follow(self, client: Client, after: Seq) -> None:
        """Send the client all after a number, then the kernel's state, then what comes."""
        await self.try_to_mend()
        start = after if after <= self.state.seq else Seq(0)
        journal, thread_id = self.services.journal, self.state.thread_id
        await self.followers.add(
            client, start, lambda: self.state.seq, lambda seq: journal.pages(thread_id, seq)
        )
        caught_up = CaughtUp(thread_id=thread_id, seq=self.state.seq, read_only=self.read_only)
        client.receive(caught_up)
        client.receive(self.watch.kernel_state())
        if self.recorder.failure is not None:
            client.receive(fault_of(self.state, self.recorder.failure, busy=self.busy))
        if self.read_only is None:
            self._tasks.spawn(self._look_for_kernel(), "bind")

    # ── the kernel

    async def bind(self) -> KernelLink | None:
        """Find the thread's live kernel now; None if there is none. Raises KernelSilent."""
        return await self._binding.bind()

    async def record(self, *drafts: Draft) -> None:
        """Write down what may change the target, so that no look at a kernel crosses it."""
        await self._binding.record(*drafts)

    async def _look_for_kernel(self) -> None:
        try:
            await self.bind()
        except errors.CaveLabError as error:
            _log.warning("The kernel of a thread could not be looked up: %s", error)

    def kernel_lost(self, change: Draft) -> None:
        """End the turn, close what waits, and write the loss down."""
        self.kernel_replaced()
        self._tasks.spawn(self._note_loss(change), "kernel changed")

    def kernel_replaced(self) -> None:
        """End the turn and close what waits: all of it was meant for another memory."""
        if self.busy and self.state.mode != "chat":
            self.cut.set("kernel_lost")
        self.gate.withdraw("kernel_changed")

    async def _note_loss(self, change: Draft) -> None:
        try:
            await self.recorder.full(change)
        except errors.CaveLabError as error:
            # Followers know of the journal's fault; the next look at the kernel tells of the loss.
            _log.warning("The loss of a kernel could not be written down: %s", error)

    # ── turns

    def expect_turn(self) -> None:
        """From now on a Stop is meant for the turn that is about to begin; the inbox is held."""
        self.cut = Cut()
        self._said_since_cut = []

    async def begin_turn(self, started: TurnStarted, *before: Draft) -> TurnId:
        """Journal the person's message, then let the expected turn run; the inbox is held."""
        if self._turn is not None:
            # Its end is written down: it has only to be left.
            await asyncio.wait({self._turn})
        self.begun_by = started.origin
        await self.record(*before, started)
        self._turn = self._tasks.spawn(self._drive(started.turn_id), "turn")
        return started.turn_id

    async def _drive(self, turn_id: TurnId) -> None:
        reason: StopReason = "interrupted"
        turn = Turn(self, turn_id)
        last_words: list[Draft] = []
        try:
            reason = await turn.run()
        except JOURNAL_FAILED as error:
            reason = "journal_unavailable"
            if self.recorder.failure is None:
                self._fault(error)
        except Exception:  # noqa: BLE001 a turn ends in every path, and says so
            _log.exception("A turn failed.")
            reason = "internal_error"
            last_words = [internal_error(turn_id)]
        finally:
            await to_the_end(self._end_turns(reason, turn.suggestions, *last_words))
        if not self._unended:
            # A task of its own, since this one is the turn that has to be over first.
            self._tasks.spawn(
                self._next_turn(turn_id, goes_on=self._goes_on(reason)), "next message"
            )

    def _goes_on(self, reason: StopReason) -> bool:
        """Whether the queue goes on; not where a used-up budget kept the message from the model."""
        return reason == "end_turn" or (reason in _GOES_ON and bool(self.state.turns[-1].calls))

    async def _end_turns(
        self, reason: StopReason, suggestions: Sequence[str] = (), *last_words: Draft
    ) -> None:
        """Write down the end of all that is open; if that fails, `mend` makes up for it."""
        self.gate.withdraw("cancelled")
        self._unended = True
        try:
            if self.recorder.failure is not None:
                # Something of the turn was lost after its last look: its end must not hide that.
                reason = reason_after(self.recorder.failure)
                # What failed before may work now; then nothing is left to be made up for.
                await self._recover()
            await self.recorder.flush()
            await self._write_ends(reason, suggestions, *last_words)
        except JOURNAL_FAILED as error:
            _log.warning("The end of a turn could not be written down: %s", error)
        except errors.CaveLabError:
            # Something of the turn can't be written at all: it is left out, and the end says so.
            await self._try_to_end("internal_error")

    async def _recover(self) -> None:
        await self.recorder.settle()
        self.recorder.recover(self.state.seq)

    async def _try_to_end(self, reason: StopReason) -> None:
        await self._recover()
        try:
            await self._write_ends(reason)
        except errors.CaveLabError as error:
            _log.warning("The end of a turn could not be written down: %s", error)

    async def _write_ends(
        self, reason: StopReason, suggestions: Sequence[str] = (), *last_words: Draft
    ) -> None:
        drafts = [*last_words, *closing(self.state, self.services.shorten, reason, suggestions)]
        if drafts:
            await self.recorder.full(*drafts)
        self._unended, self._told_of_fault = False, False

    def queued(self, message_id: MessageId, cut_before: Cut | None) -> None:
        """A message was queued; one that came after the cut it names need not wait for a word."""
        if cut_before is self.cut:
            self._said_since_cut.append(message_id)

    async def _next_turn(self, turn_id: TurnId, *, goes_on: bool) -> None:
        try:
            async with self.inbox:
                await self._send_next(goes_on=goes_on)
                if not self.busy and self.state.queue and not self.state.deleted:
                    await self.recorder.soft(kept_back(turn_id, len(self.state.queue)))
        except errors.CaveLabError as error:
            # It stays in the queue, and followers know of the journal's fault.
            _log.warning("A queued message could not be sent: %s", error)

    async def _send_next(self, *, goes_on: bool) -> None:
        since = self._said_since_cut
        waiting = [one for one in self.state.queue if goes_on or one.message_id in since]
        if self.busy or not waiting:
            return
        message = waiting[0]
        self.expect_turn()
        # Its own outline is of the time when it was written; cells have come since.
        newer = self.contexts.outlines.take()
        outline = await self.contexts.outlines.keep(self.state, newer) if newer else None
        target = target_of(message.target, self.state.target)
        started = TurnStarted(
            **DRAFT,
            turn_id=TurnId(new_id("turn")),
            content=message.content,
            target=target,
            anchor=message.anchor,
            outline=outline or message.outline,
            outline_sha256=newer.sha256 if newer else None,
            message_id=message.message_id,
        )
        unqueued = MessageUnqueued(
            **DRAFT, message_id=message.message_id, reason="sent", turn_id=started.turn_id
        )
        chars = self.services.limits.title_chars
        before = changes_before(self.state, target, message.content, chars)
        await self.begin_turn(started, *before, unqueued)

    # ── the journal's failures

    async def mend(self) -> None:
        """After a failure: see what the journal holds, and write what could not be written then.

        Raises JournalError if it still fails. A running turn ends by itself first.
        """
        async with self.inbox:
            if self.busy or not self.broken:
                return
            await self.recorder.settle()
            journal, thread_id = self.services.journal, self.state.thread_id
            async for page in journal.pages(thread_id, self.state.seq):
                self._told(page)
            self.recorder.recover(self.state.seq)
            await self._write_ends("journal_unavailable")

    async def try_to_mend(self) -> None:
        """Mend if something is broken and the journal lets us."""
        try:
            if self.broken:
                await self.mend()
        except errors.CaveLabError as error:
            _log.warning("The journal of a thread still fails: %s", error)

    def _fault(self, error: errors.CaveLabError) -> None:
        _log.error("The journal of a thread failed: %s", error)
        if isinstance(error, errors.ThreadElsewhere):
            self.read_only = str(error)
        if not self._told_of_fault:
            self._told_of_fault = True
            self.signal(fault_of(self.state, error, busy=self.busy))
