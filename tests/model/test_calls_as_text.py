import json
import time

import pytest

from cave_lab.model.calls_as_text import CALL_AS_TEXT, looks_like_a_call

CALL = '{"name": "run_cell", "arguments": {"purpose": "Count", "code": "len(df)"}}'
PRETTY = json.dumps(json.loads(CALL), indent=2)
ARGUMENTS = '{"purpose": "Count", "code": "len(df)"}'
LOOK = '{"name": "look", "arguments": {"names": ["df"], "detail": "head"}}'
SEEN = '{"names": ["df"], "detail": "head"}'

CALLS = {
    "JSON alone": CALL,
    "JSON behind words": f"I count the rows.\n\n{CALL}",
    "JSON over several lines": f"I count.\n{PRETTY}\n",
    "JSON in a list": f"[{CALL}]",
    "JSON with an invented result behind it": f"{CALL}\n\nThere are 42 rows.",
    "JSON in a fence": f"I count the rows.\n\n```json\n{CALL}\n```\n",
    "JSON in a fence without a language": f"```\n{PRETTY}\n```",
    "JSON in a fence never closed": f"```json\n{PRETTY}\n",
    "JSON with parameters": '{"name": "run_cell", "parameters": {"code": "x"}}',
    "JSON with a type": '{"type": "function", "name": "run_cell", "parameters": {"code": "x"}}',
    "JSON as the wire has it": '{"id": "1", "type": "function", "function": {"name": "run_cell", '
    '"arguments": "{\\"code\\": \\"x\\"}"}}',
    "JSON of a whole message": f'{{"tool_calls": [{CALL}]}}',
    "JSON with the arguments first": '{"arguments": {"code": "x = {1: 2}"}, "name": "run_cell"}',
    "JSON by the word tool": '{"tool": "run_cell", "args": {"code": "x"}}',
    "JSON with its arguments beside the name": '{"action": "run_cell", "code": "x"}',
    "JSON with bare line ends": '{"name": "run_cell", "arguments": {"code": "x\ny"}}',
    "JSON broken by quotes": '{"name": "run_cell", "arguments": {"code": "print("x")"}}',
    "JSON broken in a fence": '```json\n{"name": "run_cell", "arguments": {"code": "f("x")"}}\n```',
    "the arguments alone": ARGUMENTS,
    "tagged JSON": f"<tool_call>\n{CALL}\n</tool_call>",
    "tagged JSON behind words": f"I count. <tool_call>{CALL}</tool_call>",
    "tagged JSON never closed": f"<tool_call>\n{CALL[:-4]}",
    "tagged JSON in a fence": f"```xml\n<tool_call>\n{CALL}\n</tool_call>\n```",
    "tagged by a function": "<tool_call>\n<function=run_cell>\n<parameter=code>\nx\n</parameter>",
    "a function alone": '<function=run_cell>{"code": "x"}</function>',
    "tagged by a name": "<tool_call>run_cell\n<arg_key>code</arg_key>\n<arg_value>x</arg_value>",
    "an invocation": '<function_calls>\n<invoke name="run_cell">\n<parameter name="code">x',
    "a mark for calls": f"[TOOL_CALLS] [{CALL}]",
    "a mark for calls with a name": f"[TOOL_CALLS]run_cell{ARGUMENTS}",
    "a special token": f"<|python_tag|>{CALL}<|eom_id|>",
    "a special token with code": '<|python_tag|>run_cell(code="x")',
    "a special token with full-width bars": "<\uff5ctool\u2581call\u2581begin\uff5c>function"
    f"<\uff5ctool\u2581sep\uff5c>run_cell\n```json\n{ARGUMENTS}\n```",
    "a channel": f"<|channel|>commentary to=functions.run_cell <|message|>{ARGUMENTS}",
    "JSON before closing tokens": f"{CALL}</tool_call><|im_end|>\n",
    "a line of code": 'run_cell(code="len(df)")',
    "a line of code behind words": 'I count.\n\nrun_cell(purpose="Count", code="len(df)")\n',
    "a line of code with a long string": 'run_cell(\n  code="""\nx = 1\nprint("x")\n""",\n)',
    "a line of code in a fence": "I count.\n```tool_code\nrun_cell(code='len(df)')\n```",
    "a line of code of letters that may stand before a string": "run_cell(code='buf')",
    "a line of code that prints": '```python\nprint(run_cell("len(df)"))\n```',
    "a line of code of a namespace": "functions.run_cell(code='x', purpose='It\\'s')",
}

