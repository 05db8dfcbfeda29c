import ast
import random
import warnings

import pytest

from cave_lab.model.fences.open_string import OpenString

PIECES = ("'a'", '"b"', "'''", '"""', "\\", "#", "\n", " + ", "'", '"', "x", "r'\\''", "\n")


def stands_inside(code: str) -> bool:
    reader = OpenString()
    for line in code.split("\n"):
        reader.feed(line)
    return reader.open


def python_says(code: str) -> bool | None:
    """Whether Python misses the end of a long string; None where it misses something else."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        return True if "unterminated triple-quoted" in str(error) else None
    return False


@pytest.mark.parametrize("seed", range(20))
def test_python_itself_agrees_where_a_string_is_open(seed: int):
    rng = random.Random(seed)
    judged = set()
    for _ in range(1_000):
        code = "".join(["x = 1\n", *rng.choices(PIECES, k=rng.randrange(1, 9))])
        expected = python_says(code)
        if expected is not None:
            assert stands_inside(code) is expected, code
            judged.add(expected)
    assert judged == {True, False}


@pytest.mark.parametrize(
    "code, inside",
    [
        ("x = 'a\\", True),
        ("x = 'a\\\nb", False),
        ("x = 'a", False),
        ("!echo '''", False),
        ("  %timeit '''", False),
        ("x = '''\n%time'''", False),
        ("x = '''\n!echo", True),
        ("f'''{x!r:'''", False),
    ],
)
def test_lines_that_python_does_not_judge(code: str, inside: bool):
    assert stands_inside(code) is inside
