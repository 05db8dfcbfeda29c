"""One life of a kernel's memory: the connection to it, and everything that ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Literal

from cave_lab.errors import NotFound
from cave_lab.kernel.channels import Channels
from cave_lab.kernel.collector import Collector
from cave_lab.kernel.delivery import LateOutputs
from cave_lab.kernel.dialect import Dialect
from cave_lab.kernel.displays import Displays
from cave_lab.kernel.execution import Execution
from cave_lab.kernel.inspect import LastSeen
from cave_lab.kernel.message import Channel, Header, Message
from cave_lab.kernel.outcome import LossReason, MemoryLossReason
from cave_lab.kernel.outputs import clean_text, display_id, display_output
from cave_lab.kernel.port import RunObserver, RunRequest
from cave_lab.kernel.prober import Prober, run_request
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.questions import NOT_WAITING
from cave_lab.kernel.requests import Requests
from cave_lab.kernel.shell import UNKNOWN_CELL, Shell
from cave_lab.kernel.watch import LossWatch
from cave_lab.limits import Limits
from cave_lab.protocol.ids import Generation, RunId

Phase = Literal["starting", "occupied", "ready"]
"""It has not answered yet; it answers but was never free since we listen; it is ours to use."""


class Life:
    """What we know of the kernel between two losses of its memory."""

    def __init__(
        self,
        generation: Generation,
        channels: Channels,
        watch: LossWatch,
        pulse: Pulse,
        limits: Limits,
        waited_for: Callable[[], bool],
    ) -> None:
        self.generation = generation
        self.phase: Phase = "starting"
        self.dialect: Dialect | None = None
        self.prober: Prober | None = None
        """Present once the probe is in the kernel."""
        self.beating = True
        self.shell = Shell()
        self.shell.occupant = UNKNOWN_CELL
        self.requests = Requests(channels)
        clock = asyncio.get_running_loop().time
        self.seen = LastSeen(clock, lambda: self.shell.occupant, limits.variable_rows)
        self.heard = False
        """Whether anything published has reached us."""
        self._displays = Displays()
        self._late = LateOutputs(limits)
        self._executions: dict[str, Execution] = {}
        self._marks: dict[str, Callable[[], None]] = {}
        self._channels = channels
        self._watch = watch
        self._pulse = pulse
        self._limits = limits
        self._waited_for = waited_for
        watch.on_interrupt = self._note_interrupt

    # ── runs

    def send(self, request: RunRequest, observer: RunObserver) -> Execution:
        """Send a run's request out; guarded if the probe is there."""
        execution = Execution(request.run_id, observer, self._limits, self._displays)
        self._executions[request.run_id] = execution
        execution.ask_for_mark = self._ask_for_mark
        guarded = self.generation if self.prober is not None else None
        kind, content = run_request(request.run_id, request.code, guarded, scratch=request.scratch)
        # As JupyterLab tells the kernel which cell it runs.
        metadata = {} if request.cell_id is None else {"cellId": request.cell_id}
        self._channels.send("shell", kind, content, request.run_id, metadata)
        self._pulse.beat()
        return execution

    def release(self, execution: Execution, *, observed: bool = True) -> None:
        """The run has ended; what still comes of it is late, and dropped if nobody observes."""
        del self._executions[execution.run_id]
        if execution.answered:
            self.shell.release(execution.run_id)
        leaving: Collector | None = execution.collector
        if observed:
            execution.on_outputs = self._late.changed
            leaving = self._late.adopt(execution.run_id, execution.collector, execution.observer)
        if leaving is not None:
            self._displays.drop(leaving)
        self._late.changed()
        self._pulse.beat()

    def lose(self, reason: LossReason) -> None:
        """End all that is in flight."""
        for execution in self._executions.values():
            execution.lose(reason)

    def answer(self, run_id: RunId, value: str) -> None:
        """Send a line that a run waits for; raises NotFound if it waits for none."""
        execution = self._executions.get(run_id)
        if execution is None:
            raise NotFound(NOT_WAITING)
        execution.questions.answer()
        self._channels.send("stdin", "input_reply", {"value": clean_text(value), "status": "ok"})

    def _ask_for_mark(self, mark: Callable[[], None]) -> None:
        """Have the kernel publish something: by then all that it published before is here."""
        self._marks[self._channels.send("control", "kernel_info_request", {})] = mark

    def _note_interrupt(self) -> None:
        for execution in self._executions.values():
            execution.interrupted_by_person = True

    @property
    def heart_beats_while_busy(self) -> bool:
        """Whether a missing heartbeat says that something is wrong while a cell runs."""
        return self.dialect is not None and self.dialect.heart_beats_while_busy

    # ── its duration

    async def serve(self, opening: Callable[[Life], Coroutine[Any, Any, None]]) -> MemoryLossReason:
        """Read, tell and watch until the memory is gone."""
        work: tuple[Coroutine[Any, Any, None], ...] = (
            self._channels.serve(self),
            opening(self),
            self._feel_heart(),
            self._doubt(),
            self._late.serve(),
        )
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in work]
            try:
                return await self._watch.lost()
            finally:
                for task in tasks:
                    task.cancel()

    async def can_ask(self, seconds: float) -> bool:
        """Whether what a cell asks will reach us, waited for that long."""
        return await self._channels.can_be_asked(seconds)

    async def until_free(self) -> None:
        """Return when the shell works on nothing."""
        await self._pulse.until(lambda: self.shell.occupant is None)

    async def _feel_heart(self) -> None:
        """Notice a process that is stopped or hung: it lives but does not answer."""
        await self._pulse.until(lambda: self.phase != "starting")
        while True:
            beating = await self._channels.beats(self._limits.heartbeat_seconds)
            if beating != self.beating:
                self.beating = beating
                self._pulse.beat()
            if beating:
                await asyncio.sleep(self._limits.heartbeat_seconds)

    async def _doubt(self) -> None:
        """While someone waits for a busy shell, ask on it: the answer comes when it is free.

        A flood of output can lose the status that says so.
        """
        while True:
            await self._pulse.until(self._in_doubt)
            occupant = self.shell.occupant
            await self.requests.ask("shell", "kernel_info_request", {}, seconds=None)
            if self.shell.release(occupant):
                self._pulse.beat()

    def _in_doubt(self) -> bool:
        waited_for = self.phase != "ready" or self._waited_for()
        return waited_for and self.shell.occupant not in (None, UNKNOWN_CELL)

    # ── what comes in

    def wants(self, header: Header) -> bool:
        """Whether a published message concerns us: our runs, statuses, updates of displays."""
        return (
            header.type in ("status", "shutdown_reply")
            or header.parent_id in self._executions
            or self._late.find(header.parent_id) is not None
            or (header.type == "update_display_data" and not self._displays.empty)
        )

    def take(self, channel: Channel, message: Message) -> None:
        """Take in a message of any channel."""
        execution = self._executions.get(message.header.parent_id or "")
        if channel == "iopub":
            self._on_published(message, execution)
        elif channel == "stdin":
            if execution is not None and message.header.type == "input_request":
                execution.on_question(message)
        elif execution is not None:
            execution.on_reply(message)
        else:
            self.requests.answer(message)

    def _on_published(self, message: Message, execution: Execution | None) -> None:
        header = message.header
        if header.type == "status":
            self._on_status(header, str(message.content.get("execution_state")))
        elif header.type == "shutdown_reply":
            self._watch.stopping()
        if header.type == "update_display_data":
            name = display_id(message.content)
            if name is not None and message.left_out is None:
                self._displays.update(name, display_output(message.content))
        elif execution is not None:
            execution.on_iopub(message)
        elif header.type != "status":
            late = self._late.find(header.parent_id)
            if late is not None:
                late.take(message)

    def _on_status(self, header: Header, state: str) -> None:
        if state in ("restarting", "dead", "terminating"):
            self._watch.hint("lost")
        elif state == "starting":
            self._watch.hint()
        marked = self._marks.pop(header.parent_id or "", None)
        if marked is not None:
            marked()
        moved = not self.requests.is_ours(header.parent_id) and self.shell.status(header, state)
        if moved and self.shell.occupant is not None:
            self.seen.runs(self.shell.occupant)
        if moved or not self.heard:
            self.heard = True
            self._pulse.beat()
