"""Names that a cell can touch, read from its code."""

import pytest

from cave_lab.kernel.probe.inside.touch import touched_by

REACHED = {
    "f(x)": {"f", "x"},
    "f([x], k=y)": {"f", "x", "y"},
    "x.append(1)": {"x"},
    "x[0] = y": {"x"},
    "x.a.b = y": {"x"},
    "x['k'].append(y)": {"x", "y"},
    "x += y": {"x"},
    "del x, y[0]": {"x", "y"},
    "for a in x: pass": {"x"},
    "[a for a in x]": {"x"},
    "with x as y: pass": {"x"},
    "await x": {"x"},
    "x = y": set(),
    "x": set(),
    "x == y or x + y": set(),
    "print(f'{x}')": {"print", "x"},
    "def f():\n    x.append(1)": {"x"},
    "lambda: x.pop()": {"x"},
}


@pytest.mark.parametrize("code", REACHED)
def test_an_object_is_reached_where_it_can_be_changed_in_place(code: str):
    assert touched_by(code).reached == REACHED[code]


NAMES = {
    "import a.b, c as d\nfrom e import f as g": {"a", "d", "g"},
    "def f(): pass\nclass C: pass": {"f", "C"},
    "try: x\nexcept E as e: pass": {"x", "E", "e"},
    "def f():\n    global x\n    x = 1": {"f", "x"},
    "(x := 1)": {"x"},
    "x: int = 1": {"x", "int"},
}


@pytest.mark.parametrize("code", NAMES)
def test_every_name_that_a_cell_binds_or_reads_is_found(code: str):
    assert set(touched_by(code).names) == NAMES[code]


@pytest.mark.parametrize(
    "code", ["exec(x)", "globals()['x']", "from os import *", "%unheard_of x", "%%unheard_of\nx"]
)
def test_a_cell_that_reaches_hidden_names_is_opaque(code: str):
    assert touched_by(code).opaque


@pytest.mark.parametrize(
    "code",
    [
        "x = 1",
        "%time x",
        "%matplotlib inline\nx",
        "!ls\nx",
        "x?",
        "%%bash\nls",
        "y = !ls\nx",
        "x.y??",
    ],
)
def test_ordinary_cells_and_known_magics_are_not(code: str):
    assert not touched_by(code).opaque


def test_the_timed_code_is_read():
    assert touched_by("%timeit -n 3 x.append(1)").reached == {"x"}
    assert touched_by("%%time\nx.append(1)").reached == {"x"}
    assert touched_by("if x:\n    %time y.append(1)").reached == {"y"}


@pytest.mark.parametrize("code", ["1 +", "x(", "x = 1\n" * 5_000])
def test_what_is_not_parsed_is_searched_for_words_and_opaque(code: str):
    touched = touched_by(code)
    assert touched.opaque
    assert touched.reached == set(touched.names)


def test_deep_nesting_is_no_failure():
    assert touched_by("(" * 3_000 + ")" * 3_000).opaque
