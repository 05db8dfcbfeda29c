"""A closer look at frames that are stored by other libraries: polars, and Arrow under pandas."""

from functools import partial

import pytest

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import answers, look, text, texts
from tests.waiting import until

POLARS = """
import datetime, threading, polars as pl
def threads():
    return next(line for line in open("/proc/self/status") if line.startswith("Threads"))
class Thing:
    def __repr__(self): raise RuntimeError
    __hash__ = __eq__ = __str__ = __repr__
frame = pl.DataFrame({
    "a": [1, None, 3], "s": ["x", None, "y"], "d": [datetime.date(2020, 1, 1)] * 3,
    "t": [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2), None],
    "l": [[1], [2], None], "o": pl.Series([Thing(), Thing(), Thing()], dtype=pl.Object),
    "c": pl.Series(["u", "u", None], dtype=pl.Categorical),
})
series, lazy, empty = frame["a"], frame.lazy(), pl.DataFrame()
long = pl.DataFrame({"x": range(3_000_000)})
before = threads()
"""

ARROW = """
import datetime, pandas as pd, pyarrow as pa
def column(values, kind):
    return pd.array(values, dtype=pd.ArrowDtype(kind))
frame = pd.DataFrame({
    "i": column([1, None, 3], pa.int64()), "w": column([1, 2, 3], pa.int64()),
    "f": column([1.5, None, 3], pa.float64()), "s": column(["x", None, "x"], pa.string()),
    "t": column([datetime.datetime(2020, 1, 1), None, None], pa.timestamp("ns")),
    "z": column([datetime.datetime(2020, 1, 1), None, None], pa.timestamp("us", "Europe/Berlin")),
    "d": column([datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 3)], pa.date32()),
    "l": column([[1], None, [2]], pa.list_(pa.int64())),
    "c": column(["a", None, "a"], pa.dictionary(pa.int32(), pa.string())),
    "b": column([True, None, False], pa.bool_()),
})
text = pd.Series(["x", None], dtype="str")
by_text = pd.DataFrame({"v": [1, 2]}, index=pd.Index(["one", "two"], dtype="str", name="k"))
"""


def table(*lines: str) -> str:
    return "\n".join(lines)


async def test_a_polars_frame_is_shown_as_a_table_without_starting_threads(new_lab: Lab):
    lab = new_lab
    assert (await lab.run_cell(POLARS))["content"]["status"] == "ok"
    assert (await text(lab, "frame")).splitlines() == [
        "   a     s           d                    t            l        o     c",
        "   1     x  2020-01-01  2020-01-01 00:00:00  <list[i64]>  <Thing>     u",
        "null  null  2020-01-01  2020-01-02 00:00:00  <list[i64]>  <Thing>     u",
        "   3     y  2020-01-01                 null  <list[i64]>  <Thing>  null",
    ]
    assert await texts(lab, "series") == {"series": table("   a", "   1", "null", "   3")}
    assert (await look(lab, "empty"))["note"] == "It is empty."
    closed = "Only its type can be told without running code of the object."
    assert (await look(lab, "lazy"))["note"] == closed
    assert await lab.value("threads() == before") == "True"


async def test_columns_of_a_polars_frame_are_summed_up(new_lab: Lab):
    lab = new_lab
    await lab.run_cell(POLARS)
    summaries = {
        "a": "a, i64, 3 rows\n1 missing, min 1, max 3, mean 2.0, 2 distinct",
        "s": "s, str, 3 rows\n1 missing, 2 distinct, for example x, y",
        "t": "t, datetime[μs], 3 rows\n"
        "1 missing, min 2020-01-01 00:00:00, max 2020-01-02 00:00:00, 2 distinct",
        "l": "l, list[i64], 3 rows\nits values can't be told without running code",
        "o": "o, object, 3 rows\n0 missing, 3 Thing",
        "c": "c, cat, 3 rows\n1 missing, 1 distinct, most frequent u (2)",
    }
    found = {name: await text(lab, "frame", "column", column=name) for name in summaries}
    assert found == summaries
    assert await text(lab, "series", "column", column="any") == summaries["a"]
    assert await text(lab, "frame", values=False) == ("3 rows; missing: a 1, s 1, t 1, c 1")
    note = (await look(lab, "frame", "column", column="q"))["note"]
    assert note.startswith("There is no column “q”. There are: a, s, d")
    long = await text(lab, "long", "slice", start=2_999_999)
    assert long.splitlines()[1] == "2999999  2999999"
    assert "over the first " in await text(lab, "long", "column", column="x", budget_ms=1)


