"""Printed tables: the lines that name the columns, for the rows behind a cut."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEPARATORS = tuple(re.compile(words) for words in (r"\s*[|│┆]\s*", r"\t", r" {2,}", r","))
"""Between two cells of a row, the surest first."""
_NUMBER = re.compile(r"[-+$€£]?(?:[\d.,]*\d[\d.,]*(?:e[-+]?\d+)?%?|nan|inf)$", re.IGNORECASE)
_RULE = re.compile(r"[\s|│┆+╪╞╡├┤┼:=─═━-]*[-=─═━]{2,}[\s|│┆+╪╞╡├┤┼:=─═━-]*$")
_HEAD_LINES = 4
"""Column names may take so many lines: more levels, the index's name, types, a rule."""
_HEADER_CHARS = 1_000
"""A wider header would be a page of its own."""


def header_above(before: str, after: str) -> str:
    """The header of the printed table that is cut between two texts; empty if there is none.

    A row whose words look like another kind of row ends the search: better no header than a wrong
    one.
    """
    above = [line for line in before.split("\n") if line.strip()]
    block = before.rstrip("\n").rpartition("\n\n")[2].split("\n")
    rows = [line for line in after.split("\n", 2)[:2] if line.strip()]
    if len(above) < 2 or not rows:
        return ""
    separator = next((one for one in _SEPARATORS if one.search(rows[0].strip())), None)
    if separator is None or _cells(separator, block[-1]) != (width := _cells(separator, rows[0])):
        return ""
    first = len(block)
    while first and _cells(separator, block[first - 1]) == width:
        first -= 1
    return _header(separator, block, first, width)


def _header(separator: re.Pattern[str], block: Sequence[str], first: int, width: int) -> str:
    """The lines over the rows from `first` on, or the first of these if it names columns."""
    rows = block[first:]
    ruled = first > 0 and _RULE.match(block[first - 1]) is not None
    if ruled:
        start = max(0, first - _HEAD_LINES)
        lines = _from_fitting(separator, block[start:first], width)
    elif len(rows) > 1 and _RULE.match(rows[1]):
        lines = rows[:2]
    elif len(rows) > 1 and _names(separator, rows[0]) and not _names(separator, rows[-1]):
        lines = [rows[0]]
    else:
        lines = _padded(separator, block[max(0, first - _HEAD_LINES) : first], rows)
    header = "\n".join(line.rstrip() for line in lines)
    return header if len(header) <= _HEADER_CHARS else ""


def _from_fitting(separator: re.Pattern[str], lines: Sequence[str], width: int) -> Sequence[str]:
    fitting = [
        at
        for at, line in enumerate(lines)
        if not _RULE.match(line) and abs(_cells(separator, line) - width) <= 1
    ]
    return lines[fitting[0] :] if fitting else ()


def _padded(separator: re.Pattern[str], lines: Sequence[str], rows: Sequence[str]) -> Sequence[str]:
    """Lines of names over an index that has none: as long as the rows, and they begin empty."""
    if not rows or _names(separator, rows[-1]):
        return ()
    kept: list[str] = []
    for line in reversed(lines):
        named = line[:1] == " " and _names(separator, line)
        if not named and not (not kept and len(line) == len(rows[0])):
            break
        kept.insert(0, line)
    return kept if any(line[:1] == " " for line in kept) else ()


def _cells(separator: re.Pattern[str], line: str) -> int:
    return len(separator.split(line.strip()))


def _names(separator: re.Pattern[str], line: str) -> bool:
    """Whether a line holds words alone, as column names are."""
    cells = [cell.strip() for cell in separator.split(line.strip())]
    return any(cells) and not any(_NUMBER.match(cell) for cell in cells if cell)
