"""Our own connection to one kernel id, through all lives of its memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Container, Coroutine, Sequence
from typing import Any

import zmq.asyncio

from cave_lab.errors import KernelLost, KernelSilent, NoKernel, NotFound, ProbeUnavailable
from cave_lab.kernel.inspect import snapshot_of
from cave_lab.kernel.life import Life
from cave_lab.kernel.lives import Lives
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.port import (
    Detail,
    KernelActivity,
    KernelFacts,
    KernelWatcher,
    MemoryLost,
    OutsideChanges,
    RunObserver,
    RunOutcome,
    RunRequest,
    StopOutcome,
    VariablesSnapshot,
)
from cave_lab.kernel.prober import Prober
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.questions import NOT_WAITING
from cave_lab.kernel.run_queue import RunQueue
from cave_lab.kernel.runner import Runner
from cave_lab.kernel.tasks import end_tasks
from cave_lab.limits import Limits
from cave_lab.privacy.redact import NO_ENVIRONMENT, Redactor
from cave_lab.protocol.content import Looked
from cave_lab.protocol.ids import Generation, RunId
from cave_lab.untracked import UNTRACKED

log = logging.getLogger(__name__)

_NOT_NOW = {
    "busy": "A cell runs, so contents can't be looked at now. Look again when it has ended.",
    "silent": "The kernel did not answer just now, so its contents were not looked at.",
}
"""Why contents are not looked at, by what the kernel does: what things are is told all the same."""
_RESTARTED = "The kernel was restarted but does not answer yet. Wait for it."


class Link:
    """Implements `KernelLink` for a kernel that this server manages.

    It lives in one task from its making until the kernel id is gone or `close` is awaited.
    """

    def __init__(
        self,
        managed: ManagedKernel,
        context: zmq.asyncio.Context,
        limits: Limits,
        *,
        probe: bool,
        on_gone: Callable[[Link], None],
    ) -> None:
        self._managed = managed
        self._limits = limits
        self._probe = probe
        self._pulse = Pulse()
        self._queue = RunQueue(self._pulse)
        self._watchers: list[KernelWatcher] = []
        self._lives = Lives(
            managed,
            context,
            self._pulse,
            limits,
            probe=probe,
            waited_for=lambda: self._queue.waiting > 0,
            on_loss=self._tell_loss,
        )
        self._runner = Runner(managed, self._lives, self._queue, self._pulse, limits, self._keep)
        self._known = False
        self._broke = False
        self.gone = False
        """Whether the kernel id is gone, and this link with it."""
        self._on_gone = on_gone
        self._kept: set[asyncio.Task[None]] = set()
        managed.leave_untracked(UNTRACKED)
        self._main = asyncio.create_task(self._serve())

    # ── what the kernel is and does

    @property
    def facts(self) -> KernelFacts:
        """What the kernel is."""
        life = self._lives.life
        probed = life is not None and life.prober is not None
        dialect = life.dialect if life is not None else None
        return KernelFacts(
            kernel_id=self._managed.kernel_id,
            language=dialect.language if dialect else self._managed.language,
            version=dialect.version if dialect else "",
            display_name=self._managed.display_name,
            guarded=probed,
            variables=probed,
        )

    @property
    def activity(self) -> KernelActivity:
        """What it does now."""
        life, waiting = self._lives.life, self._queue.waiting
        if life is None:
            awaited = self._lives.last_loss == "restarted" and not self.gone
            return KernelActivity("starting" if awaited else "dead", None, waiting)
        if life.phase == "starting":
            return KernelActivity("starting", None, waiting)
        return self._working(life, waiting)

    def _working(self, life: Life, waiting: int) -> KernelActivity:
        ours = self._queue.at_the_kernel
        occupant = life.shell.occupant
        if not life.beating and (occupant is None or life.heart_beats_while_busy):
            return KernelActivity("silent", None, waiting)
        if occupant is not None and (ours is None or occupant != ours.run_id):
            return KernelActivity("busy", "theirs", waiting)
        if ours is not None:
            return KernelActivity("busy", "ours", waiting)
        return KernelActivity("idle", None, waiting)

    @property
    def generation(self) -> Generation | None:
        """The present life of its memory, or the one about to begin; None if there is none."""
        return None if self.gone else self._lives.generation

    def watch(self, watcher: KernelWatcher) -> Callable[[], None]:
        """Hear of changes until the returned function is called."""
        self._watchers.append(watcher)

        def unwatch() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return unwatch

    async def known(self) -> None:
        """Return when it answers or is known to be busy; raises NoKernel or KernelSilent."""
        if not await self._pulse.until(
            lambda: self._is_known() or self.generation is None, self._limits.kernel_ready_seconds
        ):
            raise KernelSilent(
                "The kernel has not answered since it was started. Wait, or restart it."
            )
        if self._broke:
            raise KernelSilent("The kernel can't be reached. The server's log says why.")
        if self.gone or not self._known:
            raise NoKernel

    def _is_known(self) -> bool:
        life = self._lives.life
        self._known = self._known or (life is not None and life.phase != "starting")
        return self._known

    # ── what can be asked of it

    async def run(self, request: RunRequest, observer: RunObserver) -> RunOutcome:
        """Run a cell at most once, after all that is queued before it; cancelling stops it."""
        return await self._runner.run(request, observer)

    async def stop(self, run_id: RunId) -> StopOutcome:
        """Take the run out of the queue or interrupt it; never another cell."""
        return await self._runner.stop(run_id)

    async def variables(
        self, *, names: Sequence[str] | None = None, previews: bool = False
    ) -> VariablesSnapshot:
        """See the variables; raises KernelLost, ProbeUnavailable or KernelSilent."""
        life, prober = self._lives.life, self._prober()
        if life is None:
            raise KernelLost

        async def ask() -> VariablesSnapshot:
            return snapshot_of(await prober.variables(names, previews=previews), life.generation)

        return await life.seen.look(ask, names)

    async def changes_since(self, mark: int | None, own: Container[RunId]) -> OutsideChanges:
        """What other cells than `own` did; raises KernelLost, ProbeUnavailable or KernelSilent."""
        return await self._prober().changes_since(mark, own)

    async def look(
        self,
        names: Sequence[str],
        detail: Detail,
        *,
        values: bool,
        redact: Redactor = NO_ENVIRONMENT,
    ) -> Sequence[Looked]:
        """Look at some variables; raises KernelLost, ProbeUnavailable or KernelSilent."""
        life, prober = self._lives.life, self._prober()
        if life is None:
            raise KernelLost
        reason = None if detail.kind == "schema" else _NOT_NOW.get(self.activity.state)
        if reason is not None:
            known = await self.look(names, Detail(), values=False)
            return [one.model_copy(update={"note": one.note or reason}) for one in known]
        return await life.seen.look_at(
            lambda: prober.look(names, detail, values=values, redact=redact), names, detail
        )

    def _prober(self) -> Prober:
        life = self._lives.life
        if life is None:
            raise KernelLost
        if life.prober is None:
            raise self._no_probe(life)
        return life.prober

    def _no_probe(self, life: Life) -> ProbeUnavailable:
        if not self._probe:
            return ProbeUnavailable("Looking at variables is switched off on this server.")
        if life.phase == "starting":
            return ProbeUnavailable("The kernel is starting. Its variables are not known yet.")
        if life.phase != "ready":
            return ProbeUnavailable(
                "The kernel has been busy since CaveLab found it. "
                "Its variables are unknown until your cell ends."
            )
        return ProbeUnavailable(
            f"Variables are not available for this kernel ({self._managed.display_name})."
        )

    async def answer_stdin(self, run_id: RunId, value: str) -> None:
        """Answer the run's `input()`; raises NotFound if it does not wait for any."""
        life = self._lives.life
        if life is None or self._managed.being_stopped:
            # Sent now, it would wait in the channel for the new kernel.
            raise NotFound(NOT_WAITING)
        life.answer(run_id, value)

    async def restart(self) -> None:
        """Restart the kernel; returns when it is ready. Raises NoKernel or KernelSilent."""
        if self.gone:
            raise NoKernel
        former = self._lives.life
        try:
            await self._managed.restart()
        except TimeoutError as error:
            raise KernelSilent(_RESTARTED) from error
        except Exception as error:
            if self.gone:
                raise NoKernel from error
            log.warning("Kernel %s was not restarted.", self._managed.kernel_id, exc_info=True)
            raise KernelSilent(
                "Jupyter could not restart the kernel; the server's log says why. "
                "Wait a moment and restart it again, or shut it down and start another."
            ) from error
        finally:
            self._pulse.beat()
        if not await self._pulse.until(
            lambda: self.gone or self._ready_after(former), self._limits.kernel_ready_seconds
        ):
            raise KernelSilent(_RESTARTED)
        if self.gone:
            raise NoKernel

    def _ready_after(self, former: Life | None) -> bool:
        life = self._lives.life
        return life is not None and life is not former and life.phase == "ready"

    async def close(self) -> None:
        """Let go of the kernel, which goes on; what runs of ours ends as unknown."""
        await end_tasks([self._main, *self._kept])

    # ── its life

    async def _serve(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                beside = [
                    group.create_task(self._tell_activity()),
                    group.create_task(self._keep_from_culling()),
                ]
                await self._lives.serve()
                for task in beside:
                    task.cancel()
        except Exception:
            self._broke = True
            log.exception("The link to kernel %s broke.", self._managed.kernel_id)
        finally:
            self.gone = True
            self._on_gone(self)
            self._pulse.beat()
            self._tell_watchers(lambda watcher: watcher.activity_changed(self))

    async def _tell_activity(self) -> None:
        while True:
            told = self.activity
            await self._pulse.until(self._differs_from(told))
            self._tell_watchers(lambda watcher: watcher.activity_changed(self))

    def _differs_from(self, told: KernelActivity) -> Callable[[], bool]:
        return lambda: self.activity != told

    async def _keep_from_culling(self) -> None:
        """Our client is no connection in the server's eyes: say that the kernel is in use."""
        while True:
            await self._pulse.until(lambda: len(self._queue))
            self._managed.touch()
            await asyncio.sleep(self._limits.heartbeat_seconds)

    def _tell_loss(self, loss: MemoryLost) -> None:
        self._tell_watchers(lambda watcher: watcher.memory_lost(self, loss))

    def _tell_watchers(self, tell: Callable[[KernelWatcher], None]) -> None:
        for watcher in list(self._watchers):
            try:
                tell(watcher)
            except Exception:
                log.exception("A watcher of kernel %s failed.", self._managed.kernel_id)

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._kept.add(task)
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        self._kept.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            log.error("Work on kernel %s failed.", self._managed.kernel_id, exc_info=failure)
