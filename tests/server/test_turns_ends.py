"""Why turns end: each reason once, in words, and with nothing left open."""

from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Fault, RawCall, Say, ScriptedTurn, Tokens, When
from cave_lab.thread.clock import WorkClock
from tests.fakes.model_server import ModelServer
from tests.kernel.person import Person as KernelPerson
from tests.server.scenarios import (
    WAITING,
    asked,
    begun,
    last_request,
    let_go,
    told,
    told_whole,
)
from tests.talk import Lab, Person, Refused, run_as_person


def notices(person: Person) -> list[tuple[str, str]]:
    """Codes and words of all notices."""
    return [(f["code"], f["text"]) for f in person.talk.frames if f["type"] == "notice"]


def with_settings(**traits: Any) -> Any:
    """Run a test under a configuration."""
    return pytest.mark.parametrize("more_config", [{"CaveLab": traits}], ids=["configured"])


# ── budgets


@with_settings(max_runs=1)
async def test_a_turn_that_has_used_its_runs_ends_and_the_next_one_knows(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("count", Cell("x = 1", "Begin")),
        asked("go on", Say("On I go.")),
        mode="auto",
    )
    await person.say("count")
    assert await person.ended() == "max_runs"
    assert [code for code, _ in notices(person)] == ["max_runs"]
    assert len(model.requests) == 1
    await person.say("go on")
    assert await person.ended(2) == "end_turn"
    assert "(Your last turn ended because it had used its runs.)" in last_request(model)
    assert (await told_whole(lab, person)).turns[0].usage.runs == 1


@with_settings(max_tokens=1_000)
async def test_a_turn_that_has_used_its_tokens_ends(lab: Lab, model: ModelServer) -> None:
    greedy = ScriptedTurn("greedy", answer=(Cell("x = 1"),), usage=Tokens(prompt=2_000))
    person = await begun(lab, model, greedy, mode="auto")
    await person.say("count")
    assert await person.ended() == "max_tokens"
    assert "1,000 tokens" in notices(person)[0][1]
    await told_whole(lab, person)


