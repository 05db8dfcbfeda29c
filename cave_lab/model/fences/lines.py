"""The lines that open and close a fenced block: CommonMark's rules, read with some patience."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = r"(?:[-*+]|\d{1,9}[.)])"
_LEAD = rf"[ \t]*(?:{_MARKER}[ \t]+)*"
# Three backticks further on close code inside of a sentence.
_MARK = r"(?:`{3,}+(?!.*```)|~{3,}+)"
_OPENING = re.compile(rf"({_LEAD})({_MARK})(.*)", re.DOTALL)
_MAY_OPEN = re.compile(rf"{_LEAD}(?:\d{{0,9}}|{_MARKER}|`{{1,2}}|~{{1,2}}|{_MARK}.*)", re.DOTALL)
_ITEM = re.compile(rf"[ \t]*(?:{_MARKER}[ \t]+)+")
_TAB = 4
_SLACK = 3
"""Columns by which a fence may be indented beyond the text around it."""

_SAME_LANGUAGE = (
    {"python", "py", "ipython"},
    {"r", "rscript", "ir"},
    {"julia", "jl"},
    {"javascript", "js", "node", "nodejs"},
    {"typescript", "ts"},
    {"bash", "sh", "shell", "zsh"},
    {"c++", "cpp", "cxx"},
    {"c#", "csharp", "cs"},
    {"f#", "fsharp", "fs"},
    {"go", "golang"},
    {"haskell", "hs"},
    {"kotlin", "kt"},
    {"octave", "matlab", "m"},
    {"perl", "pl", "raku"},
    {"ruby", "rb"},
    {"rust", "rs"},
    {"scala", "sc"},
)
"""Names that models and kernels give to one language, without a version."""


@dataclass(frozen=True)
class Opening:
    """An opening line: its mark, its indent in columns, and what stands behind the mark."""

    mark: str
    indent: int
    info: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words behind the mark."""
        return tuple(self.info.split())

    @property
    def in_markdown(self) -> bool:
        """Whether Markdown takes it for one: behind backticks it allows no further backtick."""
        return self.mark[0] == "~" or "`" not in self.info

    def may_close(self, head: str) -> bool:
        """Whether a line that begins so may become the closing line."""
        rest = head.lstrip(" \t").lstrip(self.mark[0])
        return not rest.strip(" \t\r")

    def closes(self, line: str) -> bool:
        """Whether this is a closing line, however far it is indented."""
        marks = line.lstrip(" \t").rstrip(" \t\r\n")
        return len(marks) >= len(self.mark) and not marks.strip(self.mark[0])

    def closes_here(self, line: str) -> bool:
        """Whether this is a closing line that is no further indented than Markdown allows."""
        return self.closes(line) and indent_of(line) <= self.indent + _SLACK


def may_open(head: str) -> bool:
    """Whether a line that begins so may become an opening line."""
    return _MAY_OPEN.fullmatch(head) is not None


def opening_of(line: str) -> Opening | None:
    """Read a whole line as an opening line, wherever it is indented to."""
    found = _OPENING.fullmatch(line.rstrip("\r\n"))
    if found is None:
        return None
    lead, mark, info = found.groups()
    return Opening(mark, _columns(lead), info.strip())


def indent_of(line: str) -> int:
    """The columns of white space that a line begins with."""
    return _columns(line[: len(line) - len(line.lstrip(" \t"))])


def without_indent(line: str, columns: int) -> str:
    """Take up to so many columns of white space from the beginning of a line."""
    at = 0
    while columns > 0 and line[at : at + 1] in {" ", "\t"}:
        columns -= _columns(line[at])
        at += 1
    return line[at:]


def same_language(one: str, other: str) -> bool:
    """Whether two names mean one language, whatever their case and version."""
    first, second = _plain_name(one), _plain_name(other)
    return first == second or any({first, second} <= names for names in _SAME_LANGUAGE)


class Margin:
    """Where the text of the list item that is being written begins; 0 outside of a list."""

    def __init__(self) -> None:
        self._columns = 0
        self._after_blank = False

    def note(self, line: str) -> None:
        """Take the next line, or its beginning up to where it is no fence any more."""
        if not line.strip():
            self._after_blank = True
            return
        if item := _ITEM.match(line):
            self._columns = _columns(item[0])
        elif self._after_blank:
            # Without a blank line before it, it goes on with the item however it is indented.
            self._columns = min(self._columns, indent_of(line))
        self._after_blank = False

    def holds(self, line: str) -> bool:
        """Whether a line is indented as text is here; further in it is code to be shown."""
        return indent_of(line) <= self._columns + _SLACK


def _columns(lead: str) -> int:
    return len(lead) + (_TAB - 1) * lead.count("\t")


def _plain_name(name: str) -> str:
    return name.casefold().rstrip("0123456789.")
