"""Budgets of turns and threads: what they stop, whose holds, and how it goes on."""

import json
from typing import Any

import pytest

from cave_lab.model.script import Cell, Gate, Say, ScriptedTurn, Tokens, When
from cave_lab.state.values import NoticeItem, RunState
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.seeing import see_variables
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.scenarios import asked, begun, told, told_whole
from tests.server.test_own_cell import click
from tests.server.test_settings import put
from tests.server.test_turns_ends import Hands
from tests.talk import Browser, Lab, Person, Refused


async def allow(browser: Browser, **budgets: dict[str, Any]) -> dict[str, Any]:
    """Save budgets in the panel; returns the server's answer."""
    answer = await browser.fetch("cave-lab/budgets", method="PUT", body=budgets)
    assert answer.code == 200, answer.body
    status: dict[str, Any] = json.loads(answer.body)
    return status


def notices(person: Person) -> list[NoticeItem]:
    """The notices of the last turn."""
    return [item for item in person.state.turns[-1].items if isinstance(item, NoticeItem)]


def runs(person: Person) -> list[RunState]:
    """The runs of all turns."""
    return list(person.state.runs.values())


def with_settings(**traits: Any) -> Any:
    """Run a test under a configuration."""
    return pytest.mark.parametrize("more_config", [{"CaveLab": traits}], ids=["configured"])


COST = 2_000 * 2.5e-6 + 40 * 1e-5
"""What one call of `greedy` costs with the known model, in dollars."""
BUSY = "import time\nend = time.monotonic() + 1.1\nwhile time.monotonic() < end:\n    pass\nend"
"""A cell that works for more than a second."""

KINDS = [
    ("runs", 1, "max_runs", "its one run."),
    ("tokens", 2_000, "max_tokens", "2,000 tokens"),
    ("cost", 0.005, "max_cost", "$0.005"),
    ("seconds", 1, "max_time", "1 second."),
]
BY_KIND = pytest.mark.parametrize(
    "kind, bound, reason, words", KINDS, ids=[kind for kind, *_ in KINDS]
)
KNOWN = pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"model": "openai/gpt-4o"}}], ids=["a known model"]
)


def greedy(code: str = "x = 1", words: str = "please") -> ScriptedTurn:
    """A call that crosses each of these budgets, and whose cell runs all the same."""
    when = When(last=(words,), role="user")
    return ScriptedTurn(f"greedy: {words}", when, (Cell(code),), usage=Tokens(2_000, 40))


ANEW = ["extend_budget", "open_model_settings"]

GO_ON = asked("go on", Say("On I go."))


# ── of a turn


@KNOWN
@BY_KIND
async def test_the_run_that_crosses_a_turns_budget_completes_and_the_next_turn_goes_on(
    lab: Lab, model: ModelServer, kind: str, bound: float, reason: str, words: str
) -> None:
    await allow(lab, turn={kind: bound})
    person = await begun(lab, model, greedy(BUSY), GO_ON, mode="auto")
    await person.say("please")
    assert await person.ended() == reason
    [run] = runs(person)
    assert (run.status, run.cell_id is not None) == ("ok", True)
    [notice] = notices(person)
    assert (notice.level, notice.code, notice.actions) == ("info", reason, ["go_on"])
    assert words in notice.text
    assert "you can go on" in notice.text
    assert len(model.requests) == 1
    await person.say("go on")
    assert await person.ended(2) == "end_turn"
    assert "Your last turn ended because" in str(model.requests[-1].body["messages"][-1])
    await told_whole(lab, person)


@pytest.mark.parametrize(
    "more_config, kind",
    [
        ({"CaveLab": {"model": "openai/gpt-4o", trait: bound}}, reason)
        for trait, bound, reason in (
            ("max_runs", 1, "max_runs"),
            ("max_tokens", 2_000, "max_tokens"),
            ("max_cost", 0.005, "max_cost"),
            ("max_seconds", 1.0, "max_time"),
        )
    ],
    ids=["runs", "tokens", "cost", "seconds"],
)
async def test_the_administrators_budget_of_a_turn_holds_over_a_looser_one(
    lab: Lab, model: ModelServer, kind: str
) -> None:
    await allow(lab, turn={"runs": 9, "tokens": 90_000, "cost": 9.0, "seconds": 900})
    person = await begun(lab, model, greedy(BUSY), mode="auto")
    await person.say("please")
    assert await person.ended() == kind
    assert [run.status for run in runs(person)] == ["ok"]


