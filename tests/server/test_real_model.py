"""A whole server, a real notebook's kernel and a real model, whose answers are not judged."""

from collections.abc import AsyncIterator

import pytest

from cave_lab.protocol.thread_events import UsageReported
from tests.fakes.real_model import Counted, RealModel
from tests.lab import KEY
from tests.server.scenarios import told_whole
from tests.talk import Frame, Lab, Person
from tests.waiting import until

# On a busy machine a real model takes its time.
pytestmark = pytest.mark.timeout(300)

ANSWER_TOKENS = 24
SLOW = 200.0
"""Seconds for a turn of some hundred tokens where others work too."""


@pytest.fixture
def endless() -> bool:
    """Whether the model can't end an answer by itself, nor is ended; parametrize it."""
    return False


@pytest.fixture
async def model(endless: bool) -> AsyncIterator[RealModel]:
    """In place of the fake provider."""
    most = -1 if endless else ANSWER_TOKENS
    async with RealModel(most=most, endless=endless) as model:
        yield model


def reported(person: Person) -> Counted:
    """The sum of the usage that came as events."""
    events = person.talk.events(person.thread_id)
    used = [event for event in events if isinstance(event, UsageReported)]
    assert used
    return Counted(sum(u.prompt for u in used), sum(u.completion for u in used))


def metered(person: Person) -> Counted:
    """What the thread's meter shows."""
    return Counted(person.state.usage.prompt, person.state.usage.completion)


async def test_the_meter_is_right_to_the_token(lab: Lab, model: RealModel) -> None:
    person = await Person.at(lab, await lab.notebook(), mode="chat")
    for turn in (1, 2):
        await person.say("Say hello.")
        # The limit of an answer, should it come to that, is no error.
        assert await person.ended(turn, seconds=SLOW) in ("end_turn", "max_tokens")
    state = await told_whole(lab, person)
    assert all(turn.items for turn in state.turns)
    assert metered(person) == reported(person) == await model.counted()
    assert metered(person).completion > 0


@pytest.mark.parametrize("endless", [True])
async def test_stop_frees_the_server_for_the_next_turn(lab: Lab, model: RealModel) -> None:
    person = await Person.at(lab, await lab.notebook(), mode="chat")
    for turn in (1, 2):
        seen = len(person.talk.frames)
        await person.say("Tell me a story.")
        await person.talk.event("text.delta", after=seen, seconds=SLOW)
        assert not await model.idle()
        await person.do("turn.stop")
        assert await person.ended(turn) == "cancelled"
        await until(model.idle, "the server rest", seconds=SLOW)
    counted = await model.counted()
    assert counted.prompt + counted.completion < model.context, "not one answer was written out"
    await told_whole(lab, person)


async def test_a_conversation_that_does_not_fit_is_told_with_the_next_step(
    lab: Lab, model: RealModel
) -> None:
    person = await Person.at(lab, await lab.notebook(), mode="chat")
    await person.say("word " * 2 * model.context)
    assert await person.ended() == "model_error"
    notice = await person.talk.event("notice")
    assert (notice["code"], notice["actions"]) == ("context_too_long", ["new_thread"])
    assert notice["text"].startswith("Your message alone is too long for this model: about 4,")
    assert "Shorten it, or save the text in a file" in notice["text"]
    assert await model.counted() == Counted(0, 0)
    await told_whole(lab, person)


async def test_whatever_it_says_when_it_may_act_the_turn_ends_and_nothing_runs_unasked(
    lab: Lab, model: RealModel
) -> None:
    named = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    saved = {**named, "options": {"plain_fences_run": True}}
    assert (await lab.fetch("cave-lab/settings", method="PUT", body=saved)).code == 200
    person = await Person.at(lab, await lab.notebook(), mode="review")
    await person.say("Write Python code that prints 1 + 2.")
    if card := await asks(person):
        seen = len(person.talk.frames)
        # Whatever it wrote, this is known to do no harm.
        await person.answer(card, "run_edited", edited_code="1 + 2")
        if await asks(person, after=seen):
            await person.do("turn.stop")
    assert await person.ended() in ("end_turn", "max_tokens", "cancelled", "model_error")
    state = await told_whole(lab, person)
    assert {run.code for run in state.runs.values() if run.status != "not_run"} <= {"1 + 2"}
    assert metered(person) == reported(person)
    await until(model.idle, "the server rest", seconds=SLOW)


async def asks(person: Person, after: int = 0) -> Frame | None:
    """Wait until a cell waits for an answer, or the turn has ended; the first of the two."""
    wanted = ("approval.requested", "turn.ended")
    frame = await person.talk.saw(
        lambda frame: frame["type"] in wanted, "a cell or the end", after=after, seconds=SLOW
    )
    return frame if frame["type"] == wanted[0] else None
