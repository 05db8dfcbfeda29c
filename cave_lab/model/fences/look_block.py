"""One fenced block that asks for a look: its names, a line each."""

from __future__ import annotations

from cave_lab.model.fences.lines import Opening
from cave_lab.model.looks import look_of
from cave_lab.model.port import ActionUnusable
from cave_lab.protocol.content import LookAction


class LookBlock:
    """Takes lines, or pieces of lines; of a look nothing is shown while it is written."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        """All that was written in it, its detail first."""
        detail = "".join(self._opening.info.split(None, 1)[1:])
        # Behind backticks Markdown knows none, so there they are only marks of a name.
        known = detail if self._opening.in_markdown else detail.replace("`", "")
        return "\n".join([known, "".join(self._pieces)])

    def may_close(self, head: str) -> bool:
        """Whether a line that begins so may become the closing line."""
        return self._opening.may_close(head)

    def closes(self, line: str) -> bool:
        """Whether this is the closing line."""
        return self._opening.closes(line)

    def add(self, piece: str) -> None:
        """Take a piece of a line."""
        self._pieces.append(piece)

    def read(self) -> LookAction | ActionUnusable:
        """The look that it asks for, when it is complete."""
        detail, *names = self.text.split("\n")
        return look_of(names, detail)
