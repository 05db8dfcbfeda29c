"""Looks that a model asks for by a call of the tool."""

import json
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.actions import CUT, TWO_ACTIONS, CallReader
from cave_lab.model.looks import BROKEN_LOOK, EMPTY_LOOK, look_of, read_look
from cave_lab.model.port import ActionReady, ToolChunk
from cave_lab.protocol.content import LookAction


def looked(**arguments: Any) -> object:
    """What arguments come to."""
    return read_look(json.dumps(arguments))


@pytest.mark.parametrize(
    "names, told",
    [
        (["df", "x"], ["df", "x"]),
        ("df", ["df"]),
        ("df, x", ["df", "x"]),
        ("df\nx", ["df", "x"]),
        (["df, x", " y "], ["df", "x", "y"]),
        (["@df", "`x`", "'y'"], ["df", "x", "y"]),
        (["df", "df"], ["df"]),
        (["df.loc[1, 2]"], ["df.loc[1, 2]"]),
        (["my frame"], ["my frame"]),
        (["", "df"], ["df"]),
        (["-1"], ["-1"]),
    ],
)
def test_names_are_read_with_some_patience(names: object, told: list[str]):
    assert looked(names=names) == LookAction(names=told)


@pytest.mark.parametrize("detail", ["head", "column price", "page 2", "whatever it is"])
def test_a_detail_is_taken_as_it_is_to_be_answered_by_who_looks(detail: str):
    assert looked(names=["df"], detail=f" {detail}\n") == LookAction(names=["df"], detail=detail)


@pytest.mark.parametrize("detail", [None, ""])
def test_no_detail_is_none(detail: str | None):
    assert looked(names=["df"], detail=detail) == LookAction(names=["df"])


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "df",
        '["df"]',
        '{"names": ["df"]',
        "{'names': ['df']}",
        '{"names": 5}',
        '{"names": [5]}',
        '{"names": ["df", null]}',
        '{"names": ["\\ud83c"]}',
        '{"names": ["df"], "detail": 5}',
        '{"names": ["df"], "detail": "\\udf88"}',
        '{"names": ["df"], "names": ["x"]}',
        '{"detail": "head"}',
        '{"code": "df"}',
    ],
)
def test_broken_arguments_are_said_to_be_broken(arguments: str):
    assert read_look(arguments) == BROKEN_LOOK
    assert BROKEN_LOOK.code == "broken_arguments"


@pytest.mark.parametrize("names", [[], "", [" ", "``"], ", ,"])
def test_a_look_at_nothing_is_said_to_be_empty(names: object):
    assert looked(names=names) == EMPTY_LOOK


def test_many_names_take_no_longer_than_their_length_allows():
    assert isinstance(look_of([" - '@`" * 20_000 + "x", "`" * 100_000], ""), LookAction)


# ── among the calls of a reply


def reader_of(arguments: str, size: int) -> tuple[str, CallReader]:
    """What is shown of a call of the tool that comes in pieces, and its reader."""
    reader = CallReader(DEFAULT_LIMITS)
    shown = reader.feed(ToolChunk(0, "", "look", "a"))
    for at in range(0, len(arguments), size):
        shown += reader.feed(ToolChunk(0, arguments[at : at + size]))
    return shown, reader


@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_a_look_is_an_action_that_shows_no_code_while_it_is_written(size: int):
    arguments = json.dumps({"names": ["df"], "detail": "head", "code": "x = 1"})
    shown, reader = reader_of(arguments, size)
    assert shown == ""
    assert reader.outcome("tool_calls") == ActionReady("a", LookAction(names=["df"], detail="head"))


@pytest.mark.parametrize("reason", ["length", "refusal"])
def test_a_look_of_a_reply_that_was_cut_is_not_made(reason: Any):
    _, reader = reader_of('{"names": ["df"]}', 5)
    assert reader.outcome(reason) == CUT


def test_a_look_beside_a_cell_is_two_actions():
    _, reader = reader_of('{"names": ["df"]}', 5)
    assert reader.feed(ToolChunk(1, '{"code": "x"}', "run_cell", "b")) == ""
    assert reader.outcome("tool_calls") == TWO_ACTIONS
