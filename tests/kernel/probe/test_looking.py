"""A closer look shows the beginning of a thing, or a place in it, without a cell."""

from tests.kernel.probe.lab import Lab
from tests.kernel.probe.looks import answers, look, text, texts

BUILTINS = """
import collections, datetime, decimal
from collections import namedtuple
class Mine(list):
    pass
class Word(str):
    pass
class Age(int):
    pass
Pair = namedtuple("Pair", "a b")
items = [1, "two", None, [3, [4, [5]]], {"k": (1,)}]
long_list = list(range(100))
records = [{"id": n, "name": "some name " + str(n)} for n in range(30)]
record = {"a": 1, "b": [1.5, True]}
unique, frozen = {7}, frozenset([8])
single, pair, mine = (1,), Pair(1, "x"), Mine([1, 2])
queue, span, nothing = collections.deque([1, 2]), range(1, 9, 2), {}
poem = "first\\nsecond\\n" + "x" * 20_000
word, data, numbers = Word("hello"), b"\\x00ab", bytearray(b"cd")
five, half, yes, none, age, turn = 5, 0.5, True, None, Age(7), 1 + 2j
big, huge = 10**400, 1 << 100_000
price = decimal.Decimal("1.50")
day, moment = datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5)
utc = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
clock, wait = datetime.time(3, 4), datetime.timedelta(days=1, seconds=5)
broken = "\\ud800 half \\x1b[31m"
broken_items = ["\\ud800", b"\\xff"]
"""


async def test_containers_show_their_first_items(lab: Lab):
    await lab.run_cell(BUILTINS)
    assert await texts(lab, "items", "record", "unique", "frozen", "single", "pair", "mine") == {
        "items": "[1, 'two', None, [3, [4, […]]], {'k': (1,)}]",
        "record": "{'a': 1, 'b': [1.5, True]}",
        "unique": "{7}",
        "frozen": "frozenset({8})",
        "single": "(1,)",
        "pair": "Pair(1, 'x')",
        "mine": "Mine([1, 2])",
    }
    assert await texts(lab, "queue", "span") == {
        "queue": "deque([1, 2])",
        "span": "range(1, 9, 2)",
    }
    assert (await look(lab, "nothing"))["note"] == "It is empty."
    assert (await text(lab, "long_list")).endswith("18, 19, …]")
    lines = (await text(lab, "records")).splitlines()
    assert lines[1] == " {'id': 1, 'name': 'some name 1'},"
    assert (len(lines), lines[-1]) == (21, " …]")


async def test_single_values_are_told_and_none_is_one_of_them(lab: Lab):
    await lab.run_cell(BUILTINS)
    names = "five half yes none age turn huge price word data numbers"
    assert await texts(lab, *names.split()) == {
        "five": "5",
        "half": "0.5",
        "yes": "True",
        "none": "None",
        "age": "7",
        "turn": "(1+2j)",
        "huge": "<int of 100,001 bits>",
        "price": "1.50",
        "word": "hello",
        "data": "b'\\x00ab'",
        "numbers": "b'cd'",
    }
    assert await text(lab, "big") == str(10**400)
    assert await texts(lab, "day", "moment", "utc", "clock", "wait") == {
        "day": "2020-01-02",
        "moment": "2020-01-02 03:04:05",
        "utc": "2020-01-02 03:04:05+00:00",
        "clock": "03:04:00",
        "wait": "1 days 00:00:05",
    }
    assert (await look(lab, "none"))["values"]


async def test_half_a_surrogate_pair_and_bytes_arrive_readably(lab: Lab):
    await lab.run_cell(BUILTINS)
    assert (await text(lab, "broken")).startswith("\\ud800 half")
    assert await text(lab, "broken_items") == "['\\ud800', b'\\xff']"


