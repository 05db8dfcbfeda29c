"""What a cell did to the variables, in the kinds that can be told apart."""

from tests.kernel.probe.lab import Lab

SETUP = """
import numpy as np, pandas as pd
df = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "n": pd.array([1, None], dtype="Int64")})
other = pd.DataFrame({"k": [1]})
array, long_array = np.zeros(4), np.zeros(2_000_000)
items, nested, table, unique = [1], {"k": [1]}, {"a": 1}, {1}
long_list = list(range(50_000))
number, text = 5000, "text"
class Thing:
    shared = []
    def grow(self):
        self.values.append(1)
thing = Thing()
thing.values = []
def grow():
    items.append(1)
def source():
    yield 1
waiting = source()
alias = items
records = [{"id": n, "tags": []} for n in range(300)]
rows = [[n, str(n)] for n in range(300)]
"""

CASES = {
    "fresh = 1": {"fresh": "added"},
    "del table": {"table": "removed"},
    "items = [1]": {"items": "rebound"},
    "number = 6000": {"number": "rebound"},
    "number = 5000; text = 'te' + 'xt'": {},
    "df['c'] = 1": {"df": "changed"},
    "df.drop(columns='b', inplace=True)": {"df": "changed"},
    "df.loc[0, 'a'] = 9": {"df": "changed"},
    "df.loc[0, 'b'] = 'z'": {"df": "changed"},
    "df.loc[0, 'n'] = 7": {"df": "changed"},
    "df.loc[1, 'n'] = 7": {"df": "changed"},
    "df.columns = ['p', 'q', 'r']": {"df": "changed"},
    "df.index.name = 'id'": {"df": "changed"},
    "df.sort_values('a', ascending=False, inplace=True)": {"df": "changed"},
    "array[0] = 1": {"array": "changed"},
    "array.resize(8, refcheck=False)": {"array": "changed"},
    "long_array[:] = 1": {"long_array": "changed"},
    "long_array[17] = 1": {"long_array": "maybe_changed"},
    "items.append(2)": {"items": "changed", "alias": "changed"},
    "items[0] = 2": {"items": "changed", "alias": "changed"},
    "items += [2]": {"items": "changed", "alias": "changed"},
    "table['b'] = 2": {"table": "changed"},
    "del table['a']": {"table": "changed"},
    "unique.add(2)": {"unique": "changed"},
    "nested['k'].append(2)": {"nested": "changed"},
    "long_list.append(1)": {"long_list": "changed"},
    "long_list[777] = 0": {"long_list": "maybe_changed"},
    "records[7]['id'] = 0": {"records": "changed"},
    "records[7]['tags'].append(1)": {"records": "maybe_changed"},
    "records[7]['more'] = 1": {"records": "changed"},
    "rows[299][1] = ''": {"rows": "changed"},
    "thing.values.append(1)": {"thing": "changed"},
    "thing.grow()": {"thing": "changed"},
    "Thing.shared.append(1)": {"Thing": "changed"},
    "thing.fresh = 1": {"thing": "changed"},
    "grow()": {"items": "changed", "alias": "changed"},
    "next(waiting)": {"waiting": "maybe_changed"},
    "for one in waiting: pass": {"waiting": "maybe_changed", "one": "added"},
    "exec('items.append(1)')": {"items": "changed", "alias": "changed"},
    "%time items.append(1)": {"items": "changed", "alias": "changed"},
    "%%time\nitems.append(1)": {"items": "changed", "alias": "changed"},
    "%%capture\nitems.append(1)": {"items": "changed", "alias": "changed"},
    "import asyncio\nawait asyncio.sleep(0)\nitems.append(1)": {
        "asyncio": "added",
        "items": "changed",
        "alias": "changed",
    },
    "df.groupby('a').size(); len(items); array.sum(); print(df, thing)": {},
    "1 / 0": {},
}


async def test_each_kind_of_change_is_told(new_lab: Lab):
    found = {}
    for code in CASES:
        await new_lab.run_cell("%reset -f\n" + SETUP)
        found[code] = await new_lab.changed_by(code)
    assert found == CASES


async def test_the_kinds_are_told_in_every_kernel(lab: Lab):
    await lab.run_cell(SETUP)
    for code in ("df['c'] = 1", "items.append(2)", "fresh = 1", "del table", "items = 3"):
        assert await lab.changed_by(code) == CASES.get(code, {"items": "rebound"})


HARMLESS_FAILURES = [
    "df['missing']",
    "df.groupby('missing').sum()",
    "items.missing()",
    "undefined",
    "1 +",
    "grow(1)",
    "other.merge(df, on='missing')",
    "int(text)",
    "Thing().values.append(1)",
]


async def test_a_failed_cell_that_changed_nothing_is_known_to_have_changed_nothing(new_lab: Lab):
    await new_lab.run_cell(SETUP)
    for code in HARMLESS_FAILURES:
        run = await new_lab.run(code)
        assert run["content"]["status"] == "error"
        changes = await new_lab.changes(run["parent_header"]["msg_id"])
        assert (code, changes["changes"], changes["complete"]) == (code, [], True)


async def test_a_failed_cell_that_changed_something_is_known_to_have(new_lab: Lab):
    await new_lab.run_cell(SETUP)
    for code in ("items.append(2); 1 / 0", "del table; 1 / 0", "fresh = 1; 1 / 0"):
        assert await new_lab.changed_by(code)


