"""One column is summed up: counts, and with values its range and what is frequent in it."""

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import answers, look, text

COLUMNS = """
import datetime, numpy as np, pandas as pd
frame = pd.DataFrame({
    "age": [30, 31, 30, 40], "height": [1.5, np.nan, 2.5, np.inf],
    "name": ["ann", "bob", None, "ann"], "code": ["a", "b", "c", "d"],
    "when": pd.to_datetime(["2020-01-01", "2020-01-03", None, None]),
    "zone": pd.to_datetime(["2020-01-01", "2020-01-02", None, None]).tz_localize("UTC"),
    "took": pd.to_timedelta(["1s", "3s", None, None]),
    "kind": pd.Categorical(["u", "v", None, "u"]), "yes": [True, False, True, True],
    "whole": pd.array([1, None, 5, 6], dtype="Int64"), "gone": [np.nan] * 4,
    "mixed": [[1], "x", {1: 2}, None], "days": [datetime.date(2020, 1, 1)] * 4,
    "span": pd.period_range("2020-01", periods=4, freq="D"),
}, index=pd.Index([1, 2, 3, 4], name="id"))
nested = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
doubled = pd.DataFrame([[1, 2.5]], columns=["same", "same"])
numbered = pd.DataFrame([[1, 2]])
series, labels = frame["age"], frame.set_index("name").index
flat, table = np.arange(5.0), np.arange(6).reshape(3, 2)
records = np.array([(1, "x"), (2, "y")], dtype=[("n", "i4"), ("s", "U3")])
"""

SUMMARIES = {
    "age": "0 missing, min 30, max 40, mean 32.75, 3 distinct, "
    "most frequent 30 (2), 31 (1), 40 (1)",
    "height": "1 missing, min 1.5, max inf, mean inf, 3 distinct",
    "name": "1 missing, 2 distinct, most frequent ann (2), bob (1)",
    "code": "0 missing, 4 distinct, for example a, b, c, d",
    "when": "2 missing, min 2020-01-01 00:00:00, max 2020-01-03 00:00:00, "
    "mean 2020-01-02 00:00:00, 2 distinct",
    "zone": "2 missing, min 2020-01-01 00:00:00+00:00, max 2020-01-02 00:00:00+00:00, "
    "mean 2020-01-01 12:00:00+00:00, 2 distinct",
    "took": "2 missing, min 0 days 00:00:01, max 0 days 00:00:03, mean 0 days 00:00:02, 2 distinct",
    "kind": "1 missing, 2 distinct, most frequent u (2), v (1)",
    "yes": "0 missing, 2 distinct, most frequent True (3), False (1)",
    "whole": "1 missing, min 1, max 6, mean 4.0, 3 distinct",
    "gone": "4 missing, 0 distinct",
    "mixed": "1 missing, 1 distinct, 1 list, 1 dict, for example x",
    "days": "0 missing, min 2020-01-01, max 2020-01-01, 1 distinct, most frequent 2020-01-01 (4)",
    "span": "its values can't be told without running code",
    "id": "0 missing, min 1, max 4, mean 2.5, 4 distinct",
}


async def test_each_kind_of_column_is_summed_up(lab: Lab):
    await lab.run_cell(COLUMNS)
    found = {}
    for name in SUMMARIES:
        title, found[name] = (await text(lab, "frame", "column", column=name)).split("\n")
        assert title.startswith(f"{name}, ")
        assert title.endswith(", 4 rows")
    assert found == SUMMARIES


async def test_without_values_a_column_tells_counts_alone(lab: Lab):
    await lab.run_cell(COLUMNS)
    for name, counts in {
        "age": "0 missing, 3 distinct",
        "name": "1 missing, 2 distinct",
        "mixed": "1 missing, 1 distinct, 1 list, 1 dict",
    }.items():
        found = await look(lab, "frame", "column", column=name, values=False)
        assert found["text"]["head"].split("\n")[1] == counts
        assert not found["values"]


async def test_a_column_that_is_not_there_names_those_that_are(lab: Lab):
    await lab.run_cell(COLUMNS)
    found = await look(lab, "frame", "column", column="agee")
    assert found["text"] is None
    assert found["note"] == (
        "There is no column “agee”. There are: age, height, name, code, when, zone, took, kind, "
        "yes, whole, … (4 more)."
    )


async def test_labels_are_found_as_people_write_them(lab: Lab):
    await lab.run_cell(COLUMNS)
    for wanted in ("(a, 1)", "('a', 1)", "a,1"):
        assert (await text(lab, "nested", "column", column=wanted)).startswith("(a, 1), int64")
    both = (await text(lab, "doubled", "column", column="same")).split("\n")
    assert (both[0], both[2]) == ("same, int64, 1 row", "same, float64, 1 row")
    assert (await text(lab, "numbered", "column", column="1")).startswith("1, int64, 1 row\n")
    assert (await text(lab, "frame", "column", column="'age'")).startswith("age, int64")


async def test_series_indexes_and_arrays_are_one_column(lab: Lab):
    await lab.run_cell(COLUMNS)
    found = await answers(lab, "series", "labels", "flat", "table", kind="column", column="any")
    told = {name: one["text"]["head"] for name, one in found.items()}
    assert told["series"].startswith("age, int64, 4 rows\n0 missing, min 30")
    assert told["labels"].startswith("name, 4 rows\n1 missing, 2 distinct, most frequent ann (2)")
    assert told["flat"].startswith("float64, 5 values\n0 missing, min 0.0, max 4.0, mean 2.0")
    assert told["table"].startswith("int64, 6 values\n0 missing, min 0, max 5, mean 2.5")
    assert "min 1, max 5, mean 3.0" in await text(lab, "table", "column", column="1")
    assert "min 1, max 2, mean 1.5" in await text(lab, "records", "column", column="n")


async def test_a_summary_of_a_long_column_says_how_many_rows_it_speaks_of(lab: Lab):
    await lab.run_cell(
        "import numpy as np, pandas as pd\n"
        "long = pd.DataFrame({'x': np.arange(10_000_000.0), 'y': ['a', 'b'] * 5_000_000})\n"
        "array = long['x'].to_numpy()\n"
        "strided = np.zeros((3, 2_000_000)).T[:, ::2]"
    )
    assert await text(lab, "long", "column", column="x") == (
        "x, float64, 10,000,000 rows\n"
        "over the first 1,000,000 rows: 0 missing, min 0.0, max 999999.0, mean 499999.5\n"
        "over the first 20,000 rows: 20,000 distinct"
    )
    words = await text(lab, "long", "column", column="y", budget_ms=1)
    assert words.split("\n")[1].startswith("over the first ")
    assert "2 distinct, most frequent a (" in words
    assert "over the first 1,000,000 rows" in await text(lab, "array", "column")
    assert "over the first " in await text(lab, "strided", "column")
    counts = await text(lab, "long", values=False, budget_ms=1)
    assert counts == "10,000,000 rows; missing: none in what was counted"


async def test_large_numbers_and_infinite_sums_warn_nobody(lab: Lab):
    await lab.run_cell(
        "import numpy as np, warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')\n"
        "odd = np.array([np.inf, -np.inf, 1e308, 1e308, np.nan])\n"
        "wide = np.array([2**63 - 1, 2**63 - 1])"
    )
    told = await text(lab, "odd", "column")
    assert told.split("\n")[1].startswith("1 missing, min -inf, max inf, mean NaN")
    assert "min 9223372036854775807, max 9223372036854775807" in await text(lab, "wide", "column")
    assert await lab.value("np.geterr()['over']") == "'raise'"
