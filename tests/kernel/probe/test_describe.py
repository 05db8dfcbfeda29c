"""What one row tells of Python's own types and of the user's classes and functions."""

from tests.kernel.probe.lab import Lab

HOLDING = """
import collections
words, mixed, nested = ["a", "b"], [1, "a", 2.0], [[1], [2]]
table, empty, blank = {"a": 1, "b": None}, [], {}
pair, unique, frozen = (1, "a"), {1}, frozenset(["x"])
queue, ordered = collections.deque([1]), collections.OrderedDict(a=[1])
many = list(range(1_000))
late = [0] * 999 + ["x"]
kinds = [1, "a", 2.0, b"", None]
class Mine(list):
    pass
mine = Mine(["a"])
"""


async def summaries(lab: Lab, **content) -> dict[str, str | None]:
    return {name: row.get("summary") for name, row in (await lab.rows(**content)).items()}


async def test_containers_tell_the_types_of_what_they_hold(lab: Lab):
    await lab.run_cell(HOLDING)
    found = await summaries(lab)
    assert (found["words"], found["mixed"]) == ("of str", "of int, str, float")
    assert (found["nested"], found["pair"]) == ("of list", "of int, str")
    assert (found["unique"], found["frozen"], found["queue"]) == ("of int", "of str", "of int")
    assert (found["table"], found["ordered"]) == ("of str → int, NoneType", "of str → list")
    assert (found["empty"], found["blank"]) == (None, None)
    assert found["mine"] == "of str"
    assert found["kinds"] == "of int, str, float, …"


async def test_a_type_that_was_only_seen_in_a_sample_is_said_to_be(lab: Lab):
    await lab.run_cell(HOLDING)
    found = await summaries(lab)
    assert found["many"] == "of int (sample)"
    assert found["late"] in ("of int (sample)", "of int, str (sample)")


CODE = '''
def plain(a, b=1):
    """Adds two numbers.

    At length.
    """
def silent(): pass
def other(): 5
other.__doc__ = 5
async def fetch(url):
    "Gets a page."
class Tool:
    """A tool for the job."""
    def __init__(self, size, *, colour="secret-default"): pass
class Bare: pass
from textwrap import dedent
from collections import OrderedDict
'''


async def test_the_users_functions_and_classes_tell_their_first_line(lab: Lab):
    await lab.run_cell(CODE)
    found = await summaries(lab)
    assert found["plain"] == "plain(a, b=…): Adds two numbers."
    assert found["silent"] == "silent()"
    assert found["other"] == "other()"
    assert found["fetch"] == "async fetch(url): Gets a page."
    assert found["Tool"] == "Tool(), made with (size, *, colour=…): A tool for the job."
    assert found["Bare"] == "Bare()"


async def test_libraries_functions_and_classes_are_told_without_their_docstrings(lab: Lab):
    await lab.run_cell(CODE)
    found = await summaries(lab)
    assert found["dedent"] == "dedent(text)"
    assert found["OrderedDict"] == "OrderedDict(dict)"


async def test_a_module_file_of_the_users_own_counts_as_theirs(lab: Lab, tmp_path):
    (tmp_path / "helpers_of_mine.py").write_text('def act():\n    """Acts."""\n')
    await lab.run_cell(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom helpers_of_mine import act"
    )
    assert (await summaries(lab))["act"] == "act(): Acts."


FIELDS = """
import dataclasses, typing
@dataclasses.dataclass
class Point:
    x: int = 41
    y: "float" = 42.5
    tags: typing.List[str] = dataclasses.field(default_factory=lambda: ["secret"])
    shared: typing.ClassVar[int] = 43
    choice: typing.Optional[typing.Literal["secret"]] = None
@dataclasses.dataclass
class Place(Point):
    '''Somewhere.'''
    name: str = "secret"
point, place = Point(), Place()
"""


async def test_dataclasses_tell_names_and_types_of_their_fields_and_no_default(lab: Lab):
    await lab.run_cell(FIELDS)
    rows = await lab.rows()
    own = [["x", "int"], ["y", "float"], ["tags", "list[str]"], ["choice", "Literal | None"]]
    assert rows["point"]["columns"] == rows["Point"]["columns"] == own
    assert rows["place"]["columns"] == [*own, ["name", "str"]]
    assert rows["point"]["columns_total"] == 4
    assert (rows["Point"]["kind"], rows["point"]["kind"]) == ("class", "instance")
    assert rows["Point"]["summary"] == "Point()"
    assert rows["Place"]["summary"] == "Place(Point): Somewhere."
    assert "secret" not in str(rows)


