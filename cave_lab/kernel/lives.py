"""The lives of one kernel id, one after the other, each with its own generation."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import zmq.asyncio

from cave_lab.kernel.life import Life
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.opening import Opening
from cave_lab.kernel.outcome import LossReason, MemoryLossReason
from cave_lab.kernel.port import MemoryLost
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.watch import LossWatch, successor
from cave_lab.limits import Limits
from cave_lab.protocol.ids import Generation


class Lives:
    """Opens a connection to every process that this kernel id gets, until it gets none any more.

    A generation is made before its life begins, so that whoever hears of a loss knows at once what
    comes next.
    """

    def __init__(
        self,
        managed: ManagedKernel,
        context: zmq.asyncio.Context,
        pulse: Pulse,
        limits: Limits,
        *,
        probe: bool,
        waited_for: Callable[[], bool],
        on_loss: Callable[[MemoryLost], None],
    ) -> None:
        self.life: Life | None = None
        self.last_loss: MemoryLossReason | None = None
        self._fates: dict[Generation, MemoryLossReason] = {}
        self._managed = managed
        self._context = context
        self._pulse = pulse
        self._limits = limits
        self._opening = Opening(managed, pulse, limits, probe=probe)
        self._waited_for = waited_for
        self._on_loss = on_loss
        self._count = 0
        self._next: Generation | None = self._mint()

    @property
    def generation(self) -> Generation | None:
        """The present life's, or that of the one that is about to begin."""
        return self._next if self.life is None else self.life.generation

    def fate(self, generation: Generation) -> LossReason:
        """How another generation than the present one ended; one of before our time restarted."""
        return self._fates.get(generation, "closed" if self.generation is None else "restarted")

    async def serve(self) -> None:
        """Return when the kernel id is gone; raises what kept its first process from starting."""
        try:
            await self._managed.launched()
            await self._live_on()
        finally:
            self._next = None

    async def _live_on(self) -> None:
        alive = True
        while alive:
            if self._next is None:
                self._next = self._mint()
                self._tell("restarted")
            watch = LossWatch(self._managed, self._limits)
            await self._live(self._next, watch)
            alive = await self._followed(watch.process_id)

    async def _followed(self, former: int | None) -> bool:
        """Wait until another process is there, or the kernel id is gone."""
        follows = await successor(self._managed, former, self._limits)
        if follows == "given_up":
            self._expect_none("lost")
            follows = await successor(self._managed, former, self._limits, by_hand=True)
        if follows == "gone":
            self._expect_none("shut_down")
        return follows == "launched"

    def _expect_none(self, reason: MemoryLossReason) -> None:
        """The life that was about to begin does not."""
        if self._next is not None:
            self._fates[self._next] = self.last_loss = reason
            self._next = None
            self._tell(reason)

    async def _live(self, generation: Generation, watch: LossWatch) -> None:
        channels = self._managed.connect(self._context, self._limits)
        life = self.life = Life(
            generation, channels, watch, self._pulse, self._limits, self._waited_for
        )
        self._pulse.beat()
        ending: LossReason = "closed"
        try:
            ending = reason = await life.serve(self._opening.open)
        finally:
            self.life = None
            channels.close()
            life.lose(ending)
            self._pulse.beat()
        if life.phase != "starting" or reason == "shut_down":
            self._end(life, reason)

    def _end(self, life: Life, reason: MemoryLossReason) -> None:
        self._fates[life.generation] = self.last_loss = reason
        itself = self._managed.restarts_itself and not self._managed.given_up
        goes_on = reason == "restarted" or (reason == "lost" and itself)
        self._next = self._mint() if goes_on else None
        names, total = life.seen.lost()
        self._tell(reason, names, total)

    def _tell(
        self,
        reason: MemoryLossReason,
        names: list[str] | None = None,
        total: int | None = 0,
    ) -> None:
        self._on_loss(MemoryLost(reason, self._next, names or (), total))
        self._pulse.beat()

    def _mint(self) -> Generation:
        self._count += 1
        return Generation(f"{self._count}-{uuid4().hex[:12]}")
