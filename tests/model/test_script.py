import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from cave_lab.model.script import (
    Cell,
    Fault,
    Gate,
    Quote,
    RawCall,
    Say,
    ScriptedTurn,
    Seen,
    Think,
    Tokens,
    Trajectory,
    When,
    choose,
    explain,
    find,
    missing,
    trajectory_from,
    trajectory_from_file,
    trajectory_to_data,
)

EVERY_KIND = {
    "name": "all",
    "turns": [
        {
            "name": "first",
            "when": {"last": ["revenue"], "request": ["df: DataFrame"], "role": "user"},
            "answer": [
                {"reasoning": "hm"},
                {"text": "Here."},
                {"gate": "go"},
                {"code": "x = 1", "purpose": "one"},
            ],
            "usage": {"prompt": 7, "completion": 3},
            "tokens_per_second": 50,
            "times": 1,
        },
        {
            "name": "second",
            "answer": [
                {"quote": "re:(\\d+)", "otherwise": "none"},
                {"arguments": "{", "tool": "x"},
            ],
            "fault": {"kind": "rate_limited", "retry_after": "2"},
            "finish": "length",
            "usage": None,
        },
    ],
}


def test_a_trajectory_is_read_from_plain_data():
    assert trajectory_from(EVERY_KIND) == Trajectory(
        "all",
        (
            ScriptedTurn(
                "first",
                When(last=("revenue",), request=("df: DataFrame",), role="user"),
                (Think("hm"), Say("Here."), Gate("go"), Cell("x = 1", "one")),
                usage=Tokens(7, 3),
                tokens_per_second=50,
                times=1,
            ),
            ScriptedTurn(
                "second",
                answer=(Quote("re:(\\d+)", "none"), RawCall("{", "x")),
                fault=Fault("rate_limited", retry_after="2"),
                finish="length",
                usage=None,
            ),
        ),
    )


def test_a_trajectory_survives_being_written_and_read(tmp_path: Path):
    trajectory = trajectory_from(EVERY_KIND)
    file = tmp_path / "script.json"
    file.write_text(json.dumps(trajectory_to_data(trajectory)))
    assert trajectory_from_file(file) == trajectory


@pytest.mark.parametrize(
    "turn",
    [
        {"name": "x", "anwser": []},
        {"name": "x", "answer": [{"txt": "hi"}]},
        {"name": "x", "when": {"lats": ["a"]}},
        {"name": "x", "fault": {"kind": "tired"}},
    ],
)
def test_a_misspelt_trajectory_is_refused(turn):
    with pytest.raises(ValidationError):
        trajectory_from({"name": "bad", "turns": [turn]})


def test_a_pattern_is_a_text_or_an_expression_whose_group_is_given():
    assert find("12×2", "a 12×2 table") == "12×2"
    assert find("re:best is (\\w+)", "the best is May.") == "May"
    assert find("re:best", "worst") is None


def test_every_condition_counts():
    when = When(last=("a",), request=("b",), code=("c",), without=("d",), role="tool")
    fits = Seen(last="a", role="tool", code="c", whole="a b")
    assert missing(when, fits) == []
    assert missing(when, Seen(last="d", role="user", code="x", whole="y")) == [
        "'a' in the last message",
        "'b' in the request",
        "'c' in the latest action's code",
        "no 'd' in the last message",
        "a last message by tool, not by user",
    ]


def test_the_first_turn_that_fits_and_is_not_used_up_answers():
    once = ScriptedTurn("once", When(last=("go",)), times=1)
    always = ScriptedTurn("always", When(last=("go",)))
    trajectory = Trajectory("t", (once, always))
    assert choose(trajectory, Seen("go")) is once
    assert choose(trajectory, Seen("go"), {"once": 1}) is always
    assert choose(trajectory, Seen("stay")) is None


def test_a_request_that_fits_nothing_is_explained():
    trajectory = Trajectory("t", (ScriptedTurn("first", When(last=("df",))),))
    words = explain(trajectory, Seen("hello"))
    assert "'hello'" in words
    assert "first: wants 'df' in the last message" in words
