"""Replies of models without tools, and what each has to come to."""

from dataclasses import dataclass

SIZES = (1, 3, 1_000)
"""Characters in a delta."""

READY = "ready"


@dataclass(frozen=True)
class Case:
    """A reply, the words that are shown of it, and the code that runs or why none does."""

    name: str
    text: str
    prose: str
    outcome: str | None = None
    code: str | None = None
    purpose: str | None = None
    language: str = "python"
    plain_run: bool = False
    typed: str | None = None
    """The code that is shown while it is typed, where that is not the code that runs."""


def runs(name: str, text: str, prose: str, code: str, **more) -> Case:
    """A reply whose code runs."""
    return Case(name, text, prose, READY, code, **more)


def shown(name: str, text: str, **more) -> Case:
    """A reply that is nothing but words."""
    return Case(name, text, text, **more)


def refused(name: str, text: str, prose: str, outcome: str, typed: str = "", **more) -> Case:
    """A reply with an action that does not run."""
    return Case(name, text, prose, outcome, typed=typed, **more)


_PLAIN = [
    runs("an action", "I look.\n\n```python run\nx = 1\n```\n", "I look.\n\n", "x = 1"),
    runs("nothing but an action", "```python run\nx = 1\n```", "", "x = 1", purpose=""),
    runs("several lines", "```python run\na\n\n\tb\n  \n```\n", "", "a\n\n\tb\n  "),
    runs("blank lines at both ends", "```python run\n\nx\n\n```\n", "", "\nx\n"),
    runs("a tilde fence", "~~~python run\nx = '```'\n```\n~~~\n", "", "x = '```'\n```"),
    runs("a longer fence", "`````python run\n```\n````\nx\n`````\n", "", "```\n````\nx"),
    runs("a longer closing line", "```python run\nx\n`````  \t\n", "", "x"),
    runs("no closing by another character", "```python run\nx\n~~~\n```\n", "", "x\n~~~"),
    runs("no closing by a shorter fence", "````python run\nx\n```\n````\n", "", "x\n```"),
    runs("no closing with words behind", "```python run\nx\n``` y\n```\n", "", "x\n``` y"),
    runs("CRLF", "Go.\r\n```python run\r\na\r\n\r\nb\r\n```\r\n", "Go.\r\n", "a\n\nb"),
    runs("a return within a line", "```python run\na\rb\n```\n", "", "a\rb"),
    runs("odd case", "```PyThOn RUN\nx\n```\n", "", "x"),
    runs("space before the language", "```  python   run  \nx\n```\n", "", "x"),
    runs("another name of the language", "```py3 run\nx\n```\n", "", "x"),
    runs("a language with its version", "```ipython3.12 run\nx\n```\n", "", "x"),
    runs("braces around the language", "```{python} run\nx\n```\n", "", "x"),
    runs("a kernel for R", "```r run\nx <- '''\n```\n", "", "x <- '''", language="R"),
    runs("a kernel for C++", "```cpp run\nint x;\n```\n", "", "int x;", language="C++17"),
    runs("no line end behind the closing line", "```python run\nx\n``` ", "", "x"),
    runs("two blocks", "A.\n```python run\nx\n```\nB.\n```python run\ny\n```\n", "A.\n", "x"),
    runs("words behind the block", "```python run\nx\n```\nIt gives 42.", "", "x"),
    runs("a comment alone", "```python run\n# nothing yet\n```\n", "", "# nothing yet"),
    runs("a magic alone", "```python run\n%matplotlib inline\n```\n", "", "%matplotlib inline"),
    runs(
        "a cell of another language",
        "```python run\n%%bash\necho \"'''\"\n```\n",
        "",
        "%%bash\necho \"'''\"",
    ),
    runs(
        "a quote in a line for the shell", "```python run\n!echo '''\n```\n", "", "!echo '''"
    ),
    runs("a cell of text", '```python run\n\n%%html\n<i>"""\n```\n', "", '\n%%html\n<i>"""'),
    runs("a pair of surrogates cut", "```python run\n'\ud83c\udf88'\n```\n", "", "'🎈'"),
    runs("prose with a pair cut", "\ud83c\udf88!\n```python run\nx\n```\n", "🎈!\n", "x"),
    runs("prose with half a pair", "\ud83c!\udf88\n```python run\nx\n```\n", "�!�\n", "x"),
]  # fmt: skip