async def test_a_text_shows_its_beginning_and_any_place_in_it(lab: Lab):
    await lab.run_cell(BUILTINS)
    head = await look(lab, "poem", max_chars=100)
    assert head["text"] == {
        "before": "",
        "head": "first\nsecond\n" + "x" * 87,
        "behind": "",
        "tail": "",
        "total": 20_013,
        "cut": True,
    }
    middle = await look(lab, "poem", "slice", start=6, max_chars=6)
    assert (middle["text"]["head"], middle["text"]["total"]) == ("second", 20_013)
    assert middle["note"] == "Characters 6 to 11 of 20,013, counted from 0."
    beyond = await look(lab, "poem", "slice", start=30_000)
    assert (beyond["text"], beyond["note"]) == (None, "It has only 20,013 characters.")


async def test_a_list_is_read_from_any_place(lab: Lab):
    await lab.run_cell(BUILTINS)
    found = await look(lab, "long_list", "slice", start=98)
    assert (found["text"]["head"], found["note"]) == (
        "[98, 99]",
        "Items 98 to 99 of 100, counted from 0.",
    )
    assert await text(lab, "record", "slice", start=1) == "{'b': [1.5, True]}"
    assert (await look(lab, "record", "slice", start=2))["note"] == "It has only 2 items."
    far = await look(lab, "record", "slice", start=10**9)
    assert far["note"] == "Only the first 1,000,000 items can be reached without a cell."


async def test_an_answer_is_never_longer_than_asked_for(lab: Lab):
    await lab.run_cell(BUILTINS + "\ndeep = [[['word' * 99] * 99] * 99] * 99")
    for name in ("records", "deep", "poem", "long_list"):
        found = (await look(lab, name, max_chars=60))["text"]
        assert len(found["head"]) + len(found["tail"]) <= 60, name
        assert found["cut"]
        assert found["total"] > 60


async def test_what_stands_beside_what_is_told_comes_with_it_if_it_is_asked_for(lab: Lab):
    await lab.run_cell("text = 'abcdefghij' * 3\ndata = text.encode()\nitems = [text] * 3")
    part = (await look(lab, "text", "slice", start=4, max_chars=3, reach=2))["text"]
    assert [part[key] for key in ("before", "head", "behind")] == ["cd", "efg", "hi"]
    part = (await look(lab, "data", "slice", start=4, max_chars=12, reach=2))["text"]
    assert [part[key] for key in ("opening", "before", "head", "behind", "closing")] == [
        "b'", "cd", "efg", "hi", "'…"
    ]  # fmt: skip
    part = (await look(lab, "items", max_chars=10, reach=4))["text"]
    assert [part[key] for key in ("head", "behind")] == ["['abc", "defg"]
    assert [part[key] for key in ("ahead", "tail")] == ["ghij", "', …]"]


async def test_without_values_only_counts_and_types_leave(lab: Lab):
    await lab.run_cell(BUILTINS)
    names = ("items", "record", "poem", "data", "five", "none", "moment")
    found = await answers(lab, *names, values=False)
    assert not any(one["values"] for one in found.values())
    told = {name: one["text"] and one["text"]["head"] for name, one in found.items()}
    assert told == {
        "items": "5 items: 1 int, 1 str, 1 NoneType, 1 list, 1 dict",
        "record": "2 items: keys: 2 str; values: 1 int, 1 list",
        "poem": "20,013 characters in 3 lines",
        "data": "3 bytes",
        "five": None,
        "none": None,
        "moment": None,
    }
    assert {one["note"] for one in found.values()} == {"Only counts are told here, not values."}


async def test_several_names_are_answered_at_once_and_unknown_ones_left_out(lab: Lab):
    await lab.run_cell("a, b = [1], 'x'")
    found = await answers(lab, "a", "gone", "b")
    assert {name: one["text"]["head"] for name, one in found.items()} == {"a": "[1]", "b": "x"}
    assert found["a"]["row"]["type"] == "list"


async def test_schema_is_the_row_alone(lab: Lab):
    await lab.run_cell("a = [1, 2]")
    assert await look(lab, "a", "schema") == {
        "name": "a",
        "row": {**(await lab.rows())["a"]},
    }


async def test_what_has_no_columns_says_so(lab: Lab):
    await lab.run_cell(BUILTINS)
    for name in ("items", "poem", "data", "five", "none"):
        assert (await look(lab, name, "column", column="a"))["note"] == "It has no columns."
