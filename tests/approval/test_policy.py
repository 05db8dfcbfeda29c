"""What runs by itself, what asks, what never runs."""

import pytest

from cave_lab.approval.policy import Allow, Ask, Refuse, decide
from cave_lab.approval.reading import MOST_CHARS
from cave_lab.approval.risks import risks_of
from cave_lab.protocol.content import Risk
from cave_lab.protocol.words import Mode

RISKS = [Risk(kind="shell", words="runs a shell command")]


def test_chat_never_runs() -> None:
    assert isinstance(decide("chat", allowed_for_turn=True, risks=[]), Refuse)


def test_auto_runs_and_says_why() -> None:
    assert decide("auto", allowed_for_turn=False, risks=RISKS) == Allow("mode:auto")


@pytest.mark.parametrize("mode", ["review", "guarded"])
def test_review_asks_until_the_turn_is_allowed(mode: Mode) -> None:
    asked = decide(mode, allowed_for_turn=False, risks=RISKS)
    assert asked == Ask(["runs a shell command"])
    assert decide(mode, allowed_for_turn=True, risks=RISKS) == Allow("scope:turn")


@pytest.mark.parametrize(
    ("code", "words", "line"),
    [
        ("!ls", "runs a shell command", 1),
        ("x = 1\n!pip install y", "installs packages", 2),
        ("%pip install y", "installs packages", 1),
        ("%%bash\nls", "runs a shell command", 1),
        ("import subprocess\nsubprocess.run(['ls'])", "runs a shell command", 2),
        ("open('a', 'w')", "writes, moves or deletes files", 1),
        ("open('a', mode='ab')", "writes, moves or deletes files", 1),
        ("df.to_csv('a')", "writes, moves or deletes files", 1),
        ("import requests", "uses the network", 1),
        ("import os\nos.environ['A']", "reads the environment or credentials", 2),
        ("eval('1')", "runs code that it builds itself", 1),
        ("%reset -f", "deletes variables or parts of them", 1),
        ("x = 1\ndel df", "deletes variables or parts of them", 2),
        ("this is no python", "could not be read as Python", None),
    ],
)
def test_a_risk_is_named_with_its_line(code: str, words: str, line: int | None) -> None:
    assert (words, line) in [(risk.words, risk.line) for risk in risks_of(code)]


@pytest.mark.parametrize(
    "code", ["df.groupby('a').sum()", "df?", "%timeit 1 + 1", "open('a')", "open('a', 'r')", ""]
)
def test_a_plain_cell_has_no_risks(code: str) -> None:
    assert risks_of(code) == []


def test_code_in_another_language_is_said_not_to_be_looked_through_and_no_more() -> None:
    [risk] = risks_of("unlink('a')\nimport os", "R")
    assert (risk.kind, risk.words, risk.line) == (
        "other",
        "is in R, which is not looked through",
        None,
    )


def test_a_kernel_that_names_its_language_at_length_is_cut_short() -> None:
    assert len(risks_of("1", "x" * 10_000)[0].words) < 100


@pytest.mark.parametrize(
    "code",
    [
        "x" + ".a" * 5_000,
        "(" * 5_000,
        "[" * 20_000 + "]" * 20_000,
        "x = 'a\x00b'",
        "-" * 20_000 + "1",
    ],
    ids=["long chain", "open brackets", "deep list", "null", "deep minus"],
)
def test_code_built_to_break_a_parser_is_only_not_readable(code: str) -> None:
    assert all(risk.words == "could not be read as Python" for risk in risks_of(code))


def test_an_odd_escape_in_the_models_code_warns_nobody_on_the_server() -> None:
    assert risks_of(r"x = '\d'") == []


@pytest.mark.parametrize("code", ["%time x\n" * 500, "x = 1\n" * 20_000, "a = !ls\n" * 100])
def test_code_that_would_take_long_to_look_through_is_said_not_to_be(code: str) -> None:
    assert [risk.words for risk in risks_of(code)] == ["is too long to be looked through"]


@pytest.mark.parametrize("magic", ["!echo x", "y = %time x", "x?", "/f x", ",f x", "    %time x"])
def test_many_magics_in_long_code_are_not_looked_through_one_by_one(magic: str) -> None:
    line = "name = some_function(1, 'a string', [1, 2, 3])\n"
    code = (line * 22 + magic + "\n") * 45
    assert len(code) < MOST_CHARS
    assert [risk.words for risk in risks_of(code)] == ["is too long to be looked through"]


@pytest.mark.parametrize(("magics", "lines"), [(40, 100), (3, 1_000)])
def test_a_cell_of_usual_length_is_looked_through_with_its_magics(magics: int, lines: int) -> None:
    code = "!pip install x\n" * magics + "name = function(1, 'a string')\n" * lines
    assert "runs a shell command" in [risk.words for risk in risks_of(code)]


def test_text_that_never_settles_is_only_not_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("IPython.core.inputtransformer2.TRANSFORM_LOOP_LIMIT", 3)
    assert [risk.words for risk in risks_of("%time x\n" * 9)] == ["could not be read as Python"]
