"""No code of the user's classes runs because the probe looks."""

from tests.kernel.probe.lab import Lab

HOSTILE = """
import sys, time, types
import numpy as np, pandas as pd
_calls = []
def _trap(label):
    def act(*args, **kwargs):
        _calls.append(label)
        raise RuntimeError(label)
    return act
NAMES = (
    "__repr__ __str__ __len__ __bool__ __iter__ __getitem__ __contains__ __sizeof__ __dir__ "
    "__hash__ __eq__ __ne__ __lt__ __format__ __bytes__ __index__ __int__ __float__ __call__ "
    "__getattr__ __reduce__ __reduce_ex__ __getstate__ __array__ __enter__ __await__ __copy__ "
    "__length_hint__ _repr_html_ keys items __fspath__ __instancecheck__ __subclasscheck__"
).split()
TRAPS = {name: _trap(name) for name in NAMES}
PROPERTIES = {
    name: property(_trap(name))
    for name in "__class__ __dict__ shape dtype columns index _mgr __name__ __wrapped__".split()
}
Everything = type("Everything", (), {**TRAPS, **PROPERTIES, "__getattribute__": _trap("get")})
class Meta(type):
    pass
META = "__repr__ __eq__ __hash__ __instancecheck__ __subclasscheck__ __iter__ __len__ __bool__"
for _name in (*META.split(), "__getattribute__"):
    setattr(Meta, _name, _trap("meta " + _name))
WithMeta = Meta("WithMeta", (), {})
def _kind(base, **more):
    return type("Hostile" + base.__name__, (base,), {**TRAPS, **more})
def _made(cls, *args):
    return cls.__mro__[1].__new__(cls, *args)
class Slow:
    def __repr__(self): time.sleep(30)
    __len__ = __str__ = __getattr__ = __repr__
class Slots:
    __slots__ = ("a",)
    __getattribute__ = _trap("slots")
class OddName(str):
    __hash__ = str.__hash__
    __str__ = __repr__ = __len__ = _trap("odd name")
class Odd: pass
Odd.__qualname__ = OddName("Odd")
Odd.__module__ = Everything.__new__(Everything)
class Lazy(types.ModuleType):
    __getattr__ = _trap("lazy module")
class Array(np.ndarray):
    def __array_finalize__(self, obj): _calls.append("finalize") if _armed else None
    __getattr__ = _trap("array getattr")
class Frame(pd.DataFrame):
    _metadata = []
    def __getattr__(self, name):
        _calls.append("frame " + name) if _armed else None
        raise AttributeError(name)
    @property
    def _constructor(self): _calls.append("constructor") if _armed else None; return Frame
_armed = False
h01 = Everything.__new__(Everything)
h02 = WithMeta
h03 = object.__new__(WithMeta)
h04 = _made(_kind(list))
h05 = _made(_kind(dict))
h06 = _made(_kind(str), "text")
h07 = _made(_kind(int), 5)
h08 = _made(_kind(tuple))
h09 = _made(_kind(set))
h10 = _made(_kind(float), 1.5)
h11 = Slow()
h12 = Slots()
h13 = Odd()
h14 = Lazy("lazy")
h15 = np.zeros(3).view(Array)
h16 = Frame({"a": [1, 2], "b": ["x", "y"]})
h17 = [Everything.__new__(Everything)] * 3
h18 = {"k": Everything.__new__(Everything), "m": WithMeta}
h19 = pd.DataFrame({"o": [0]}); h19["o"] = h19["o"].astype(object)
h20 = (i for i in map(_trap("generator"), [1]))
h21 = np.empty(2, dtype=object)
h21[0] = Everything.__new__(Everything)
h22 = pd.Series([1], name="x"); h22.attrs["k"] = Everything.__new__(Everything)
h23 = types.SimpleNamespace(inner=Everything.__new__(Everything))
h24 = lambda default=h17: default
h24.extra = Everything.__new__(Everything)
sys.modules["polars"] = Everything.__new__(Everything)
_armed = True
_calls.clear()
"""

NAMES = [f"h{number:02}" for number in range(1, 25)]


async def test_24_hostile_objects_are_described_without_a_single_call(lab: Lab):
    assert (await lab.run_cell(HOSTILE))["content"]["status"] == "ok"
    assert await lab.value("len(_calls)") == "0"
    rows = await lab.rows(previews=True)
    assert set(NAMES) <= set(rows)
    assert await lab.value("_calls") == "[]"
    assert rows["h16"]["shape"] == [2, 2]
    assert rows["h15"]["shape"] == [3]


async def test_they_are_compared_around_cells_without_a_single_call(lab: Lab):
    await lab.run_cell(HOSTILE)
    code = f"def take(*all): pass\ntake({', '.join(NAMES)})\n[{', '.join(NAMES)}]\nNone"
    run = await lab.run(code)
    assert run["content"]["status"] == "ok"
    assert await lab.value("_calls") == "[]"
    await lab.run("try: len(h04)\nexcept RuntimeError: pass")
    assert await lab.value("_calls") == "['__len__']"
    await lab.run("_calls.clear()")
    assert (await lab.changes(run["parent_header"]["msg_id"]))["known"]
    assert await lab.value("_calls") == "[]"


async def test_a_name_with_a_hostile_key_beside_it_is_found_without_a_call(lab: Lab):
    await lab.run_cell(HOSTILE)
    await lab.run_cell(
        "class Key:\n"
        "    def __hash__(self): _calls.append('hash'); return 12345\n"
        "    def __eq__(self, other): _calls.append('eq'); return False\n"
        "globals()[Key()] = 1\nkeyed = {Key(): 1}\n_calls.clear()"
    )
    assert "keyed" in await lab.rows()
    await lab.run_cell("keyed['a'] = 1\n_calls.clear()")
    await lab.rows()
    await lab.run("len(keyed)\nNone")
    assert await lab.value("_calls") == "[]"
