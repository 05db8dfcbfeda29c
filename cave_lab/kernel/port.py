"""What the rest of CaveLab needs of a kernel, whatever it runs on."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from cave_lab.privacy.redact import NO_ENVIRONMENT, Redactor
from cave_lab.protocol.content import (
    Looked,
    Output,
    OutsideChange,
    RunError,
    Target,
    Variable,
    VariableChange,
)
from cave_lab.protocol.ids import CellId, Generation, KernelId, RunId
from cave_lab.protocol.words import RunStatus

# ── what a run gives


@dataclass(frozen=True)
class OutputAdded:
    """A new output at the end of the run's list."""

    index: int
    output: Output
    late: bool = False


@dataclass(frozen=True)
class OutputAppended:
    """More text of the stream at `index`."""

    index: int
    text: str
    late: bool = False


@dataclass(frozen=True)
class OutputUpdated:
    """The output at `index` is replaced."""

    index: int
    output: Output
    late: bool = False


@dataclass(frozen=True)
class OutputCleared:
    """All outputs of the run are gone."""

    late: bool = False


@dataclass(frozen=True)
class OutputTruncated:
    """Told once: from here on outputs are not kept."""

    text: str


OutputChange = OutputAdded | OutputAppended | OutputUpdated | OutputCleared | OutputTruncated


@dataclass(frozen=True)
class RunRequest:
    """One cell to run; `generation` is the one it was approved for."""

    run_id: RunId
    code: str
    generation: Generation
    cell_id: CellId | None = None
    """The cell that it will be in the notebook; the kernel tells it with what the run binds."""
    scratch: bool = False
    """Whether it leaves no trace in the kernel's history and count."""


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended, as far as is known; `reason` is a sentence when the status needs one."""

    status: RunStatus
    reason: str | None = None
    execution_count: int | None = None
    duration_seconds: float | None = None
    error: RunError | None = None
    variables: Sequence[VariableChange] = ()
    variables_complete: bool = False
    interrupted_by: Literal["stop", "person"] | None = None


class RunObserver(Protocol):
    """Hears of a run while it happens; each call is awaited before the next."""

    async def queued(self, behind: Literal["ours", "theirs"], position: int) -> None:
        """The run waits in the queue."""

    async def intend(self, generation: Generation) -> None:
        """The request goes out when this returns; raising keeps it from going out."""

    async def started(self, execution_count: int | None) -> None:
        """The kernel took it up."""

    async def output(self, change: OutputChange) -> None:
        """Its outputs changed; after the run's end the change is marked late."""

    async def asked(self, prompt: str, *, password: bool) -> None:
        """The cell waits for a line of input; `password` asks for it to be masked."""

    async def asked_no_more(self, reason: Literal["answered", "cancelled"]) -> None:
        """The cell waits no more."""


# ── what a kernel is


@dataclass(frozen=True)
class KernelFacts:
    """What a kernel is and can do."""

    kernel_id: KernelId
    language: str
    version: str
    """Of the language; empty if it is not known."""
    display_name: str
    guarded: bool
    """Whether generation and cancellation are checked inside the kernel."""
    variables: bool
    """Whether variables can be seen."""


@dataclass(frozen=True)
class KernelActivity:
    """What a kernel does now, and for whom."""

    state: Literal["starting", "idle", "busy", "silent", "dead"]
    whose: Literal["ours", "theirs"] | None = None
    queued: int = 0


@dataclass(frozen=True)
class MemoryLost:
    """The kernel's variables are gone; `generation` is the new one, None if nothing runs."""

    reason: Literal["lost", "restarted", "shut_down"]
    generation: Generation | None
    lost: Sequence[str] = ()
    """Names of variables last seen, at most as many as the limits allow."""
    lost_total: int | None = 0
    """None if it is not known how many there were."""


class KernelWatcher(Protocol):
    """Hears of a kernel's activity and losses; calls must not block."""

    def activity_changed(self, link: KernelLink) -> None:
        """The link's `activity` is another one."""

    def memory_lost(self, link: KernelLink, loss: MemoryLost) -> None:
        """The generation is over."""


@dataclass(frozen=True)
class VariablesSnapshot:
    """The variables at one moment, bounded."""

    generation: Generation | None
    variables: Sequence[Variable]
    total: int
    omitted: dict[str, int] = field(default_factory=dict)
    """Counts by type of those not described."""
    age_seconds: float = 0.0
    """Above 0 when the kernel did not answer and this is the last one seen."""


@dataclass(frozen=True)
class OutsideChanges:
    """What cells outside a thread did since a mark of the kernel's: all but the thread's runs."""

    mark: int
    changes: Sequence[OutsideChange] = ()
    """Each name at most once, as the last cell that touched it left it."""
    complete: bool = True
    """Whether these cells are known to have changed no more than that."""
    lost: int = 0
    """Cells of which it is not known any more, nor whose they were."""


@dataclass(frozen=True)
class Detail:
    """How closely to look: at what a thing is, or at some of its values."""

    kind: Literal["schema", "head", "column", "slice"] = "schema"
    column: str = ""
    start: int = 0


@dataclass(frozen=True)
class StopOutcome:
    """What Stop did to one run; `stuck` means that it ignores the interrupt."""

    outcome: Literal["dequeued", "interrupted", "not_running", "stuck", "silent"]
    sentence: str


class KernelLink(Protocol):
    """Our own connection to one kernel, with a queue of our runs."""

    @property
    def facts(self) -> KernelFacts:
        """What the kernel is."""

    @property
    def activity(self) -> KernelActivity:
        """What it does now."""

    @property
    def generation(self) -> Generation | None:
        """The present life of its memory; None while nothing runs."""

    def watch(self, watcher: KernelWatcher) -> Callable[[], None]:
        """Hear of changes until the returned function is called."""

    async def run(self, request: RunRequest, observer: RunObserver) -> RunOutcome:
        """Run a cell at most once, after all that is queued before it; cancelling stops it."""

    async def stop(self, run_id: RunId) -> StopOutcome:
        """Take the run out of the queue or interrupt it; never another cell."""

    async def variables(
        self, *, names: Sequence[str] | None = None, previews: bool = False
    ) -> VariablesSnapshot:
        """See the variables; raises ProbeUnavailable or KernelSilent."""

    async def changes_since(self, mark: int | None, own: Container[RunId]) -> OutsideChanges:
        """What cells that are no runs of one's `own` did since a mark.

        Without a mark nothing is told but the mark of now. Raises ProbeUnavailable or KernelSilent.
        """

    async def look(
        self,
        names: Sequence[str],
        detail: Detail,
        *,
        values: bool,
        redact: Redactor = NO_ENVIRONMENT,
    ) -> Sequence[Looked]:
        """Look at some variables, bounded; at their contents only while the kernel is idle.

        Without `values` only counts are told of contents. Every name gets an answer, if only a
        note. What is secret in a value is masked, also where only a part of it is told. Raises
        ProbeUnavailable or KernelSilent.
        """

    async def answer_stdin(self, run_id: RunId, value: str) -> None:
        """Answer the run's `input()`; raises NotFound if it does not wait for any."""

    async def restart(self) -> None:
        """Restart the kernel, by the person's explicit choice."""


@dataclass(frozen=True)
class Binding:
    """A notebook's live kernel: the target as it is now, and the link."""

    target: Target
    link: KernelLink


class Kernels(Protocol):
    """Finds the live kernel of a notebook; never starts one."""

    async def bind(self, target: Target) -> Binding:
        """Resolve by session, then by path; raises NoKernel."""

    async def close(self) -> None:
        """End all links; the kernels go on."""
