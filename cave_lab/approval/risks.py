"""Names what a cell may touch, read through IPython's own transformer; advice, no boundary."""

from __future__ import annotations

import ast
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

from cave_lab.approval.reading import is_python, parse, takes_long
from cave_lab.protocol.content import Risk

_MAGIC_CALLS = ("get_ipython.run_line_magic", "get_ipython.run_cell_magic")
_SHELL_CALLS = ("get_ipython.system", "get_ipython.getoutput")

_LANGUAGE_CHARS = 40
"""Of a language's name; a kernel may say anything."""


@dataclass(frozen=True)
class _Rule:
    kind: Any
    words: str
    calls: Sequence[str] = ()
    imports: Sequence[str] = ()
    names: Sequence[str] = ()
    magics: Sequence[str] = ()
    shell: Sequence[str] = ()
    open_modes: str = ""
    deletes: bool = False


@dataclass(frozen=True)
class _Seen:
    """Something the code does: what sort of thing, its name, and the line."""

    sort: str
    name: str
    line: int


@cache
def _rules() -> tuple[_Rule, ...]:
    text = resources.files("cave_lab.approval").joinpath("rules.toml").read_text("utf-8")
    return tuple(_Rule(**entry) for entry in tomllib.loads(text)["rule"])


def risks_of(code: str, language: str | None = "python") -> list[Risk]:
    """List what Python code may touch, each kind once, at its first line; None is Python too.

    Code in another language is not read, which is said: a list that is empty reads as harmless.
    """
    if not is_python(language):
        words = f"is in {str(language)[:_LANGUAGE_CHARS]}, which is not looked through"
        return [Risk(kind="other", words=words, line=None)]
    if takes_long(code):
        return [Risk(kind="other", words="is too long to be looked through", line=None)]
    tree = parse(code)
    if not isinstance(tree, ast.Module):
        return [Risk(kind="other", words="could not be read as Python", line=None)]
    found: dict[str, Risk] = {}
    for seen in _walk(tree):
        for rule in _rules():
            if rule.words not in found and _matches(rule, seen):
                found[rule.words] = Risk(kind=rule.kind, words=rule.words, line=seen.line)
    return list(found.values())


def _walk(tree: ast.Module) -> Iterator[_Seen]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (_Seen("import", alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield _Seen("import", module, node.lineno)
            case ast.Call():
                yield from _call(node)
            case ast.Delete():
                yield _Seen("delete", "", node.lineno)
            case ast.Attribute():
                yield _Seen("name", _dotted(node), node.lineno)
            case _:
                continue


def _call(node: ast.Call) -> Iterator[_Seen]:
    name = _dotted(node.func)
    yield _Seen("call", name, node.lineno)
    words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    first = words[0] if words and isinstance(words[0], str) else ""
    if name in _MAGIC_CALLS:
        yield _Seen("magic", first, node.lineno)
    if name in _SHELL_CALLS:
        yield from (_Seen("shell", word, node.lineno) for word in _commands(first))
    if name == "open" or name.endswith(".open"):
        modes = [*words[1:2], *(mode for mode in map(_mode, node.keywords) if mode)]
        yield from (_Seen("open", str(mode), node.lineno) for mode in modes)


def _mode(keyword: ast.keyword) -> str | None:
    if keyword.arg == "mode" and isinstance(keyword.value, ast.Constant):
        return str(keyword.value.value)
    return None


def _commands(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _dotted(node: ast.expr) -> str:
    """Write a chain of names and attributes; what can't be named becomes an empty head."""
    names: list[str] = []
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        else:
            node = node.func
    names.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(names))


def _matches(rule: _Rule, seen: _Seen) -> bool:
    match seen.sort:
        case "import":
            return seen.name.split(".")[0] in rule.imports
        case "call":
            return any(fnmatchcase(seen.name, pattern) for pattern in rule.calls)
        case "name":
            return seen.name in rule.names
        case "magic":
            return seen.name in rule.magics
        case "shell":
            return seen.name in rule.shell
        case "delete":
            return rule.deletes
        case "open":
            return any(mode in seen.name for mode in rule.open_modes)
        case _:
            return False
