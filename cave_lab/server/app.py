"""What handlers need of the extension that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cave_lab.server.config import Settings

if TYPE_CHECKING:
    from cave_lab.server.domain import Domain


class App(Settings):
    """The extension, as its handlers see it: its settings, and the rooms below."""

    async def domain(self) -> Domain:
        """Open the rooms at the first request; raises CaveLabError if they can't be."""
        raise NotImplementedError
