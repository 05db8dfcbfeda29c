"""A closer look at what has rows: frames, series, indexes and arrays."""

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import look, text, texts

FRAMES = """
import numpy as np, pandas as pd
frame = pd.DataFrame({
    "i": [1, 2, 3], "f": [0.5, np.nan, 1234567.891234], "s": ["x", "a\\nb", "long " * 20],
    "t": pd.to_datetime(["2020-01-01 10:00", None, "2021-01-01 00:00:01.5"], format="mixed"),
    "d": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
    "c": pd.Categorical(["u", None, "v"]), "n": pd.array([1, None, 3], dtype="Int64"),
    "b": [True, False, True], "m": pd.array([True, None, False], dtype="boolean"),
})
more = pd.DataFrame({
    "z": pd.to_datetime(["2020-01-01", "2020-07-01", None]).tz_localize("UTC"),
    "e": pd.to_timedelta(["1D", "2h", None]),
    "o": [[1, 2], {"a": 1}, object()], "g": [pd.NA, pd.NaT, None],
    "p": pd.period_range("2020-01", periods=3, freq="D"), "v": pd.interval_range(0, 3),
    "q": pd.cut([1, 5, 9], [0, 5, 10]), "w": pd.array(["x", None, "y"], dtype="string"),
    "k": pd.arrays.SparseArray([0, 0, 1]), "r": np.array([0.1, 0.2, 0.3], dtype="float32"),
})
by_label = pd.DataFrame({"x": [1, 2]}, index=["one", "two"])
by_date = frame.set_index("d")[["i"]]
several = frame.set_index(["i", "c"])[["b"]]
nested = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
doubled = pd.DataFrame([[1, 2.5]], columns=["same", "same"])
wide = pd.DataFrame(np.zeros((2, 200)))
tall = pd.DataFrame({"x": range(1000)})
grown = pd.DataFrame({"c0": [0]})
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for n in range(1, 300):
        grown[f"c{n}"] = [n]
empty, no_rows = pd.DataFrame(), pd.DataFrame({"a": []})
series, plain = pd.Series([3.5, None], name="w"), pd.Series(["x", "y"], index=[7, 8])
index, kinds = by_date.index, pd.Categorical(["a", None])
class Frame(pd.DataFrame):
    @property
    def _constructor(self): return Frame
mine = Frame({"a": [1]})
"""

ARRAYS = """
import numpy as np
line, table, cube = np.arange(100), np.arange(12.0).reshape(3, 4), np.zeros((4, 3, 2), dtype=int)
dot, none, six = np.array(2.5), np.zeros((0, 3)), np.zeros((3,) * 6, dtype=int)
records = np.array([(1, "x"), (2, "y")], dtype=[("n", "i4"), ("s", "U3")])
days, waits = np.array(["2020-01-01", "NaT"], dtype="M8[D]"), np.array([90, -1], dtype="m8[s]")
masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
words, odd, swapped = np.array(["a", "b"]), np.arange(6)[::-2], np.array([1, 2], dtype=">M8[D]")
small, flag, scalar = np.float32(0.1), np.bool_(True), np.datetime64("2020-01-01")
class Array(np.ndarray): pass
mine = np.arange(3).view(Array)
"""


def table(*lines: str) -> str:
    return "\n".join(lines)


async def test_a_frame_shows_its_first_rows_as_a_table(lab: Lab):
    await lab.run_cell(FRAMES)
    lines = (await text(lab, "frame")).splitlines()
    cells = [line.split("  ") for line in lines]
    told = [[cell.strip() for cell in row if cell.strip()] for row in cells]
    assert told[0] == ["i", "f", "s", "t", "d", "c", "n", "b", "m"]
    assert told[1][:3] == ["1", "0.5", "x"]
    assert told[1][3:] == ["2020-01-01 10:00:00", "2020-01-01", "u", "1", "True", "True"]
    assert told[2] == ["2", "NaN", "a\\nb", "NaT", "NaT", "NaN", "<NA>", "False", "<NA>"]
    assert told[3][1] == "1234567.891"
    assert told[3][2].endswith("long…")
    assert told[3][3] == "2021-01-01 00:00:01.5"
    assert len({len(line) for line in lines}) == 1


async def test_cells_of_every_kind_are_right(lab: Lab):
    await lab.run_cell(FRAMES)
    shown = {}
    for name in "zeogpvqwkr":
        await lab.run_cell(f"one = more[['{name}']]")
        head, *cells = (await text(lab, "one")).splitlines()
        assert head.strip() == name
        shown[name] = [cell.strip() for cell in cells]
    assert shown == {
        "z": ["2020-01-01 00:00:00+00:00", "2020-07-01 00:00:00+00:00", "NaT"],
        "e": ["1 days 00:00:00", "0 days 02:00:00", "NaT"],
        "o": ["[1, 2]", "{'a': 1}", "<object>"],
        "g": ["<NA>", "NaT", "None"],
        "p": ["<Period>"] * 3,
        "v": ["(0, 1]", "(1, 2]", "(2, 3]"],
        "q": ["(0, 5]", "(0, 5]", "(5, 10]"],
        "w": ["x", "<NA>", "y"],
        "k": ["<SparseArray>"] * 3,
        "r": ["0.1", "0.2", "0.3"],
    }


