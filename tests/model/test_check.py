from dataclasses import replace
from functools import partial

import pytest

from cave_lab.model.check import SCRIPTED, check
from cave_lab.model.port import ModelChoice
from cave_lab.model.script import Cell, Fault, Gate, Item, Look, RawCall, Say, ScriptedTurn, When
from tests.model.helpers import CANARY, KEY_ENV, QUICK, request, script
from tests.waiting import until

ASKED = When(last=("Call `run_cell`",))
BLOCK = When(last=("Write exactly this",))


async def test_a_model_that_calls_the_tool_passes_and_is_not_read_to_its_end(model_server, replies):
    model_server.load(script(ScriptedTurn("t", ASKED, (Cell("1", "test"), Gate("never")))))
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.code) == (True, True, None)
    assert "can run cells" in report.outcome
    assert report.tried == (
        f"The model 'openai/fake' at {model_server.url}, with the key in {KEY_ENV}."
    )
    await until(lambda: model_server.requests[0].when("hung_up"), "the client hanging up")


@pytest.mark.parametrize("format", [None, "tools", "fences"])
async def test_a_model_that_looks_instead_can_act_too(model_server, replies, format):
    block: tuple[Item, ...] = (Say("```look\nx\n```\n"), Gate("never"))
    answer = block if format == "fences" else (Look(("x",)),)
    model_server.load(script(ScriptedTurn("t", answer=answer)))
    report = await replies.check(request(model_server).choice, format)
    assert report.ok
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    "answer", [RawCall('{"names": 5}', "look"), RawCall("{}", "bash")], ids=["broken", "unknown"]
)
async def test_a_model_whose_call_can_not_be_used_is_not_fit_by_it(
    model_server, replies, answer: Item
):
    model_server.load(script(ScriptedTurn("t", answer=(answer,))))
    report = await replies.check(request(model_server).choice, "tools")
    assert (report.ok, report.seen) == (False, "tool_not_called")


async def test_a_model_that_only_talks_is_tried_with_a_block_too(model_server, replies):
    model_server.load(
        script(
            ScriptedTurn("t", ASKED, (Say("Once upon a time. " * 50), Gate("never"))),
            ScriptedTurn("f", BLOCK, (Say("```python run test\n1\n```\n"), Gate("never"))),
        )
    )
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.seen) == (True, False, "tool_not_called")
    assert "did not call the tool" in report.outcome
    assert "wrote a fenced block as it was told" in report.outcome
    for sent in model_server.requests:
        await until(partial(sent.when, "hung_up"), "the client hanging up")


async def test_a_model_that_refuses_tools_is_tried_without(model_server, replies):
    model_server.load(
        script(
            ScriptedTurn("t", ASKED, fault=Fault("no_tools")),
            ScriptedTurn("f", BLOCK, (Say("```python run test\n1\n```\n"),)),
        )
    )
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.seen) == (True, False, "tools_refused")
    assert report.outcome.startswith("It has no tools, but wrote a fenced block")


@pytest.mark.parametrize("format", [None, "tools", "fences"])
async def test_a_model_that_never_asks_for_a_cell_is_reached_but_not_fit(
    model_server, replies, format
):
    model_server.load(script(ScriptedTurn("t", answer=(Say("Hello!"),))))
    report = await replies.check(request(model_server).choice, format)
    assert (report.ok, report.code) == (False, None)
    assert "can't be relied on" in report.outcome
    assert len(model_server.requests) == (2 if format is None else 1)


async def test_where_the_person_chose_tools_a_refusal_of_them_is_told(model_server, replies):
    words = f"{CANARY} does not support tools"
    model_server.load(script(ScriptedTurn("t", fault=Fault("no_tools", message=words))))
    report = await replies.check(request(model_server).choice, "tools")
    assert (report.ok, report.tools, report.code) == (False, False, "tools_unsupported")
    assert CANARY not in repr(report)


async def test_a_failure_is_a_report_in_our_sentence(model_server, replies):
    fault = Fault("key_missing", message=f"no {CANARY}")
    model_server.load(script(ScriptedTurn("t", fault=fault)))
    report = await replies.check(request(model_server).choice)
    assert (report.ok, report.tools, report.code) == (False, None, "model_key_rejected")
    assert report.outcome == (
        "The provider rejected the key. It is missing, wrong, or may not use this model. "
        "Check the environment variable that holds it, then restart the Jupyter server if you "
        "changed it."
    )
    assert CANARY not in repr(report)
    assert len(model_server.requests) == 1


async def test_a_fault_that_passes_is_told_at_once_and_not_tried_again(model_server, replies):
    model_server.load(script(ScriptedTurn("t", fault=Fault("unavailable"))))
    report = await replies.check(request(model_server).choice)
    assert report.code == "model_server_fault"
    assert len(model_server.requests) == 1


async def test_a_slow_model_is_given_up_in_time(model_server, replies):
    model_server.load(script(ScriptedTurn("t", ASKED, (Gate("never"),))))
    limits = replace(QUICK, check_seconds=0.3)
    report = await check(request(model_server).choice, replies.once, None, limits)
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
