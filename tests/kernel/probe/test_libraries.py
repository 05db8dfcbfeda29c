"""What one row tells of objects of known libraries, with the libraries themselves."""

from functools import partial

from tests.kernel.gate import Gate
from tests.kernel.probe.lab import Lab
from tests.waiting import until

POLARS = """
import polars as pl
df = pl.DataFrame({"n": [1, 2], "s": ["x", "y"], "l": [[1], [2]]})
df = df.with_columns(t=pl.lit(0).cast(pl.Datetime("us", "UTC")), c=pl.col("s").cast(pl.Categorical))
lazy, series = df.lazy().filter(pl.col("n") > 1), df["n"]
wide = pl.DataFrame({f"c{n}": [n] for n in range(80)})
class Mine(pl.DataFrame):
    @property
    def shape(self): 1 / 0
    columns = height = shape
mine = Mine({"a": [1]})
"""


async def test_a_polars_frame_tells_shape_and_columns_with_types(new_lab: Lab):
    await new_lab.run_cell(POLARS)
    rows = await new_lab.rows()
    assert (rows["df"]["kind"], rows["df"]["type"]) == ("frame", "DataFrame")
    assert rows["df"]["shape"] == [2, 5]
    assert rows["df"]["columns"] == [
        ["n", "i64"],
        ["s", "str"],
        ["l", "list[i64]"],
        ["t", "datetime[μs, UTC]"],
        ["c", "cat"],
    ]
    assert (len(rows["wide"]["columns"]), rows["wide"]["columns_total"]) == (50, 80)
    assert rows["mine"]["columns"] == [["a", "i64"]]
    assert (rows["series"]["kind"], rows["series"]["length"]) == ("series", 2)
    assert rows["series"]["summary"] == "name n"


async def test_a_lazy_frame_is_told_without_planning_it(new_lab: Lab):
    await new_lab.run_cell(
        POLARS + "calls = []\n"
        "from polars.io.plugins import register_io_source\n"
        "def schema(): calls.append('schema'); return {'a': pl.Int64}\n"
        "planned = register_io_source(lambda *all: calls.append('read'), schema=schema)"
    )
    rows = await new_lab.rows()
    assert (rows["lazy"]["kind"], rows["lazy"]["summary"]) == ("frame", "lazy")
    assert "columns" not in rows["lazy"]
    assert rows["planned"]["type"] == "LazyFrame"
    assert await new_lab.value("calls") == "[]"


async def test_a_change_of_a_polars_frame_is_told_with_its_sizes(new_lab: Lab):
    await new_lab.run_cell(POLARS)
    run = await new_lab.run("df = df.head(1)\nfresh = df.select('n')")
    changes = (await new_lab.changes(run["parent_header"]["msg_id"]))["changes"]
    found = {change["name"]: change for change in changes}
    assert found["df"]["before"]["shape"] == [2, 5]
    assert found["df"]["after"]["shape"] == [1, 5]
    assert found["fresh"]["after"]["shape"] == [1, 1]


HOLDING_THE_LOCK = """
import io, pathlib, time, polars as pl
class Sink(io.RawIOBase):
    def writable(self): return True
    def write(self, data):
        time.sleep(0.001)
        return len(data)
df, rounds, go = pl.DataFrame({"a": list(range(1_000))}), 0, True
def write(enough=lambda: not go):
    global rounds
    while not enough():
        df.write_json(Sink())
        rounds += 1
"""


async def test_a_polars_frame_that_is_being_written_freezes_nothing(new_lab: Lab, gate: Gate):
    """While it writes it holds the frame's lock and calls Python: whoever waits for it hangs."""
    await new_lab.run_cell(HOLDING_THE_LOCK)
    users = new_lab.start_cell(f"write({gate.looks})")
    await until(partial(new_lab.has_started, users), "the user's cell")
    for _ in range(50):
        row = (await new_lab.rows(names=["df"]))["df"]
        assert (row["type"], row["summary"]) == ("DataFrame", "not read while a cell runs")
    before = (await new_lab.rows(names=["rounds"], previews=True))["rounds"]["preview"]

    async def goes_on() -> bool:
        rows = await new_lab.rows(names=["rounds"], previews=True)
        return rows["rounds"]["preview"] != before

    await until(goes_on, "another round of the user's cell")

    # Not by an interrupt: polars takes one for a failure of the sink.
    gate.open()
    await new_lab.finished(users)
    assert (await new_lab.rows())["df"]["shape"] == [1_000, 1]


async def test_nor_does_one_that_a_thread_of_the_users_writes(new_lab: Lab):
    await new_lab.run_cell(
        HOLDING_THE_LOCK + "import threading\nthreading.Thread(target=write).start()"
    )
    for _ in range(50):
        row = (await new_lab.rows(names=["df"]))["df"]
        assert row.get("summary") == "not read while a cell runs" or row["shape"] == [1_000, 1]
    await new_lab.run_cell("go = False")
    assert await new_lab.value("df.shape") == "(1000, 1)"


