"""Functions and classes of the user, described from their code objects and class dicts."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import CLASS_BASES, class_name, shorten

SUMMARY_CHARS = 200
VARIADIC, KEYWORDS = 0x04, 0x08
COROUTINE, GENERATOR = 0x80 | 0x200, 0x20


def describe_function(value: Any, row: dict[str, Any], look: object) -> None:
    """A Python function with its parameters; defaults show as an ellipsis, never as values."""
    row["kind"] = "function"
    code = value.__code__
    prefix = "async " if code.co_flags & COROUTINE else ""
    text = prefix + code.co_name + "(" + ", ".join(parameters(value)) + ")"
    row["summary"] = shorten(text, SUMMARY_CHARS)


def parameters(function: Any) -> list[str]:
    """The parameters of a function as they are written in its signature."""
    code = function.__code__
    names = code.co_varnames
    positional = list(names[: code.co_argcount])
    optional = len(function.__defaults__ or ())
    for place in range(len(positional) - optional, len(positional)):
        positional[place] += "=…"
    if code.co_posonlyargcount:
        positional.insert(code.co_posonlyargcount, "/")
    after = code.co_argcount + code.co_kwonlyargcount
    defaults = function.__kwdefaults__ or {}
    keyword = [
        name + "=…" if name in defaults else name for name in names[code.co_argcount : after]
    ]
    if code.co_flags & VARIADIC:
        positional.append("*" + names[after])
        after += 1
    elif keyword:
        positional.append("*")
    if code.co_flags & KEYWORDS:
        keyword.append("**" + names[after])
    return positional + keyword


def describe_class(value: Any, row: dict[str, Any], look: object) -> None:
    """A class with the names of its bases."""
    row["kind"] = "class"
    bases = [class_name(base) for base in CLASS_BASES(value) if base is not object]
    row["summary"] = shorten(class_name(value) + "(" + ", ".join(bases) + ")", SUMMARY_CHARS)
