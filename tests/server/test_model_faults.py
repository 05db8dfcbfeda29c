"""Every fault of a provider, through the whole server: how the turn ends and what is told."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.script import Cell, Fault, Item, RawCall, Say, ScriptedTurn, Think, When
from cave_lab.protocol.words import NextStep
from cave_lab.state.values import TextItem
from tests.fakes.model_server import ModelServer
from tests.model.fault_table import BEFORE, HALFWAY, SILENT, UNREACHABLE, Fate
from tests.server.scenarios import begun, last_request, script, told_whole
from tests.server.test_settings import put
from tests.talk import Frame, Lab, Person, run_as_person

QUICK = replace(DEFAULT_LIMITS, retry_first_seconds=0.01)
HASTY = replace(QUICK, idle_model_seconds=1.0)
"""A call that says nothing for so long is ended; a busy machine says something sooner."""

PLAIN = {"CaveLab": {"model": "openai/plain"}}
FORMATS = pytest.mark.parametrize("more_config", [{}, PLAIN], ids=["tools", "fences"])

TOOLS_HALF: tuple[Item, ...] = (
    Say("Half an answer."),
    RawCall('{"purpose": "x", "code": "ran = 1'),
)
FENCES_HALF: tuple[Item, ...] = (Say("Half an answer.\n\n```python run x\nran = 1"),)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long before the next try."""
    monkeypatch.setattr("cave_lab.server.domain.DEFAULT_LIMITS", QUICK)