async def test_a_cell_that_reaches_hidden_names_is_never_called_complete(new_lab: Lab):
    for code in ("exec('1')", "globals()", "from os import *", "%unheard_of 1"):
        run = await new_lab.run(code)
        assert not (await new_lab.changes(run["parent_header"]["msg_id"]))["complete"]


async def test_a_change_is_told_with_type_and_sizes_before_and_after(lab: Lab):
    await lab.run_cell(SETUP)
    run = await lab.run("df['c'] = 1\ngrown = df\ndel table\nitems = 'text'")
    changes = (await lab.changes(run["parent_header"]["msg_id"]))["changes"]
    found = {change["name"]: change for change in changes}
    assert found["df"]["before"] == {"type": "DataFrame", "shape": [2, 3]}
    assert found["df"]["after"] == {"type": "DataFrame", "shape": [2, 4]}
    assert "before" not in found["grown"]
    gone = {"type": "dict", "length": 1}
    assert found["table"] == {"name": "table", "kind": "removed", "before": gone}
    assert found["items"]["before"]["type"] == "list"
    assert found["items"]["after"] == {"type": "str", "length": 4}


async def test_cells_since_a_mark_tell_whose_they_are(lab: Lab):
    mark = (await lab.ask("changes_since", mark=0))["mark"]
    users = await lab.run_cell("x = [1]")
    ours = await lab.run("x.append(2)")
    answer = await lab.ask("changes_since", mark=mark)
    told = [(cell["msg_id"], cell["ours"], len(cell["changes"])) for cell in answer["cells"]]
    assert told == [
        (users["parent_header"]["msg_id"], False, 1),
        (ours["parent_header"]["msg_id"], True, 1),
    ]
    assert answer["lost"] == 0
    assert (await lab.ask("changes_since", mark=answer["mark"]))["cells"] == []


async def test_only_the_last_cells_are_kept_and_the_lost_are_counted(bare: Lab):
    await bare.inject(kept_cells=3)
    for number in range(5):
        await bare.run_cell(f"x = [{number}]")
    answer = await bare.ask("changes_since", mark=0)
    assert (len(answer["cells"]), answer["lost"]) == (3, 2)


ODD_NAMESPACE = """
shell = get_ipython()
shell.user_ns = type('Odd', (dict,), {})(shell.user_ns)
"""


async def test_a_cell_around_which_nothing_could_be_compared_is_told_to_be_unknown(new_lab: Lab):
    mark = (await new_lab.ask("changes_since", mark=0))["mark"]
    assert (await new_lab.run_cell(ODD_NAMESPACE))["content"]["status"] == "ok"
    run = await new_lab.run("1")
    answer = await new_lab.ask("changes_since", mark=mark)
    told = [(cell["ours"], cell["changes"], cell["complete"]) for cell in answer["cells"]]
    assert told == [(False, [], False), (True, [], False)]
    assert not (await new_lab.changes(run["parent_header"]["msg_id"]))["complete"]


async def test_silent_requests_and_empty_cells_are_not_cells(lab: Lab):
    await lab.run_cell("x = 1", silent=True)
    await lab.run_cell("  ")
    await lab.run_cell("%%capture\n  ")
    answer = await lab.ask("changes_since", mark=0)
    assert len(answer["cells"]) == 1


async def test_a_change_between_cells_is_not_blamed_on_the_next(new_lab: Lab):
    await new_lab.run_cell("items, go = [], None")
    await new_lab.run_cell("items.append(1)", silent=True)
    assert await new_lab.changed_by("items") == {}


async def test_a_change_by_a_way_that_the_code_does_not_show_is_found_too(new_lab: Lab):
    await new_lab.run_cell("items = [1]\nhidden = [lambda: items.append(2)]")
    assert (await new_lab.changed_by("hidden[0]()"))["items"] == "changed"


async def test_a_long_list_of_changes_is_cut_and_not_called_complete(lab: Lab):
    run = await lab.run("for n in range(500): globals()[f'v{n}'] = n")
    answer = await lab.changes(run["parent_header"]["msg_id"])
    assert len(answer["changes"]) == 200
    assert not answer["complete"]


async def test_an_unknown_cell_is_said_to_be_unknown(lab: Lab):
    assert not (await lab.changes("never"))["known"]


async def test_over_budget_it_says_that_it_did_not_see_everything(bare: Lab):
    await bare.inject(hook_budget_ms=0)
    await bare.run_cell("items = [1]")
    run = await bare.run("items.append(2)")
    answer = await bare.changes(run["parent_header"]["msg_id"])
    assert answer["known"]
    assert not answer["complete"]


async def test_an_error_inside_the_hook_never_reaches_the_cell(new_lab: Lab):
    await new_lab.run_cell(
        "class Broken(dict):\n    def __contains__(self, name): raise ValueError(name)\n"
        "get_ipython().user_ns_hidden = Broken()"
    )
    run = new_lab.start_cell("print('fine')")
    assert (await new_lab.finished(run))["content"]["status"] == "ok"
    assert new_lab.text(run) == "fine\n"


async def test_the_users_own_setting_of_the_garbage_collector_is_kept(new_lab: Lab):
    for setting, enabled in (("disable", "False"), ("enable", "True")):
        await new_lab.run_cell(f"import gc\ngc.{setting}()")
        await new_lab.run_cell("x = [1]")
        assert await new_lab.value("gc.isenabled()") == enabled
