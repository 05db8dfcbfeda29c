"""The text that is injected: one piece, old Python, the standard library, no name twice."""

import ast
import subprocess
import sys
from collections import Counter

import pytest

from cave_lab.kernel.probe import ProbeOptions, injection_code, version
from cave_lab.kernel.probe.source import INSIDE, ORDER, inside_files, joined_source
from tests.kernel.probe.kernels import KERNELS, kernel_python


def imports(tree: ast.AST) -> list[str]:
    """The modules that a file imports, in full."""
    plain = [
        one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names
    ]
    return plain + [
        node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    ]


def test_every_file_of_the_folder_is_joined():
    from importlib import resources

    found = {
        entry.name for entry in resources.files(INSIDE).iterdir() if entry.name.endswith(".py")
    }
    assert found == {f"{name}.py" for name in ORDER} | {"__init__.py"}


@pytest.mark.parametrize("name", ORDER)
def test_a_file_imports_only_the_standard_library_and_files_before_it(name: str):
    earlier = {f"{INSIDE}.{before}" for before in ORDER[: ORDER.index(name)]}
    for module in imports(ast.parse(inside_files()[name])):
        assert module in earlier or module.split(".")[0] in sys.stdlib_module_names


def test_no_top_level_name_is_defined_twice():
    names = [
        name
        for text in inside_files().values()
        for node in ast.parse(text).body
        for name in defined(node)
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        stored = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
        return [one.id for one in stored if isinstance(one.ctx, ast.Store)]
    return []


def test_the_text_is_python_3_8():
    ast.parse(joined_source(), feature_version=(3, 8))
    ast.parse(injection_code(ProbeOptions("g")), feature_version=(3, 8))


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_kernels_own_python_reads_the_text(kernel: str):
    code = injection_code(ProbeOptions("g"))
    check = "import sys; compile(sys.stdin.read(), 'probe', 'exec')"
    subprocess.run([kernel_python(kernel).path, "-c", check], input=code, text=True, check=True)


def test_docstrings_annotations_and_our_own_imports_stay_at_home():
    text = joined_source()
    assert "cave_lab.kernel" not in text
    assert '"""' not in text
    assert "-> None" not in text


def test_the_code_is_one_expression_so_it_binds_no_name():
    tree = ast.parse(injection_code(ProbeOptions("g")))
    assert [type(node) for node in tree.body] == [ast.Expr]


def test_options_can_not_break_out_of_the_code():
    generation = '\'; import os #{}\n"""\\'
    tree = ast.parse(injection_code(ProbeOptions(generation)))
    assert generation in [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def test_the_version_is_that_of_the_text():
    assert version() == version()
    assert repr(version()) in injection_code(ProbeOptions("g"))
