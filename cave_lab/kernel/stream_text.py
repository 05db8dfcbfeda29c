"""The text of one stream as a terminal would leave it, told piece by piece."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Append:
    """Goes behind what was told before."""

    text: str


@dataclass(frozen=True)
class Replace:
    """The whole text anew: what was told before grew far longer than what is left of it."""

    text: str


_SLACK = 8_000
"""Characters of overwritten lines that may have been told before all is told anew."""

_LEAVES_THE_LINE = re.compile(r"\x1b(?:\[\d*(?:[ABEF]|$)|$)")
"""Moves the cursor to another line, as bars one below the other do; or may, once it is complete."""


class StreamText:
    """Finished lines, and an open line that a carriage return may overwrite."""

    def __init__(self) -> None:
        self._told: list[str] | None = []
        """Finished lines that were told; None once they were let go."""
        self._length = 0
        """Characters of them."""
        self._sent = 0
        """Characters told so far, those that were overwritten too."""
        self._untold: list[str] = []
        self._line = ""
        self._told_line = ""
        self._column: int | None = None
        """Where the next character goes in the open line; None at its end."""
        self._left = False
        """Whether the cursor left the open line: then only the reader knows what is overwritten."""

    def feed(self, text: str) -> int:
        """Take in text; returns how many characters longer the text is for it."""
        if "\r" not in text and self._column is None:
            return self._feed_plain(text)
        *lines, rest = text.split("\n")
        grown = sum(self._feed_line(line) for line in lines)
        return grown + self._overwrite(rest)

    def tell(self) -> Append | Replace | None:
        """What has to be told for the other side to have the text as it is now."""
        lines = "".join(self._untold)
        fresh = lines + self._line
        overwritten = not fresh.startswith(self._told_line)
        change = "\r" + fresh if overwritten else fresh[len(self._told_line) :]
        self._untold, self._told_line = [], self._line
        self._length += len(lines)
        if not change:
            return None
        self._sent += len(change)
        if self._told is None:
            return Append(change)
        self._told.append(lines)
        if self._sent <= 2 * (self._length + len(self._line)) + _SLACK:
            return Append(change)
        self._told = ["".join(self._told)]
        self._sent = self._length + len(self._line)
        return Replace(self._told[0] + self._line)

    def forget(self) -> None:
        """Let go of all that was told; later text is appended to it unseen."""
        self._told = None
        self._line = self._told_line = ""
        self._column, self._left = None, False

    def _feed_plain(self, text: str) -> int:
        head, newline, tail = text.rpartition("\n")
        if newline:
            self._untold.append(self._line + head + newline)
            self._line, self._left = "", False
        self._line += tail
        self._left = self._left or _leaves_the_line(tail)
        return len(text)

    def _feed_line(self, line: str) -> int:
        grown = self._overwrite(line.removesuffix("\r"))
        self._untold.append(self._line + "\n")
        self._line, self._column, self._left = "", None, False
        return grown + 1

    def _overwrite(self, text: str) -> int:
        before = len(self._line)
        if self._left or _leaves_the_line(text):
            returned = "" if self._column is None else "\r" + self._line[: self._column]
            self._line += returned + text
            self._column, self._left = None, True
            return len(self._line) - before
        first, *others = text.split("\r")
        self._write(first)
        for segment in others:
            self._column = 0
            self._write(segment)
        if self._column is not None and self._column >= len(self._line):
            self._column = None
        return len(self._line) - before

    def _write(self, segment: str) -> None:
        column = len(self._line) if self._column is None else self._column
        end = column + len(segment)
        self._line = self._line[:column] + segment + self._line[end:]
        self._column = end


def _leaves_the_line(text: str) -> bool:
    return "\x1b" in text and _LEAVES_THE_LINE.search(text) is not None


class Tail:
    """The last characters of a flood, with the names of their streams."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: deque[tuple[str, str]] = deque()
        self._length = 0
        self.dropped = 0
        """Characters let go so far."""

    def push(self, name: str, text: str, skipped: int = 0) -> None:
        """Add text behind `skipped` characters that were never read."""
        self._pieces.append((name, text))
        self._length += len(text)
        if skipped:
            self._drop_all_but(len(text))
            self.dropped += skipped
        self._drop_all_but(self._limit)

    def take(self) -> list[tuple[str, str]]:
        """Hand over what is left, oldest first."""
        pieces = list(self._pieces)
        self._pieces.clear()
        self._length = 0
        return pieces

    def _drop_all_but(self, limit: int) -> None:
        while self._length > limit:
            name, text = self._pieces.popleft()
            surplus = min(self._length - limit, len(text))
            if surplus < len(text):
                self._pieces.appendleft((name, text[surplus:]))
            self._length -= surplus
            self.dropped += surplus
