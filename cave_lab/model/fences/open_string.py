"""Tells whether Python code stands inside a string, line by line as the code is written."""

from __future__ import annotations

import re

_OUTSIDE = re.compile(r"#|'''|\"\"\"|'|\"")
_INSIDE = {quote: re.compile(rf"\\.|\\\Z|{quote}", re.DOTALL) for quote in ("'", '"', "'''", '"""')}
_SHELL_OR_MAGIC = ("!", "%")


class OpenString:
    """Reads each line once, so that the whole costs no more than its length.

    Prefixes do not matter: a backslash keeps the quote behind it from closing a raw string too.
    Quotes of one kind nested in the braces of an f-string (Python 3.12) are taken for its end.
    """

    def __init__(self) -> None:
        self._quote = ""

    @property
    def open(self) -> bool:
        """Whether the next line begins inside a string."""
        return bool(self._quote)

    def feed(self, line: str) -> None:
        """Take the next line, without its end."""
        if not self._quote and line.lstrip().startswith(_SHELL_OR_MAGIC):
            return
        at = 0
        while at < len(line):
            at = self._inside(line, at) if self._quote else self._outside(line, at)

    def _outside(self, line: str, at: int) -> int:
        found = _OUTSIDE.search(line, at)
        if found is None or found[0] == "#":
            return len(line)
        self._quote = found[0]
        return self._inside(line, found.end())

    def _inside(self, line: str, at: int) -> int:
        """Go to behind the closing quote, or to the end of the line."""
        for found in _INSIDE[self._quote].finditer(line, at):
            if found[0] == self._quote:
                self._quote = ""
                return found.end()
            if found[0] == "\\":
                return len(line)
        if len(self._quote) == 1:
            # Not closed on its line, and not continued: an error that ends with the line.
            self._quote = ""
        return len(line)