class Hands:
    """The hands of the clock by which a turn measures its work; only the test moves them."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr("cave_lab.thread.turn.WorkClock", lambda: WorkClock(hands))
    return hands


async def test_a_turn_that_has_worked_for_too_long_ends_behind_its_run(
    lab: Lab, model: ModelServer, hands: Hands
) -> None:
    person = await begun(lab, model, asked("wait", Cell(WAITING)), mode="auto")
    await person.say("wait")
    await person.talk.event("output.added")
    hands.at += 4_000
    let_go(lab)
    assert await person.ended() == "max_time"
    assert "60 minutes" in notices(person)[0][1]
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok", "no run is ended by a clock"


async def test_neither_the_persons_thinking_nor_their_own_cell_is_counted_as_work(
    lab: Lab, model: ModelServer, hands: Hands
) -> None:
    person = await begun(lab, model, asked("please", Cell("1")), told("Finished", Say("Done.")))
    colleague = await KernelPerson.at(lab.app.kernel_manager.get_kernel(person.target["kernel_id"]))
    await person.say("please")
    card = await person.asked()
    hands.at += 10_000
    theirs = colleague.send(WAITING)
    await colleague.running(theirs)
    await person.answer(card)
    await person.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame["queued"] == 1, "the run waiting"
    )
    hands.at += 10_000
    let_go(lab)
    assert await person.ended() == "end_turn"
    await colleague.leave()


async def test_an_answer_that_reaches_the_models_limit_goes_on_three_times_at_most(
    lab: Lab, model: ModelServer
) -> None:
    cut = ScriptedTurn("cut", answer=(Say("It goes on and"),), finish="length")
    person = await begun(lab, model, cut)
    await person.say("tell me")
    assert await person.ended() == "max_tokens"
    codes = [code for code, _ in notices(person)]
    assert codes == ["answer_cut", "answer_cut", "answer_cut", "max_tokens"]
    assert len(model.requests) == 4
    told = [message["content"] for message in model.requests[1].body["messages"][-2:]]
    assert told[0] == "It goes on and"
    assert "reached the model's limit and goes on" in told[1]
    await told_whole(lab, person)


async def test_an_answer_that_was_cut_once_is_told_to_its_end(lab: Lab, model: ModelServer) -> None:
    cut = ScriptedTurn("cut", answer=(Say("It goes on and"),), finish="length", times=1)
    rest = ScriptedTurn("rest", When(request=("It goes on and",)), (Say(" ends here."),))
    person = await begun(lab, model, cut, rest)
    await person.say("tell me")
    assert await person.ended() == "end_turn"
    assert [code for code, _ in notices(person)] == ["answer_cut"]
    await told_whole(lab, person)


async def test_a_cell_that_was_cut_at_the_models_limit_never_runs(
    lab: Lab, model: ModelServer
) -> None:
    half = RawCall('{"purpose": "half", "code": "made = 1\\nmade = ')
    cut = ScriptedTurn("cut", When(role="user"), (half,), finish="length", times=1)
    rest = ScriptedTurn("rest", When(request=("was cut off",)), (Say("I see."),))
    person = await begun(lab, model, cut, rest)
    await person.say("make it")
    assert await person.ended() == "end_turn"
    [run] = person.state.runs.values()
    assert (run.phase, run.status) == ("ended", "not_run")
    await told_whole(lab, person)


# ── the model


async def test_a_refusal_of_the_model_or_of_its_provider_is_one(
    lab: Lab, model: ModelServer
) -> None:
    words = ScriptedTurn(
        "words", When(last=("first",)), answer=(Say("I will not."),), finish="content_filter"
    )
    policy = ScriptedTurn("policy", When(last=("second",)), fault=Fault("policy"))
    person = await begun(lab, model, words, policy)
    await person.say("first")
    assert await person.ended() == "refusal"
    await person.say("second")
    assert await person.ended(2) == "refusal"
    assert notices(person)[-1][0] == "model_refused"
    await told_whole(lab, person)


async def test_a_provider_that_fails_ends_the_turn_with_the_next_step(
    lab: Lab, model: ModelServer
) -> None:
    wrong_key = ScriptedTurn("wrong key", When(last=("first",)), fault=Fault("key_missing"))
    broken = ScriptedTurn(
        "broken", When(last=("second",)), answer=(Say("It begins "),), fault=Fault("reset")
    )
    person = await begun(lab, model, wrong_key, broken)
    await person.say("first")
    assert await person.ended() == "model_error"
    first = await person.talk.event("notice")
    assert (first["code"], first["actions"]) == ("model_key_rejected", ["open_model_settings"])
    await person.say("second")
    assert await person.ended(2) == "model_error"
    state = await told_whole(lab, person)
    assert state.turns[1].items[0].text == "It begins "  # type: ignore[union-attr]


async def test_nothing_runs_of_a_cell_whose_stream_broke(lab: Lab, model: ModelServer) -> None:
    half = RawCall('{"purpose": "x", "code": "open(\'ran\', \'w\')')
    broken = ScriptedTurn("broken", answer=(half,), fault=Fault("eof"))
    person = await begun(lab, model, broken, mode="auto")
    await person.say("please")
    assert await person.ended() == "model_error"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.reason) == (
        "not_run",
        "The cell was never complete, so it did not run.",
    )
    assert run.code == "open('ran', 'w')"


# ── the journal


async def journal_fails_once(lab: Lab) -> None:
    """The next commit is refused; the one after it is not."""
    journal = (await lab.domain()).journal
    await journal._writer.run(lambda it: it.execute("PRAGMA query_only = ON"))


async def test_a_click_that_can_not_be_written_down_runs_nothing_and_ends_the_turn(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell("open('ran', 'w').close()")))
    await person.say("please")
    card = await person.asked()
    await journal_fails_once(lab)
    with pytest.raises(Refused) as refused:
        await person.answer(card)
    assert refused.value.code == "journal_unavailable"
    assert await person.ended() == "journal_unavailable"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "not_run"
    assert not run.cell_id
    assert any(frame["type"] == "thread.fault" for frame in person.talk.frames)


async def test_a_cell_whose_intent_can_not_be_written_down_is_never_sent(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await begun(lab, model, asked("please", Cell("open('ran', 'w').close()")))
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    full = thread.recorder.full

    async def fail_at_the_intent(*drafts: Any) -> None:
        if any(draft.type == "run.intended" for draft in drafts):
            await journal_fails_once(lab)
        await full(*drafts)

    monkeypatch.setattr(thread.recorder, "full", fail_at_the_intent)
    await person.say("please")
    await person.answer(await person.asked())
    assert await person.ended() == "journal_unavailable"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert (await run_as_person(lab, person.target, "1"))["status"] == "ok"
    assert not Path(lab.app.contents_manager.root_dir, "ran").exists()


async def test_a_journal_that_fails_while_a_cell_runs_is_told_and_the_cell_goes_on(
    lab: Lab, model: ModelServer
) -> None:
    code = "print('one', flush=True)\n" + WAITING + "\nfinished = True"
    person = await begun(
        lab, model, asked("please", Cell(code)), asked("and now", Say("Well.")), mode="auto"
    )
    await person.say("please")
    await person.talk.event("output.added")
    await journal_fails_once(lab)
    with pytest.raises(Refused):
        await person.do("thread.change", title="This is not written")
    let_go(lab)
    assert await person.ended() == "journal_unavailable"
    fault = await person.talk.event("thread.fault")
    assert "The cell that runs goes on" in fault["text"]
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "unknown"
    assert "The journal failed" in (run.reason or "")
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "finished" in last_request(model), "what it made is there, and is told"
