from dataclasses import replace

import pytest

from cave_lab.errors import (
    ModelRateLimited,
    ModelServerFault,
)
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ReplyPart, Retrying
from cave_lab.model.retry import wait_before
from cave_lab.model.script import Fault, Say, ScriptedTurn
from tests.model.helpers import collect, parts_of, request, script

FINE = ScriptedTurn("fine", answer=(Say("Hello."),))


async def test_the_wait_that_the_provider_asks_for_is_kept(model_server, replies):
    fault = Fault("rate_limited", retry_after="0.3")
    model_server.load(script(ScriptedTurn("busy", fault=fault, times=1), FINE))
    retrying, *_ = await parts_of(replies, request(model_server))
    assert isinstance(retrying, Retrying)
    assert retrying.wait_seconds == 0.3
    first, second = model_server.requests
    assert second.at - first.at >= 0.3


async def test_tries_end_after_the_limit(model_server, replies):
    model_server.load(script(ScriptedTurn("down", fault=Fault("unavailable"))))
    seen: list[ReplyPart] = []
    with pytest.raises(ModelServerFault):
        await collect(replies.reply(request(model_server)), seen)
    assert [type(part) for part in seen] == [Retrying] * DEFAULT_LIMITS.model_retries
    assert len(model_server.requests) == 1 + DEFAULT_LIMITS.model_retries


def test_waits_double_and_are_spread_and_capped():
    limits = replace(DEFAULT_LIMITS, model_retries=10, retry_after_max_seconds=5.0)
    for attempt, nominal in ((1, 1), (2, 2), (3, 4)):
        wait = wait_before(attempt, ModelServerFault(), limits)
        assert wait is not None
        assert 0.8 * nominal <= wait <= 1.2 * nominal
    assert wait_before(9, ModelServerFault(), limits) == 5.0


def test_a_longer_wait_than_the_cap_is_not_waited_for():
    asked = ModelRateLimited(retry_after=DEFAULT_LIMITS.retry_after_max_seconds + 1)
    assert wait_before(1, asked, DEFAULT_LIMITS) is None


@pytest.mark.parametrize(
    "seconds, told",
    [
        ("61", "61 seconds"),
        ("150", "3 minutes"),
        ("7200", "2 hours"),
        ("86400", "24 hours"),
        ("180000", "3 days"),
    ],
)
async def test_a_longer_wait_than_the_cap_is_told(model_server, replies, seconds, told):
    fault = Fault("rate_limited", retry_after=seconds)
    model_server.load(script(ScriptedTurn("busy", fault=fault)))
    with pytest.raises(ModelRateLimited, match=f"asks to wait {told}. .* Try again after that."):
        await parts_of(replies, request(model_server))
    assert len(model_server.requests) == 1
