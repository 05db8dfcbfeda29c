"""Tensors of torch and cupy, told by stand-ins with the same layout of classes.

The libraries themselves need a download of the size of a GPU's tools, so they were never tried.
What is the same here: where the classes lie, that shape, type and device are read by descriptors
in C of a base class, and that texts come from methods in C.
"""

from tests.kernel.probe.lab import Lab

TORCH = """
import sys, threading, types
def module(name, **inside):
    made = types.ModuleType(name)
    made.__dict__.update(inside)
    sys.modules[name] = made
    return made
class TensorBase:
    __slots__ = ("shape", "dtype", "device", "__dict__")
    calls = []
    def __getattr__(self, name): self.calls.append(name)
class Tensor(TensorBase):
    def __len__(self): self.calls.append("len")
    def __repr__(self): self.calls.append("repr")
class Parameter(Tensor): pass
class Size(tuple): pass
class dtype(str): pass
class device(str): pass
mode = threading.Lock()
module("torch", Tensor=Tensor, dtype=dtype, device=device)
module("torch._C", TensorBase=TensorBase, _len_torch_function_stack=mode.locked)
module("torch.nn.parameter", Parameter=Parameter)
def tensor(cls, shape, type_, device_):
    made = cls()
    made.shape, made.dtype, made.device = Size(shape), dtype(type_), device(device_)
    return made
x = tensor(Tensor, (3, 4), "torch.float32", "cuda:0")
weight = tensor(Parameter, (), "torch.bfloat16", "cpu")
class Special(Tensor): pass
special = tensor(Special, (1,), "torch.int64", "cpu")
class Odd(str):
    def __str__(self): TensorBase.calls.append("str")
odd = tensor(Tensor, (2,), "torch.int8", "cpu")
odd.dtype = Odd("x")
"""


async def test_a_stand_in_of_a_torch_tensor_tells_shape_type_and_device(lab: Lab):
    await lab.run_cell(TORCH)
    rows = await lab.rows()
    assert (rows["x"]["kind"], rows["x"]["shape"], rows["x"]["dtype"], rows["x"]["summary"]) == (
        "tensor",
        [3, 4],
        "float32",
        "on cuda:0",
    )
    assert (rows["weight"]["shape"], rows["weight"]["dtype"]) == ([], "bfloat16")
    assert rows["weight"]["summary"] == "on cpu"
    assert await lab.value("TensorBase.calls") == "[]"


async def test_a_subclass_of_the_stand_in_is_told_by_its_type_alone(lab: Lab):
    await lab.run_cell(TORCH)
    row = (await lab.rows())["special"]
    assert (row["type"], row["kind"]) == ("Special", "tensor")
    assert "shape" not in row


async def test_a_stand_in_is_left_alone_while_a_function_mode_is_on(lab: Lab):
    await lab.run_cell(TORCH + "mode.acquire()")
    assert "shape" not in (await lab.rows())["x"]


async def test_a_text_that_python_code_would_make_is_left_out(lab: Lab):
    await lab.run_cell(TORCH)
    row = (await lab.rows())["odd"]
    assert (row["shape"], "dtype" in row, row["summary"]) == ([2], False, "on cpu")
    assert await lab.value("TensorBase.calls") == "[]"


CUPY = """
import sys, types
import numpy as np
def module(name, **inside):
    made = types.ModuleType(name)
    made.__dict__.update(inside)
    sys.modules[name] = made
class _ndarray_base:
    __slots__ = ("shape", "dtype", "data", "__dict__")
class ndarray(_ndarray_base):
    calls = []
    @property
    def device(self): self.calls.append("device")
    def __repr__(self): self.calls.append("repr")
class MemoryPointer:
    __slots__ = ("device_id",)
module("cupy", ndarray=ndarray)
module("cupy._core.core", _ndarray_base=_ndarray_base)
module("cupy.cuda.memory", MemoryPointer=MemoryPointer)
x = ndarray()
x.shape, x.dtype, x.data = (2, 3), np.dtype("float64"), MemoryPointer()
x.data.device_id = 1
"""


async def test_a_stand_in_of_a_cupy_array_tells_shape_type_and_device(lab: Lab):
    await lab.run_cell(CUPY)
    row = (await lab.rows())["x"]
    assert (row["kind"], row["shape"], row["dtype"]) == ("tensor", [2, 3], "float64")
    assert row["summary"] == "on device 1"
    assert await lab.value("ndarray.calls") == "[]"


CONNECTIONS = """
def stand_in(module, name):
    return type(name, (), {"__module__": module, "__repr__": lambda self: 1 / 0})()
pg = stand_in("psycopg", "Connection")
pg_async = stand_in("psycopg.connection_async", "AsyncConnection")
pg_old = stand_in("psycopg2.extensions", "connection")
other = stand_in("mine.database", "Connection")
"""


async def test_stand_ins_of_connections_are_told_by_module_and_name(lab: Lab):
    await lab.run_cell(CONNECTIONS)
    rows = await lab.rows()
    found = {name: row.get("summary") for name, row in rows.items() if row["kind"] == "connection"}
    assert found == {"pg": "postgresql", "pg_async": "postgresql", "pg_old": "postgresql"}
