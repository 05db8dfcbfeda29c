"""One thread: its state, its pen, its followers, its kernel and one turn at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from cave_lab import errors
from cave_lab.approval.gate import Gate
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import CaughtUp, Signal, ThreadFault
from cave_lab.protocol.ids import Seq, TurnId, new_id
from cave_lab.protocol.thread_events import MessageUnqueued, Notice, TurnStarted
from cave_lab.protocol.words import StopReason
from cave_lab.state import ThreadState, fold
from cave_lab.thread.context import ContextRoom
from cave_lab.thread.cut import Cut
from cave_lab.thread.followers import Followers
from cave_lab.thread.kernel_watch import KernelWatch
from cave_lab.thread.recorder import Recorder
from cave_lab.thread.recovery import closing
from cave_lab.thread.services import Client, Services
from cave_lab.thread.tasks import Tasks
from cave_lab.thread.turn import Turn

_log = logging.getLogger("cave_lab")

_GOES_ON = frozenset({"end_turn", "max_runs", "max_tokens", "max_time", "max_cost"})
"""After these the next queued message is sent; after the others the person looks first."""


class Thread:
    """A live thread of this server. It is the Host of its turns."""

    def __init__(self, services: Services, state: ThreadState, read_only: str | None) -> None:
        self.services = services
        self.state = state
        self.read_only = read_only
        self.gate = Gate()
        self.cut = Cut()
        self.contexts = ContextRoom(services)
        self.inbox = asyncio.Lock()
        """Held while a command is carried out, so that two can't begin a turn at once."""
        self.recorder = Recorder(services.journal, state.thread_id, self._told)
        self.followers = Followers()
        self.watch = KernelWatch(self, services.kernels)
        self._pen: asyncio.Task[None] | None = None
        self._tasks = Tasks()
        self._binding = asyncio.Lock()
        self._turn: asyncio.Task[None] | None = None

    # ── life

    def start(self) -> None:
        """Take up the pen."""
        self._pen = asyncio.create_task(self.recorder.run(), name="recorder")

    async def close(self) -> None:
        """End what runs, truthfully, and put the pen down."""
        self.watch.close()
        await self._tasks.close()
        if self._pen is not None:
            self._pen.cancel()
            await asyncio.gather(self._pen, return_exceptions=True)
            self._pen = None

    @property
    def busy(self) -> bool:
        """Whether a turn is running here."""
        return self._turn is not None and not self._turn.done()

    # ── being told

    def _told(self, events: Sequence[Event]) -> None:
        for event in events:
            self.state = fold(self.state, event)
        self.followers.tell(events)

    def signal(self, signal: Signal) -> None:
        """Tell all followers."""
        self.followers.signal(signal)

    async def follow(self, client: Client, after: Seq) -> None:
        """Send the client all after a number, then the kernel's state, then what comes."""
        known = self.state.seq
        start = after if after <= known else Seq(0)
        journal, thread_id = self.services.journal, self.state.thread_id
        await self.followers.add(client, start, known, lambda seq: journal.pages(thread_id, seq))
        caught_up = CaughtUp(thread_id=thread_id, seq=self.state.seq, read_only=self.read_only)
        client.receive(caught_up)
        client.receive(self.watch.kernel_state())
        if self.read_only is None:
            self._tasks.spawn(self._look_for_kernel(), "bind")

    async def _look_for_kernel(self) -> None:
        try:
            await self.bind()
        except errors.CaveLabError as error:
            _log.warning("The kernel of a thread could not be looked up: %s", error)

    # ── the kernel

    async def bind(self) -> KernelLink | None:
        """Find the thread's live kernel now; None if there is none."""
        # One at a time, until it is written down: two at once would tell of the same kernel twice.
        async with self._binding:
            link, drafts = await self.watch.bind()
            if drafts:
                await self.recorder.full(*drafts)
            return link

    def kernel_lost(self, change: Draft) -> None:
        """End the turn, close what waits, and write the loss down."""
        if self.busy and self.state.mode != "chat":
            self.cut.set("kernel_lost")
        self.gate.withdraw("kernel_changed")
        self._tasks.spawn(self.recorder.full(change), "kernel changed")

    # ── turns

    async def begin_turn(self, started: TurnStarted, *before: Draft) -> TurnId:
        """Journal the person's message, then let the turn run; the inbox is held."""
        if self.recorder.failure is not None:
            await self._after_failure()
        await self.recorder.full(*before, started)
        self.cut = Cut()
        self._turn = self._tasks.spawn(self._drive(started.turn_id), "turn")
        return started.turn_id

    async def _after_failure(self) -> None:
        """The journal failed before: first end what it could not end then."""
        self.recorder.recover()
        drafts = closing(self.state, "journal_unavailable")
        if drafts:
            await self.recorder.full(*drafts)

    async def _drive(self, turn_id: TurnId) -> None:
        reason: StopReason = "interrupted"
        turn = Turn(self, turn_id)
        try:
            reason = await turn.run()
        except (errors.JournalError, errors.ThreadElsewhere) as error:
            reason = "journal_unavailable"
            self._fault(error)
        except Exception:  # noqa: BLE001 a turn ends in every path, and says so
            _log.exception("A turn failed.")
            reason = "internal_error"
            await self.recorder.soft(_internal_error(turn_id))
        finally:
            await self._end_turn(reason, turn.suggestions)
        if reason in _GOES_ON:
            # A task of its own, since this one is the turn that has to be over first.
            self._tasks.spawn(self._next_turn(), "next message")

    async def _end_turn(self, reason: StopReason, suggestions: Sequence[str]) -> None:
        self.gate.withdraw("cancelled")
        try:
            await self.recorder.flush()
            await self.recorder.full(*closing(self.state, reason, suggestions))
        except (errors.JournalError, errors.ThreadElsewhere) as error:
            self._fault(error)

    async def _next_turn(self) -> None:
        async with self.inbox:
            if self.busy or not self.state.queue:
                return
            message = self.state.queue[0]
            started = TurnStarted(
                **DRAFT,
                turn_id=TurnId(new_id("turn")),
                content=message.content,
                target=message.target or self.state.target,
                anchor=message.anchor,
                outline=message.outline,
                message_id=message.message_id,
            )
            unqueued = MessageUnqueued(
                **DRAFT,
                message_id=message.message_id,
                reason="sent",
                turn_id=started.turn_id,
            )
            await self.begin_turn(started, unqueued)

    def _fault(self, error: errors.CaveLabError) -> None:
        _log.error("The journal failed: %s", error)
        if isinstance(error, errors.ThreadElsewhere):
            self.read_only = str(error)
        self.signal(ThreadFault(thread_id=self.state.thread_id, code=error.code, text=str(error)))


def _internal_error(turn_id: TurnId) -> Notice:
    return Notice(
        **DRAFT,
        turn_id=turn_id,
        level="error",
        code="internal_error",
        text="CaveLab failed in this turn. What it did so far is above; the kernel goes on. "
        "The server's log says more.",
        actions=["try_again"],
    )
