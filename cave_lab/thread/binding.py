"""Binds a thread to its live kernel, and keeps what is found and what is chosen from crossing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cave_lab.journal.drafts import Draft
from cave_lab.kernel.port import KernelLink
from cave_lab.protocol.content import Target
from cave_lab.thread.kernel_watch import KernelWatch
from cave_lab.thread.recorder import Recorder


class Binding:
    """Looks for the kernel of a thread's target, one look at a time."""

    def __init__(
        self, watch: KernelWatch, recorder: Recorder, target: Callable[[], Target]
    ) -> None:
        self._watch = watch
        self._recorder = recorder
        self._target = target
        self._looking = asyncio.Lock()
        """Two looks at once would tell of the same kernel twice."""
        self._writing = asyncio.Lock()
        """Held while the target may change: a look that began before must not write the old one."""

    async def bind(self) -> KernelLink | None:
        """Find the live kernel now, and write down what is new of it; None if there is none.

        Raises KernelSilent and JournalError.
        """
        async with self._looking:
            while True:
                target = self._target()
                found = await self._watch.find(target)
                async with self._writing:
                    if self._target() == target:
                        link, drafts = self._watch.hold(found)
                        if drafts:
                            await self._recorder.full(*drafts)
                        return link

    async def record(self, *drafts: Draft) -> None:
        """Write down what may change the target."""
        async with self._writing:
            await self._recorder.full(*drafts)
