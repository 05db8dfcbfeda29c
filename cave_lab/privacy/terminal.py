"""What is left on a terminal after all was written: the final state of progress bars.

Resolved are carriage returns, backspaces, and the sequences by which bars move within their last
lines and erase them. Not resolved are places on the whole screen, as full-screen programs use them:
there is no screen, so their text stays in the order in which it came.
"""

from __future__ import annotations

import re

_COLOURS = re.compile(r"\x1b\[[\d;:]*m")
_TOKEN = re.compile(
    r"\r\n|[\r\n\b]|\x1b\[(?P<count>\d{0,4})(?P<move>[A-GJK])|(?P<text>\x1b?[^\x1b\r\n\b]*)"
)
_WIDEST = 200
"""A cursor goes no further beyond the end of a line: blanks are made for it."""


def final_lines(text: str) -> str:
    """Resolve what overwrites as a terminal would: what a reader ends up seeing."""
    text = _COLOURS.sub("", text)
    if not any(control in text for control in "\r\b\x1b"):
        return text
    screen = _Screen()
    for token in _TOKEN.finditer(text):
        if token["move"]:
            screen.move(token["move"], int(token["count"] or 0))
        else:
            screen.take(token[0])
    return "\n".join(map("".join, screen.rows))


class _Screen:
    """Lines of characters, and a cursor."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = [[]]
        self._row = self._column = 0

    def take(self, text: str) -> None:
        """Write text, or follow one control character."""
        match text:
            case "\n" | "\r\n":
                self._row, self._column = self._row + 1, 0
                if self._row == len(self.rows):
                    self.rows.append([])
            case "\r":
                self._column = 0
            case "\b":
                self._erase_before()
            case _:
                self._write(text)

    def move(self, move: str, count: int) -> None:
        """Follow a sequence; those without a count mean one step, but erasing means its kind 0."""
        steps = max(1, count)
        match move:
            case "A" | "F":
                self._row = max(0, self._row - steps)
            case "B" | "E":
                self._row = min(len(self.rows) - 1, self._row + steps)
            case "C":
                self._column = self._reach(self._column + steps)
            case "D":
                self._column = max(0, self._column - steps)
            case "G":
                self._column = self._reach(steps - 1)
            case "J":
                self._erase_below(count)
            case _:
                self._erase_in_line(count)
        if move in "EF":
            self._column = 0

    @property
    def _line(self) -> list[str]:
        return self.rows[self._row]

    def _reach(self, column: int) -> int:
        """As far as a cursor may go to the right."""
        return min(column, max(len(self._line), _WIDEST))

    def _write(self, text: str) -> None:
        line = self._line
        if self._column > len(line):
            line.extend(" " * (self._column - len(line)))
        line[self._column : self._column + len(text)] = text
        self._column += len(text)

    def _erase_before(self) -> None:
        if self._column:
            self._column -= 1
            del self._line[self._column : self._column + 1]

    def _erase_in_line(self, kind: int) -> None:
        line = self._line
        if kind != 1:
            del line[0 if kind == 2 else self._column :]
        else:
            line[: self._column] = " " * min(self._column, len(line))

    def _erase_below(self, kind: int) -> None:
        """Erase what stands behind the cursor; to erase a whole screen would lose what was said."""
        if kind == 0:
            del self._line[self._column :]
            del self.rows[self._row + 1 :]