@pytest.fixture
def hasty(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has a short patience with a silent model."""
    monkeypatch.setattr("cave_lab.server.domain.DEFAULT_LIMITS", HASTY)


@dataclass(frozen=True)
class Heard:
    """What the person was told of one turn."""

    reason: str
    notices: list[Frame]
    retries: list[Frame]
    requests: int
    usage: list[Frame]


async def turn_of(person: Person, model: ModelServer, words: str) -> Heard:
    """Say something and hear all of the turn."""
    seen, asked = len(person.talk.frames), len(model.requests)
    turns = sum(frame["type"] == "turn.ended" for frame in person.talk.frames)
    await person.say(words)
    reason = await person.ended(turns + 1)
    frames = person.talk.frames[seen:]

    def of(type_: str) -> list[Frame]:
        return [frame for frame in frames if frame["type"] == type_]

    requests = len(model.requests) - asked
    return Heard(reason, of("notice"), of("model.retrying"), requests, of("usage"))


def fault_of(kind: Any) -> ScriptedTurn:
    """A turn that holds nothing but a fault."""
    return ScriptedTurn(kind, fault=Fault(kind, seconds=0.05))


async def warm(lab: Lab, model: ModelServer, **settings: Any) -> Person:
    """A person whose first answer, with all that is loaded for it, is behind them."""
    person = await begun(lab, model, ScriptedTurn("hi", answer=(Say("Hello."),)), **settings)
    await person.say("hi")
    assert await person.ended() == "end_turn"
    return person


async def has_not_run(lab: Lab, person: Person) -> bool:
    """Whether nothing of the half cell is in the kernel."""
    reply = await run_as_person(lab, person.target, "assert 'ran' not in globals()")
    return bool(reply["status"] == "ok")


def check(kind: str, fate: Fate, heard: Heard) -> None:
    """Compare what was told with the table."""
    retries = DEFAULT_LIMITS.model_retries if fate.again else 0
    [notice] = heard.notices
    steps: list[NextStep] = list(fate.steps)
    assert (kind, heard.reason) == (kind, fate.stop)
    assert (kind, notice["level"], notice["code"]) == (kind, "error", fate.error.code)
    assert (kind, notice["actions"]) == (kind, steps)
    assert notice["text"].startswith(fate.error.happened) or kind in SILENT
    assert (kind, heard.requests, len(heard.retries)) == (kind, 1 + retries, retries)
    assert [retry["attempt"] for retry in heard.retries] == list(range(1, retries + 1))
    waits = [retry["wait_seconds"] for retry in heard.retries]
    assert waits == sorted(waits), "each wait is longer than the one before"
    assert {retry["text"] for retry in heard.retries} <= {fate.error.happened}


async def play(lab: Lab, model: ModelServer, person: Person, kinds: Iterable[str]) -> None:
    """One turn for each fault, told as the table says; then all is kept, and goes on."""
    for kind in kinds:
        model.load(script(fault_of(kind)))
        heard = await turn_of(person, model, f"ask for {kind}")
        check(kind, BEFORE[kind], heard)
        # Who was refused pays nothing; who was heard and not answered may.
        charged = kind in SILENT
        assert [frame["estimated"] for frame in heard.usage] == ([True] if charged else [])
    model.load(script(ScriptedTurn("well", answer=(Say("Here I am."),))))
    heard = await turn_of(person, model, "are you there?")
    assert (heard.reason, heard.notices, heard.retries) == ("end_turn", [], [])
    for kind in kinds:
        assert f"ask for {kind}" in last_request(model), "what was typed is not lost"
    await told_whole(lab, person)


# ── before the first word


STATUSES = sorted(BEFORE.keys() - {"no_tools"} - SILENT)


@pytest.mark.parametrize("half", [0, 1])
async def test_every_fault_ends_the_turn_with_its_sentence_and_next_steps(
    lab: Lab, model: ModelServer, half: int
) -> None:
    person = await warm(lab, model, mode="auto")
    await play(lab, model, person, STATUSES[half::2])


@pytest.mark.usefixtures("hasty")
async def test_a_model_that_says_nothing_is_hung_up_on_and_told(
    lab: Lab, model: ModelServer
) -> None:
    person = await warm(lab, model, mode="auto")
    await play(lab, model, person, sorted(SILENT))
    silent = [request for request in model.requests if request.turn in SILENT]
    assert [bool(request.when("hung_up")) for request in silent] == [True] * len(SILENT)


async def test_slow_headers_are_waited_for(lab: Lab, model: ModelServer) -> None:
    person = await warm(lab, model)
    slow = Fault("slow_headers", seconds=0.2)
    model.load(script(ScriptedTurn("slow", answer=(Say("At last."),), fault=slow)))
    heard = await turn_of(person, model, "hurry")
    assert (heard.reason, heard.notices, heard.retries) == ("end_turn", [], [])
    assert words(person) == "At last."


async def test_a_server_that_is_gone_is_told_and_another_one_is_offered(
    lab: Lab, model: ModelServer
) -> None:
    person = await warm(lab, model)
    async with ModelServer() as gone:
        url = gone.url
    chosen = {"model": "openai/scripted", "api_base": url, "key_env": None}
    assert (await put(lab, **chosen))[0] == 200
    heard = await turn_of(person, model, "hello?")
    check("gone", UNREACHABLE, replace(heard, requests=1))
    assert heard.requests == 0
    assert heard.usage == []
    await told_whole(lab, person)


async def test_a_model_without_tools_goes_on_in_fences_at_once(
    lab: Lab, model: ModelServer
) -> None:
    person = await warm(lab, model)
    well = ScriptedTurn("well", answer=(Say("Hello."),))
    model.load(script(replace(fault_of("no_tools"), times=1), well))
    heard = await turn_of(person, model, "hello?")
    assert (heard.reason, heard.requests) == ("end_turn", 2)
    assert [notice["code"] for notice in heard.notices] == ["format_learned"]
    assert "tools" not in model.requests[-1].body


async def test_who_asked_for_tools_is_told_that_there_are_none(
    lab: Lab, model: ModelServer
) -> None:
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": None}
    assert (await put(lab, **chosen, options={"format": "tools"}))[0] == 200
    person = await warm(lab, model)
    model.load(script(fault_of("no_tools")))
    check("no_tools", BEFORE["no_tools"], await turn_of(person, model, "hello?"))


# ── in the middle of an answer


async def break_off(
    lab: Lab, model: ModelServer, person: Person, answer: tuple[Item, ...], kinds: Iterable[str]
) -> None:
    """One turn for each fault behind half an answer: what came is kept, and nothing of it ran."""
    for kind in kinds:
        broken = Fault(kind, seconds=0.05)  # type: ignore[arg-type]
        model.load(script(ScriptedTurn(kind, answer=answer, fault=broken)))
        heard = await turn_of(person, model, f"ask for {kind}")
        [notice] = heard.notices
        assert (kind, heard.reason, heard.requests) == (kind, "model_error", 1)
        assert (kind, notice["code"]) == (kind, "model_interrupted")
        assert notice["actions"] == ["go_on", "try_again"]
        assert "What came so far is kept; nothing of an unfinished cell ran." in notice["text"]
        assert [frame["estimated"] for frame in heard.usage] == [True]
        assert heard.usage[0]["completion"] > 0
        assert words(person).strip() == "Half an answer."
        run = list(person.state.runs.values())[-1]
        assert (run.status, run.code) == ("not_run", "ran = 1")
    state = await told_whole(lab, person)
    assert len(state.runs) == len(list(kinds))
    assert await has_not_run(lab, person)


@FORMATS
async def test_what_came_before_the_stream_broke_is_kept_and_nothing_of_it_ran(
    lab: Lab, model: ModelServer, more_config: Any
) -> None:
    person = await warm(lab, model, mode="auto")
    answer = FENCES_HALF if more_config else TOOLS_HALF
    await break_off(lab, model, person, answer, sorted(HALFWAY - SILENT))


@pytest.mark.usefixtures("hasty")
@FORMATS
async def test_what_came_before_the_model_fell_silent_is_kept_and_nothing_of_it_ran(
    lab: Lab, model: ModelServer, more_config: Any
) -> None:
    person = await warm(lab, model, mode="auto")
    answer = FENCES_HALF if more_config else TOOLS_HALF
    await break_off(lab, model, person, answer, sorted(HALFWAY & SILENT))


async def test_reasoning_that_broke_off_is_kept_and_not_asked_for_again(
    lab: Lab, model: ModelServer
) -> None:
    person = await warm(lab, model)
    turn = ScriptedTurn("thinks", answer=(Think("Let me see"),), fault=Fault("reset"))
    model.load(script(turn))
    heard = await turn_of(person, model, "think")
    assert (heard.reason, heard.requests, heard.retries) == ("model_error", 1, [])
    assert heard.notices[0]["code"] == "model_interrupted"
    assert person.state.turns[-1].items[0].text == "Let me see"  # type: ignore[union-attr]


# ── cut by the model's limit


@FORMATS
async def test_a_cut_cell_never_runs_and_its_repair_does(
    lab: Lab, model: ModelServer, more_config: Any
) -> None:
    half = FENCES_HALF if more_config else TOOLS_HALF
    person = await begun(
        lab,
        model,
        ScriptedTurn("cut", When(role="user"), half, finish="length", times=1),
        ScriptedTurn(
            "whole", When(request=("reached the model's limit",)), (Cell("y = 2"),), times=1
        ),
        ScriptedTurn("done", answer=(Say("Done."),)),
        mode="auto",
    )
    heard = await turn_of(person, model, "make it")
    assert (heard.reason, heard.requests) == ("end_turn", 3)
    assert [notice["code"] for notice in heard.notices] == ["answer_cut"]
    cut, whole = (await told_whole(lab, person)).runs.values()
    assert (cut.status, cut.code) == ("not_run", "ran = 1")
    assert (whole.status, whole.code) == ("ok", "y = 2")
    assert await has_not_run(lab, person)


@FORMATS
async def test_a_cell_that_is_cut_again_and_again_ends_the_turn_at_the_fourth_request(
    lab: Lab, model: ModelServer, more_config: Any
) -> None:
    half = FENCES_HALF if more_config else TOOLS_HALF
    person = await begun(lab, model, ScriptedTurn("cut", answer=half, finish="length"), mode="auto")
    heard = await turn_of(person, model, "make it")
    assert (heard.reason, heard.requests) == ("max_tokens", 4)
    assert [n["code"] for n in heard.notices] == ["answer_cut"] * 3 + ["max_tokens"]
    assert heard.notices[-1]["actions"] == ["go_on"]
    runs = (await told_whole(lab, person)).runs.values()
    assert [run.status for run in runs] == ["not_run"] * 4
    assert await has_not_run(lab, person)


def words(person: Person) -> str:
    """All that was said in the last turn."""
    return "".join(i.text for i in person.state.turns[-1].items if isinstance(i, TextItem))