async def test_a_polars_frame_inside_another_is_told_by_its_shape(new_lab: Lab):
    lab = new_lab
    await lab.run_cell(POLARS)
    await lab.run_cell("outer = pl.DataFrame({'o': pl.Series([frame, series], dtype=pl.Object)})")
    assert (await text(lab, "outer")).split() == [
        "o",
        *["<DataFrame", "3", "×", "7>"],
        "<Series",
        "3>",
    ]
    await lab.run_cell("items = [frame, lazy]")
    assert await text(lab, "items") == "[<DataFrame 3 × 7>, <LazyFrame>]"


async def test_a_polars_frame_is_not_read_while_a_cell_runs(new_lab: Lab):
    lab = new_lab
    await lab.run_cell(POLARS)
    run = lab.start_cell("import time\nwhile True: time.sleep(0.01)")
    await until(partial(lab.has_started, run), "the cell's input")
    found = await answers(lab, "frame", "series")
    sentence = "It can be read only while no cell runs and no other thread works in its library."
    assert {one["note"] for one in found.values()} == {sentence}
    await lab.manager.interrupt_kernel()
    await lab.reply(run)


async def test_columns_of_arrow_are_right(new_lab: Lab):
    pytest.importorskip("pyarrow")
    lab = new_lab
    assert (await lab.run_cell(ARROW))["content"]["status"] == "ok"
    shown = {}
    for name in "iwfstzdlcb":
        await lab.run_cell(f"one = frame[['{name}']]")
        shown[name] = [cell.strip() for cell in (await text(lab, "one")).splitlines()[1:]]
    assert shown == {
        "i": ["1", "<NA>", "3"],
        "w": ["1", "2", "3"],
        "f": ["1.5", "<NA>", "3.0"],
        "s": ["x", "<NA>", "x"],
        "t": ["2020-01-01", "<NA>", "<NA>"],
        "z": ["2019-12-31 23:00:00+00:00", "<NA>", "<NA>"],
        "d": ["2020-01-01", "<NA>", "2020-01-03"],
        "l": ["<list>", "<list>", "<list>"],
        "c": ["a", "<NA>", "a"],
        "b": ["True", "<NA>", "False"],
    }
    assert await texts(lab, "text", "by_text") == {
        "text": table("  x", "NaN"),
        "by_text": table("  k  v", "one  1", "two  2"),
    }


async def test_columns_of_arrow_are_summed_up(new_lab: Lab):
    pytest.importorskip("pyarrow")
    lab = new_lab
    await lab.run_cell(ARROW)
    summaries = {
        "i": "1 missing, min 1, max 3, mean 2.0, 2 distinct",
        "w": "0 missing, min 1, max 3, mean 2.0, 3 distinct",
        "f": "1 missing, min 1.5, max 3.0, mean 2.25, 2 distinct",
        "s": "1 missing, 1 distinct, most frequent x (2)",
        "d": "1 missing, min 2020-01-01, max 2020-01-03, mean 2020-01-02, 2 distinct",
        "l": "its values can't be told without running code",
        "b": "1 missing, 2 distinct, for example True, False",
    }
    found = {
        name: (await text(lab, "frame", "column", column=name)).split("\n")[1] for name in summaries
    }
    assert found == summaries