_PURPOSES = [
    runs("a purpose", "```python run Revenue by month\nx\n```\n", "", "x",
         purpose="Revenue by month"),
    runs("a purpose with marks", "```python run: **Revenue**, by `month`:\nx\n```\n", "", "x",
         purpose="Revenue, by month"),
    runs("a purpose by its name", '```python run purpose="Count rows"\nx\n```\n', "", "x",
         purpose="Count rows"),
    runs("a purpose behind tildes", "~~~python run the `x`\nx\n~~~\n", "", "x", purpose="the x"),
    runs("the last sentence is the purpose",
         "Good. Sales look odd, e.g. in **May**.\n\nI count `snake_case` rows. "
         "Then, see [the _docs_](http://x.y/z):\n\n```python run\nx\n```\n",
         "Good. Sales look odd, e.g. in **May**.\n\nI count `snake_case` rows. "
         "Then, see [the _docs_](http://x.y/z):\n\n", "x", purpose="Then, see the docs"),
    runs("the last item is the purpose", "Steps:\n1. load\n2. plot it\n\n```python run\nx\n```\n",
         "Steps:\n1. load\n2. plot it\n\n", "x", purpose="plot it"),
    runs("a heading is the purpose", "### Next step\n```python run\nx\n```\n", "### Next step\n",
         "x", purpose="Next step"),
    runs("a sentence in Chinese", "好。我来数行数\uff1a\n```python run\nx\n```\n",
         "好。我来数行数\uff1a\n", "x", purpose="我来数行数"),
    runs("a purpose too long", f"```python run {'word ' * 100}\nx\n```\n", "", "x",
         purpose=("word " * 100)[:199] + "…"),
    runs("a purpose without controls", "```python run a\u202eb\nx\n```\n", "", "x", purpose="ab"),
]  # fmt: skip

_INDENTS = [
    runs("an indent", "  ```python run\n  x\n    y\n  ```\n", "", "x\n  y"),
    runs("code less indented than its fence", "   ```python run\nx\n y\n   ```\n", "", "x\ny"),
    runs("an indented closing line", "```python run\nif x:\n    y\n    ```\n", "", "if x:\n    y"),
    runs("in a list", "1. Do:\n\n   ```python run\n   x\n   ```\n", "1. Do:\n\n", "x"),
    runs(
        "deep in a list",
        "- a\n  - b\n\n      ```python run\n      if x:\n\n      \ty\n      ```\n",
        "- a\n  - b\n\n",
        "if x:\n\n\ty",
    ),
    runs("behind the marker of an item", "10. ```python run\n    x\n    ```\n", "", "x"),
    runs("a tab in a list", "- a\n\n\t```python run\n\tx\n\t\ty\n\t```\n", "- a\n\n", "x\n\ty"),
    shown("an indented sample", "Write so:\n\n    ```python run\n    x\n    ```\n"),
    shown(
        "an indented sample behind a list",
        "- a\n\nWrite so:\n\n    ```python run\n    x\n    ```\n",
    ),
    shown("a quotation", "> ```python run\n> x\n> ```\n"),
]

