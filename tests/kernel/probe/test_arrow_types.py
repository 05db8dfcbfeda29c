"""Arrow's types below pandas' arrays: what is told of them, and that no code of a user's runs."""

import pytest

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import text, texts

OWN_TYPE = """
import gc, pandas as pd, pyarrow as pa
calls = []
class Scalar(pa.ExtensionScalar):
    def as_py(self, *args, **kwargs):
        calls.append("as_py")
        return "made by the user's code"
class Own(pa.ExtensionType):
    def __init__(self): super().__init__(pa.int64(), "own")
    def __arrow_ext_serialize__(self): return b""
    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        calls.append("deserialize")
        return cls()
    def __arrow_ext_scalar_class__(self):
        calls.append("scalar class")
        return Scalar
    def __str__(self):
        calls.append("str")
        return "Own"
def values(): return pa.ExtensionArray.from_storage(Own(), pa.array([1, 2]))
def column(array): return pd.arrays.ArrowExtensionArray(pa.chunked_array([array]))
by_own = pd.DataFrame({"x": [1, 2]}, index=pd.Index(column(values())))
of_own = pd.DataFrame([[1, 2]], columns=pd.Index(column(values())))
parts = pd.DataFrame({
    "own": column(values()),
    "listed": column(pa.ListArray.from_arrays([0, 1, 2], values())),
    "coded": column(pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), values())),
    "kept": column(pa.StructArray.from_arrays([values()], names=["a"])),
})
gc.collect()
calls.clear()
"""


async def test_no_code_of_a_users_own_type_runs_in_any_look(new_lab: Lab):
    pytest.importorskip("pyarrow")
    lab = new_lab
    assert (await lab.run_cell(OWN_TYPE))["content"]["status"] == "ok"
    rows = await lab.rows(names=["by_own", "of_own", "parts"])
    assert [name for name, _ in rows["of_own"]["columns"]] == ["<extension>", "<extension>"]
    assert rows["parts"]["shape"] == [2, 4]
    assert await lab.changed_by("all = by_own, of_own, parts") == {"all": "added"}
    shown = await texts(lab, "by_own", "of_own", "parts")
    assert "<extension>" in shown["by_own"]
    assert [cell.strip() for cell in shown["parts"].splitlines()[1].split()] == [
        *("<extension>", "<list>", "<dictionary>", "<struct>")
    ]
    for name in ("own", "listed", "coded", "kept"):
        assert "can't be told without running code" in await text(
            lab, "parts", "column", column=name
        )
    assert await lab.value("calls") == "[]"


PLAIN = """
import datetime, pandas as pd, pyarrow as pa
def labels(values, kind): return pd.DataFrame([[0] * len(values)], columns=pd.Index(
    pd.array(values, dtype=pd.ArrowDtype(kind))))
texts = labels(["x", "y"], pa.string())
numbers = labels([1, 2], pa.int64())
coded = labels(["a", "b"], pa.dictionary(pa.int32(), pa.string()))
plain = pd.DataFrame({"one": [1], "two": [2]})
"""


async def test_labels_that_are_stored_by_arrow_are_told(new_lab: Lab):
    pytest.importorskip("pyarrow")
    assert (await new_lab.run_cell(PLAIN))["content"]["status"] == "ok"
    rows = await new_lab.rows(names=["texts", "numbers", "coded", "plain"])
    assert {name: [label for label, _ in row["columns"]] for name, row in rows.items()} == {
        "texts": ["x", "y"],
        "numbers": ["1", "2"],
        "coded": ["a", "b"],
        "plain": ["one", "two"],
    }