@with_settings(max_runs=9, max_tokens=90_000)
async def test_the_persons_budget_of_a_turn_holds_over_a_looser_one(
    lab: Lab, model: ModelServer
) -> None:
    status = await allow(lab, turn={"tokens": 2_000})
    assert status["budgets"]["turn"]["tokens"] == 2_000
    assert status["budget_caps"]["turn"]["tokens"] == 90_000
    person = await begun(lab, model, greedy(), mode="auto")
    await person.say("please")
    assert await person.ended() == "max_tokens"


async def test_a_budget_that_is_lowered_in_mid_turn_holds_from_the_next_call_on(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, greedy())
    await person.say("please")
    card = await person.asked()
    await allow(lab, turn={"tokens": 1_000})
    await person.answer(card)
    assert await person.ended() == "max_tokens"
    assert [run.status for run in runs(person)] == ["ok"]


async def test_a_turns_first_call_is_made_however_long_the_kernel_took(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands()
    monkeypatch.setattr("cave_lab.thread.turn.WorkClock", lambda: WorkClock(hands))
    await allow(lab, turn={"seconds": 10})
    person = await begun(lab, model, asked("please", Say("I "), Gate("go"), Say("see.")))

    async def slowly(*arguments: Any) -> Any:
        hands.at += 100
        return await see_variables(*arguments)

    monkeypatch.setattr("cave_lab.thread.turn.see_variables", slowly)
    await person.say("please")
    model.release("go")
    assert await person.ended() == "end_turn"


async def test_without_a_known_price_a_budget_of_money_stops_nothing_and_says_so_once(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, turn={"cost": 0.000001}, thread={"cost": 0.000001})
    person = await begun(lab, model, greedy(), told("Finished", Say("Done.")), GO_ON, mode="auto")
    await person.say("please")
    assert await person.ended() == "end_turn"
    usage = person.state.usage
    assert (usage.cost, usage.unpriced) == (None, 2)
    [notice] = notices(person)
    assert (notice.code, notice.actions) == ("price_unknown", ["open_model_settings"])
    await person.say("go on")
    assert await person.ended(2) == "end_turn"
    assert notices(person) == []


# ── of a thread


@KNOWN
@BY_KIND
async def test_a_thread_that_has_used_its_budget_calls_no_model_until_it_is_extended(
    lab: Lab, model: ModelServer, kind: str, bound: float, reason: str, words: str
) -> None:
    await allow(lab, thread={kind: bound})
    person = await begun(lab, model, greedy(BUSY), GO_ON, greedy(BUSY, "once more"), mode="auto")
    await person.say("please")
    assert await person.ended() == reason
    assert [(run.status, bool(run.cell_id)) for run in runs(person)] == [("ok", True)]
    [notice] = notices(person)
    assert (notice.code, notice.actions) == (reason, ANEW)
    assert words in notice.text
    assert "This thread" in notice.text

    await person.say("go on")
    assert await person.ended(2) == reason
    assert [notice.actions for notice in notices(person)] == [ANEW]
    assert len(model.requests) == 1

    await person.do("thread.change", extend_budget=True)
    await person.talk.event("thread.changed", budget_extended=True)
    if kind != "tokens":
        await person.say("go on")
        assert await person.ended(3) == "end_turn"
    else:
        assert person.state.budget_from == person.state.usage

    await person.say("once more")
    turns = len(person.state.turns) + (person.state.turn is None)
    assert await person.ended(turns) == reason
    assert [run.status for run in runs(person)] == ["ok", "ok"]
    await told_whole(lab, person)


@pytest.mark.parametrize(
    "more_config",
    [{"CaveLab": {"max_thread_tokens": 2_000}}],
    ids=["configured"],
)
async def test_the_administrators_budget_of_a_thread_holds_over_a_looser_one(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"tokens": 90_000})
    person = await begun(lab, model, greedy(), mode="auto")
    await person.say("please")
    assert await person.ended() == "max_tokens"
    assert notices(person)[0].actions == ANEW


