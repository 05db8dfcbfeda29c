"""Sees that a model wrote its call of a tool as text, because it can't make it a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from cave_lab.model.actions import LOOK, RUN_CELL
from cave_lab.model.fences.lines import Opening, opening_of
from cave_lab.model.port import ActionUnusable

CALL_AS_TEXT = ActionUnusable(
    "call_as_text",
    "The call of a tool was written as text instead of being made, so nothing was run.",
)

_KEYS = ("name", "tool", "tool_name", "function", "recipient_name", "action")
_HOLDERS = ("arguments", "parameters", "args", "input", "action_input", "kwargs")
_TAGS = "tool_calls?|function_calls?|tools?|tool_code|action"
_SPECIAL = "python_tag|tool_calls?|tool_calls_section_begin|tool_call_begin|action_start"

_EITHER = rf"(?:functions?[.:])?(?:{RUN_CELL}|{LOOK})\b"
# One of the names is a word of the language: it counts only where something is passed to it.
_NAME = rf"(?:functions?[.:])?(?:{RUN_CELL}\b|{LOOK}(?=\s*+(?:[\"'>({{\[`]|<[^/])))"
# White space is taken as a whole everywhere: a model in a loop may write a hundred thousand spaces.
_NAMED = rf"(?:(?:\[\s*+)?\{{[^{{}}]{{0,80}}\"name\"\s*+:\s*+\"{_NAME}|{_NAME})"
# What the templates of known models put around a call. The name must follow in its place: prose
# about calls has the tags too. Behind a backtick it is quoted.
_TAGGED = re.compile(
    rf"""(?<!`)(?:
      <(?:{_TAGS})>\s*+(?:{_NAMED}|<(?:function|invoke)\b[^<>]{{0,20}}{_NAME})
    | <function=["']?{_NAME}["']?>
    | <invoke\s+name=["']{_NAME}["']
    | \[TOOL_CALLS?\]\s*+{_NAMED}
    | <\|(?:{_SPECIAL})\|>[^{{}}\n]{{0,40}}?{_NAMED}
    | <\uff5ctool\u2581call\u2581begin\uff5c>[^{{}}\n]{{0,40}}?{_EITHER}
    | <\|channel\|>[^\n]{{0,40}}?\bto=(?=functions\.){_EITHER}
    )""",
    re.VERBOSE,
)
_CLOSING_TAGS = re.compile(r"(?:\s|</\w{1,40}>|<[|\uff5c][^<>\n]{1,40}[|\uff5c]>|\[/\w{1,20}\])*\Z")
_CLOSING_CHARS = 200
"""At the end of a reply, where the closing tags of a template stand."""

_JSON_BEGINS = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_BROKEN_BEGINS = re.compile(
    rf"""^[ \t]*\[?\s{{0,9}}\{{\s*(?:"(?:type|id)"\s*:\s*"[^"\n]*"\s*,\s*)?
    "(?:{"|".join(_KEYS)})"\s*:\s*"{_NAME}"\s*,\s*"(?:{"|".join(_HOLDERS)})"\s*:\s*["{{]""",
    re.VERBOSE | re.MULTILINE,
)
_CALL_BEGINS = re.compile(
    rf"^[ \t]*(?:print\()?(?:(?:\w{{1,40}}\.)?{RUN_CELL}|(?:functions?\.)?(?P<look>{LOOK}))\(\s*",
    re.MULTILINE,
)
_STRING = r"""[rbfuRBFU]{0,2}(?>\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''
    |"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+')"""
_ARGUMENT = rf"(?:\w{{1,40}}\s*+=\s*+)?{_STRING}"
_END = r"\s*+(?:,\s*+)?\)\)?[ \t;]*\r?(?:\n|\Z)"
_ARGUMENTS = re.compile(
    rf"(?P<all>{_ARGUMENT}(?:\s*+,\s*+{_ARGUMENT}){{0,3}}){_END}", re.VERBOSE | re.DOTALL
)
_LIST = rf"\[\s*+{_STRING}(?:\s*+,\s*+{_STRING}){{0,50}}\s*+(?:,\s*+)?\]"
# A function of the person's may be called so: it is ours if it is given names as ours is.
_LOOK_ARGUMENTS = re.compile(
    rf"""(?P<all>(?:(?:names\s*+=\s*+)?{_LIST}|names\s*+=\s*+{_STRING})
    (?:\s*+,\s*+{_ARGUMENT})?){_END}""",
    re.VERBOSE | re.DOTALL,
)
_STRINGS = re.compile(_STRING, re.VERBOSE | re.DOTALL)
_PREFIXES = "rbfuRBFU"
_ONLY_A_CALL = re.compile(rf"[\[{{<]|{_CALL_BEGINS.pattern}")
_MOST_PLACES = 20
"""Places looked at, of those where a call may begin: a reply that is one has it early."""

_PLACEHOLDER = re.compile(
    r"[\W_]*|[^\w<]*<++[^<>]*>\W*|\W*(?:(?:your|some|the|python)[ _])?code(?:[ _]here)?\W*",
    re.IGNORECASE,
)
_DETAIL = re.compile(r"schema|head|(?:column|from|page)[ ].+")
_CALL_LANGUAGES = frozenset(
    {"", "json", "tool_code", "tool_call", "tool", "xml", "python", "py", "text", "plaintext"}
)


def looks_like_a_call(text: str) -> bool:
    """Whether a reply holds a call of a tool, written out; prose about calls is none.

    Inside a fenced block it counts only where the reply ends with the block and the block holds
    nothing else: an example is explained, and code is code.
    """
    if _is_bare_arguments(text):
        return True
    if RUN_CELL not in text and LOOK not in text:
        return False
    outside, last_block = _parts(text)
    return _holds_a_call(outside) or (
        _ONLY_A_CALL.match(last_block.lstrip()) is not None and _holds_a_call(last_block)
    )


def _holds_a_call(text: str) -> bool:
    body = text[:-_CLOSING_CHARS] + _CLOSING_TAGS.sub("", text[-_CLOSING_CHARS:], count=1)
    return (
        _TAGGED.search(text) is not None
        or any(_is_call(value) for value in _json_values(body))
        or _is_written(body)
        or _is_broken_json(body)
    )


# ── as JSON


def _is_bare_arguments(text: str) -> bool:
    """A reply that is the arguments and nothing else; in a fence it may be an answer."""
    value = _read(text) if text.lstrip().startswith("{") else None
    if not isinstance(value, dict):
        return False
    if value.keys() - {"scratch"} == {"code", "purpose"}:
        return _has_code(value)
    known = _DETAIL.fullmatch(str(value.get("detail", "")))
    return value.keys() == {"names", "detail"} and known is not None and _has_names(value)


def _json_values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    end = 0
    for found in islice(_JSON_BEGINS.finditer(text), _MOST_PLACES):
        if found.end() >= end:
            try:
                value, end = decoder.raw_decode(text, found.end())
            except (ValueError, RecursionError):
                continue
            yield value


def _is_call(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_call(item) for item in value if isinstance(item, dict))
    if not isinstance(value, dict):
        return False
    inner = value.get("tool_calls") or value.get("function")
    if isinstance(inner, list | dict):
        return _is_call(inner)
    named = (value.get(key) for key in _KEYS)
    names = {name.rsplit(".", 1)[-1] for name in named if isinstance(name, str)}
    held = [value.get(holder) for holder in _HOLDERS]
    if RUN_CELL in names:
        return any(_has_code(arguments) for arguments in [*held, value])
    return LOOK in names and any(_has_names(arguments) for arguments in [*held, value])


def _has_code(arguments: Any) -> bool:
    if isinstance(arguments, str):
        read = _read(arguments)
        arguments = {"code": arguments} if read is None else read
    code = arguments.get("code") if isinstance(arguments, dict) else None
    return isinstance(code, str) and not _PLACEHOLDER.fullmatch(code.strip())


def _has_names(arguments: Any) -> bool:
    if isinstance(arguments, str):
        arguments = _read(arguments)
    names = arguments.get("names") if isinstance(arguments, dict) else None
    listed = [names] if isinstance(names, str) else names
    return (
        isinstance(listed, list)
        and all(isinstance(name, str) for name in listed)
        and any(not _PLACEHOLDER.fullmatch(name.strip()) for name in listed)
    )


def _read(text: str) -> Any:
    """A JSON value, or None if it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _is_broken_json(text: str) -> bool:
    """Whether text begins and ends like a call in JSON, but is broken in between."""
    begins = _BROKEN_BEGINS.search(text)
    return (
        begins is not None and text.endswith(("}", "]")) and _read(text[begins.start() :]) is None
    )


# ── as a line of code


def _is_written(text: str) -> bool:
    for begins in islice(_CALL_BEGINS.finditer(text), _MOST_PLACES):
        arguments = _LOOK_ARGUMENTS if begins["look"] else _ARGUMENTS
        found = arguments.match(text, begins.end())
        values = _STRINGS.findall(found["all"]) if found else []
        if any(not _PLACEHOLDER.fullmatch(value.lstrip(_PREFIXES)) for value in values):
            return True
    return False


# ── fenced blocks


def _parts(text: str) -> tuple[str, str]:
    """The text outside of fenced blocks, and the block that it ends with, if that may be a call."""
    outside: list[str] = []
    block: list[str] = []
    opening: Opening | None = None
    last: Opening | None = None
    for line in text.splitlines(keepends=True):
        if opening is not None and opening.closes(line):
            opening = None
        elif opening is not None:
            block.append(line)
        elif found := opening_of(line):
            opening, last, block = found, found, []
        else:
            outside.append(line)
            last = None if line.strip() else last
    language = last.words[0].casefold() if last and last.words else ""
    return "".join(outside), "".join(block) if last and language in _CALL_LANGUAGES else ""
