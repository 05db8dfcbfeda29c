from dataclasses import replace

import pytest

from cave_lab.model.check import SCRIPTED, check
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.port import ModelChoice
from cave_lab.model.script import Cell, Fault, Gate, Say, ScriptedTurn, When
from tests.model.helpers import CANARY, KEY_ENV, QUICK, request, script
from tests.waiting import until

ASKED = When(last=("Call `run_cell`",))


async def test_a_model_that_calls_the_tool_passes_and_is_not_read_to_its_end(model_server, replies):
    model_server.load(script(ScriptedTurn("t", ASKED, (Cell("1", "test"), Gate("never")))))
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.code) == (True, True, None)
    assert "can run cells" in report.outcome
    assert report.tried == (
        f"The model 'openai/fake' at {model_server.url}, with the key in {KEY_ENV}."
    )
    await until(lambda: model_server.requests[0].when("hung_up"), "the client hanging up")


@pytest.mark.parametrize("answer", [(Say("Hello!"),), (Say("Once upon a time. " * 50), Gate("no"))])
async def test_a_model_that_only_talks_is_reached_but_not_fit(model_server, replies, answer):
    model_server.load(script(ScriptedTurn("t", ASKED, answer)))
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools) == (False, False)
    assert "did not call the tool" in report.outcome
    assert report.outcome.endswith("Choose a model with tools.")


@pytest.mark.parametrize(
    "turn",
    [
        ScriptedTurn("t", ASKED, (Say("Hello!"),)),
        ScriptedTurn("t", fault=Fault("no_tools", message="does not support tools")),
    ],
    ids=["talks", "refuses"],
)
async def test_the_test_of_a_model_gives_one_verdict_about_tools(model_server, replies, turn):
    model_server.load(script(turn))
    report = await replies.check(request(model_server).choice)
    assert report.outcome.count(" tools") == 1
    assert "may not" not in report.outcome


@pytest.mark.parametrize(
    "kind, code, tools",
    [("no_tools", "tools_unsupported", False), ("key_missing", "model_key_rejected", None)],
)
async def test_a_failure_is_a_report_in_our_sentence(model_server, replies, kind, code, tools):
    words = f"{CANARY} does not support tools" if kind == "no_tools" else f"no {CANARY}"
    model_server.load(script(ScriptedTurn("t", fault=Fault(kind, message=words))))
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.code) == (False, tools, code)
    assert report.outcome.endswith(".")
    assert CANARY not in repr(report)
    assert len(model_server.requests) == 1


async def test_a_slow_model_is_given_up_in_time(model_server, model: LiteLLMModel):
    model_server.load(script(ScriptedTurn("t", ASKED, (Gate("never"),))))
    limits = replace(QUICK, check_seconds=0.3)
    report = await check(request(model_server).choice, model, limits)
    assert report.code == "model_timeout"
    assert "0.3 seconds" in report.outcome


async def test_a_password_in_the_address_is_not_repeated(replies):
    report = await replies.check(ModelChoice("openai/x", "ftp://me:hunter2@host/v1"))
    assert report.code == "model_unreachable"
    assert "hunter2" not in repr(report)


async def test_no_name_is_a_report_too(replies):
    assert (await replies.check(ModelChoice(""))).code == "model_not_set"


async def test_the_tour_has_nothing_to_test(replies):
    assert await replies.check(ModelChoice("cave-lab/tour")) is SCRIPTED
