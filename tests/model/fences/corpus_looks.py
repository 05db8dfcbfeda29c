"""Replies that look or run a scratch cell, and what each has to come to."""

from dataclasses import dataclass

from tests.model.fences.corpus import Case, refused, runs, shown


@dataclass(frozen=True)
class LookCase:
    """A reply that asks for a look, and the words that are shown of it."""

    name: str
    text: str
    names: tuple[str, ...]
    detail: str = ""
    prose: str = ""
    language: str = "python"
    plain_run: bool = False


def looks(name: str, text: str, *names: str, **more) -> LookCase:
    """A reply that looks at these names."""
    return LookCase(name, text, names, **more)


LOOKS = (
    looks("a look", "I look.\n\n```look\ndf\n```\n", "df", prose="I look.\n\n"),
    looks("nothing but a look", "```look\ndf\n```", "df"),
    looks("several names", "```look\ndf\nmodel\nx_1\n```\n", "df", "model", "x_1"),
    looks("commas", "```look\ndf, model,x\n```\n", "df", "model", "x"),
    looks("commas at the ends of lines", "```look\ndf,\nmodel,\n```\n", "df", "model"),
    looks("blank lines", "```look\n\ndf\n \t\nmodel\n\n```\n", "df", "model"),
    looks("a name twice", "```look\ndf\ndf\n```\n", "df"),
    looks("a list", "```look\n- df\n* `model`\n3. @x\n```\n", "df", "model", "x"),
    looks("quotes", "```look\n'df', \"model\"\n```\n", "df", "model"),
    looks("an expression", "```look\ndf.loc[1, 2]\n```\n", "df.loc[1, 2]"),
    looks("a name with spaces", "```look\nmy frame\n```\n", "my frame", language="R"),
    looks("a name of all of Unicode", "```look\n表_é\n```\n", "表_é"),
    looks("a detail", "```look head\ndf\n```\n", "df", detail="head"),
    looks("a column", "```look column unit price\ndf\n```\n", "df", detail="column unit price"),
    looks("a column of two spaces", "```look column a  b \ndf\n```\n", "df", detail="column a  b"),
    looks("a column in marks", "```look column `price`\ndf\n```\n", "df", detail="column price"),
    looks("a backtick behind tildes", "~~~look column a`b\ndf\n~~~\n", "df", detail="column a`b"),
    looks("a page", "```look page 2\nout_ab12cd\n```\n", "out_ab12cd", detail="page 2"),
    looks("a detail that nobody knows", "```look at it\ndf\n```\n", "df", detail="at it"),
    looks("odd case", "```LooK head\ndf\n```\n", "df", detail="head"),
    looks("braces", "```{look} head\ndf\n```\n", "df", detail="head"),
    looks("space before the word", "```  look   head  \ndf\n```\n", "df", detail="head"),
    looks("CRLF", "Go.\r\n```look head\r\ndf\r\nx\r\n```\r\n", "df", "x", detail="head",
          prose="Go.\r\n"),
    looks("an indent", "  ```look\n  df\n  ```\n", "df"),
    looks("in a list", "1. Look:\n\n   ```look\n   df\n   ```\n", "df", prose="1. Look:\n\n"),
    looks("a longer fence", "````look\n```\ndf\n````\n", "df"),
    looks("words behind", "```look\ndf\n```\nIt has 3 rows.", "df"),
    looks("a cell behind", "```look\ndf\n```\n```python run\nx\n```\n", "df"),
    looks("a cell inside", "```look\n~~~python run\nx\n~~~\n```\n", "~~~python run", "x", "~~~"),
    looks("in a kernel for R", "```look\ndf\n```\n", "df", language="R"),
    looks("where plain blocks run", "```look\ndf\n```\n", "df", plain_run=True),
    looks("a verb where no kernel speaks so", "```look run it\ndf\n```\n", "df", detail="run it"),
    looks("a language that is called so", "```look\ndf\n```\n", "df", language="look"),
    looks("behind a sample", "````md\n```look\nx\n```\n````\n```look\ny\n```\n", "y",
          prose="````md\n```look\nx\n```\n````\n"),
    looks("behind a thought", "<think>\n```look\nx\n```\n</think>\n```look\ny\n```\n", "y"),
)  # fmt: skip

OTHERS = (
    refused("an empty look", "```look\n```\n", "", "empty_code"),
    refused("a blank look", "```look head\n \n\t\n```\n", "", "empty_code"),
    refused("a look at commas", "```look\n, ,\n```\n", "", "empty_code"),
    refused("a look cut in its opening line", "Go.\n```look he", "Go.\n", "cut"),
    refused("a look cut in its names", "```look\ndf\nmo", "", "cut"),
    refused("a look cut in its closing line", "```look\ndf\n``", "", "cut"),
    refused("half a character in a name", "```look\nd\udf88\n```\n", "", "cut"),
    refused("half a character in a detail", "```look column \udf88\ndf\n```\n", "", "cut"),
    shown("a look in a longer fence", "````markdown\n```look\ndf\n```\n````\nSo."),
    shown("a look in a tilde fence", "~~~\n```look\ndf\n```\n~~~ \n"),
    shown("a look never closed in a plain block", "```text\n```look\ndf\n"),
    shown("an indented look", "Write so:\n\n    ```look\n    df\n    ```\n"),
    shown("a look in a quotation", "> ```look\n> df\n> ```\n"),
    shown("prose that names a look", "Write ```look head to look.\nOr ~~~look.\n"),
    shown("a look inside of a sentence", "```look``` begins a look.\n```look head```\n"),
    shown("two backticks", "``look\ndf\n``\n"),
    shown("a longer word", "```lookml\nview: x\n```\n"),
    shown("the word behind a language", "```python look\nx\n```\n"),
    runs("a cell of a language called look", "```look run\nx\n```\n", "", "x", language="look"),
)

SCRATCH = (
    runs("a scratch cell", "```python scratch Count\nlen(x)\n```\n", "", "len(x)", purpose="Count"),
    runs("scratch in odd case", "```Python SCRATCH\nx\n```\n", "", "x"),
    runs("scratch with marks", "```py scratch: the `x`\nx\n```\n", "", "x", purpose="the x"),
    runs("scratch behind tildes", "~~~python scratch\nx\n~~~\n", "", "x"),
    runs("scratch in R", "```r scratch\nx\n```\n", "", "x", language="R"),
    runs("scratch of a purpose that begins with run", "```python scratch run it\nx\n```\n", "", "x",
         purpose="run it"),
    runs("scratch of no purpose", "I count.\n```python scratch\nx\n```\n", "I count.\n", "x",
         purpose="I count."),
)  # fmt: skip

KEPT = (
    runs("a purpose that begins with scratch", "```python run scratch the surface\nx\n```\n", "",
         "x", purpose="scratch the surface"),
    runs("a plain block where such run", "```python\nscratch\n```\n", "", "scratch",
         plain_run=True),
)  # fmt: skip

NO_SCRATCH = (
    refused("a scratch cell cut", "```python scratch\nx", "", "cut", "x"),
    refused("an empty scratch cell", "```python scratch\n```\n", "", "empty_code"),
    refused("scratch in another language", "```sql scratch\nx\n```\n", "```sql scratch\nx\n```\n",
            "wrong_language"),
    shown("scratch in a longer fence", "````\n```python scratch\nx\n```\n````\n"),
    shown("a word that begins with scratch", "```python scratchpad\nx\n```\n"),
    shown("scratch alone", "```scratch\nx\n```\n"),
)  # fmt: skip

CELLS: tuple[Case, ...] = (*OTHERS, *SCRATCH, *KEPT, *NO_SCRATCH)
