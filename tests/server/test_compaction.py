"""The talk is shortened before it is too long: in steps, visibly, and nothing of it is lost."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cave_lab.model.script import Cell, Fault, Gate, Say, ScriptedTurn, StatusFault, When
from cave_lab.protocol.thread_events import ContextCompacted, ContextSent
from cave_lab.state.values import CompactedItem, NoticeItem, ThreadState
from tests.fakes.counting import Counting
from tests.fakes.model_server import ModelServer
from tests.model.tokenizers import CHINESE, counters, table
from tests.server.scenarios import asked, begun, last_request, told, told_whole
from tests.server.test_budgets import allow
from tests.server.test_settings import put
from tests.talk import Lab, Person, run_as_person
from tests.waiting import until

WINDOW = 8_192
MOST = 6_144
"""Where a talk is shortened in this window."""


@pytest.fixture
def limit() -> int | None:
    """What the provider refuses, whatever window it told of; parametrize it."""
    return None


@pytest.fixture
def wording() -> StatusFault:
    """How it words a refusal."""
    return "context_code"


@pytest.fixture
def window() -> int | None:
    """What the provider's server tells of its models."""
    return WINDOW


@pytest.fixture
async def model(
    limit: int | None, wording: StatusFault, window: int | None
) -> AsyncIterator[ModelServer]:
    """A provider that counts with a real tokenizer."""
    counting = Counting(counters()["OpenAI"], limit, wording)
    async with ModelServer(window=window, counting=counting) as server:
        yield server
    assert server.mismatches == []


def words(count: int) -> str:
    """So many tokens."""
    return "word " * count


def sums_up(*answer: Any, **more: Any) -> ScriptedTurn:
    """The answer to the wish for a summary."""
    when = When(last=("replaced by what you write now",), role="user")
    return ScriptedTurn("sums up", when, answer, **more)


def says(name: str) -> ScriptedTurn:
    return asked(name, Say(f"Answer to {name}."))


def compactions(person: Person) -> list[ContextCompacted]:
    events = person.talk.events(person.thread_id)
    return [event for event in events if isinstance(event, ContextCompacted)]


def notices(state: ThreadState) -> list[NoticeItem]:
    items = (item for turn in state.turns for item in turn.items)
    return [item for item in items if isinstance(item, NoticeItem)]


def texts(model: ModelServer, number: int = -1) -> list[str]:
    """The messages of a request."""
    return [str(m.get("content")) for m in model.requests[number].body["messages"]]


async def long_talk(person: Person, *names: str, tokens: int = 2_000) -> None:
    """Messages of so many tokens, each answered."""
    for number, name in enumerate(names, 1):
        await person.say(f"{words(tokens)} {name}")
        assert await person.ended(number) == "end_turn"


# ── older results in a line


async def test_older_results_become_a_line_first_and_the_last_six_stay_whole(
    lab: Lab, model: ModelServer
) -> None:
    def prints(number: int) -> Cell:
        # Of such letters each is a token: an output that is told whole, and weighs much.
        much = f"print('가나 ' * {475 if number <= 5 else 5}, 'mark-{number}.')"
        return Cell(f"v{number} = {number}\n{much}", f"Step {number}")

    steps = [told(f"mark-{n}.", prints(n + 1)) for n in range(1, 11)]
    person = await begun(
        lab, model, asked("start", prints(1)), *steps, told("mark-11.", Say("Done.")), mode="auto"
    )
    await person.say("start")
    assert await person.ended(seconds=120) == "end_turn"
    [event] = compactions(person)
    assert (event.tier, event.reason) == ("stubs", "window")
    assert event.before_tokens > MOST
    assert event.after_tokens < 2 * MOST / 3
    results = [m["content"] for m in model.requests[-1].body["messages"] if m["role"] == "tool"]
    lines = [text for text in results if "left out here: out_" in text]
    assert len(lines) == 5
    assert all("Variables: +v" in line and "\n" not in line for line in lines)
    assert all("가나 가나" in text for text in results[len(lines) :])
    await told_whole(lab, person)


# ── a summary


async def test_the_model_sums_up_what_was_said_and_the_talk_goes_on_from_there(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        says("first"),
        says("second"),
        asked("third", Cell("len(kept)", "Count")),
        told("3", Say("There are three.")),
        sums_up(Say("They sent two logs. `kept` holds the rest.")),
        mode="auto",
    )
    await run_as_person(lab, person.target, "kept = [1, 2, 3]")
    await long_talk(person, "first", "second", "third")
    state = await told_whole(lab, person)
    [event] = compactions(person)
    assert (event.tier, event.summary) == ("summary", "They sent two logs. `kept` holds the rest.")
    assert event.after_tokens < MOST < event.before_tokens
    assert [variable.name for variable in event.variables] == ["kept"]
    asked_for, question = texts(model, -3), texts(model, -2)
    assert "Answer to second." in "\n".join(asked_for), "the model sums up the talk itself"
    assert "third" not in "\n".join(asked_for), "the question is not part of what is left out"
    assert len(question) == 2
    assert "`kept` holds the rest." in question[1]
    assert "kept: list of 3" in question[1]
    assert question[1].endswith("third")
    assert [call.call for call in state.turns[2].calls] == [1, 2, 3]
    assert state.usage.calls == 5, "the summary is counted"
    assert state.usage.prompt == sum(model.counting.prompts)  # type: ignore[union-attr]
    assert len(texts(model, -1)) == 4, "the messages after it go on behind it"


