"""The text that one silent execute runs to put the probe into a kernel."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import asdict
from functools import cache
from importlib import resources

from cave_lab.kernel.probe.options import ProbeOptions

INSIDE = "cave_lab.kernel.probe.inside"
FILE_NAME = "<cave_lab probe>"

ORDER = (
    *("plain", "namespace", "still", "arrays", "words", "arrow_types", "frames", "samples"),
    *("fields", "describe_builtins", "describe_code", "describe_connections"),
    *(
        "describe_frames",
        "describe_made",
        "describe_polars",
        "describe_tensors",
        "describe",
        "variables",
    ),
    *("effort", "look_bounds", "look_moments", "look_values", "look_cells", "look_arrow"),
    *("look_columns", "look_polars", "look_tally", "look_summary", "look_tables", "look_arrays"),
    *("look_items", "look_shown", "look_columnar", "look_plain", "looking"),
    *("print_arrays", "print_frames", "prints", "memory"),
    *("magics", "touch", "compare", "provenance", "ledger"),
    *("watch", "signals", "guard", "requests", "install"),
)
"""The files in the order in which they are joined: each after those it needs."""

BOOTSTRAP = (
    # One expression, so that it binds no name; only syntax and attributes of frames, so that it
    # works whatever the user has made of the builtins. A running generator knows its caller: this
    # lambda, called by the cell's module, called by IPython, whose builtins are the true ones.
    "(lambda: ["
    "generator := (generator.gi_frame.f_back for _ in (0,)), "
    "caller := [*generator][0].f_back.f_back, "
    'caller.f_builtins["exec"]('
    'caller.f_builtins["compile"]({source}, {file_name}, "exec"), '
    '{{"__builtins__": {{**caller.f_builtins}}, "__name__": "cave_lab_probe", '
    '"OPTIONS": {options}, "FRAME": caller}})])()'
)

PROLOGUE = """\
def genuine_imports(frame, plain_import):
    outside = []
    while frame is not None:
        outside.append(frame.f_globals)
        frame = frame.f_back
    module = type(__builtins__["__import__"]("sys"))
    def import_genuine(name, *rest):
        for names in outside:
            found = dict.get(names, name)
            if type(found) is module and found.__name__ == name:
                return found
        return plain_import(name, *rest)
    return import_genuine
__builtins__["__import__"] = genuine_imports(FRAME, __builtins__["__import__"])
"""
"""Imports of the probe find the modules that IPython and ipykernel use, not a user's fakes."""

EPILOGUE = """\
try:
    install(OPTIONS, FRAME)
finally:
    del FRAME
"""


class _Strip(ast.NodeTransformer):
    """Leaves out what the kernel has no use for: docstrings, annotations, imports in between."""

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        module = node.module or ""
        outside = module not in ("__future__", "typing") and not module.startswith(INSIDE)
        return node if outside else None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        plain = ast.Assign(targets=[node.target], value=self.visit(node.value))
        return ast.copy_location(plain, node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._without_annotations(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._without_annotations(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def _without_annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        node.body = node.body or [ast.Pass()]
        return node


def inside_files() -> dict[str, str]:
    """The source of each file that runs in the kernel, in the order of joining."""
    folder = resources.files(INSIDE)
    return {name: folder.joinpath(name + ".py").read_text(encoding="utf-8") for name in ORDER}


@cache
def joined_source() -> str:
    """All files as one text that needs nothing but the standard library."""
    trees = [_Strip().visit(ast.parse(text)) for text in inside_files().values()]
    parts = [ast.unparse(ast.fix_missing_locations(tree)) for tree in trees]
    return "\n".join([PROLOGUE, *parts, EPILOGUE])


@cache
def version() -> str:
    """A short mark of the probe's text: another text is another version."""
    return hashlib.sha256(joined_source().encode()).hexdigest()[:12]


def injection_code(options: ProbeOptions) -> str:
    """The code of the silent execute that puts the probe into a kernel.

    It leaves no name in the user's namespace. If the kernel has no handlers of ipykernel, the
    reply is an error whose value says so.
    """
    settings = {**asdict(options), "version": version()}
    return BOOTSTRAP.format(
        source=ascii(joined_source()), file_name=repr(FILE_NAME), options=ascii(settings)
    )
