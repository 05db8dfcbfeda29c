"""The code of one fenced block, as it is written."""

from __future__ import annotations

import ast
import re
import warnings

from cave_lab.model.fences.lines import Opening, opening_of, without_indent
from cave_lab.model.fences.open_string import OpenString

_PYTHON_INSIDE = frozenset({"capture", "debug", "memit", "mprun", "prun", "time", "timeit"})
"""Cell magics whose cell is Python; that of any other may be anything."""

_SHELL_OR_MAGIC = re.compile(r"(?m)^([ \t]*)[!%].*$")
_MOST_READ = 50_000
"""Characters: reading more takes longer than the event loop may stand still."""


class CodeBlock:
    """Takes lines, or pieces of lines, and gives the code that they add."""

    def __init__(
        self, opening: Opening, purpose: str, *, python: bool, scratch: bool = False
    ) -> None:
        self.purpose = purpose
        self.scratch = scratch
        self._opening = opening
        self._pieces: list[str] = []
        self._line: list[str] = []
        self._string = OpenString()
        self._inner: list[Opening] = []
        self._is_python = python
        self._begun = False
        self._kept_open = False

    @property
    def code(self) -> str:
        """All of it, without a line end behind the last line."""
        return "".join(self._pieces)

    @property
    def unclosed_string(self) -> bool:
        """Whether a closing line was taken for a part of a string that is still open."""
        return self._kept_open and self._string.open

    @property
    def unclosed_fence(self) -> bool:
        """Whether a fence that the code holds was not closed, or not yet."""
        return bool(self._inner)

    def may_close(self, head: str) -> bool:
        """Whether a line that begins so may become the closing line."""
        return self._opening.may_close(head)

    def closes(self, line: str) -> bool:
        """Whether this is the closing line; one inside an open string of Python is not.

        Nor is one that closes a fence which text of another kind holds, as a README in a cell has.
        """
        if not self._opening.closes(line):
            return False
        if self._inner:
            if self._inner[-1].closes(line):
                self._inner.pop()
            return False
        if not self._string.open:
            return True
        # Read once, not at every such line: the whole must cost no more than its length.
        first, self._kept_open = not self._kept_open, True
        return first and _parses(self.code)

    def add(self, piece: str, *, first: bool) -> str:
        """Take a piece of a line, `first` if the line begins with it; gives what it adds."""
        body = piece.removesuffix("\n")
        ended = len(body) < len(piece)
        if ended:
            body = body.removesuffix("\r")
        if first:
            body = without_indent(body, self._opening.indent)
        self._line.append(body)
        added = "\n" + body if first and self._pieces else body
        self._pieces.append(added)
        if ended:
            self._end_line()
        return added

    def _end_line(self) -> None:
        line = "".join(self._line)
        self._line.clear()
        if not self._begun and line.strip():
            self._begun = True
            self._is_python = self._is_python and not _holds_another_language(line)
        if self._is_python:
            self._string.feed(line)
        else:
            self._note_fence(line)

    def _note_fence(self, line: str) -> None:
        """Take note of a fence whose closing line would look like that of the block."""
        inner = opening_of(line)
        if inner and inner.words and inner.in_markdown and self._opening.closes(inner.mark):
            self._inner.append(inner)


def _holds_another_language(first_line: str) -> bool:
    words = first_line.split()
    return words[0].startswith("%%") and words[0][2:] not in _PYTHON_INSIDE


def _parses(code: str) -> bool:
    """Whether code is whole after all, though a string seemed to be open."""
    if len(code) > _MOST_READ:
        return False
    # A percent sign at the beginning of a line may be a magic's, or an operator's.
    return any(_is_python(text) for text in (code, _SHELL_OR_MAGIC.sub(r"\1pass", code)))


def _is_python(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            # About the model's code, which the person's kernel will warn of itself.
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