_STRINGS = [
    runs(
        "a fence in a string", '```python run\nx = """\n```\n"""\ny\n```\n', "",
        'x = """\n```\n"""\ny',
    ),
    runs(
        "a fence in a string of single quotes", "```python run\nx = '''a\n```\n'''\n```\n", "",
        "x = '''a\n```\n'''",
    ),
    runs(
        "a document in a string",
        "```python run\nreadme = f'''\n```python run\n{x}\n```\n'''.strip()\n```\n", "",
        "readme = f'''\n```python run\n{x}\n```\n'''.strip()",
    ),
    runs(
        "an escaped quote in a string", '```python run\nx = """\\"""\n```\n"""\n```\n', "",
        'x = """\\"""\n```\n"""',
    ),
    runs(
        "a raw string that ends in a backslash", "```python run\nr = r'\\'' '''\n```\n'''\n```\n",
        "", "r = r'\\'' '''\n```\n'''",
    ),
    runs(
        "other quotes inside of a string",
        "```python run\nx = rb'''\n\"\"\" it's\n```\n'''\n```\n", "",
        "x = rb'''\n\"\"\" it's\n```\n'''",
    ),
    runs(
        "a string over lines by a backslash", "```python run\nx = 'a\\\n```\n'\n```\n", "",
        "x = 'a\\\n```\n'",
    ),
    runs(
        "quotes in a comment", "```python run\nx = 1  # it's \"\"\" here\n```\n", "",
        "x = 1  # it's \"\"\" here",
    ),
    runs(
        "quotes in a string", "```python run\nx = '\"\"\"' + \"'''\" + 'a\\'\"\"\"'\n```\n", "",
        "x = '\"\"\"' + \"'''\" + 'a\\'\"\"\"'",
    ),
    runs(
        "a number sign in a string", "```python run\nx = '#' + '''\n```\n'''\n```\n", "",
        "x = '#' + '''\n```\n'''",
    ),
    runs(
        "an apostrophe left open", "```python run\nprint('it)\n```\nMore.", "", "print('it)",
    ),
    runs(
        "a timed cell with a string",
        '```python run\n%%time\nx = """\n```\n"""\n```\n', "", '%%time\nx = """\n```\n"""',
    ),
    runs(
        "CRLF in a string", '```python run\r\nx = """\r\n```\r\n"""\r\n```\r\n', "",
        'x = """\n```\n"""',
    ),
    refused(
        "a string never closed", '```python run\nx = """a\n```\nIt prints.\n```\n', "",
        "cut", 'x = """a\n```\nIt prints.\n```',
    ),
    refused(
        "cut in a string behind a fence", '```python run\nx = """\n```\nmo', "", "cut",
        'x = """\n```\nmo',
    ),
]  # fmt: skip

_NOT_ACTIONS = [
    shown("words alone", "There are 3 rows."),
    shown("a plain block", "Try:\n```python\nx = 1\n```\nDone."),
    shown("a block without a language", "```\nrun\n```\n"),
    shown("a block of another language", "```json\n{}\n```\n"),
    shown("prose that names a fence", "Write ```python run to run it.\nOr so: ~~~python run\nx\n"),
    shown("code inside of a sentence", "```python run``` begins a cell.\nx\n```python run ```y\n"),
    shown("a backtick behind a plain fence", "```python `x`\ny\n"),
    shown("two backticks", "``python run\nx\n``\n"),
    shown("the language and more words", "```python runs it\nx\n```\n", plain_run=True),
    shown("the word run elsewhere", "```python title run\nx\n```\n```run python\nx\n```\n"),
    shown("an action in a longer fence", "````markdown\n```python run\nx\n```\n````\nSo."),
    shown("an action in a tilde fence", "~~~\n```python run\nx\n```\n~~~ \n"),
    shown("an action in a fence as long", "```markdown\n```python run\nx\n```\nSo.\n"),
    shown("a plain block never closed", "```text\n```python run\nx\n"),
    shown("backticks at the end", "Hm.\n``"),
    shown("an opening line at the end", "Hm.\n```python"),
    runs(
        "an action behind a sample",
        "So:\n````md\n```python run\nx\n```\n````\nNow I do.\n```python run\ny\n```\n",
        "So:\n````md\n```python run\nx\n```\n````\nNow I do.\n",
        "y",
        purpose="Now I do.",
    ),
    runs("a plain block that runs", "```Python\nx\n```\n", "", "x", plain_run=True),
    runs("a marked block where plain ones run", "```py run\nx\n```\n", "", "x", plain_run=True),
    shown("another language where plain blocks run", "```sql\nx\n```\n", plain_run=True),
    runs(
        "code in <think>",
        "<think>Maybe\n```python run\nrm()\n```\n</think>\n\nI look.\n```python run\nx\n```\n",
        "I look.\n",
        "x",
        purpose="I look.",
    ),
    Case("code in <think> alone", "<think>```python run\nrm()\n```\n</think>No.", "No."),
    Case("code in <think> never closed", "<think>\n```python run\nrm()\n```\n", ""),
]