async def test_what_the_model_was_given_for_a_summary_can_be_opened(
    lab: Lab, model: ModelServer
) -> None:
    names = ("first", "second", "third")
    person = await begun(lab, model, *map(says, names), sums_up(Say("Two logs.")))
    await long_talk(person, *names)
    sent = [e for e in person.talk.events(person.thread_id) if isinstance(e, ContextSent)]
    assert len(sent) == 4
    found = await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{sent[2].messages[-1]}")
    assert found.code == 200
    assert b"replaced by what you write now" in found.body


@pytest.mark.parametrize(
    "failing",
    [
        sums_up(fault=Fault("bad_request")),
        sums_up(),
        sums_up(Say("They sent"), finish="length"),
        sums_up(Say("They sent"), fault=Fault("reset")),
    ],
    ids=["refused", "empty", "cut", "broken off"],
)
async def test_a_failed_summary_deletes_nothing_and_is_told(
    lab: Lab, model: ModelServer, failing: ScriptedTurn
) -> None:
    person = await begun(lab, model, says("first"), says("second"), says("third"), failing)
    await long_talk(person, "first", "second", "third")
    state = await told_whole(lab, person)
    assert compactions(person) == []
    whole = last_request(model)
    assert all(word in whole for word in ("first", "Answer to second.", "third"))
    [notice] = notices(state)
    assert (notice.code, notice.level) == ("summary_failed", "info")
    assert "Nothing was left out" in notice.text
    assert notice.detail


async def test_after_three_failures_no_summary_is_tried_and_the_oldest_are_left_out(
    lab: Lab, model: ModelServer
) -> None:
    names = ["first", "second", "third", "fourth", "fifth"]
    person = await begun(lab, model, *map(says, names), sums_up(fault=Fault("bad_request")))
    await long_talk(person, *names[:3])
    for number, name in enumerate(names[3:], 4):
        await person.say(name)
        assert await person.ended(number) == "end_turn"
    assert len(notices(person.state)) == 3
    assert compactions(person) == []
    model.load(model.script)
    await person.say("first again")
    assert await person.ended(6) == "end_turn"
    state = await told_whole(lab, person)
    [event] = compactions(person)
    assert (event.tier, event.summary) == ("trimmed", None)
    assert len([n for n in notices(state) if n.code == "summary_failed"]) == 3
    assert "again and again" in notices(state)[-1].text
    question = texts(model)[1]
    assert question.startswith("(Earlier messages of this thread were left out to save room; ")
    assert "Answer to fifth." in last_request(model)
    assert "Answer to first." not in last_request(model)


async def test_a_stop_while_the_talk_is_summed_up_ends_the_turn_and_leaves_the_talk(
    lab: Lab, model: ModelServer
) -> None:
    names = ("first", "second")
    waiting = sums_up(Say("They "), Gate("never"), Say("sent logs."))
    person = await begun(lab, model, *map(says, names), says("third"), waiting)
    await long_talk(person, *names)
    await person.say(f"{words(2_000)} third")
    await until(lambda: len(model.requests) == 3 and model.requests[2].when("gate"), "the summary")
    await person.do("turn.stop")
    assert await person.ended(3) == "cancelled"
    await until(lambda: model.requests[2].when("hung_up"), "the connection closed")
    state = await told_whole(lab, person)
    assert compactions(person) == []
    assert notices(state) == []
    assert not [f for f in person.talk.frames if f["type"] == "text.delta" and f["text"] == "They "]
    assert state.turns[2].usage.estimated, "what was read has cost something"


async def test_a_summary_counts_against_the_budget(lab: Lab, model: ModelServer) -> None:
    names = ("first", "second", "third")
    await allow(lab, thread={"tokens": 11_000})
    person = await begun(lab, model, *map(says, names), sums_up(Say("Two logs.")))
    for number, name in enumerate(names, 1):
        await person.say(f"{words(2_000)} {name}")
        end = await person.ended(number)
        assert end == ("max_tokens" if number == 3 else "end_turn"), model.counting
    assert [event.tier for event in compactions(person)] == ["summary"]
    assert len(model.requests) == 3, "the call behind the summary is not made"


async def test_a_second_summary_takes_in_the_first(lab: Lab, model: ModelServer) -> None:
    names = ["first", "second", "third", "fourth", "fifth", "sixth"]
    person = await begun(
        lab,
        model,
        *map(says, names),
        sums_up(Say("SUMMARY ONE"), times=1),
        ScriptedTurn("again", When(last=("replaced by what",)), (Say("SUMMARY TWO"),)),
    )
    await long_talk(person, *names)
    assert [event.tier for event in compactions(person)] == ["summary", "summary"]
    for_second = next(r for r in model.requests if r.turn == "again")
    assert "SUMMARY ONE" in str(for_second.body["messages"])
    assert "SUMMARY TWO" in last_request(model)
    assert "SUMMARY ONE" not in last_request(model)