LOOKS = {
    "JSON alone": LOOK,
    "JSON behind words": f"I look at it.\n\n{LOOK}",
    "JSON in a list": f"[{LOOK}]",
    "JSON in a fence": f"I look.\n```json\n{LOOK}\n```",
    "JSON with one name": '{"name": "look", "parameters": {"names": "df"}}',
    "JSON as the wire has it": '{"id": "1", "type": "function", "function": {"name": "look", '
    '"arguments": "{\\"names\\": [\\"df\\"]}"}}',
    "JSON with its arguments beside the name": '{"action": "look", "names": ["df"]}',
    "JSON broken by quotes": '{"name": "look", "arguments": {"names": ["d["a"]"]}}',
    "the arguments alone": SEEN,
    "the arguments of a scratch cell alone": '{"purpose": "p", "code": "x", "scratch": true}',
    "tagged JSON": f"<tool_call>\n{LOOK}\n</tool_call>",
    "tagged JSON never closed": f"<tool_call>{LOOK[:-4]}",
    "tagged by a function": "<tool_call>\n<function=look>\n<parameter=names>\ndf\n</parameter>",
    "a function alone": '<function=look>{"names": ["df"]}</function>',
    "tagged by a name": "<tool_call>look\n<arg_key>names</arg_key>\n<arg_value>df</arg_value>",
    "an invocation": '<function_calls>\n<invoke name="look">\n<parameter name="names">df',
    "a mark for calls": f"[TOOL_CALLS] [{LOOK}]",
    "a mark for calls with a name": f"[TOOL_CALLS]look{SEEN}",
    "a special token with code": '<|python_tag|>look(names=["df"])',
    "a special token with full-width bars": "<\uff5ctool\u2581call\u2581begin\uff5c>function"
    f"<\uff5ctool\u2581sep\uff5c>look\n```json\n{SEEN}\n```",
    "a channel": f"<|channel|>commentary to=functions.look <|message|>{SEEN}",
    "a line of code": 'look(["df"])',
    "a line of code with names": 'I look.\n\nlook(names=["df", "x"], detail="head")\n',
    "a line of code with one name": "look(names='df')",
    "a line of code over several lines": 'look(\n  [\n    "df",\n    "x",\n  ],\n  "head",\n)',
    "a line of code in a fence": "I look.\n```tool_code\nlook(['df'], detail='column price')\n```",
    "a line of code that prints": '```python\nprint(look(["df"]))\n```',
    "a line of code of a namespace": "functions.look(names=['df'])",
}

