"""The fixed words a model is given; a change of them is a change of behaviour."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal

from cave_lab.protocol.words import ActionFormat

Prompt = Literal["system", "fences", "chat", "summary"]

_VERSION = re.compile(r"<!-- version: (\S+) -->\n")


@cache
def _read(name: Prompt) -> tuple[str, str]:
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    head = _VERSION.match(text)
    if head is None:
        raise ValueError(f"{name}.md does not begin with its version")
    return head.group(1), text[head.end() :].strip()


def _name(actions: bool, format: ActionFormat) -> Prompt:
    if not actions:
        return "chat"
    return "fences" if format == "fences" else "system"


def prompt_version(*, actions: bool = True, format: ActionFormat = "tools") -> str:
    """The version of the system prompt."""
    return _read(_name(actions, format))[0]


def system_prompt(
    language: str = "python", *, actions: bool = True, format: ActionFormat = "tools"
) -> str:
    """The system prompt for a kernel's language; without `actions` for a thread that only talks."""
    words = _read(_name(actions, format))[1]
    return words.replace("{language}", language.capitalize()).replace("{tag}", language)


def summary_prompt(words: int) -> str:
    """What asks a model to sum up the talk so far, in about so many words."""
    return _read("summary")[1].replace("{words}", str(words))


def summary_version() -> str:
    """The version of that prompt."""
    return _read("summary")[0]
