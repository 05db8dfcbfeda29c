"""Variables are seen at any moment, bounded, and without disturbing what runs."""

from functools import partial

from tests.kernel.probe.lab import Lab
from tests.waiting import until

BUILTINS = """
import collections, functools, os
from collections import namedtuple
class Mine(list):
    pass
class Plain:
    pass
Pair = namedtuple("Pair", "a b")
number, text, none, ratio = 3, "hello", None, 0.5
items, pairs, pair, mine = [1, 2], {"a": 1}, Pair(1, 2), Mine([1, 2, 3])
unique, queue, span, data = {1}, collections.deque([1, 2]), range(5), bytearray(4)
plain = Plain()
def work(a, b=1, /, c=2, *rest, d, e=3, **more): pass
async def later(): pass
counted = functools.lru_cache(work)
big = 10 ** 5000
"""

LIBRARIES = """
import numpy as np, pandas as pd
array = np.zeros((3, 4), dtype="float32")
scalar = np.float64(1)
class Special(np.ndarray):
    pass
special = np.zeros(2).view(Special)
frame = pd.DataFrame({
    "i": [1, 2], "s": ["x", "y"], "t": pd.to_datetime(["2020-01-01", "2021-01-01"]),
    "c": pd.Categorical(["u", "v"]), "n": pd.array([1, None], dtype="Int64"),
    "u": pd.array([1, None], dtype="UInt8"),
    "z": pd.to_datetime(["2020-01-01", "2021-01-01"]).tz_localize("UTC"),
})
series = frame["i"]
doubled = pd.DataFrame([[1, 2.0]], columns=["same", "same"])
several = frame.set_index(["i", "s"])
nested = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", None)]))
index = frame.index
labels = frame.columns
by_class = pd.DataFrame([[1]], columns=pd.CategoricalIndex(["k"]))
by_time = pd.DataFrame([[1]], columns=pd.to_datetime(["2020-01-01"]))
by_range = pd.DataFrame([[1, 2, 3]])
wide = pd.DataFrame(np.zeros((2, 200)))
empty = pd.DataFrame()
"""


async def test_builtins_show_kind_and_length(lab: Lab):
    await lab.run_cell(BUILTINS)
    rows = await lab.rows()
    kinds = {name: row["kind"] for name, row in rows.items()}
    assert kinds["number"] == kinds["ratio"] == kinds["big"] == "number"
    assert (kinds["text"], kinds["none"], kinds["plain"]) == ("text", "other", "instance")
    lengths = {name: row["length"] for name, row in rows.items() if row["kind"] == "container"}
    expected = {"items": 2, "pairs": 1, "pair": 2, "mine": 3, "unique": 1, "queue": 2, "span": 5}
    assert lengths == expected
    assert rows["mine"]["type"] == "Mine"
    assert rows["mine"]["module"] == "__main__"
    assert "module" not in rows["items"]
    assert rows["data"] == {"name": "data", "type": "bytearray", "kind": "text", "length": 4}


async def test_functions_classes_and_modules_show_what_they_are(lab: Lab):
    await lab.run_cell(BUILTINS)
    rows = await lab.rows()
    assert rows["work"]["summary"] == "work(a, b=…, /, c=…, *rest, d, e=…, **more)"
    assert rows["later"]["summary"] == "async later()"
    assert (rows["Mine"]["kind"], rows["Mine"]["summary"]) == ("class", "Mine(list)")
    assert (rows["os"]["kind"], rows["os"]["summary"]) == ("module", "os")


async def test_previews_come_only_when_asked_for_and_only_of_plain_values(lab: Lab):
    await lab.run_cell(BUILTINS)
    assert not any("preview" in row for row in (await lab.rows()).values())
    rows = await lab.rows(previews=True)
    previews = {name: row["preview"] for name, row in rows.items() if "preview" in row}
    assert previews == {"number": "3", "text": "'hello'", "ratio": "0.5"}


async def test_arrays_and_frames_show_shape_types_and_columns(lab: Lab):
    await lab.run_cell(LIBRARIES)
    rows = await lab.rows()
    array = {"shape": [3, 4], "dtype": "float32", "size_bytes": 48, "kind": "array"}
    assert array.items() <= rows["array"].items()
    assert (rows["special"]["type"], rows["special"]["shape"]) == ("Special", [2])
    assert rows["scalar"]["kind"] == "number"
    frame = rows["frame"]
    assert (frame["kind"], frame["shape"], frame["columns_total"]) == ("frame", [2, 7], 7)
    types = dict(map(tuple, frame["columns"]))
    assert (types["i"], types["c"], types["n"], types["u"]) == (
        "int64",
        "category",
        "Int64",
        "UInt8",
    )
    assert types["s"] in ("str", "object")
    assert types["t"].startswith("datetime64[")
    assert types["z"].endswith("UTC]") or types["z"].endswith("tz]")
    assert rows["series"]["dtype"] == "int64"
    assert rows["series"]["summary"] == "name i"
    assert (rows["index"]["kind"], rows["labels"]["length"]) == ("array", 7)


