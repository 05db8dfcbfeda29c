"""A look that a model asks for, whichever way it writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cave_lab.model.arguments import read_arguments
from cave_lab.model.port import ActionUnusable
from cave_lab.model.words import writable
from cave_lab.protocol.content import LookAction

BROKEN_LOOK = ActionUnusable(
    "broken_arguments",
    "The arguments of the look were not valid JSON with a list of “names”, so nothing was seen.",
)
EMPTY_LOOK = ActionUnusable(
    "empty_code", "The look named nothing, so nothing was seen. Name variables or an output."
)

_BRACKET = re.compile(r"[()\[\]{}]")
_BEFORE = re.compile(r"\A(?:[`'\"@\s]|(?:[-*+]|\d{1,9}[.)])\s)+")
"""Quotes, the sign of a mention, and the marks of a list."""
_BEHIND = "`'\" \t\r\n"


def look_of(lines: Iterable[str], detail: str) -> LookAction | ActionUnusable:
    """The look at what these lines name, each once."""
    names = dict.fromkeys(name for line in lines for name in _names_in(line))
    return LookAction(names=[*names], detail=detail.strip()) if names else EMPTY_LOOK


def read_look(arguments: str) -> LookAction | ActionUnusable:
    """Read the complete arguments of a look; one name alone is taken for a list of one."""
    try:
        values = read_arguments(arguments)
    except (ValueError, TypeError):
        return BROKEN_LOOK
    names, detail = values.get("names"), values.get("detail") or ""
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, list) or not isinstance(detail, str):
        return BROKEN_LOOK
    if not all(isinstance(name, str) and writable(name) for name in [*listed, detail]):
        return BROKEN_LOOK
    return look_of((line for name in listed for line in name.split("\n")), detail)


def _names_in(line: str) -> Iterator[str]:
    """The names of one line, parted by commas; an expression stays whole, to be told as unknown.

    Reading a name that this gave gives that name again.
    """
    for part in [line] if _BRACKET.search(line) else line.split(","):
        name = _BEFORE.sub("", part).rstrip(_BEHIND)
        if name:
            yield name