async def test_the_index_shows_unless_it_only_counts_the_rows(lab: Lab):
    await lab.run_cell(FRAMES)
    assert await texts(lab, "by_label", "by_date", "several") == {
        "by_label": table("     x", "one  1", "two  2"),
        "by_date": table("         d  i", "2020-01-01  1", "       NaT  2", "2021-01-01  3"),
        "several": table("i    c      b", "1    u   True", "2  NaN  False", "3    v   True"),
    }


async def test_nested_doubled_and_many_columns_are_shown(lab: Lab):
    await lab.run_cell(FRAMES)
    assert await texts(lab, "nested", "doubled") == {
        "nested": table("(a, 1)  (b, 2)", "     1       2"),
        "doubled": table("same  same", "   1   2.5"),
    }
    wide = (await text(lab, "wide")).splitlines()
    assert (wide[0].split()[-1], wide[-1]) == ("19", "… and 180 more columns")
    grown = (await text(lab, "grown")).splitlines()
    assert grown[0].split() == [f"c{n}" for n in range(20)]
    assert grown[1].split() == [str(n) for n in range(20)]
    assert await text(lab, "grown", "column", column="c299") == (
        "c299, int64, 1 row\n0 missing, min 299, max 299, mean 299.0, 1 distinct"
    )


async def test_a_table_that_is_too_wide_leaves_out_columns_rather_than_halves_of_rows(lab: Lab):
    await lab.run_cell(FRAMES)
    found = await look(lab, "wide", max_chars=120)
    assert not found["text"]["cut"]
    lines = found["text"]["head"].splitlines()
    assert len(found["text"]["head"]) <= 120
    assert lines[-1] == f"… and {200 - len(lines[0].split())} more columns"


async def test_five_rows_are_shown_and_more_from_a_place_that_is_asked_for(lab: Lab):
    await lab.run_cell(FRAMES)
    assert await text(lab, "tall") == table("x", "0", "1", "2", "3", "4")
    found = await look(lab, "tall", "slice", start=500)
    lines = found["text"]["head"].splitlines()
    assert (lines[0].strip(), lines[1], len(lines)) == ("x", "500  500", 21)
    assert found["note"] == "Rows 500 to 519 of 1,000, counted from 0."
    assert (await look(lab, "tall", "slice", start=1000))["note"] == "It has only 1,000 rows."
    assert (await look(lab, "empty"))["note"] == "It is empty."
    assert (await look(lab, "no_rows"))["text"]["head"] == "a"


async def test_series_indexes_and_arrays_of_pandas_are_columns(lab: Lab):
    await lab.run_cell(FRAMES)
    assert await texts(lab, "series", "plain", "index", "kinds", "mine") == {
        "series": table("  w", "3.5", "NaN"),
        "plain": table("7  x", "8  y"),
        "index": table("         d", "2020-01-01", "       NaT", "2021-01-01"),
        "kinds": table("  a", "NaN"),
        "mine": table("a", "1"),
    }


async def test_arrays_show_their_beginning(lab: Lab):
    await lab.run_cell(ARRAYS)
    names = "line table dot none records days waits masked words odd swapped small flag scalar mine"
    shown = await texts(lab, *[name for name in names.split() if name != "none"])
    assert shown.pop("line").endswith("18, 19, …]")
    assert shown == {
        "table": "[[0.0, 1.0, 2.0, 3.0],\n [4.0, 5.0, 6.0, 7.0],\n [8.0, 9.0, 10.0, 11.0]]",
        "dot": "2.5",
        "records": "[(1, 'x'), (2, 'y')]",
        "days": "[2020-01-01, NaT]",
        "waits": "[0 days 00:01:30, -1 days +23:59:59]",
        "masked": "[[1, --],\n [3, 4]]",
        "words": "[a, b]",
        "odd": "[5, 3, 1]",
        "swapped": "[1970-01-02, 1970-01-03]",
        "small": "0.1",
        "flag": "True",
        "scalar": "2020-01-01",
        "mine": "[0, 1, 2]",
    }
    assert (await text(lab, "cube")).startswith("[[[0, 0],\n [0, 0],")
    assert len(await text(lab, "six")) < 200
    assert (await look(lab, "none"))["note"] == "It is empty."
    assert await text(lab, "line", "slice", start=97) == "[97, 98, 99]"


async def test_without_values_missing_ones_are_counted(lab: Lab):
    await lab.run_cell(FRAMES)
    found = await look(lab, "frame", values=False)
    counts = "3 rows; missing: f 1, t 1, d 1, c 1, n 1, m 1"
    assert (found["text"]["head"], found["values"]) == (counts, False)
    assert await text(lab, "tall", values=False) == "1,000 rows; missing: none"
    assert await text(lab, "series", values=False) == "2 rows; missing: w 1"
