import pytest

from cave_lab.model.fences.lines import (
    Margin,
    Opening,
    may_open,
    opening_of,
    same_language,
    without_indent,
)


@pytest.mark.parametrize(
    "line, expected",
    [
        ("```python run\r\n", Opening("```", 0, "python run")),
        ("  ~~~~ a `b`\n", Opening("~~~~", 2, "a `b`")),
        ("\t```\n", Opening("```", 4, "")),
        ("- 1) ```x", Opening("```", 5, "x")),
        ("``x\n", None),
        ("```x```\n", None),
        ("````x```\n", None),
        ("a ```x\n", None),
        ("-```x\n", None),
        ("> ```x\n", None),
        ("\n", None),
    ],
)
def test_an_opening_line_is_read(line: str, expected: Opening | None):
    assert opening_of(line) == expected


@pytest.mark.parametrize(
    "line", ["```python run", "  ~~~~ a `b`", "- 1) ```x", "12. ~~~", "```a`b"]
)
def test_every_beginning_of_an_opening_line_may_become_one(line: str):
    assert all(may_open(line[:at]) for at in range(len(line) + 1))


@pytest.mark.parametrize("line", ["a", " - a", "``x", "~~x", "```x```", "1234567890", "-a", "> `"])
def test_what_cannot_become_an_opening_line_is_let_go(line: str):
    assert not may_open(line)


@pytest.mark.parametrize(
    "line, closes, here",
    [
        ("````\n", True, True),
        ("   ```` \t\r\n", True, True),
        ("    `````\n", True, False),
        ("```\n", False, False),
        ("~~~~\n", False, False),
        ("```` x\n", False, False),
        ("\n", False, False),
        ("\r````\n", False, False),
    ],
)
def test_a_closing_line_is_as_long_and_has_no_words(line: str, closes: bool, here: bool):
    opening = Opening("````", 0, "")
    assert (opening.closes(line), opening.closes_here(line)) == (closes, here)
    assert not closes or all(opening.may_close(line[:at]) for at in range(len(line)))


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("python", "Python", True),
        ("py", "ipython3", True),
        ("python3.12", "python", True),
        ("R", "r", True),
        ("jl", "julia", True),
        ("cpp", "C++17", True),
        ("wolfram", "Wolfram", True),
        ("bash", "python", False),
        ("r", "rust", False),
        ("", "python", False),
    ],
)
def test_names_of_one_language_are_the_same(one: str, other: str, same: bool):
    assert same_language(one, other) is same_language(other, one) is same


@pytest.mark.parametrize(
    "line, columns, rest",
    [("    x", 2, "  x"), (" x", 3, "x"), ("\t\tx", 4, "\tx"), ("\tx", 2, "x"), ("", 2, "")],
)
def test_an_indent_is_taken_from_a_line(line: str, columns: int, rest: str):
    assert without_indent(line, columns) == rest


@pytest.mark.parametrize(
    "before, spaces",
    [
        ([], 3),
        (["Words."], 3),
        (["- item"], 5),
        (["10. item"], 7),
        (["- a", "  - b"], 7),
        (["- a", "  - b", "", "  of a"], 5),
        (["- a", "goes on"], 5),
        (["- a", "", "Words."], 3),
    ],
)
def test_a_fence_may_be_indented_as_the_text_around_it(before: list[str], spaces: int):
    margin = Margin()
    for line in before:
        margin.note(line + "\n")
    assert margin.holds(" " * spaces + "```")
    assert not margin.holds(" " * (spaces + 1) + "```")
