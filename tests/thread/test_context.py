"""What a call is given, and that it is recorded and stored as it was given."""

import json

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.model.messages import Place
from cave_lab.model.port import ModelChoice
from cave_lab.protocol.thread_events import ContextSent
from cave_lab.state.values import ThreadState
from cave_lab.thread.context import Address, Context, ContextRoom
from cave_lab.thread.services import Manner
from tests.journal.making import THREAD
from tests.model.messages.telling import computes, sends
from tests.security.services import services_over
from tests.state.making import Story

TO = Address(ModelChoice("m"), Manner())


@pytest.fixture
def room(journal: Journal) -> ContextRoom:
    return ContextRoom(services_over(journal))


def talk() -> Story:
    """One turn with a cell, and the question of the next."""
    story = computes(sends(Story().turn(1, "first"), 1, 1), 1)
    return story.says("Done.", 1, 2).over(1).turn(2, "second")


def sent(context: Context) -> ContextSent:
    """What the journal says of a call."""
    assert isinstance(context.sent, ContextSent)
    return context.sent


async def gathered(room: ContextRoom, state: ThreadState) -> Context:
    return await room.gather(state, 1, TO)


async def test_the_event_names_each_message_in_order_and_each_is_stored_as_it_goes_out(
    room: ContextRoom, journal: Journal
) -> None:
    state = talk().state
    context = await gathered(room, state)
    await room.keep(state, context)
    event = sent(context)
    assert (event.turn_id, event.call, event.model) == ("turn-2", 1, "m")
    stored = [json.loads((await journal.get_blob(name, THREAD)).data) for name in event.messages]
    assert [message["role"] for message in stored] == [
        "system", "user", "assistant", "result", "assistant", "user"
    ]  # fmt: skip
    assert [message["text"] for message in stored] == [
        message.text for message in context.request.messages
    ]


async def test_a_message_that_was_stored_is_not_stored_again(room: ContextRoom) -> None:
    state = talk().state
    first = await gathered(room, state)
    before = sent(first).messages
    assert len(first.unstored) == len(before)
    await room.keep(state, first)
    again = await gathered(room, computes(sends(talk(), 2, 1), 2, 2).state)
    assert sent(again).messages[: len(before)] == before
    assert set(again.unstored) == set(sent(again).messages) - set(before)


async def test_weights_are_those_of_the_talk_by_its_places_without_the_prompt(
    room: ContextRoom,
) -> None:
    context = await gathered(room, talk().state)
    weights = context.weights
    assert [weight.place for weight in weights] == [
        Place(0, -1), Place(0, 1), Place(0, 1), Place(0, 2), Place(1, -1)
    ]  # fmt: skip
    assert all(weight.tokens > 0 for weight in weights)
    assert sum(weight.tokens for weight in weights) < context.tokens


async def test_a_call_for_a_summary_is_the_talk_as_it_was_told_and_asks_for_words_alone(
    room: ContextRoom,
) -> None:
    state = talk().state
    whole = await gathered(room, state)
    asked = await room.gather_before(state, 1, TO, Place(1, -1), "Sum it up.")
    assert not asked.request.actions
    *talked, last = asked.request.messages
    assert talked == list(whole.request.messages[:-1])
    assert last.text == "Sum it up."


@pytest.mark.parametrize("mode, acts", [("chat", False), ("review", True), ("auto", True)])
async def test_in_chat_a_model_has_no_tools(room: ContextRoom, mode: str, acts: bool) -> None:
    context = await gathered(room, Story(mode=mode).turn().state)
    assert context.request.actions is acts
