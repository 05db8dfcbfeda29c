"""Functions and classes of the user, described from their code objects and class dicts."""

from __future__ import annotations

import os
from typing import Any

from cave_lab.kernel.probe.inside.fields import add_fields
from cave_lab.kernel.probe.inside.plain import (
    CLASS_BASES,
    CLASS_DICT,
    SUMMARY_CHARS,
    class_attribute,
    class_module,
    class_name,
    loaded,
    shorten,
)

VARIADIC, KEYWORDS = 0x04, 0x08
COROUTINE, GENERATOR = 0x80 | 0x200, 0x20
FUNCTION_CLASS: Any = type(lambda: None)

DOCSTRING_CHARS = 1_000
"""How much of a docstring is searched for its first line."""

INSTALLED = ("site-packages", "dist-packages")
STANDARD = os.path.dirname(os.__file__)


def describe_function(value: Any, row: dict[str, Any], look: object) -> None:
    """A Python function with its parameters; defaults show as an ellipsis, never as values."""
    row["kind"] = "function"
    code = value.__code__
    prefix = "async " if code.co_flags & COROUTINE else ""
    text = prefix + code.co_name + "(" + ", ".join(parameters(value)) + ")"
    if is_users(value.__module__):
        text += first_line(value.__doc__)
    row["summary"] = shorten(text, SUMMARY_CHARS)


def is_users(module: object) -> bool:
    """Whether a module is the notebook itself or a file of the user's, not an installed library."""
    if type(module) is not str:
        return False
    file = loaded(module, "__file__")
    if module == "__main__" or type(file) is not str:
        return module == "__main__"
    return not (file.startswith(STANDARD) or any(part in file for part in INSTALLED))


def first_line(docstring: object) -> str:
    """The first line of a docstring after a colon; nothing if there is none."""
    if type(docstring) is not str:
        return ""
    line = docstring[:DOCSTRING_CHARS].strip().partition("\n")[0].strip()
    return ": " + line if line else ""


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


def describe_class(value: Any, row: dict[str, Any], look: Any) -> None:
    """A class with the names of its bases; of the user's also how it is made and what it is."""
    row["kind"] = "class"
    bases = [class_name(base) for base in CLASS_BASES(value) if base is not object]
    text = class_name(value) + "(" + ", ".join(bases) + ")"
    has_fields = add_fields(value, row, look)
    if is_users(class_module(value)):
        text += ("" if has_fields else making(value)) + first_line(written_docstring(value))
    row["summary"] = shorten(text, SUMMARY_CHARS)


def making(cls: type) -> str:
    """The parameters of the class's own initialiser, if it is a Python function."""
    initialiser = class_attribute(cls, "__init__")
    if type(initialiser) is not FUNCTION_CLASS:
        return ""
    return ", made with (" + ", ".join(parameters(initialiser)[1:]) + ")"


def written_docstring(cls: type) -> Any:
    """A class's docstring, except the one that Python makes for a dataclass: it has defaults."""
    inside = CLASS_DICT(cls)
    docstring = inside.get("__doc__")
    made = "__dataclass_fields__" in inside and type(docstring) is str
    return None if made and docstring.startswith(inside_name(cls) + "(") else docstring


def inside_name(cls: type) -> str:
    """The name of a class without those of the classes and functions around it."""
    return class_name(cls).rpartition(".")[2]
