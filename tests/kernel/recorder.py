"""An observer that keeps what it is told, and a way to run a cell in one line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cave_lab.kernel.port import (
    KernelLink,
    MemoryLost,
    OutputAdded,
    OutputAppended,
    OutputChange,
    OutputCleared,
    OutputTruncated,
    OutputUpdated,
    RunOutcome,
    RunRequest,
)
from cave_lab.protocol.content import StreamOutput
from cave_lab.protocol.ids import Generation, RunId, new_id
from tests.waiting import until


def fold(outputs: list[Any], change: OutputChange) -> None:
    """Apply a change as the browser and the journal's fold do."""
    match change:
        case OutputAdded():
            assert change.index == len(outputs)
            outputs.append(change.output)
        case OutputAppended():
            before = outputs[change.index]
            assert isinstance(before, StreamOutput)
            outputs[change.index] = before.model_copy(update={"text": before.text + change.text})
        case OutputUpdated():
            assert change.index < len(outputs)
            outputs[change.index] = change.output
        case OutputCleared():
            outputs.clear()
        case OutputTruncated():
            pass


class Recorder:
    """Hears of one run; `before_sending` is awaited where the journal would commit."""

    def __init__(self, before_sending: Callable[[], Awaitable[None]] | None = None) -> None:
        self.told: list[str] = []
        self.waits: list[tuple[str, int]] = []
        self.changes: list[OutputChange] = []
        self.outputs: list[Any] = []
        self.execution_count: int | None = None
        self.prompts: list[tuple[str, bool]] = []
        self.running = asyncio.Event()
        self._before_sending = before_sending

    async def queued(self, behind: str, position: int) -> None:
        self.told.append("queued")
        self.waits.append((behind, position))

    async def intend(self, generation: Generation) -> None:
        self.told.append("intend")
        if self._before_sending is not None:
            await self._before_sending()

    async def started(self, execution_count: int | None) -> None:
        self.told.append("started")
        self.execution_count = execution_count
        self.running.set()

    async def output(self, change: OutputChange) -> None:
        self.told.append("output")
        self.changes.append(change)
        fold(self.outputs, change)

    async def asked(self, prompt: str, *, password: bool) -> None:
        self.told.append("asked")
        self.prompts.append((prompt, password))

    async def asked_no_more(self, reason: str) -> None:
        self.told.append(reason)

    @property
    def text(self) -> str:
        """All that was printed."""
        return "".join(one.text for one in self.outputs if isinstance(one, StreamOutput))

    @property
    def truncated(self) -> list[str]:
        return [one.text for one in self.changes if isinstance(one, OutputTruncated)]

    @property
    def late(self) -> list[OutputChange]:
        return [one for one in self.changes if getattr(one, "late", False)]

    @property
    def sent(self) -> bool:
        return "intend" in self.told


def request(link: KernelLink, code: str, generation: Generation | None = None) -> RunRequest:
    """A run for the present generation, or for the one given."""
    generation = generation or link.generation
    assert generation is not None
    return RunRequest(RunId(new_id("run")), code, generation)


async def run(link: KernelLink, code: str, recorder: Recorder | None = None) -> RunOutcome:
    """Run a cell to its end."""
    return await link.run(request(link, code), recorder or Recorder())


class Started:
    """A run that goes on beside the test."""

    def __init__(self, link: KernelLink, request: RunRequest, tasks: asyncio.TaskGroup) -> None:
        self.run_id = request.run_id
        self.recorder = Recorder()
        self.task = tasks.create_task(link.run(request, self.recorder))

    async def running(self) -> "Started":
        await until(lambda: self.recorder.running.is_set() or self.task.done(), "the run running")
        assert not self.task.done(), self.task
        return self

    async def waiting(self) -> "Started":
        await until(lambda: self.recorder.waits or self.task.done(), "the run waiting")
        assert not self.task.done(), self.task
        return self

    async def outcome(self, seconds: float = 20.0) -> RunOutcome:
        async with asyncio.timeout(seconds):
            return await self.task


def start(link: KernelLink, code: str, tasks: asyncio.TaskGroup) -> Started:
    """Start a cell and go on."""
    return Started(link, request(link, code), tasks)


class Watcher:
    """Keeps what a link tells of its kernel."""

    def __init__(self) -> None:
        self.activities: list[Any] = []
        self.losses: list[MemoryLost] = []

    def activity_changed(self, link: KernelLink) -> None:
        self.activities.append(link.activity)

    def memory_lost(self, link: KernelLink, loss: MemoryLost) -> None:
        self.losses.append(loss)
