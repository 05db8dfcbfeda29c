import json

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.actions import BROKEN, CUT, EMPTY, TWO_ACTIONS, CallReader
from cave_lab.model.port import ActionReady, ActionUnusable, ToolChunk
from cave_lab.protocol.content import RunCellAction

GOOD = json.dumps({"purpose": "Count", "code": "x = 1\n"})


def reader_of(*chunks: ToolChunk) -> CallReader:
    reader = CallReader(DEFAULT_LIMITS)
    for chunk in chunks:
        reader.feed(chunk)
    return reader


def call(arguments: str, name: str = "run_cell", index: int = 0, call_id: str = "a") -> ToolChunk:
    return ToolChunk(index, arguments, name, call_id)


def test_a_complete_call_is_an_action():
    reader = reader_of(call(""), ToolChunk(0, GOOD[:9]), ToolChunk(0, GOOD[9:]))
    assert reader.outcome("tool_calls") == ActionReady(
        "a", RunCellAction(code="x = 1\n", purpose="Count")
    )


def test_a_call_is_judged_by_itself_even_if_the_reply_says_stop():
    assert isinstance(reader_of(call(GOOD)).outcome("stop"), ActionReady)


def test_the_purpose_is_one_bounded_line():
    purpose = "Look\n\tat \u202e it " + "x" * 500
    action = reader_of(call(json.dumps({"purpose": purpose, "code": "1"}))).outcome("stop")
    assert isinstance(action, ActionReady)
    assert isinstance(action.action, RunCellAction)
    assert action.action.purpose.startswith("Look at it xxx")
    assert len(action.action.purpose) == DEFAULT_LIMITS.purpose_chars


def test_a_purpose_may_be_missing():
    assert isinstance(reader_of(call('{"code": "1"}')).outcome("stop"), ActionReady)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(call(GOOD, index=1, call_id="b"), id="by its index"),
        pytest.param(call(GOOD, index=0, call_id="b"), id="by its id alone"),
    ],
)
def test_of_two_calls_nothing_runs_and_the_second_is_not_shown(second):
    reader = CallReader(DEFAULT_LIMITS)
    assert reader.feed(call(GOOD)) == "x = 1\n"
    assert reader.feed(second) == ""
    assert reader.outcome("tool_calls") == TWO_ACTIONS


def test_a_server_that_repeats_name_and_id_still_means_one_call():
    reader = reader_of(call(GOOD[:9]), call(GOOD[9:]))
    assert isinstance(reader.outcome("tool_calls"), ActionReady)


def test_an_unknown_tool_is_named_without_its_controls():
    reader = CallReader(DEFAULT_LIMITS)
    assert reader.feed(call(GOOD, name="rm\u202e_all")) == ""
    outcome = reader.outcome("tool_calls")
    assert isinstance(outcome, ActionUnusable)
    assert outcome.code == "unknown_tool"
    assert "“rm_all”" in outcome.sentence
    assert "“run_cell” and “look”" in outcome.sentence


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "x = 1",
        GOOD[:-1],
        '["x"]',
        '{"purpose": "p"}',
        '{"code": 5}',
        '{"code": "x", "purpose": 5}',
        '{"code": "\\ud83c"}',
        '{"code": "x", "code": "y"}',
    ],
)
def test_broken_arguments_never_run(arguments):
    assert reader_of(call(arguments)).outcome("tool_calls") == BROKEN


@pytest.mark.parametrize(
    "scratch, kept", [(True, False), ("True", False), (False, True), ("false", True), (None, True)]
)
def test_a_cell_is_kept_unless_it_is_scratch(scratch: object, kept: bool):
    action = reader_of(call(json.dumps({"code": "1", "scratch": scratch}))).outcome("stop")
    assert isinstance(action, ActionReady)
    assert isinstance(action.action, RunCellAction)
    assert action.action.scratch != kept


@pytest.mark.parametrize("scratch", ['"yes"', "1", "[]"])
def test_what_is_neither_scratch_nor_not_never_runs(scratch: str):
    assert reader_of(call(f'{{"code": "1", "scratch": {scratch}}}')).outcome("stop") == BROKEN


@pytest.mark.parametrize("code", ["", "  \n\t"])
def test_empty_code_is_said_to_be_empty(code):
    assert reader_of(call(json.dumps({"code": code}))).outcome("tool_calls") == EMPTY


@pytest.mark.parametrize("reason", ["length", "refusal"])
def test_a_reply_that_was_cut_runs_nothing_even_if_its_call_looks_whole(reason):
    assert reader_of(call(GOOD)).outcome(reason) == CUT