NO_CALLS = {
    "words that look": "I look at it. Look: the frame has 3 rows.",
    "prose that begins with look": "look at the frame: it has 3 rows.",
    "prose with an action": "<action>look around</action> <action>look</action>",
    "prose about a tool that looks": "<tool_call> marks a call, and look is a tool.",
    "a call of the person's function": "```python\nlook('x')\n```",
    "a call of a method": "```python\nself.look(['x'])\n```",
    "a call with a variable": "look(names)",
    "a call in prose": 'I would call look(["df"]) for that.',
    "a call explained": f"A look is so:\n```json\n{LOOK}\n```\nIt runs nothing.",
    "a look of a placeholder": 'look(["..."])',
    "a look of a placeholder in JSON": '{"name": "look", "arguments": {"names": ["<name>"]}}',
    "a look of nothing in JSON": '{"name": "look", "arguments": {"names": []}}',
    "JSON of names": '{"names": ["Anna", "Berta"]}',
    "JSON of names with a detail": '{"names": ["Anna"], "detail": "both are girls"}',
    "JSON with a look as data": '{"name": "look", "price": 3}',
    "a schema of a look": '{"name": "look", "parameters": {"type": "object", "properties": '
    '{"names": {"type": "array"}}}}',
    "code that defines look": "```python\ndef look(names):\n    return names\n```",
    "nothing": "",
    "words": "There are 42 rows.",
    "prose that names the tool": "I use run_cell to run a cell in the kernel.",
    "prose that begins with the tool": "run_cell runs a cell. Its arguments are code and purpose.",
    "prose with a call inside": 'I would call run_cell(code="len(df)") for that.',
    "prose that begins with a call": 'run_cell(code="len(df)") counts the rows.',
    "prose with code marks": '`run_cell(code="len(df)")`\n`<tool_call>run_cell` is how it looks.',
    "prose about tags": "<tool_call> marks a call, and run_cell is the only tool.",
    "prose about a channel": "A call is addressed to=functions.run_cell.",
    "an explained example": f"A call looks so:\n```json\n{CALL}\n```\nIt runs one cell.",
    "an explained tag": f"```\n<tool_call>\n{CALL}\n</tool_call>\n```\nSo it is written.",
    "a signature": "run_cell(code, purpose)",
    "a placeholder": 'run_cell(code="...")',
    "a placeholder in JSON": '{"name": "run_cell", "arguments": {"code": "<code>"}}',
    "a placeholder in words": '{"name": "run_cell", "arguments": {"code": "your code here"}}',
    "code that has JSON": f"Try:\n```python\ncall = {CALL}\n```\n",
    "code that has JSON on a line": f"```python\nx = '''\n{CALL}\n'''\n```",
    "code that defines it": "```python\ndef run_cell(code):\n    return exec(code)\n```",
    "code that uses it": "```python\nimport cells\nresult = cells.run_cell(code='x')\n```",
    "IPython's own": "`get_ipython().run_cell('x')` runs a cell.",
    "a schema": '{"name": "run_cell", "parameters": {"type": "object", "properties": '
    '{"code": {"type": "string"}}}}',
    "another language": f"```js\n{CALL}\n```",
    "another tool": '{"name": "get_weather", "arguments": {"code": "x"}}',
    "JSON with code": 'Here it is:\n{"code": "AT", "purpose": "travel"}',
    "JSON with a country's code": '{"code": "AT", "name": "Austria"}',
    "JSON in a fence with the names": '```json\n{"code": "AT", "purpose": "travel"}\n```',
    "JSON with the name as data": '{"rows": ["run_cell"], "arguments": {"code": "x"}}',
    "a list": "[1, 2]",
    "JSON too deep": "[" * 100_000 + " run_cell",
}


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_a_call_written_as_text_is_seen(text: str):
    assert looks_like_a_call(text)


@pytest.mark.parametrize("text", LOOKS.values(), ids=LOOKS)
def test_a_look_written_as_text_is_seen(text: str):
    assert looks_like_a_call(text)


@pytest.mark.parametrize("text", NO_CALLS.values(), ids=NO_CALLS)
def test_what_is_no_call_is_not_taken_for_one(text: str):
    assert not looks_like_a_call(text)


@pytest.mark.parametrize(
    "repeated",
    ["run_cell(", "\nrun_cell('''", '\n{"name": "run_cell", "arguments": {', "\n[", "<tool_call>",
     "\n```\n", "</x>", "\nrun_cell('a',", "<tool_call> [ ", "\nlook([", "\nlook(['a',",
     "<tool_call>look "],
)  # fmt: skip
def test_hostile_text_takes_no_longer_than_its_length_allows(repeated: str):
    assert seconds_for("run_cell look " + repeated * (400_000 // len(repeated))) < 5


def seconds_for(text: str) -> float:
    """The processor's time for one look."""
    began = time.process_time()
    looks_like_a_call(text)
    return time.process_time() - began


@pytest.mark.parametrize("padding", [" ", "\n", "<>", "< ", "'"])
@pytest.mark.parametrize(
    ("before", "behind"),
    [("<tool_call>", "run_cell"), ("<tool_call>[", "run_cell"), ("[TOOL_CALLS]", "run_cell"),
     ("run_cell", ""), ("run_cell(", "x"), ('run_cell("', 'x")'), ("run_cell(\"\"\"a", 'b""")'),
     ('run_cell("a"', "x"), ('run_cell("a",', "x"), ('look(["a",', "x"),
     ("<tool_call>look", "x"), ('{"code": "', 'x", "purpose": "p"}')],
)  # fmt: skip
def test_a_call_that_is_padded_without_end_does_not_hold_up_the_server(
    before: str, padding: str, behind: str
):
    assert seconds_for(before + padding * (200_000 // len(padding)) + behind) < 5


def test_the_sentence_says_what_happened_and_that_nothing_ran():
    assert CALL_AS_TEXT.code == "call_as_text"
    assert "nothing was run" in CALL_AS_TEXT.sentence