async def test_fields_are_bounded_like_columns(lab: Lab):
    await lab.run_cell(
        "import dataclasses\n"
        "Wide = dataclasses.make_dataclass('Wide', [f'f{n}' for n in range(70)])"
    )
    row = (await lab.rows())["Wide"]
    assert (len(row["columns"]), row["columns_total"]) == (50, 70)


RUNNING = """
def count():
    yield 1
def begun():
    yield 1
async def wait(): pass
async def stream():
    yield 1
fresh, halfway, done = count(), begun(), count()
next(halfway)
list(done)
waiting, streaming = wait(), stream()
"""


async def test_generators_and_coroutines_tell_whose_they_are_and_whether_they_ended(lab: Lab):
    await lab.run_cell(RUNNING)
    rows = await lab.rows()
    found = {name: row["summary"] for name, row in rows.items() if row["kind"] == "generator"}
    assert found == {
        "fresh": "count()",
        "halfway": "begun()",
        "done": "count(), finished",
        "waiting": "wait()",
        "streaming": "stream()",
    }
    assert await lab.value("list(halfway), next(fresh)") == "([], 1)"
    await lab.run_cell("waiting.close()")


FILES = """
import io, pathlib, tempfile
folder = tempfile.mkdtemp()
place = pathlib.Path(folder, "secret-name.txt")
writing, raw = place.open("w"), open(place, "rb", buffering=0)
both = place.open("r+b")
shut = place.open("a")
shut.close()
text, data = io.StringIO("secret"), io.BytesIO(b"secret")
data.close()
class Odd(io.RawIOBase):
    asked = 0
    @property
    def closed(self): Odd.asked += 1; return False
    def readable(self): return True
odd = io.BufferedReader(Odd())
over = io.TextIOWrapper(odd)
Odd.asked = 0
del folder, place
"""


async def test_files_tell_mode_and_whether_they_are_open_and_never_their_name(lab: Lab):
    await lab.run_cell(FILES)
    rows = await lab.rows()
    found = {name: row.get("summary") for name, row in rows.items() if row["kind"] == "file"}
    assert found == {
        "writing": "mode w, open",
        "raw": "mode rb, open",
        "both": "mode rb+, open",
        "shut": "mode a, closed",
        "text": "in memory, open",
        "data": "in memory, closed",
        "odd": None,
        "over": None,
    }
    assert "secret" not in str(rows)
    assert await lab.value("Odd.asked") == "0"


async def test_a_sqlite_connection_tells_its_kind_and_not_its_place(lab: Lab):
    await lab.run_cell(
        "import sqlite3, tempfile\n"
        "conn = sqlite3.connect(tempfile.mkdtemp() + '/secret.db')\ncursor = conn.cursor()"
    )
    rows = await lab.rows()
    for name in ("conn", "cursor"):
        assert (rows[name]["kind"], rows[name]["summary"]) == ("connection", "sqlite")
    assert "secret" not in str(rows)


async def test_an_index_is_told_unless_it_only_counts(lab: Lab):
    await lab.run_cell(
        "import pandas as pd\n"
        "counted = pd.DataFrame({'a': [1, 2]})\n"
        "by_day = counted.set_index(pd.to_datetime(['2020-01-01', '2021-01-01']))\n"
        "by_name = counted.set_index(pd.Index(['x', 'y'], name='who'))\n"
        "by_two = pd.DataFrame({'a': [1], 'b': [2], 'c': [3]}).set_index(['a', 'b'])\n"
        "tail = counted[1:]\nseries = by_name['a']\ncount = counted['a']"
    )
    found = await summaries(lab)
    assert found["counted"] is None
    assert found["by_day"] == "index DatetimeIndex"
    assert found["by_name"] in ("index Index of str (who)", "index Index of object (who)")
    assert found["by_two"] == "index MultiIndex (a, b)"
    assert found["tail"] == "index RangeIndex"
    assert found["series"] == f"name a, {found['by_name']}"
    assert found["count"] == "name a"
