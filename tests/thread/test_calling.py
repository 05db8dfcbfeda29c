"""One call of the model: recorded before it is made, and kept as it was given."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.model.script import Cell, Item, Say
from cave_lab.protocol.thread_events import ContextSent
from tests.thread.desk import Desk
from tests.waiting import until

Open = Callable[..., Awaitable[Desk]]


@pytest.fixture
async def open_desk(journal: Journal, limits: Limits) -> AsyncIterator[Open]:
    """Threads whose model gives one answer, at a pace."""
    desks: list[Desk] = []

    async def open_desk(*answer: Item, pace: float | None = None) -> Desk:
        desks.append(Desk(journal, limits, *answer, pace=pace))
        await desks[-1].begin()
        return desks[-1]

    yield open_desk
    for desk in desks:
        await desk.service.close()


async def given(desk: Desk, journal: Journal) -> list[list[tuple[str, str]]]:
    """What each call was given, as the journal has it: who speaks, and what is said."""
    found = []
    for event in desk.reader.events:
        if isinstance(event, ContextSent):
            blobs = [await journal.get_blob(name, desk.thread_id) for name in event.messages]
            messages = [json.loads(blob.data) for blob in blobs]
            found.append([(message["role"], message["text"]) for message in messages])
    return found


async def test_what_a_call_was_given_is_in_the_journal_word_for_word(
    open_desk: Open, journal: Journal
) -> None:
    desk = await open_desk(Say("Good day."))
    for turn, words in enumerate(("hello", "and now?"), start=1):
        await desk.say(words)
        assert await desk.ended(turn) == "end_turn"
    first, second = await given(desk, journal)
    assert [role for role, _ in first] == ["system", "user"]
    assert first[-1][1].endswith("hello")
    assert second[: len(first)] == first
    assert second[len(first)] == ("assistant", "Good day.")
    assert second[-1][1].endswith("and now?")


async def test_a_call_is_recorded_before_its_first_words(open_desk: Open) -> None:
    desk = await open_desk(Say("Good day."))
    await desk.say()
    assert await desk.ended() == "end_turn"
    kinds = [event.type for event in desk.reader.events]
    assert kinds.index("context.sent") < kinds.index("text.delta")


async def test_also_of_a_call_that_was_stopped_it_can_be_read_what_it_was_given(
    open_desk: Open, journal: Journal
) -> None:
    desk = await open_desk(Say("word " * 2_000), pace=100)
    await desk.say("a long story")
    await until(lambda: desk.of("text.delta"), "the first words")
    await desk.do("turn.stop")
    assert await desk.ended() == "cancelled"
    [call] = await given(desk, journal)
    assert call[-1][1].endswith("a long story")


async def test_a_cell_that_was_being_written_when_its_call_was_stopped_has_ended_unrun(
    open_desk: Open,
) -> None:
    desk = await open_desk(Cell("x = 1\n" * 2_000), pace=100)
    await desk.say()
    await until(lambda: desk.of("action.delta"), "the first code")
    await desk.do("turn.stop")
    assert await desk.ended() == "cancelled"
    await desk.idle()
    [run] = desk.state.runs.values()
    assert (run.phase, run.status) == ("ended", "not_run")
    assert run.reason
