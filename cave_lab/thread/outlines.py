"""The notebook as the person's browser sees it: stored, and at hand for what is told of it."""

from __future__ import annotations

from collections.abc import Mapping

from cave_lab import errors
from cave_lab.protocol.content import Outline
from cave_lab.protocol.ids import BlobId
from cave_lab.state.values import ThreadState
from cave_lab.thread.services import Services


class Outlines:
    """The outlines of one thread."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: dict[BlobId, Outline] = {}
        self.newer: Outline | None = None
        """The notebook as the writer saw it last, until a call or a message takes it up."""

    def notice(self, outline: Outline) -> None:
        """The notebook has changed; raises LimitReached if the outline is too large."""
        self._check(outline.model_dump_json().encode())
        self.newer = outline

    def take(self) -> Outline | None:
        """The notebook as it was seen since the last message or call; None if it was not."""
        newer, self.newer = self.newer, None
        return newer

    def taken(self, outline: Outline | None) -> None:
        """A call has told an outline; what was seen since then waits for the next one."""
        if self.newer is outline:
            self.newer = None

    async def keep(self, state: ThreadState, outline: Outline) -> BlobId:
        """Store an outline; raises LimitReached if it is too large."""
        data = outline.model_dump_json().encode()
        self._check(data)
        blob = await self._services.journal.put_blob(data, "application/json", state.thread_id)
        self._known[blob] = outline
        return blob

    def known(self, name: BlobId | None) -> Outline | None:
        """An outline that is at hand."""
        return self._known.get(name) if name is not None else None

    async def told_in(self, state: ThreadState) -> Mapping[BlobId, Outline]:
        """All outlines that a thread names."""
        told = [turn.outline for turn in state.turns]
        told += [call.outline for turn in state.turns for call in turn.calls]
        for name in told:
            if name is not None and name not in self._known:
                blob = await self._services.journal.get_blob(name, state.thread_id)
                self._known[name] = Outline.model_validate_json(blob.data)
        return self._known

    def _check(self, data: bytes) -> None:
        if len(data) > self._services.limits.outline_bytes:
            raise errors.LimitReached("The outline of the notebook is too large to send.")
