"""IPython's tracebacks, shortened to what points at the person's code.

Kept are the exceptions, the frames of cells and of files that are no library, and the last frame if
a library raised. A traceback of another kind stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

_FRAME = re.compile(r" {0,2}(?:Cell In\[|Input In \[|File )")
_BEGINS = re.compile(r"(?:\S.*\s)?Traceback \(most recent call last\):?$")
_PATH = re.compile(r" *File (?P<path>.*?)(?::\d+\b.*|,? in .*)?$")
_LIBRARY = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]"
    r"|[\\/]lib(?:64)?[\\/]python\d(?:\.\d+)?[\\/]"
    r"|\\Lib\\"
    r"|^<frozen |\.pyx$"
)
_MESSAGE = re.compile(r"[^\s\d…-]")
"""How a line begins that is no frame's: its lines are numbered, indented, or have an arrow."""
_ARROW = re.compile(r"-+> ")
_CHAINED = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)

CHARS = 2_600
"""Of the whole: it should fit the tail that is kept of a long output."""
_MESSAGE_CHARS = 1_200
_LINE_CHARS = 300
_FIRST, _LAST = 2, 6
"""Frames of the person's own code that are kept of a deep stack."""


@dataclass
class _Part:
    """One exception of a chain: where it was raised, and what it says."""

    frames: list[list[str]] = field(default_factory=list)
    message: list[str] = field(default_factory=list)
    link: str = ""
    """How the next one came about."""


def short_traceback(text: str) -> str:
    """Shorten a traceback of IPython's; `text` has no ANSI sequences."""
    parts = _parts(text.split("\n"))
    if not any(part.frames for part in parts):
        return text
    told = "\n".join(_told(part, whole=True) for part in parts)
    if len(told) > CHARS:
        told = "\n".join(_told(part, whole=False) for part in parts)
    return _without_middle(told, CHARS)


# ── reading


def _parts(lines: Iterable[str]) -> list[_Part]:
    parts = [_Part()]
    for line in lines:
        part = parts[-1]
        if line in _CHAINED:
            part.link = line
            parts.append(_Part())
        elif not part.message and _FRAME.match(line):
            part.frames.append([line])
        elif part.message or _MESSAGE.match(line):
            if part.message or not _BEGINS.match(line):
                part.message.append(line)
        elif part.frames:
            part.frames[-1].append(line)
    return parts


def _is_library(frame: Sequence[str]) -> bool:
    named = _PATH.match(frame[0])
    return named is not None and _LIBRARY.search(named["path"]) is not None


# ── writing


def _told(part: _Part, *, whole: bool) -> str:
    lines = ["Traceback (most recent call last):"] if len(part.frames) > 1 else []
    lines += _stack(part.frames, whole=whole)
    lines.append(_without_middle("\n".join(part.message).strip("\n"), _MESSAGE_CHARS))
    if part.link:
        lines += ["", part.link, ""]
    return "\n".join(lines)


def _stack(frames: Sequence[Sequence[str]], *, whole: bool) -> Iterator[str]:
    for is_library, group in groupby(frames, key=_is_library):
        several = list(group)
        if not is_library:
            yield from _own(several, whole=whole)
            continue
        raised = several.pop() if several[-1] is frames[-1] else None
        if several:
            yield f"[… {_counted(len(several), 'library frame')} left out …]"
        if raised is not None:
            yield from _lines(raised, whole=False)


def _own(frames: Sequence[Sequence[str]], *, whole: bool) -> Iterator[str]:
    """The person's own frames: one that calls itself is told once, a deep stack by its ends."""
    told: list[str] = []
    for _, same in groupby(frames, key=lambda frame: "\n".join(frame).rstrip()):
        first, *others = same
        told.append("\n".join(_lines(first, whole=whole)))
        if others:
            told[-1] += f"\n[… the same frame, {_counted(len(others), 'time')} more …]"
    if len(told) > _FIRST + _LAST + 1:
        left_out = _counted(len(told) - _FIRST - _LAST, "frame")
        told[_FIRST:-_LAST] = [f"[… {left_out} left out …]"]
    yield from told


def _lines(frame: Sequence[str], *, whole: bool) -> Iterator[str]:
    """A frame, or only where it is and the line that it was at."""
    body = [line for line in frame[1:] if line.strip()]
    if not whole:
        body = [line for line in body if _ARROW.match(line)] or body[:2]
    for line in [frame[0], *body]:
        yield _without_middle(line, _LINE_CHARS)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _without_middle(text: str, chars: int) -> str:
    """The end is worth more: there stands what happened."""
    head = chars // 3
    return text if len(text) <= chars else f"{text[:head]} […] {text[head - chars :]}"
