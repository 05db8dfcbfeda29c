"""The fixed words a model is given; a change of them is a change of behaviour."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_VERSION = re.compile(r"<!-- version: (\S+) -->\n")


@cache
def _read(name: str) -> tuple[str, str]:
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    head = _VERSION.match(text)
    if head is None:
        raise ValueError(f"{name}.md does not begin with its version")
    return head.group(1), text[head.end() :].strip()


def prompt_version(*, actions: bool = True) -> str:
    """The version of the system prompt."""
    return _read("system" if actions else "chat")[0]


def system_prompt(language: str = "python", *, actions: bool = True) -> str:
    """The system prompt for a kernel's language; without `actions` for a thread that only talks."""
    return _read("system" if actions else "chat")[1].replace("{language}", language.capitalize())
