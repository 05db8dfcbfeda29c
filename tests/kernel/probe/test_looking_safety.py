"""A closer look runs no code of the user's, keeps nothing alive and leaves no trace."""

from functools import partial

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import answers, look, text
from tests.kernel.probe.test_safety import HOSTILE, NAMES
from tests.waiting import until

KINDS = ("schema", "head", "column", "slice")

INSIDE = (
    HOSTILE
    + """
class Key:
    def __hash__(self): _calls.append("hash"); return 12345
    def __eq__(self, other): _calls.append("eq"); return False
    __repr__ = __str__ = _trap("key")
class Zone(__import__("datetime").tzinfo):
    utcoffset = dst = tzname = _trap("zone")
class Number(np.float64):
    __repr__ = __str__ = __float__ = _trap("number")
class Deep(dict):
    items = keys = __iter__ = __getitem__ = _trap("deep")
everything = [h01, h02, h03, h04, h05, h06, h07, h08, h09, h10, h11, h12, h13, h14, h15, h16]
keyed, unique = {Key(): h01, "k": Key()}, {Key(), Key()}
deep, nested = Deep(a=h01), [[[h01]], (h05, h06), {"k": {Key()}}]
objects = np.empty(4, dtype=object)
objects[0], objects[1], objects[2], objects[3] = h01, h04, h06, Key()
def _filled(array):
    for place in range(4):
        array[place] = objects[place]
frame = pd.DataFrame({"a": [1, 2, 3, 4], "o": np.array([None] * 4, dtype=object)})
_filled(next(one.values[0] for one in frame._mgr.blocks if one.values.dtype == object))
record = np.empty(1, dtype=[("o", "O")])
record["o"][0] = h01
column = pd.Series([1, 2, 3, 4], index=pd.Index(np.array([None] * 4, dtype=object)))
column.index._data.setflags(write=True)
_filled(column.index._data)
import datetime
moments = [datetime.datetime(2020, 1, 1, tzinfo=Zone()), datetime.time(1, tzinfo=Zone())]
numbers = [Number(1.5), h07, h10]
_calls.clear()
"""
)
HOLDERS = [
    *("everything", "keyed", "unique", "deep", "nested", "objects", "frame", "record"),
    *("column", "moments", "numbers"),
]


async def test_hostile_objects_and_what_holds_them_are_shown_without_a_single_call(lab: Lab):
    assert (await lab.run_cell(INSIDE))["content"]["status"] == "ok"
    for kind in KINDS:
        for values in (True, False):
            found = await answers(
                lab, *NAMES, *HOLDERS, kind=kind, column="o", start=1, values=values
            )
            assert set(found) == {*NAMES, *HOLDERS}
            assert await lab.value("_calls") == "[]"


async def test_what_can_not_be_read_shows_its_type(lab: Lab):
    await lab.run_cell(INSIDE)
    closed = "Only its type can be told without running code of the object."
    for name in ("h01", "h02", "h11", "h14", "h24"):
        assert (await look(lab, name))["note"] == closed
    assert await text(lab, "keyed") == "{<Key>: <Everything>, 'k': <Key>}"
    assert await text(lab, "unique") == "{<Key>, <Key>}"
    assert await text(lab, "deep") == "Deep({'a': <Everything>})"
    assert await text(lab, "objects") == "[<Everything>, Hostilelist([]), text, <Key>]"
    assert await text(lab, "record") == "[(<Everything>,)]"
    assert await text(lab, "moments") == "[2020-01-01 00:00:00 <Zone>, 01:00:00]"
    assert await text(lab, "numbers") == "[<Number>, 5, 1.5]"
    counts = (await text(lab, "frame", "column", column="o")).split("\n")[1]
    assert counts == "0 missing, 1 Everything, 1 Hostilelist, 1 Hostilestr, 1 Key"
    assert await lab.value("_calls") == "[]"


async def test_shadowed_builtins_change_nothing(lab: Lab):
    await lab.run_cell(
        "import pandas as pd\nframe = pd.DataFrame({'a': [1]})\nitems = [1]\n"
        "list = str = len = type = repr = range = zip = map = None"
    )
    assert (await text(lab, "items"), await text(lab, "frame")) == ("[1]", "a\n1")


async def test_a_look_keeps_no_object_alive(lab: Lab):
    await lab.run_cell(
        "import gc, numpy as np, pandas as pd, weakref\n"
        "class Thing: pass\n"
        "class Items(list): pass\n"
        "big, frame = np.ones(1_000_000), pd.DataFrame({'a': ['x', 'y']})\n"
        "thing, items = Thing(), Items([Thing()])\n"
        "known = [weakref.ref(one) for one in (big, frame, thing, items, items[0])]\n"
        "gc.collect(); gc.disable()"
    )
    for kind in KINDS:
        for values in (True, False):
            await answers(
                lab, "big", "frame", "thing", "items", kind=kind, column="a", values=values
            )
    await lab.run_cell("del big, frame, thing, items")
    assert await lab.value("[ref() for ref in known]") == "[None, None, None, None, None]"


async def test_output_history_count_and_figures_stay_as_they_are(new_lab: Lab):
    lab = new_lab
    await lab.run_cell("%matplotlib inline\nimport matplotlib.pyplot as plt\ndata = [1]\n41 + 1")
    users = lab.start_cell(
        "plt.plot([1, 2])\nanswer = input('?')\nplt.title(answer)\nlines = len(plt.gca().lines)",
        allow_stdin=True,
    )
    await until(lambda: lab.questions, "the user's question", seconds=60)
    state = await answers(lab, "data", kind="schema")
    assert state["data"]["row"]["length"] == 1
    lab.client.input("a title")
    assert (await lab.finished(users))["content"]["status"] == "ok"
    assert lab.types(users).count("display_data") == 1
    before = await lab.value("(_, __, len(Out), len(In), get_ipython().execution_count, dir())")
    for kind in KINDS:
        await answers(lab, "data", "answer", "plt", kind=kind)
    after = await lab.value("(_, __, len(Out), len(In), get_ipython().execution_count, dir())")
    assert before == after
    assert await lab.value("(answer, lines)") == "('a title', 1)"


async def test_data_that_changes_meanwhile_gives_an_answer_or_a_note(lab: Lab):
    run = lab.start_cell(
        "import time\nd, n = {}, 0\n"
        "while True:\n    n += 1\n    d[n] = n\n    d.pop(n - 50, None)\n    time.sleep(0)"
    )
    await until(partial(lab.has_started, run), "the cell's input")

    async def filled() -> bool:
        return (await lab.rows()).get("d", {}).get("length") == 50

    await until(filled, "the filled dict")
    for _ in range(20):
        found = await look(lab, "d")
        assert (found["text"] is not None) or found["note"].startswith("Its contents could not")
    await lab.manager.interrupt_kernel()
    await lab.reply(run)


async def test_when_the_time_is_up_the_other_names_say_so(lab: Lab):
    await lab.run_cell("a, b = [1], [2]")
    found = await answers(lab, "a", "b", budget_ms=0)
    late = "There was no time left to look at this one. Look at it alone."
    assert [one["note"] for one in found.values()] == [None, late]
    assert found["b"]["row"]["length"] == 1
