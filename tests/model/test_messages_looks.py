"""Looks and scratch cells among the messages: each where it was, and nothing moves behind it."""

from typing import Any

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.messages import View, derive
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    LookCall,
    ModelMessage,
    ResultMessage,
    UserMessage,
)
from cave_lab.privacy.redact import MASK, Redactor
from cave_lab.protocol.content import Excerpt, Looked, MentionPart, TextPart, Variable
from cave_lab.protocol.thread_events import MessageQueued, MessageUnqueued, VariablesLooked
from cave_lab.state import ThreadState
from tests.state.making import Story

CANARY = "canary-value-0123456789"
VIEW = View("SYSTEM", Redactor({"MY_API_KEY": CANARY}), DEFAULT_LIMITS, {})
X = Looked(name="x", variable=Variable(name="x", type="int", kind="number"))
HEAD = Excerpt(head="4711", total=4)


def looks(story: Story, call: int, by: str = "model", **fields: Any) -> Story:
    """Somebody looks."""
    values = {"names": ["x"], "answers": [X], **fields}
    return story.add(VariablesLooked, turn_id="turn-1", call=call, by=by, **values)


def told(story: Story) -> list[ModelMessage]:
    return derive(story.state, VIEW)


def test_a_look_is_a_call_and_what_it_gave_under_one_id() -> None:
    story = looks(Story().turn().says("I look."), 1, detail="head").says("It is a number.", call=2)
    _, _, asked, result, answer = told(story)
    assert isinstance(asked, AssistantMessage)
    assert isinstance(asked.action, LookCall)
    assert asked.text == "I look."
    assert (asked.action.names, asked.action.detail) == (("x",), "head")
    assert result == ResultMessage(asked.action.call_id, "<data>\nx: int\n</data>")
    assert answer == AssistantMessage("It is a number.")


def test_what_the_person_named_stands_behind_their_words() -> None:
    story = Story().turn(words="what is it?").seen(generation="1-a", variables=[], total=0)
    looks(story, 0, "user", answers=[X.model_copy(update={"text": HEAD, "values": True})])
    *_, question = told(story)
    assert isinstance(question, UserMessage)
    assert question.text.endswith("what is it?\n<data>\nx: int\n4711\n</data>")


def steered(story: Story, *, call: int) -> Story:
    """The person adds a word that names a variable."""
    content = [TextPart(text="mind "), MentionPart(kind="variable", name="x")]
    story.add(MessageQueued, message_id="message-2", content=content, when="steer")
    story.add(MessageUnqueued, message_id="message-2", reason="steered", turn_id="turn-1")
    return looks(story, call, "user")


def test_what_was_named_in_the_middle_of_a_turn_leaves_what_was_sent_as_it_was() -> None:
    story = Story().turn().says("I add.").runs("1 + 1")
    before = told(story)
    steered(story, call=1)
    after = told(story)
    assert after[:-1] == before[:-1]
    assert after[-1].text == f"{before[-1].text}\nThe person adds: mind @x\n<data>\nx: int\n</data>"


def test_what_was_named_before_the_first_call_is_part_of_the_question() -> None:
    story = steered(Story().turn(words="hello"), call=0)
    texts = [message.text for message in told(story)]
    assert texts == ["SYSTEM", "hello\n<data>\nx: int\n</data>", "The person adds: mind @x"]


def test_secrets_in_a_look_are_masked() -> None:
    story = looks(Story().turn(), 1, names=[CANARY], answers=[Looked(name=CANARY, note="Gone.")])
    _, _, asked, result = told(story)
    assert isinstance(asked, AssistantMessage)
    assert isinstance(asked.action, LookCall)
    assert asked.action.names == (MASK,)
    assert CANARY not in result.text


def test_a_stricter_mode_holds_back_what_was_seen_before() -> None:
    seen = X.model_copy(update={"text": HEAD, "values": True})
    state: ThreadState = looks(Story().turn(), 1, answers=[seen]).state
    full = derive(state.model_copy(update={"privacy": "full"}), VIEW)
    schema = derive(state.model_copy(update={"privacy": "schema"}), VIEW)
    assert "4711" in full[-1].text
    assert "4711" not in schema[-1].text


def test_a_scratch_cell_is_told_as_one_and_that_it_was_not_kept() -> None:
    story = Story().turn().proposes("len(x)", scratch=True)
    story.closes("allowed_by", allowed_by="mode:auto").intends(cell_id=None).starts()
    *_, asked, result = told(story.ends("ok"))
    assert isinstance(asked, AssistantMessage)
    assert isinstance(asked.action, CellCall)
    assert asked.action.scratch
    assert result.text.startswith("Finished. (scratch: not kept in the notebook)")


def test_a_scratch_cell_that_never_ran_is_not_said_to_be_left_out() -> None:
    story = Story().turn().proposes("len(x)", scratch=True).ends("not_run")
    assert "scratch" not in told(story)[-1].text
