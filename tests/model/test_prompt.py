import json
from typing import Any

import pytest

from cave_lab.model.actions import RUN_CELL, TOOLS
from cave_lab.model.fences import FenceReader
from cave_lab.model.litellm import load
from cave_lab.model.port import ActionReady
from cave_lab.model.prompt import prompt_version, system_prompt
from cave_lab.protocol.content import LookAction, RunCellAction

BUDGET = 800


BOTH = pytest.mark.parametrize("actions", [True, False])


@BOTH
def test_prompt_and_tools_together_stay_within_800_tokens(actions: bool):
    """By cl100k, with the tools as JSON with spaces; a thread that only talks is given none."""
    words = system_prompt("python", actions=actions) + json.dumps(TOOLS)
    assert len(load().encoding.encode(words)) <= BUDGET


@pytest.mark.parametrize("language", ["python", "R", "julia"])
def test_the_prompt_for_fences_stays_within_800_tokens(language: str):
    """It is given no tools, and says what they say."""
    assert len(load().encoding.encode(system_prompt(language, format="fences"))) <= BUDGET


@BOTH
def test_the_version_is_told_apart_and_not_sent(actions: bool):
    assert prompt_version(actions=actions)
    assert "<!--" not in system_prompt(actions=actions)


@BOTH
def test_the_prompt_names_the_kernels_language_and_keeps_no_placeholder(actions: bool):
    assert "Julia kernel" in system_prompt("julia", actions=actions)
    assert "{" not in system_prompt(actions=actions)


def test_the_prompt_is_the_same_each_time():
    assert system_prompt() == system_prompt()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["function"]["name"])
def test_the_prompt_names_each_tool(tool: dict[str, Any]):
    assert f"`{tool['function']['name']}`" in system_prompt()


@pytest.mark.parametrize("format", ["tools", "fences"])
def test_a_prompt_that_acts_tells_what_looks_scratch_and_variables_are_for(format: Any):
    prompt = system_prompt(format=format)
    assert "`look` before you assume" in prompt
    assert "need not be kept is a `scratch` cell" in prompt
    assert "in variables with new names, not in prose" in prompt


@pytest.mark.parametrize("language", ["python", "R"])
def test_the_examples_for_fences_are_read_as_what_they_show(language: str):
    examples = system_prompt(language, format="fences").split("\n\n")
    blocks = [text for text in examples if text.startswith("```")]
    actions = []
    for block in blocks:
        reader = FenceReader(language)
        list(reader.feed(f"{block}\n"))
        assert isinstance(reader.outcome, ActionReady)
        actions.append(reader.outcome.action)
    cell, look = actions
    assert isinstance(cell, RunCellAction)
    assert (cell.purpose, cell.scratch) == ("Highest price", False)
    assert look == LookAction(names=["prices"])


def test_what_the_prompt_for_fences_says_of_details_is_what_the_tool_says():
    described = TOOLS[1]["function"]["parameters"]["properties"]["detail"]["description"]
    for detail in ("head", "column NAME", "from N", "page N"):
        assert detail in described
        assert f"`{detail}`" in system_prompt(format="fences")


def test_the_purpose_is_asked_for_before_the_code():
    assert list(TOOLS[0]["function"]["parameters"]["properties"]) == ["purpose", "code", "scratch"]


def test_a_thread_that_only_talks_is_told_so_and_of_no_tool():
    prompt = system_prompt(actions=False)
    assert "you run nothing and change nothing" in prompt
    assert RUN_CELL not in prompt
    assert "`look`" not in prompt
    assert "Never say that it ran" in prompt


def test_what_is_true_of_data_holds_in_both_prompts():
    talk, work = system_prompt(actions=False), system_prompt()
    rules = work[work.index("- Each message shows") : work.index("- If the person rejects")]
    assert rules in talk
