"""The names that a cell can touch, read from its code before it runs."""

from __future__ import annotations

import ast
import re
from typing import Any

from cave_lab.kernel.probe.inside.magics import without_magics
from cave_lab.kernel.probe.inside.namespace import Namespace
from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    CLASS_MRO,
    class_module,
    is_class,
)

PARSED_CHARS = 20_000
"""A longer cell is searched for words: parsing takes about a millisecond per 1,000 characters."""

FOLLOWED = 200
"""Functions of the user whose own names are followed."""

DYNAMIC = frozenset(("exec", "eval", "globals", "locals", "vars", "get_ipython"))
"""Builtins by which a cell reaches names that its code does not show."""

WORD = re.compile(r"[^\W\d]\w*")
TOP_LEVEL_AWAIT = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
FUNCTION_TYPE: Any = type(lambda: None)
CODE_TYPE = type((lambda: None).__code__)

HOT_FIELDS = {
    "Call": ("args", "keywords", "func"),
    "Attribute": ("value",),
    "Subscript": ("value",),
    "AugAssign": ("target",),
    "Delete": ("targets",),
    "For": ("iter",),
    "AsyncFor": ("iter",),
    "comprehension": ("iter",),
    "withitem": ("context_expr",),
    "Await": ("value",),
    "YieldFrom": ("value",),
    "Starred": ("value",),
}
"""Where an object can be changed by what is done with it, by kind of syntax node."""


class Touched:
    """The names in a cell's code; `reached` are those whose objects it may change in place."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.reached: set[str] = set()
        self.opaque = False
        """Whether the cell can touch names that its code does not show."""

    def add(self, name: str, hot: bool) -> None:
        """Note a name in the order of the code."""
        self.names[name] = None
        if hot:
            self.reached.add(name)
        if name in DYNAMIC:
            self.opaque = True


def touched_by(code: str) -> Touched:
    """The names in a cell; all its words if it can't be parsed."""
    touched = Touched()
    if len(code) <= PARSED_CHARS:
        tree = parse(code)
        if tree is None:
            code, touched.opaque = without_magics(code)
            tree = parse(code)
        if tree is not None:
            walk(tree, touched)
            return touched
    for word in WORD.findall(code):
        touched.add(word, True)
    touched.opaque = True
    return touched


def parse(code: str) -> ast.AST | None:
    """The syntax tree of a cell, or None if it is not plain Python."""
    try:
        flags = ast.PyCF_ONLY_AST | TOP_LEVEL_AWAIT
        tree: ast.AST = compile(code, "<cell>", "exec", flags, True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return tree


def walk(tree: ast.AST, touched: Touched) -> None:
    """Note each name with whether its place lets the object be changed."""
    stack: list[tuple[Any, bool]] = [(tree, False)]
    while stack:
        node, hot = stack.pop()
        if type(node) is ast.Name:
            touched.add(node.id, hot)
            continue
        if type(node) is ast.ImportFrom and node.names[0].name == "*":
            touched.opaque = True
        for name in bound_names(node):
            touched.add(name, False)
        hot_fields = HOT_FIELDS.get(type(node).__name__, ())
        for field in node._fields:
            inside = getattr(node, field, None)
            children = inside if type(inside) is list else [inside]
            below = hot or field in hot_fields
            stack.extend((child, below) for child in children if isinstance(child, ast.AST))


def bound_names(node: Any) -> list[str]:
    """Names that a statement binds without a `Name` node."""
    kind = type(node)
    if kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        return [node.name]
    if kind in (ast.Import, ast.ImportFrom):
        return [(one.asname or one.name).split(".")[0] for one in node.names]
    if kind is ast.Global:
        return list(node.names)
    return [node.name] if kind is ast.ExceptHandler and node.name else []


def follow(touched: Touched, namespace: Namespace) -> None:
    """Add what the user's functions and methods named in the cell reach themselves."""
    waiting = list(touched.names)
    values = namespace.values
    followed = 0
    while waiting:
        for code in codes_of(dict.get(values, waiting.pop()), values):
            followed += 1
            if followed > FOLLOWED:
                touched.opaque = True
                return
            fresh = [name for name in global_names(code) if name in values or name in DYNAMIC]
            waiting.extend(name for name in fresh if name not in touched.names)
            for name in fresh:
                touched.add(name, True)


def codes_of(value: Any, values: dict[Any, Any]) -> list[Any]:
    """The code objects that using a value can run: a function's, or all methods of a class."""
    if type(value) is FUNCTION_TYPE:
        return [value.__code__] if value.__globals__ is values else []
    cls = value if is_class(value) else type(value)
    return [
        code
        for base in CLASS_MRO(cls)
        if class_module(base) == "__main__"
        for member in list(CLASS_DICT(base).values())
        for code in method_codes(member)
    ]


def method_codes(member: Any) -> list[Any]:
    """The code of a method, a property's getter and setter, or a static or class method."""
    kind = type(member)
    if kind is property:
        members = [member.fget, member.fset, member.fdel]
    elif kind is staticmethod or kind is classmethod:
        members = [member.__func__]
    else:
        members = [member]
    return [one.__code__ for one in members if type(one) is FUNCTION_TYPE]


def global_names(code: Any) -> list[str]:
    """The names that a code object looks up, those of functions inside it included."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if type(constant) is CODE_TYPE:
            names.extend(global_names(constant))
    return names
