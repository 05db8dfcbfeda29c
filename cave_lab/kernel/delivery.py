"""Handing a run's outputs to its observer, often enough for the eye and no oftener."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable

from cave_lab.kernel.collector import Collector
from cave_lab.kernel.port import OutputChange, RunObserver
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.questions import Question
from cave_lab.limits import Limits
from cave_lab.protocol.ids import RunId

log = logging.getLogger(__name__)


def pause_seconds(limits: Limits, told_bytes: int) -> float:
    """How long to gather before telling again: the longer what was told, the dearer to show."""
    growth = 1 + told_bytes / limits.output_merge_growth_bytes
    return min(limits.output_merge_seconds * growth, limits.output_merge_max_seconds)


class Delivery:
    """Tells one observer of one run, from the first sign of it to its end."""

    def __init__(self, observer: RunObserver, limits: Limits) -> None:
        self._observer = observer
        self._limits = limits
        self._pulse = Pulse()
        self._started: tuple[int | None] | None = None
        self._questions: deque[Question] = deque()
        self._finished = False

    def started(self, execution_count: int | None) -> None:
        """The kernel took the run up."""
        if self._started is None:
            self._started = (execution_count,)
            self._pulse.beat()

    def outputs_changed(self) -> None:
        """The collector has something to tell."""
        self._pulse.beat()

    def question_changed(self, question: Question) -> None:
        """A question is due, or over."""
        self._questions.append(question)
        self._pulse.beat()

    def finish(self) -> None:
        """Nothing more will come: tell what is left at once."""
        self._finished = True
        self._pulse.beat()

    async def serve(self, collector: Collector) -> None:
        """Tell until all is told; what the observer raises ends it."""

        def news() -> bool:
            return collector.dirty or bool(self._questions)

        await self._pulse.until(lambda: self._started or news() or self._finished)
        if self._started is not None or news():
            await self._observer.started(self._started[0] if self._started else None)
        while True:
            await self._pulse.until(lambda: news() or self._finished)
            if not news():
                return
            await self._tell_questions(collector)
            await _tell(collector.drain(), self._observer.output)
            pause = pause_seconds(self._limits, collector.told_bytes)
            await self._pulse.until(lambda: self._questions or self._finished, pause)

    async def _tell_questions(self, collector: Collector) -> None:
        """Tell what was asked after what was put out before it, and what is over."""
        while self._questions:
            question = self._questions.popleft()
            if question.state in ("answered", "cancelled"):
                await self._observer.asked_no_more(question.state)
                continue
            await _tell(collector.drain(), self._observer.output)
            if question.state == "due":
                question.state = "told"
                await self._observer.asked(question.prompt, password=question.password)


class LateOutputs:
    """What still comes for runs that have ended: threads that print, displays that change."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pulse = Pulse()
        self._runs: OrderedDict[RunId, tuple[Collector, RunObserver]] = OrderedDict()

    def adopt(self, run_id: RunId, collector: Collector, observer: RunObserver) -> Collector | None:
        """Go on with an ended run; returns the oldest if that is one too many."""
        collector.forget()
        self._runs[run_id] = (collector, observer)
        if len(self._runs) <= self._limits.late_runs:
            return None
        return self._runs.popitem(last=False)[1][0]

    def find(self, run_id: str | None) -> Collector | None:
        """The outputs of an ended run."""
        found = self._runs.get(RunId(run_id)) if run_id else None
        return found[0] if found else None

    def changed(self) -> None:
        """One of the collectors has something to tell."""
        self._pulse.beat()

    async def serve(self) -> None:
        """Tell for as long as the kernel's life lasts."""
        while True:
            await self._pulse.until(self._dirty_runs)
            # The pause also lets the run's end be told first.
            await asyncio.sleep(self._limits.output_merge_seconds)
            for run_id in self._dirty_runs():
                await self._tell(run_id)

    def _dirty_runs(self) -> list[RunId]:
        return [run_id for run_id, (collector, _) in self._runs.items() if collector.dirty]

    async def _tell(self, run_id: RunId) -> None:
        collector, observer = self._runs[run_id]
        try:
            await _tell(collector.drain(late=True), observer.output)
        except Exception:
            log.exception("Late outputs of run %s could not be told; no more are.", run_id)
            self._runs.pop(run_id, None)


async def _tell(
    changes: list[OutputChange], tell: Callable[[OutputChange], Awaitable[None]]
) -> None:
    for change in changes:
        await tell(change)
