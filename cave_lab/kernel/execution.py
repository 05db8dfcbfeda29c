"""One run, from its request to its one end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from cave_lab.kernel import outcome
from cave_lab.kernel.collector import Collector
from cave_lab.kernel.delivery import Delivery
from cave_lab.kernel.dialect import is_interrupt
from cave_lab.kernel.displays import Displays
from cave_lab.kernel.message import Message
from cave_lab.kernel.outcome import LossReason
from cave_lab.kernel.outputs import execution_count
from cave_lab.kernel.port import RunObserver, RunOutcome
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.questions import Question, Questions, prompt_of
from cave_lab.kernel.tasks import end_tasks
from cave_lab.limits import Limits
from cave_lab.protocol.ids import RunId


class Execution:
    """What is known of one run whose request went out.

    The reply is the authority on how it ended; idle says that its outputs are complete. Whichever
    comes first, the other is waited for within a grace. A lost kernel ends it at once.
    """

    def __init__(
        self, run_id: RunId, observer: RunObserver, limits: Limits, displays: Displays
    ) -> None:
        self.run_id = run_id
        self.observer = observer
        self._limits = limits
        self._delivery = Delivery(observer, limits)
        self.on_outputs: Callable[[], None] = self._delivery.outputs_changed
        """Called when there is something to tell; another one once the run is over."""
        self.collector = Collector(run_id, limits, displays, self._tell_outputs)
        self.changed = Pulse()
        self._now = asyncio.get_running_loop().time
        self.questions = Questions(self._delivery.question_changed, self._now)
        self._began = self._now()
        self._ended_at: float | None = None
        self._reply: Message | None = None
        self._idle = False
        self._loss: LossReason | None = None
        self._withdrawn = False
        self._marked = False
        self.ask_for_mark: Callable[[Callable[[], None]], None] = lambda mark: None
        """Have a function called when all is read that the kernel published until now."""
        self.started = False
        self._taken_up = False
        """It published more than that it is busy, which a request that is set aside may do too."""
        self.stop_asked = False
        self.reached_by_stop = False
        self.interrupted_by_person = False
        """Someone pressed Jupyter's own button, or we had Jupyter do it."""
        self.ended = False

    # ── what the kernel says

    def on_iopub(self, message: Message) -> None:
        """Take in what the kernel publishes of this run."""
        kind = message.header.type
        if kind == "status":
            self._on_status(str(message.content.get("execution_state")))
        elif kind == "execute_input":
            self._take_up()
            self._delivery.started(execution_count(message.content))
        else:
            self._take_up()
            self.collector.take(message)

    def on_reply(self, message: Message) -> None:
        """Take in the kernel's reply to the request."""
        self._reply = message
        self.questions.cancel()
        for page in outcome.pages(message.content):
            self.collector.page(page)
        self.changed.beat()

    def on_question(self, message: Message) -> None:
        """Take in that the cell waits for a line; it is told after what was put out before."""
        self._take_up()
        password = bool(message.content.get("password"))
        prompt = prompt_of(message.content, self._limits.prompt_chars)
        question = self.questions.ask(prompt, password=password)

        def bring() -> None:
            self.questions.bring(question)

        self.ask_for_mark(bring)
        asyncio.get_running_loop().call_later(self._limits.prompt_seconds, bring)

    def lose(self, reason: LossReason) -> None:
        """The kernel is gone; nothing more will come."""
        self._loss = reason
        self.questions.cancel()
        self.changed.beat()

    def withdraw(self) -> None:
        """The kernel promised never to start it."""
        self._withdrawn = True
        self.changed.beat()

    def reach(self, asked: Question | None) -> None:
        """An interrupt of ours was delivered, as far as is known; the cell asked this before."""
        self.reached_by_stop = True
        self.questions.interrupted(asked)

    # ── its end

    async def observe(self, restarting: Callable[[], bool]) -> RunOutcome:
        """Tell the observer of it until it ends; what the observer raises is raised then."""
        delivery = asyncio.create_task(self._delivery.serve(self.collector))
        try:
            await self.until_ended(restarting)
            self.collector.finish()
            self._delivery.finish()
            await delivery
        finally:
            await end_tasks([delivery])
        return self._outcome()

    async def until_ended(self, restarting: Callable[[], bool]) -> None:
        """Return when nothing more is to be waited for."""
        await self.changed.until(lambda: self._over or self.answered)
        await self._until_complete()
        if self._looks_interrupted and restarting():
            # A restart interrupts the cell first: the lost memory is the news, not the interrupt.
            await self.changed.until(lambda: self._over, self._limits.kernel_ready_seconds)
        self.ended = True
        self.questions.cancel()
        self._ended_at = self._now()
        self.changed.beat()

    async def _until_complete(self) -> None:
        """Wait for the other of reply and idle, which may lie behind a backlog of output."""
        complete = await self.changed.until(self._complete, self._limits.idle_grace_seconds)
        if complete or self._idle:
            return
        self.ask_for_mark(self._mark)
        await self.changed.until(
            lambda: self._complete() or self._marked, self._limits.idle_backlog_seconds
        )

    def _complete(self) -> bool:
        return self._over or (self._reply is not None and (self._idle or self._set_aside))

    @property
    def _set_aside(self) -> bool:
        """Whether it will never start: IRkernel does not even publish idle of such a request."""
        aborted = self._reply is not None and self._reply.content.get("status") == "aborted"
        return aborted and not self.started

    async def ends_within(self, seconds: float) -> bool:
        """Whether it ends within so long."""
        return await self.changed.until(lambda: self.ended, max(seconds, 0))

    @property
    def answered(self) -> bool:
        """Whether the kernel is done with it."""
        return self._reply is not None or self._idle

    @property
    def started_seconds(self) -> float:
        """How long ago it started; meaningless before that."""
        return self._now() - self._began

    @property
    def interrupted(self) -> bool:
        """Whether it ended by an interrupt."""
        return self.ended and self._outcome().status == "interrupted"

    # ── inside

    def _mark(self) -> None:
        self._marked = True
        self.changed.beat()

    def _tell_outputs(self) -> None:
        self.on_outputs()

    @property
    def _over(self) -> bool:
        return self._loss is not None or self._withdrawn

    @property
    def _looks_interrupted(self) -> bool:
        name = str(self._reply.content.get("ename", "")) if self._reply else ""
        return is_interrupt(name, asked=True)

    def _on_status(self, state: str) -> None:
        if state == "busy":
            self._begin()
        elif state == "idle":
            self._idle = True
            self.changed.beat()

    def _take_up(self) -> None:
        self._taken_up = True
        self._begin()

    def _begin(self) -> None:
        if not self.started:
            self.started = True
            self._began = self._now()
            self.changed.beat()

    def _outcome(self) -> RunOutcome:
        if self._loss is not None and (self._reply is None or self._looks_interrupted):
            ending = outcome.of_loss(self._loss)
        elif self._withdrawn:
            ending = outcome.WITHDRAWN
        elif self._reply is None:
            ending = outcome.without_reply(reached_by_stop=self.reached_by_stop)
        else:
            ending = outcome.of_reply(
                self._reply.content,
                self._limits,
                stopped=self.stop_asked,
                by_person=self.interrupted_by_person,
                started=self._taken_up or self.reached_by_stop,
            )
        if not self.started or self._ended_at is None or ending.status == "not_run":
            return ending
        worked = self._ended_at - self._began - self.questions.waited_seconds
        return replace(ending, duration_seconds=max(0.0, worked))