JAX = """
import os
os.environ["JAX_PLATFORMS"] = "cpu"
import jax, jax.numpy as jnp
x, half, key = jnp.zeros((3, 4)), jnp.zeros(2, dtype="bfloat16"), jax.random.key(0)
scalar, gone = jnp.float32(1), jnp.zeros(5)
gone.delete()
"""


async def test_a_jax_array_tells_shape_type_and_device(new_lab: Lab):
    await new_lab.run_cell(JAX)
    rows = await new_lab.rows()
    assert (rows["x"]["kind"], rows["x"]["type"]) == ("tensor", "ArrayImpl")
    assert (rows["x"]["shape"], rows["x"]["dtype"]) == ([3, 4], "float32")
    assert rows["x"]["summary"] == "on cpu:0"
    assert (rows["half"]["shape"], rows["half"]["dtype"]) == ([2], "bfloat16")
    assert (rows["scalar"]["shape"], rows["gone"]["shape"]) == ([], [5])
    assert rows["key"]["type"] == "PRNGKeyArray"


SKLEARN = """
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
X, y = np.array([[1.0], [2.0]]), np.array([1.0, 2.0])
fresh, fitted = LinearRegression(), LinearRegression().fit(X, y)
pipe, piped = (make_pipeline(StandardScaler(), LinearRegression()) for _ in range(2))
piped.fit(X, y)
class Mine(BaseEstimator):
    def __init__(self): self._private_ = 1
    def __getattr__(self, name): 1 / 0
mine = Mine()
class Other(BaseEstimator): pass
Other.__module__ = "boosting.models"
other = Other()
"""


async def test_an_estimator_is_fitted_or_not(new_lab: Lab):
    await new_lab.run_cell(SKLEARN)
    rows = await new_lab.rows()
    found = {name: row.get("summary") for name, row in rows.items() if row["kind"] == "estimator"}
    assert found == {
        "fresh": "not fitted",
        "fitted": "fitted",
        "pipe": "not fitted",
        "piped": "fitted",
        "mine": "not fitted",
        "other": None,
    }
    assert rows["fitted"]["type"] == "LinearRegression"


async def test_a_figure_tells_axes_and_size_and_is_not_drawn(new_lab: Lab):
    await new_lab.run_cell(
        "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\n"
        "figure, axes = plt.subplots(2, 2, figsize=(6, 4.5))\n"
        "blank = plt.figure()\nplain, one = plt.subplots()\n"
        "drawn = []\nfor f in (figure, blank, plain):\n"
        "    f.canvas.draw = lambda *all: drawn.append(1)\n"
        "    f.get_axes = f.get_size_inches = f.canvas.draw\ndel f"
    )
    rows = await new_lab.rows()
    assert (rows["figure"]["kind"], rows["figure"]["summary"]) == ("figure", "4 axes, 6×4.5 in")
    assert rows["blank"]["summary"] == "0 axes, 6.4×4.8 in"
    assert rows["plain"]["summary"].startswith("1 axes, ")
    assert await new_lab.value("drawn") == "[]"


PYDANTIC = """
from typing import Annotated, Literal
import pydantic
class Item(pydantic.BaseModel):
    name: str = "secret"
    tags: list[str] = ["secret"]
    kind: Literal["secret"] | None = None
    size: Annotated[int, pydantic.Field(gt=424242)] = 424243
class Order(Item):
    '''What was ordered.'''
    items: dict[str, Item] = {}
order = Order()
"""


async def test_a_pydantic_model_tells_names_and_types_of_its_fields_and_no_default(new_lab: Lab):
    await new_lab.run_cell(PYDANTIC)
    rows = await new_lab.rows()
    own = [["name", "str"], ["tags", "list[str]"], ["kind", "Literal | None"], ["size", "int"]]
    assert rows["Item"]["columns"] == own
    assert rows["order"]["columns"] == [*own, ["items", "dict[str, Item]"]]
    assert rows["Order"]["summary"] == "Order(Item): What was ordered."
    assert "secret" not in str(rows)
    assert "42424" not in str(rows)


ALCHEMY = """
import tempfile
import sqlalchemy as sa, sqlalchemy.orm as orm
engine = sa.create_engine("sqlite:///" + tempfile.mkdtemp() + "/secret-place.db")
conn, session = engine.connect(), orm.Session(engine)
unbound = orm.Session()
"""


async def test_an_engine_tells_its_dialect_and_no_credentials(new_lab: Lab):
    await new_lab.run_cell(ALCHEMY)
    rows = await new_lab.rows()
    found = {name: row.get("summary") for name, row in rows.items() if row["kind"] == "connection"}
    assert found == {"engine": "sqlite", "conn": "sqlite", "session": "sqlite", "unbound": None}
    assert "secret" not in str(rows)


async def test_a_duckdb_connection_and_relation_tell_their_kind(new_lab: Lab):
    await new_lab.run_cell(
        "import duckdb\nconn = duckdb.connect()\nrel = conn.sql('select 1 as a')"
    )
    rows = await new_lab.rows()
    for name in ("conn", "rel"):
        assert (rows[name]["kind"], rows[name]["summary"]) == ("connection", "duckdb")
