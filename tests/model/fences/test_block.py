import pytest

from cave_lab.model.fences.block import CodeBlock
from cave_lab.model.fences.lines import Opening

OPENING = Opening("```", 0, "python run")


def block_of(code: str, *, python: bool = True) -> CodeBlock:
    block = CodeBlock(OPENING, "", python=python)
    for line in code.splitlines(keepends=True):
        block.add(line, first=True)
    return block


def test_a_line_end_is_given_only_before_the_next_line():
    block = CodeBlock(OPENING, "", python=True)
    given = [block.add("a", first=True), block.add("b\r\n", first=False)]
    given += [block.add("\n", first=True), block.add("c\n", first=True)]
    assert given == ["a", "b", "\n", "\nc"]
    assert block.code == "ab\n\nc"


def test_a_closing_line_inside_of_a_string_is_kept_in_mind_until_the_string_ends():
    block = block_of("x = '''\n")
    kept = [block.unclosed_string, block.closes("```\n"), block.unclosed_string]
    assert kept == [False, False, True]
    block.add("```\n", first=True)
    block.add("'''\n", first=True)
    kept = [block.unclosed_string, block.closes("```\n")]
    assert kept == [False, True]


@pytest.mark.parametrize("before", ["", "%matplotlib inline\n", "import os\n!ls\n"])
def test_an_operator_taken_for_a_magic_keeps_no_block_open_that_python_can_read(before: str):
    # The quotes on the line that begins with a percent sign are not counted.
    operator = "x = ('%s'\n% '''a\nb''')\n"
    assert block_of(operator).closes("```\n")
    assert not block_of(f"{before}x = '''\n").closes("```\n")


def test_code_too_long_to_be_read_on_the_event_loop_is_not_read():
    operator = "x = ('%s'\n% '''a\nb''')\n"
    assert not block_of("x = 1\n" * 10_000 + operator).closes("```\n")


@pytest.mark.parametrize(
    "first, closes",
    [("%%bash", True), ("%%time", False), ("%%timeit -n 1", False), ("%%writefile x.md", True)],
)
def test_strings_count_only_where_the_cell_is_python(first: str, closes: bool):
    assert block_of(f"\n{first}\n'''\n").closes("```\n") is closes
    assert block_of(f"x = 1\n{first}\n'''\n").closes("```\n") is False


def test_a_block_of_another_language_ends_with_its_first_closing_line():
    assert block_of("x <- '''\n", python=False).closes("```\n")


README = "%%writefile README.md\n# It\n```bash\npip install it\n"


def test_a_fence_in_a_file_that_a_cell_writes_does_not_end_the_block_in_the_middle_of_the_file():
    block = block_of(README)
    kept = [block.closes("```\n"), block.unclosed_fence]
    block.add("```\n", first=True)
    assert kept == [False, False]
    assert block.closes("```\n")


@pytest.mark.parametrize(
    "line", ["```\n", "~~~bash\n", "``bash\n", "```bash` is it\n", "x ```bash\n"]
)
def test_a_line_that_opens_no_such_fence_keeps_no_block_open(line: str):
    assert block_of(f"%%writefile README.md\n{line}").closes("```\n")


def test_a_longer_fence_in_a_file_is_closed_by_none_that_is_shorter():
    block = block_of("%%writefile a.md\n````md\n```py\n")
    assert [block.closes(f"{ticks}\n") for ticks in ("```", "````", "```")] == [False, False, True]


def test_in_python_a_fence_outside_of_a_string_is_a_mistake_and_keeps_nothing_open():
    assert block_of("x = 1\n```python run\ny = 2\n").closes("```\n")
