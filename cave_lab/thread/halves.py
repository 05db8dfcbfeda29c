"""Characters that a provider's stream cut in two: joined again, or marked as broken."""

from __future__ import annotations

import re

_LAST_HALF = re.compile("[\ud800-\udbff]$")


class Halves:
    """One stream of text; half a character can be neither stored nor sent."""

    def __init__(self) -> None:
        self._held = ""

    def join(self, piece: str) -> str:
        """The text as far as it is whole; a first half waits for its second."""
        text = self._held + piece
        self._held = text[-1] if _LAST_HALF.search(text) else ""
        whole = text[: len(text) - len(self._held)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
