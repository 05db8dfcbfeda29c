"""A call that can't be shortened is refused for a cause that is named, with a step that helps."""

from typing import Any

import pytest

from cave_lab.errors import ContextTooLong
from cave_lab.journal.journal import Journal
from cave_lab.model.port import ModelChoice
from cave_lab.protocol.thread_events import VariablesLooked
from cave_lab.thread.context import Address, ContextRoom
from cave_lab.thread.services import Manner
from cave_lab.thread.too_long import too_long
from tests.model.messages.telling import sends, shown
from tests.security.services import services_over
from tests.state.making import Story

TO = Address(ModelChoice("m"), Manner(window=100_000))
WORDS = "so many words of the person's own " * 400


async def told(journal: Journal, story: Story) -> str:
    """What the person is told when the next call is refused as too long."""
    context = await ContextRoom(services_over(journal)).gather(story.state, 1, TO)
    error = too_long(story.state, context, ContextTooLong(detail="no"))
    assert error.detail == "no"
    return str(error)


def looked(story: Story, **fields: Any) -> Story:
    """What the person named holds much."""
    answers = [{"name": "log", "text": shown("4711 " * 3_000)}]
    values = {"call": 0, "by": "user", "names": ["log"], "answers": answers, **fields}
    return story.add(VariablesLooked, turn_id="turn-1", **values)


async def test_a_long_message_is_to_be_shortened(journal: Journal) -> None:
    text = await told(journal, Story().turn(1, WORDS))
    assert text.startswith("Your message alone is too long for this model: about 3,")
    assert "Shorten it, or save the text in a file" in text


@pytest.mark.parametrize("by", ["user", "model"])
async def test_what_the_person_named_is_not_put_down_to_their_words(
    journal: Journal, by: str
) -> None:
    text = await told(journal, looked(Story().turn(1, "what is in it?"), by=by))
    if by == "user":
        assert text.startswith("What your message names with @ is too long for this model: about 3")
        assert "Name fewer of them at once" in text
    else:
        assert text == ContextTooLong.default


async def test_what_stands_beside_a_message_is_not_put_down_to_it_either(journal: Journal) -> None:
    rows = [{"name": f"v{n}", "type": "t" * 90, "kind": "other"} for n in range(40)]
    story = Story().turn(1, "what is here?").seen(1, variables=rows, total=40)
    text = await told(journal, story)
    assert text.startswith("The notebook and the variables beside your message are too long")
    assert "set it there" in text


async def test_a_talk_whose_question_is_short_is_no_fault_of_the_question(journal: Journal) -> None:
    story = sends(Story().turn(1, "hello"), 1, 1)
    for run in range(1, 9):
        story.runs(f"v{run} = '{'x' * 900}'", run=run, call=run)
    assert await told(journal, story) == ContextTooLong.default
