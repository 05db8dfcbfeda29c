"""Objects of known libraries that turn hostile, and fakes of libraries: no code of theirs runs."""

import pytest

from tests.kernel.probe.lab import Lab

TRAPS = """
import sys, time, types
calls = []
def trap(label):
    def act(*args, **kwargs):
        calls.append(label)
        raise RuntimeError(label)
    return act
SPECIAL = (
    "__repr__ __str__ __len__ __bool__ __iter__ __getitem__ __contains__ __hash__ __eq__ __call__ "
    "__get__ __format__ __index__ __instancecheck__"
).split()
Trap = type("Trap", (), {
    **{name: trap(name) for name in SPECIAL},
    **{name: property(trap(name)) for name in ("__class__", "__dict__", "__name__", "__origin__")},
    "__getattribute__": trap("get"), "__getattr__": trap("getattr"),
})
def hostile(): return Trap.__new__(Trap)
def module(name, **inside):
    made = types.ModuleType(name)
    made.__dict__.update(inside)
    sys.modules[name] = made
"""

OBJECTS = {
    "fields": """
import dataclasses, pydantic
@dataclasses.dataclass
class One:
    x: int = 0
One.__dataclass_fields__["x"].type = hostile()
One.__dataclass_fields__["y"] = hostile()
one = One(1)
class Two: pass
Two.__dataclass_fields__ = hostile()
two = Two()
class Model(pydantic.BaseModel):
    a: int = 0
    def __getattr__(self, name): calls.append(name); raise AttributeError(name)
    def __repr__(self): calls.append("repr")
model = Model()
class Broken(pydantic.BaseModel):
    a: int = 0
Broken.__pydantic_fields__["a"] = hostile()
broken = object.__new__(Broken)
""",
    "code": """
def function(): pass
function.__doc__ = hostile()
function.__module__ = hostile()
class Text(str):
    strip = partition = startswith = __getitem__ = __len__ = trap("text")
class Documented:
    __doc__ = Text("docs")
    __init__ = hostile()
Documented.__module__ = Text("__main__")
class Property:
    __doc__ = property(trap("doc"))
prop, documented = Property(), Documented
""",
    "containers": """
import collections
class L(list): __iter__ = __len__ = __getitem__ = trap("list")
class D(dict): items = __iter__ = keys = values = __getitem__ = __len__ = trap("dict")
class S(set): __iter__ = __len__ = trap("set")
class Q(collections.deque): __iter__ = __len__ = __getitem__ = trap("deque")
class O(collections.OrderedDict): items = __iter__ = keys = values = trap("ordered")
class T(tuple): __iter__ = __len__ = __getitem__ = trap("tuple")
class Meta(type): __eq__ = __hash__ = __repr__ = trap("meta")
class Odd(metaclass=Meta): pass
odds = [Odd(), hostile()]
filled = [L([hostile()]), D(), S([1]), Q([hostile()]), O(), T((hostile(),))]
a, b, c, d, e, f = filled
dict.__setitem__(b, "k", hostile())
""",
    "estimator": """
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
class Name(str): __getitem__ = __len__ = __eq__ = trap("name"); __hash__ = str.__hash__
class Mine(BaseEstimator):
    fitted_ = property(trap("fitted"))
    __sklearn_is_fitted__ = __repr__ = __getattr__ = trap("estimator")
mine = Mine()
mine.__dict__[Name("learned_")] = 1
pipe, empty = Pipeline([]), Pipeline([("last", None)])
pipe.steps = hostile()
empty.steps = [(hostile(), hostile())]
""",
    "figure": """
import matplotlib; matplotlib.use("agg")
from matplotlib.figure import Figure
class Drawn(Figure): pass
drawn = Drawn()
Drawn.axes = property(trap("axes"))
Drawn.get_size_inches = Drawn.draw = Drawn.__repr__ = trap("figure")
odd = Figure()
odd.__dict__["_axstack"] = hostile()
odd.__dict__["bbox_inches"] = hostile()
""",
    "polars": """
import polars as pl
class Mine(pl.DataFrame):
    shape = height = columns = schema = dtypes = property(trap("frame"))
    __len__ = __repr__ = trap("frame")
mine = Mine({"a": [1]})
fake = pl.DataFrame()
fake.__dict__["_df"] = hostile()
lazy = pl.LazyFrame()
lazy.__dict__["_ldf"] = hostile()
""",
    "engine": """
import sqlalchemy as sa
engine = sa.create_engine("sqlite://")
engine.__dict__["dialect"] = hostile()
class Connection: pass
Connection.__module__ = "sqlalchemy.engine.base"
conn = Connection()
conn.engine = conn.bind = hostile()
circle = Connection()
circle.engine = circle
""",
    "files": """
import io
class Raw(io.RawIOBase):
    closed = name = mode = property(trap("raw"))
    readable = writable = lambda self: True
    def close(self): pass
raw = Raw()
buffered = io.BufferedReader(raw)
text = io.TextIOWrapper(buffered)
calls.clear()
class Wrapped(io.TextIOWrapper): closed = buffer = mode = name = property(trap("wrapped"))
wrapped = Wrapped(io.BytesIO())
class File(io.FileIO): pass
import os, tempfile
file = File(tempfile.mkstemp()[1])
File.closed = File.mode = File.name = property(trap("file"))
calls.clear()
""",
    "fakes": """
class Tensor:
    shape = dtype = device = property(trap("tensor"))
    __getattr__ = trap("tensor")
module("torch", Tensor=Tensor, dtype=Trap, device=Trap)
module("torch._C", TensorBase=Tensor, _len_torch_function_stack=trap("stack"))
module("cupy", ndarray=Tensor)
module("cupy._core.core", _ndarray_base=Tensor)
class ArrayImpl: aval = _sharding = property(trap("jax"))
class Callable:
    __module__ = "nanobind"
    __call__ = trap("nanobind")
class Native: aval = property(Callable())
module("jaxlib._jax", ArrayImpl=ArrayImpl)
module("polars", DataFrame=hostile(), LazyFrame=Trap, Series=Trap)
module("sklearn.base", BaseEstimator=hostile())
module("matplotlib.figure", Figure=hostile())
module("pydantic.main", BaseModel=hostile())
sys.modules["dataclasses"] = hostile()
x, y, z = Tensor(), ArrayImpl(), hostile()
""",
}


@pytest.mark.parametrize("kind", OBJECTS)
async def test_no_code_of_hostile_objects_runs(new_lab: Lab, kind: str):
    reply = await new_lab.run_cell(TRAPS + OBJECTS[kind] + "\ncalls.clear()")
    assert reply["content"]["status"] == "ok", reply["content"]
    rows = await new_lab.rows(previews=True)
    assert await new_lab.value("calls") == "[]"
    failed = [row for row in rows.values() if "could not" in row.get("summary", "")]
    assert failed == []
    await new_lab.run(f"#{', '.join(rows)}\nNone")
    assert await new_lab.value("calls") == "[]"


async def test_a_native_property_that_is_a_fake_is_not_called(new_lab: Lab):
    fake = OBJECTS["fakes"].replace("ArrayImpl=ArrayImpl", "ArrayImpl=Native")
    await new_lab.run_cell(TRAPS + fake + "\nnative = Native()\ncalls.clear()")
    row = (await new_lab.rows())["native"]
    assert (row["kind"], "shape" in row) == ("tensor", False)
    assert await new_lab.value("calls") == "[]"
