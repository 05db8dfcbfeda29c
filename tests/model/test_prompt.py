import json

import pytest

from cave_lab.model.actions import RUN_CELL, TOOLS
from cave_lab.model.litellm import load
from cave_lab.model.prompt import prompt_version, system_prompt

BUDGET = 800


BOTH = pytest.mark.parametrize("actions", [True, False])


@BOTH
def test_prompt_and_tools_together_stay_within_800_tokens(actions: bool):
    """By cl100k, with the tools as JSON with spaces; a thread that only talks is given none."""
    words = system_prompt("python", actions=actions) + json.dumps(TOOLS)
    assert len(load().encoding.encode(words)) <= BUDGET


@BOTH
def test_the_version_is_told_apart_and_not_sent(actions: bool):
    assert prompt_version(actions=actions)
    assert "<!--" not in system_prompt(actions=actions)


@BOTH
def test_the_prompt_names_the_kernels_language_and_keeps_no_placeholder(actions: bool):
    assert "Julia kernel" in system_prompt("julia", actions=actions)
    assert "{" not in system_prompt(actions=actions)


def test_the_prompt_is_the_same_each_time_and_names_no_tool_that_is_not_there():
    assert system_prompt() == system_prompt()
    assert "`look`" not in system_prompt()


def test_the_purpose_is_asked_for_before_the_code():
    assert list(TOOLS[0]["function"]["parameters"]["properties"]) == ["purpose", "code", "scratch"]


def test_a_thread_that_only_talks_is_told_so_and_of_no_tool():
    prompt = system_prompt(actions=False)
    assert "you run nothing and change nothing" in prompt
    assert RUN_CELL not in prompt
    assert "Never say that it ran" in prompt


def test_what_is_true_of_data_holds_in_both_prompts():
    talk, work = system_prompt(actions=False), system_prompt()
    rules = work[work.index("- Each message shows") : work.index("- If the person rejects")]
    assert rules in talk