async def test_labels_of_every_kind_are_told_apart(lab: Lab):
    await lab.run_cell(LIBRARIES)
    rows = await lab.rows()
    columns = {name: row["columns"] for name, row in rows.items() if "columns" in row}
    assert columns["doubled"] == [["same", "int64"], ["same", "float64"]]
    assert rows["several"]["shape"] == [2, 5]
    assert [label for label, _ in columns["nested"]] == ["(a, 1)", "(b, nan)"] or [
        label for label, _ in columns["nested"]
    ] == ["(a, 1.0)", "(b, nan)"]
    assert columns["by_class"] == [["k", "int64"]]
    assert columns["by_time"][0][0].startswith("2020-01-01")
    assert [label for label, _ in columns["by_range"]] == ["0", "1", "2"]
    assert (len(columns["wide"]), rows["wide"]["columns_total"]) == (50, 200)
    assert (rows["empty"]["shape"], columns["empty"]) == ([0, 0], [])


async def test_names_of_ipython_and_private_names_are_hidden_until_rebound(lab: Lab):
    await lab.run_cell("_private = 1; shown = 2; exit = 3")
    answer = await lab.variables()
    assert {row["name"] for row in answer["rows"]} == {"shown", "exit"}
    assert answer["total"] == 2


async def test_the_latest_bound_or_changed_comes_first(lab: Lab):
    await lab.run_cell("a = [1]")
    await lab.run_cell("b = [1]")
    await lab.run_cell("c = [1]")
    assert list(await lab.rows()) == ["c", "b", "a"]
    await lab.run_cell("a.append(2)")
    await lab.run_cell("b = [2]")
    assert list(await lab.rows()) == ["b", "a", "c"]


async def test_rows_beyond_the_limit_are_counted_by_type(lab: Lab):
    await lab.run_cell("for n in range(30): globals()[f'v{n}'] = n\nwords = 'x'")
    answer = await lab.variables(max_rows=2)
    assert [row["name"] for row in answer["rows"]] == ["words", "v29"]
    assert answer["omitted"] == {"int": 30}
    assert answer["total"] == 32


async def test_beyond_the_budget_names_are_only_counted(lab: Lab):
    await lab.run_cell("for n in range(3000): globals()[f'v{n}'] = [n]")
    answer = await lab.variables(max_rows=3000, budget_ms=0)
    assert answer["over_budget"]
    assert len(answer["rows"]) + sum(answer["omitted"].values()) == answer["total"] == 3001


async def test_single_names_can_be_asked_for(lab: Lab):
    await lab.run_cell("a, b, c = 1, 2, 3")
    assert list(await lab.rows(names=["c", "a", "gone", "_"])) == ["c", "a"]


async def test_a_name_that_is_no_valid_text_is_sent_readably(lab: Lab):
    await lab.run_cell("globals()['\\ud800'] = 1; globals()[5] = 2; globals()['x' * 500] = 3")
    names = list(await lab.rows())
    assert "\\ud800" in names
    assert max(map(len, names)) == 120


async def test_variables_are_seen_while_a_cell_runs(lab: Lab):
    run = lab.start_cell("import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.001)")
    await until(partial(lab.has_started, run), "the cell's input")

    async def counting() -> bool:
        return "n" in await lab.rows()

    await until(counting, "the variable of the running cell")
    assert not lab.answered(run)
    await lab.manager.interrupt_kernel()
    await lab.reply(run)


async def test_a_waiting_input_and_a_half_drawn_figure_stay_intact(new_lab: Lab):
    lab = new_lab
    await lab.run_cell("%matplotlib inline\nimport matplotlib.pyplot as plt")
    users = lab.start_cell(
        "plt.plot([1, 2])\nanswer = input('?')\nplt.title(answer)\nlines = len(plt.gca().lines)",
        allow_stdin=True,
    )
    await until(lambda: lab.questions, "the user's question", seconds=60)
    for _ in range(3):
        assert "plt" in await lab.rows()
    assert "display_data" not in lab.types(users)
    lab.client.input("a title")
    assert (await lab.finished(users))["content"]["status"] == "ok"
    assert lab.types(users).count("display_data") == 1
    assert await lab.value("(answer, lines)") == "('a title', 1)"


async def test_neither_looking_nor_comparing_keeps_a_deleted_object_alive(lab: Lab):
    await lab.run_cell(
        "import numpy as np, pandas as pd, weakref\n"
        "class Thing: pass\n"
        "big, frame, thing = np.ones(1_000_000), pd.DataFrame({'a': [1]}), Thing()\n"
        "known = [weakref.ref(one) for one in (big, frame, thing)]"
    )
    await lab.rows(previews=True)
    await lab.run_cell("big[0] = 2; frame['b'] = 1; thing.x = 1")
    await lab.rows()
    await lab.run_cell("del big, frame\nthing = None")
    assert await lab.value("[ref() for ref in known]") == "[None, None, None]"
