"""When a talk is shortened, by how much, and what counts as a summary that failed."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.model.script import Say
from cave_lab.protocol.thread_events import ContextCompacted, ContextSent, Notice
from cave_lab.thread.compacting import SUMMARY_FAILED, failures_in
from cave_lab.thread.windows import room_of
from tests.model.messages.telling import compacts
from tests.state.making import Story
from tests.thread.desk import Desk

WINDOW = 4_096


@pytest.fixture
async def desk(journal: Journal, limits: Limits) -> AsyncIterator[Desk]:
    """A model of a small window that answers all with a few words, a wish for a summary too."""
    desk = Desk(journal, replace(limits, unknown_window=WINDOW), Say("They count words."))
    await desk.begin(mode="chat")
    yield desk
    await desk.service.close()


async def talked(desk: Desk, turns: int, words: int = 500) -> None:
    """A talk of so many turns."""
    for turn in range(1, turns + 1):
        await desk.say(f"turn {turn} " + "word " * words)
        assert await desk.ended(turn) == "end_turn"


async def test_a_talk_is_shortened_once_it_is_over_its_room_and_down_to_what_is_enough(
    desk: Desk, limits: Limits
) -> None:
    await talked(desk, 5)
    room = room_of(WINDOW, limits)
    shortened = [event for event in desk.reader.events if isinstance(event, ContextCompacted)]
    assert shortened
    assert all(event.before_tokens > room.most for event in shortened)
    assert all(event.after_tokens <= room.enough for event in shortened)
    assert {(event.reason, event.tier) for event in shortened} == {("window", "summary")}
    sent = [event for event in desk.reader.events if isinstance(event, ContextSent)]
    assert all(event.estimated_tokens <= room.most for event in sent)


async def test_the_call_for_a_summary_is_numbered_and_what_it_says_stands_for_the_talk(
    desk: Desk,
) -> None:
    await talked(desk, 4)
    shortened = next(event for event in desk.reader.events if isinstance(event, ContextCompacted))
    assert shortened.summary == "They count words."
    turn = next(turn for turn in desk.state.turns if turn.turn_id == shortened.turn_id)
    assert [call.call for call in turn.calls] == [1, 2]
    assert shortened.call == 1
    assert shortened.up_to_turn in [turn.turn_id for turn in desk.state.turns[1:]]


async def test_one_message_over_the_room_goes_out_all_the_same_for_nothing_can_be_left_out(
    desk: Desk,
) -> None:
    await talked(desk, 1, words=3_000)
    assert desk.of("context.compacted") == []
    assert desk.of("notice") == []


def failed(story: Story) -> Story:
    """The model could not sum up."""
    turn = story.state.turns[-1].turn_id
    return story.add(Notice, turn_id=turn, level="info", code=SUMMARY_FAILED, text="No.")


def test_failed_summaries_are_counted_since_the_last_that_was_written() -> None:
    story = failed(failed(Story().turn(1)))
    assert failures_in(story.state) == 2
    assert failures_in(compacts(story, "stubs", 1, at=1).state) == 2
    assert failures_in(compacts(story, "summary", 1, at=1, summary="S").state) == 0
    assert failures_in(failed(story.turn(2)).state) == 1
