"""Keeps a thread's kernel in sight: which it is, what it does, and when it forgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink, Kernels, MemoryLost
from cave_lab.protocol.frames import KernelState, Signal
from cave_lab.protocol.thread_events import KernelChanged, ThreadChanged
from cave_lab.state.values import ThreadState


class Owner(Protocol):
    """What the watch needs of its thread."""

    @property
    def state(self) -> ThreadState:
        """The folded state."""

    def kernel_lost(self, change: Draft) -> None:
        """The kernel's memory is gone."""

    def signal(self, signal: Signal) -> None:
        """Tell all followers."""


class KernelWatch:
    """The binding of one thread; a KernelWatcher of its link."""

    def __init__(self, owner: Owner, kernels: Kernels, lost_names: int) -> None:
        self._owner = owner
        self._kernels = kernels
        self._lost_names = lost_names
        self._link: KernelLink | None = None
        self._unwatch: Callable[[], None] | None = None

    @property
    def link(self) -> KernelLink | None:
        """The link as last bound."""
        return self._link

    async def bind(self) -> tuple[KernelLink | None, list[Draft]]:
        """Find the live kernel now, and what has to be written down about it."""
        before = self._owner.state
        try:
            binding = await self._kernels.bind(before.target)
        except errors.NoKernel:
            self._hold(None)
            return None, []
        self._hold(binding.link)
        drafts: list[Draft] = []
        if binding.target != before.target:
            drafts.append(ThreadChanged(**DRAFT, target=binding.target))
        changed = _changed(before, binding.link, self._lost_names)
        return binding.link, [*drafts, *([changed] if changed else [])]

    def _hold(self, link: KernelLink | None) -> None:
        if link is self._link:
            return
        if self._unwatch is not None:
            self._unwatch()
        self._link = link
        self._unwatch = link.watch(self) if link is not None else None
        self.tell()

    def close(self) -> None:
        """Stop watching."""
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None

    def tell(self) -> None:
        """Tell followers what the kernel is and does."""
        self._owner.signal(self.kernel_state())

    def kernel_state(self) -> KernelState:
        """The kernel as a signal."""
        thread_id = self._owner.state.thread_id
        link = self._link
        if link is None:
            return KernelState(thread_id=thread_id, kernel_id=None, state="none")
        return KernelState(
            thread_id=thread_id,
            kernel_id=link.facts.kernel_id,
            state=link.activity.state,
            whose=link.activity.whose,
            queued=link.activity.queued,
            language=link.facts.language,
            display_name=link.facts.display_name,
            generation=link.generation,
            variables=link.facts.variables,
        )

    # ── KernelWatcher

    def activity_changed(self, link: KernelLink) -> None:
        """Pass it on."""
        if link is self._link:
            self.tell()

    def memory_lost(self, link: KernelLink, loss: MemoryLost) -> None:
        """Write it down, and end what relied on it."""
        if link is not self._link:
            return
        self._owner.kernel_lost(
            KernelChanged(
                **DRAFT,
                reason=loss.reason,
                generation=loss.generation,
                lost=list(loss.lost[: self._lost_names]),
                lost_total=loss.lost_total,
            )
        )
        self.tell()


def _changed(state: ThreadState, link: KernelLink, lost_names: int) -> KernelChanged | None:
    """Tell what the new generation means; None if it is the one we know."""
    now, before = link.generation, state.generation
    if now is None or now == before:
        return None
    if before is None:
        return KernelChanged(**DRAFT, reason="bound", generation=now)
    last = next((turn.seen for turn in reversed(state.turns) if turn.seen), None)
    names = [variable.name for variable in last.variables] if last else []
    same_kernel = state.target.kernel_id == link.facts.kernel_id
    return KernelChanged(
        **DRAFT,
        reason="lost" if same_kernel else "switched",
        generation=now,
        lost=names[:lost_names],
        lost_total=last.total if last else 0,
    )
