"""Keeps a thread's kernel in sight: which it is, what it does, and when it forgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.known_names import KnownNames
from cave_lab.kernel.port import Binding, KernelLink, Kernels, MemoryLost
from cave_lab.protocol.content import Target
from cave_lab.protocol.frames import KernelState, Signal
from cave_lab.protocol.ids import Generation
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
        self._closed = False

    @property
    def link(self) -> KernelLink | None:
        """The link as last bound."""
        return self._link

    async def find(self, target: Target) -> Binding | None:
        """Find the live kernel of a target; None if there is none. Raises KernelSilent."""
        try:
            return await self._kernels.bind(target)
        except errors.NoKernel:
            return None

    def hold(self, binding: Binding | None) -> tuple[KernelLink | None, list[Draft]]:
        """Watch what was found; returns what has to be written down about it."""
        self._hold(binding.link if binding is not None else None)
        if binding is None:
            return None, []
        before, link = self._owner.state, binding.link
        drafts: list[Draft] = []
        if binding.target != before.target:
            drafts.append(ThreadChanged(**DRAFT, target=binding.target))
        changed = change_of(before, link.generation, binding.target, self._lost_names)
        return link, [*drafts, *([changed] if changed else [])]

    def _hold(self, link: KernelLink | None) -> None:
        if link is self._link or self._closed:
            return
        if self._unwatch is not None:
            self._unwatch()
        self._link = link
        self._unwatch = link.watch(self) if link is not None else None
        self.tell()

    def close(self) -> None:
        """Stop watching, for good."""
        self._closed = True
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
        """Write it down, and end what relied on it; a kernel that was shut down is none."""
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
        if loss.reason == "shut_down":
            self._hold(None)
        else:
            self.tell()


def change_of(
    state: ThreadState, generation: Generation | None, target: Target, lost_names: int
) -> KernelChanged | None:
    """What another generation than the one we know means; None if it is that one, or none yet."""
    before = state.generation
    if generation is None or generation == before:
        return None
    if before is None:
        return KernelChanged(**DRAFT, reason="bound", generation=generation)
    names, total = _known_names(state)
    return KernelChanged(
        **DRAFT,
        reason="switched" if _is_switch(state.target, target) else "lost",
        generation=generation,
        lost=names[:lost_names],
        lost_total=total,
    )


def _is_switch(before: Target, now: Target) -> bool:
    """Whether the session was given another kernel; a new session means that the old one ended."""
    return before.session_id == now.session_id and before.kernel_id != now.kernel_id


def _known_names(state: ThreadState) -> tuple[list[str], int | None]:
    """The variables last seen in this memory, kept up by what runs did since, and how many.

    That there was none nobody can say who did not see it go.
    """
    looks = [
        at
        for at, turn in enumerate(state.turns)
        if turn.seen and turn.seen.unavailable is None and turn.seen.generation == state.generation
    ]
    seen = state.turns[looks[-1]].seen if looks else None
    if seen is None:
        return [], None
    names = KnownNames(seen.variables, seen.total)
    since = {turn.turn_id for turn in state.turns[looks[-1] :]}
    for run in state.runs.values():
        if run.turn_id in since:
            names.note(run.variables)
    return names.by_weight(), names.total or None