async def test_another_thread_has_a_budget_of_its_own(lab: Lab, model: ModelServer) -> None:
    await allow(lab, thread={"runs": 1})
    person = await begun(lab, model, greedy(), GO_ON, mode="auto")
    await person.say("please")
    assert await person.ended() == "max_runs"
    other = await Person.at(lab, person.target, mode="auto")
    await other.say("go on")
    assert await other.ended() == "end_turn"


async def test_a_message_that_waited_calls_no_model_once_the_budget_is_used(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"tokens": 2_000})
    first = ScriptedTurn(
        "first",
        When(last=("please",)),
        (Say("I think. "), Gate("go"), Say("Done.")),
        usage=Tokens(2_000, 40),
    )
    person = await begun(lab, model, first, GO_ON)
    await person.say("please")
    await person.talk.event("text.delta")
    await person.say("go on")
    model.release("go")
    assert await person.ended() == "end_turn"
    assert await person.ended(2) == "max_tokens"
    assert len(model.requests) == 1
    await told_whole(lab, person)


async def test_messages_behind_one_that_the_budget_kept_from_the_model_stay_in_the_queue(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"tokens": 2_000})
    first = ScriptedTurn(
        "first",
        When(last=("please",)),
        (Say("I think. "), Gate("go"), Say("Done.")),
        usage=Tokens(2_000, 40),
        times=1,
    )
    person = await begun(lab, model, first, GO_ON, asked("then this", Say("This, then.")))
    await person.say("please")
    await person.talk.event("text.delta")
    await person.say("go on")
    await person.say("then this")
    model.release("go")
    assert await person.ended(2) == "max_tokens"
    await person.talk.event("notice", code="queue_kept_back")
    assert len(person.state.queue) == 1
    await person.do("thread.change", extend_budget=True)
    await person.say("go on")
    assert await person.ended(3) == "end_turn"
    assert await person.ended(4) == "end_turn"
    state = await told_whole(lab, person)
    assert (state.queue, len(model.requests)) == ([], 3)


async def test_a_block_that_the_person_clicks_runs_although_the_budget_is_used(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"runs": 1})
    person = await begun(lab, model, greedy(), mode="auto")
    await person.say("please")
    assert await person.ended() == "max_runs"
    await click(person, "2 + 2")
    assert await person.ended(2) == "end_turn"
    assert [run.status for run in runs(person)] == ["ok", "ok"]
    assert notices(person) == []


async def test_a_program_that_only_has_the_token_extends_no_budget(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"runs": 1})
    person = await begun(lab, model, greedy())
    await person.say("please")
    await person.answer(await person.asked())
    assert await person.ended() == "max_runs"
    program = await lab.connect(lab.token_headers)
    with pytest.raises(Refused) as refused:
        await program.ask("thread.change", thread_id=person.thread_id, extend_budget=True)
    assert refused.value.code == "forbidden"
    message = {"content": [{"type": "text", "text": "go on"}]}
    await program.ask("message.send", thread_id=person.thread_id, **message)
    assert await person.ended(2) == "max_runs"
    assert len(model.requests) == 1


@KNOWN
async def test_a_budget_of_money_counts_calls_with_a_price_beside_those_without(
    lab: Lab, model: ModelServer
) -> None:
    await allow(lab, thread={"cost": 1.5 * COST})
    answer = ScriptedTurn("any", answer=(Say("Yes."),), usage=Tokens(2_000, 40))
    person = await begun(lab, model, answer)
    await person.say("one")
    assert await person.ended() == "end_turn"
    await put(lab, model="openai/scripted", api_base=model.url, key_env=KEY)
    await person.say("two")
    assert await person.ended(2) == "end_turn"
    await put(lab, model="openai/gpt-4o", api_base=model.url, key_env=KEY)
    await person.say("three")
    assert await person.ended(3) == "end_turn"
    await person.say("four")
    assert await person.ended(4) == "max_cost"
    usage = (await told_whole(lab, person)).usage
    assert usage.cost == pytest.approx(2 * COST)
    assert (usage.calls, usage.unpriced) == (3, 1)
