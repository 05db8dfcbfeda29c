import json

from cave_lab.model.actions import TOOL
from cave_lab.model.litellm import load
from cave_lab.model.prompt import prompt_version, system_prompt

BUDGET = 600


def test_prompt_and_tool_together_stay_within_600_tokens():
    """By cl100k, of the larger of both prompts and of the tool as JSON with spaces."""
    words = system_prompt("python", actions=False) + json.dumps(TOOL)
    assert len(load().encoding.encode(words)) <= BUDGET


def test_the_version_is_told_apart_and_not_sent():
    assert prompt_version()
    assert "<!--" not in system_prompt() + system_prompt(actions=False)


def test_the_prompt_names_the_kernels_language_and_keeps_no_placeholder():
    assert "Julia kernel" in system_prompt("julia")
    assert "{" not in system_prompt()


def test_the_prompt_is_the_same_each_time_and_names_no_tool_that_is_not_there():
    assert system_prompt() == system_prompt()
    assert "`look`" not in system_prompt()


def test_the_purpose_is_asked_for_before_the_code():
    assert list(TOOL["function"]["parameters"]["properties"]) == ["purpose", "code"]


def test_a_thread_that_only_talks_is_told_so():
    assert system_prompt(actions=False).startswith(system_prompt())
    assert "run nothing" in system_prompt(actions=False)