_UNUSABLE = [
    refused("an empty block", "```python run\n```\n", "", "empty_code"),
    refused("a blank block", "```python run\n \n\t\n```\n", "", "empty_code", " \n\t"),
    refused("cut in the opening line", "Go.\n```python run", "Go.\n", "cut"),
    refused("cut behind the opening line", "```python run Count\n", "", "cut"),
    refused("cut in the code", "```python run\nx = 1\ny = ", "", "cut", "x = 1\ny = "),
    refused("cut behind a line", "```python run\nx = 1\n", "", "cut", "x = 1"),
    refused("cut in the closing line", "```python run\nx = 1\n``", "", "cut", "x = 1\n``"),
    refused("cut within a return", "```python run\nx\r", "", "cut", "x\r"),
    refused("cut within a character", "```python run\nx\ud83c", "", "cut", "x�"),
    refused("half a character in the code", "```python run\n'\udf88'\n```\n", "", "cut", "'�'"),
    refused(
        "another language to run",
        "Go.\n```bash run List\nls\n```\nMore.",
        "Go.\n```bash run List\nls\n```\n",
        "wrong_language",
    ),
    refused("another language cut", "```sh run\nls", "```sh run\nls", "wrong_language"),
    refused(
        "Python to run in R", "```py run\nx\n```\n", "```py run\nx\n```\n", "wrong_language",
        language="R",
    ),
]  # fmt: skip

CORPUS = (*_PLAIN, *_PURPOSES, *_INDENTS, *_STRINGS, *_NOT_ACTIONS, *_UNUSABLE)


@dataclass(frozen=True)
class CallCase:
    """The arguments of a call of the tool as a model writes them, and what they have to come to."""

    name: str
    arguments: str
    typed: str
    outcome: str
    code: str | None = None


_ESCAPED = '{"purpose": "It \\"is\\"", "code": "a = \\"\\\\n\\\\\\"\\"\\n\\tb\\r\\n\\u00e9 \\/"}'
_PAIR = '{"code": "\'\\ud83c\\udf88\'", "purpose": "A balloon"}'

CALLS = (
    CallCase(
        "arguments with escapes", _ESCAPED, 'a = "\\n\\""\n\tb\r\né /', READY,
        'a = "\\n\\""\n\tb\r\né /',
    ),
    CallCase("arguments with an escaped pair", _PAIR, "'🎈'", READY, "'🎈'"),
    CallCase("arguments without a purpose", '{"code": "x"}', "x", READY, "x"),
    CallCase("arguments cut", '{"purpose": "p", "code": "x = 1', "x = 1", "broken_arguments"),
    CallCase("arguments cut in an escape", '{"code": "x\\u00', "x", "broken_arguments"),
    CallCase("arguments with a bare line end", '{"code": "a\nb"}', "a", "broken_arguments"),
    CallCase("arguments with an unknown escape", '{"code": "a\\qb"}', "a", "broken_arguments"),
    CallCase("arguments with half a pair", '{"code": "\\ud83c"}', "", "broken_arguments"),
    CallCase("arguments twice", '{"code": "x"}{"code": "y"}', "x", "broken_arguments"),
    CallCase("arguments that are code", "print(1)", "", "broken_arguments"),
    CallCase("arguments in single quotes", "{'code': 'x'}", "", "broken_arguments"),
    CallCase("arguments without code", '{"purpose": "p", "code": " "}', " ", "empty_code"),
)  # fmt: skip