# ── a window that was thought to be larger


@pytest.mark.parametrize("window", [100_000])
@pytest.mark.parametrize("limit", [5_000])
@pytest.mark.parametrize("wording", ["context_code", "context_words"])
async def test_a_call_refused_as_too_long_is_shortened_once_and_made_once_more(
    lab: Lab, model: ModelServer
) -> None:
    names = ("first", "second", "third")
    person = await begun(lab, model, *map(says, names), sums_up(Say("Two logs.")))
    await long_talk(person, *names)
    state = await told_whole(lab, person)
    [event] = compactions(person)
    assert (event.tier, event.reason) == ("summary", "overflow")
    assert notices(state) == []
    assert [request.turn for request in model.requests] == [
        "asked: first",
        "asked: second",
        "asked: third",
        "sums up",
        "asked: third",
    ]
    assert isinstance(state.turns[2].items[0], CompactedItem)


@pytest.mark.parametrize("window", [100_000])
@pytest.mark.parametrize("limit", [5_000])
async def test_what_a_model_has_refused_once_is_known_in_the_thread(
    lab: Lab, model: ModelServer
) -> None:
    names = ["first", "second", "third", "fourth", "fifth"]
    person = await begun(lab, model, *map(says, names), sums_up(Say("Logs.")))
    await long_talk(person, *names, tokens=1_500)
    first, *later = [event.reason for event in compactions(person)]
    assert (first, set(later)) == ("overflow", {"window"})
    assert model.counting is not None
    assert len([tokens for tokens in model.counting.prompts if tokens > 5_000]) == 1
    await told_whole(lab, person)


@pytest.mark.parametrize("window", [100_000])
@pytest.mark.parametrize("limit", [3_000])
async def test_a_call_refused_again_after_that_is_told_and_not_made_a_third_time(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, says("first"), says("second"), sums_up(Say("One log.")))
    await person.say(f"{words(1_000)} first")
    assert await person.ended() == "end_turn"
    await person.say(f"{words(4_000)} second")
    assert await person.ended(2) == "model_error"
    state = await told_whole(lab, person)
    assert [notice.code for notice in notices(state)] == ["context_too_long"]
    assert len([r for r in model.requests if r.turn == "asked: second"]) == 2


@pytest.mark.parametrize("limit", [WINDOW])
async def test_one_huge_message_goes_out_all_the_same_and_the_person_is_told_what_to_do(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, says("huge"))
    await person.say(f"{words(9_000)} huge")
    assert await person.ended() == "model_error"
    [notice] = notices(await told_whole(lab, person))
    assert notice.code == "context_too_long"
    assert "Your message alone is too long for this model" in notice.text
    assert "Shorten it, or save the text in a file" in notice.text
    assert len(model.requests) == 1
    assert compactions(person) == []


# ── the window


async def test_the_persons_own_window_is_what_counts(lab: Lab, model: ModelServer) -> None:
    named = {"model": "openai/scripted", "api_base": model.url, "key_env": "CAVE_LAB_TEST_API_KEY"}
    assert (await put(lab, **named, options={"window": 50_000}))[0] == 200
    names = ("first", "second", "third", "fourth")
    person = await begun(lab, model, *map(says, names))
    await long_talk(person, *names)
    assert compactions(person) == []


@pytest.mark.parametrize("window", [None])
async def test_a_window_that_nobody_knows_is_taken_for_a_small_one(
    lab: Lab, model: ModelServer
) -> None:
    names = ("first", "second", "third")
    person = await begun(lab, model, *map(says, names), sums_up(Say("Two logs.")))
    await long_talk(person, *names)
    assert [event.tier for event in compactions(person)] == ["summary"]


# ── the estimate


@pytest.mark.parametrize("window", [100_000])
@pytest.mark.parametrize("provider", ["DeepSeek", "Anthropic"])
async def test_what_a_call_will_cost_is_known_within_15_percent_before_it_goes_out(
    lab: Lab, model: ModelServer, provider: str
) -> None:
    model.counting = Counting(counters()[provider])
    prints = {
        "one": f"print({CHINESE * 4!r}, 'one')",
        "two": f"print({table(25, 1)!r}, 'two')",
        "three": f"print({CHINESE * 8!r}, 'three')",
    }
    person = await begun(
        lab,
        model,
        asked("start", Cell(prints["one"])),
        told("one", Cell(prints["two"])),
        told("two", Cell(prints["three"])),
        told("three", Say("Done.")),
        mode="auto",
    )
    await person.say("start")
    assert await person.ended() == "end_turn"
    calls = (await told_whole(lab, person)).turns[0].calls
    assert len(calls) == 4
    for call in calls[1:]:
        assert call.usage is not None
        assert call.estimated_tokens == pytest.approx(call.usage.prompt, rel=0.15)
