"""A thread through journal failures, faults, closing and races; without a kernel."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from cave_lab import errors
from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.model.script import Cell, Item, Say
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import QueuedResult, Signal, TurnResult
from cave_lab.protocol.thread_events import Notice
from cave_lab.state.values import NoticeItem
from tests.thread.blocked import Block
from tests.thread.desk import Desk
from tests.thread.readers import Reader
from tests.waiting import until

Open = Callable[..., Any]

LONG_ANSWER = Say("word " * 2_000)


@pytest.fixture
async def open_desk(journal: Journal, limits: Limits) -> AsyncIterator[Open]:
    desks: list[Desk] = []

    async def open_desk(*answer: Item, settings: Any = None, **options: Any) -> Desk:
        desk = Desk(journal, limits, *answer, **options)
        desks.append(desk)
        await desk.begin(**(settings or {}))
        return desk

    yield open_desk
    for desk in desks:
        await desk.service.close()


async def streaming(open_desk: Open, **options: Any) -> Desk:
    """A desk on which the model is in the middle of a long answer."""
    desk: Desk = await open_desk(LONG_ANSWER, pace=100, **options)
    await desk.say()
    await until(lambda: desk.of("text.delta"), "the first words")
    return desk


# ── an ordinary turn


async def test_a_turn_is_told_from_message_to_end(open_desk: Open) -> None:
    desk = await open_desk(Say("Hello."))
    assert isinstance(await desk.say("hi there"), TurnResult)
    assert await desk.ended() == "end_turn"
    types = [event.type for event in desk.reader.events]
    assert types.count("turn.started") == types.count("turn.ended") == 1
    assert desk.state.title == "hi there"
    seen = desk.state.turns[0].seen
    assert seen is not None
    assert seen.unavailable == errors.NoKernel.default
    assert desk.state == (await desk.thread()).state


async def test_without_a_kernel_nothing_runs_and_both_are_told_why(open_desk: Open) -> None:
    desk = await open_desk(Say("I try. "), Cell("1 + 1"), settings={"mode": "auto"})
    await desk.say()
    # The script insists, as a stubborn model would.
    assert await desk.ended() == "end_turn"
    assert [run.status for run in desk.state.runs.values()] == ["not_run", "not_run"]
    notices = desk.of("notice")
    assert all(isinstance(notice, Notice) and notice.code == "no_kernel" for notice in notices)
    assert "start_kernel" in notices[0].actions
    assert not desk.of("run.intended")


# ── the journal fails


async def test_a_journal_that_fails_in_mid_turn_is_told_at_once_and_ends_the_turn_once(
    open_desk: Open, block: Block
) -> None:
    desk = await streaming(open_desk)
    with block():
        await until(lambda: desk.reader.faults, "the fault")
        await desk.idle()
        assert desk.ends() == []
    assert [fault.code for fault in desk.reader.faults] == ["journal_unavailable"]
    late = Reader("client-2")
    await desk.do("thread.open", late)
    assert await desk.ended() == "journal_unavailable"
    assert desk.ends() == ["journal_unavailable"]
    assert desk.state.turns[0].items, "what was committed before is kept"
    assert late.faults == []


async def test_while_it_still_fails_a_new_reader_is_told_so_and_messages_are_refused(
    open_desk: Open, block: Block
) -> None:
    desk = await streaming(open_desk)
    with block():
        await until(lambda: desk.reader.faults, "the fault")
        await desk.idle()
        late = Reader("client-2")
        await desk.do("thread.open", late)
        assert [fault.code for fault in late.faults] == ["journal_unavailable"]
        with pytest.raises(errors.JournalUnavailable):
            await desk.say("again")
    assert isinstance(await desk.say("and again"), TurnResult)
    await until(lambda: len(desk.of("turn.started")) == 2, "the next turn")
    assert desk.ends()[0] == "journal_unavailable"
    await desk.do("turn.stop")
    assert await desk.ended(2) == "cancelled"


async def test_a_failure_that_is_over_before_the_turn_is_is_written_down_by_the_turn_itself(
    open_desk: Open, journal: Journal
) -> None:
    desk = await streaming(open_desk)
    # The next commit is refused; the one after it is made on a fresh connection.
    await journal._writer.run(lambda it: it.execute("PRAGMA query_only = ON"))
    assert await desk.ended() == "journal_unavailable"
    assert desk.ends() == ["journal_unavailable"]
    thread = await desk.thread()
    # Readers hear of a commit a moment before the one who wrote it.
    await until(lambda: not thread.broken, "the turn has made up for it")
    assert desk.reader.numbers == list(range(1, len(desk.reader.events) + 1))


async def test_a_message_that_could_not_be_written_begins_no_turn(
    open_desk: Open, block: Block
) -> None:
    desk = await open_desk(Say("Hello."))
    with block(), pytest.raises(errors.JournalUnavailable):
        await desk.say()
    assert desk.of("turn.started") == []
    await desk.say("once more")
    assert await desk.ended() == "end_turn"
    assert desk.ends() == ["end_turn"]


async def test_a_setting_can_be_changed_again_when_the_journal_works_again(
    open_desk: Open, block: Block
) -> None:
    desk = await open_desk(Say("Hello."))
    with block(), pytest.raises(errors.JournalUnavailable):
        await desk.do("thread.change", title="One")
    await desk.do("thread.change", title="Two")
    assert desk.state.title == "Two"


# ── faults of our own


async def test_a_fault_of_ours_ends_the_turn_with_a_notice_and_the_next_one_works(
    open_desk: Open,
) -> None:
    broken = [True]

    def prompt(language: str, *, actions: bool, format: str) -> str:
        if broken[0]:
            raise RuntimeError("a mistake in our code")
        return "You are a colleague."

    desk = await open_desk(Say("Hello."), prompt=prompt)
    await desk.say()
    assert await desk.ended() == "internal_error"
    notices = desk.of("notice")
    assert [notice.code for notice in notices] == ["internal_error"]
    broken[0] = False
    await desk.say("again")
    assert await desk.ended(2) == "end_turn"
    assert desk.ends() == ["internal_error", "end_turn"]


async def test_half_a_character_from_the_model_ends_the_turn_and_not_the_thread(
    open_desk: Open,
) -> None:
    desk = await open_desk(Say("half \ud83d a smile \ud83d"), Say("\ude00 and a whole one"))
    await desk.say()
    assert await desk.ended() == "end_turn"
    [item] = desk.state.turns[0].items
    assert item.text == "half \ufffd a smile \U0001f600 and a whole one"


async def test_an_event_that_can_not_be_written_ends_its_turn_and_not_the_thread(
    open_desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cave_lab.thread.halves.Halves.join", lambda self, piece: "\ud83d")
    desk = await open_desk(Say("Hello."))
    await desk.say()
    assert await desk.ended() == "internal_error"
    await desk.do("thread.change", title="Still there")
    assert desk.state.title == "Still there"
    assert desk.ends() == ["internal_error"]


# ── closing


async def test_closing_in_mid_turn_ends_it_as_interrupted_once_and_leaves_nothing_running(
    open_desk: Open, journal: Journal
) -> None:
    desk = await streaming(open_desk)
    await desk.service.close()
    assert desk.ends() == ["interrupted"]
    stored = await journal.events(desk.thread_id)
    assert [event.type for event in stored].count("turn.ended") == 1


async def test_a_command_that_comes_while_all_is_closing_is_refused_and_does_not_hang(
    open_desk: Open,
) -> None:
    desk = await streaming(open_desk)
    closing = asyncio.ensure_future(desk.service.close())
    await asyncio.wait({closing}, timeout=0)
    outcomes = await asyncio.wait_for(
        asyncio.gather(
            desk.say("late"),
            desk.do("thread.change", title="late"),
            desk.do("thread.open", Reader("client-2")),
            return_exceptions=True,
        ),
        10,
    )
    await closing
    assert all(
        isinstance(outcome, errors.CaveLabError | QueuedResult | None) for outcome in outcomes
    )
    assert desk.ends() == ["interrupted"]


async def test_a_message_whose_client_hangs_up_at_once_is_answered_all_the_same(
    open_desk: Open,
) -> None:
    desk = await open_desk(Say("Hello."))
    sending = asyncio.ensure_future(desk.say())
    await asyncio.wait({sending}, timeout=0)
    sending.cancel()
    assert await desk.ended() == "end_turn"
    assert len(desk.of("turn.started")) == 1


# ── Stop


async def test_stop_while_the_model_streams_keeps_what_it_said(open_desk: Open) -> None:
    desk = await streaming(open_desk)
    await desk.do("turn.stop")
    assert await desk.ended() == "cancelled"
    [item] = desk.state.turns[0].items
    assert item.text.startswith("word ")  # type: ignore[union-attr]


async def test_a_stop_as_soon_as_the_turn_can_be_seen_stops_it(
    open_desk: Open, limits: Limits
) -> None:
    class Quick(Reader):
        """Presses Stop in the very moment in which the turn is told."""

        def receive(self, message: Event | Signal) -> None:
            super().receive(message)
            if getattr(message, "type", "") == "turn.started":
                stops.append(asyncio.ensure_future(desk.do("turn.stop", self)))

    stops: list[Any] = []
    desk = await open_desk(LONG_ANSWER, pace=100)
    quick = Quick("client-2")
    await desk.do("thread.open", quick)
    await desk.say()
    assert await desk.ended() == "cancelled"
    await asyncio.gather(*stops)


async def test_stop_without_a_turn_does_not_stop_the_next_one(open_desk: Open) -> None:
    desk = await open_desk(Say("Hello."))
    await desk.do("turn.stop")
    await desk.say()
    assert await desk.ended() == "end_turn"


# ── the queue


async def test_queued_messages_are_sent_one_after_the_other_in_their_order(
    open_desk: Open,
) -> None:
    desk = await open_desk(Say("a long word " * 10), pace=200)
    await desk.say("one")
    for words in ("two", "three"):
        assert isinstance(await desk.say(words), QueuedResult)
    assert await desk.ended(3) == "end_turn"
    asked = [turn.content[0].text for turn in desk.state.turns]
    assert asked == ["one", "two", "three"]
    assert desk.state.queue == []


async def test_the_queue_waits_after_a_stop_and_goes_on_behind_the_next_message(
    open_desk: Open,
) -> None:
    desk = await streaming(open_desk)
    await desk.say("queued")
    await desk.do("turn.stop")
    assert await desk.ended() == "cancelled"
    await desk.idle()
    assert [message.content[0].text for message in desk.state.queue] == ["queued"]  # type: ignore[union-attr]
    await desk.do("message.unqueue", message_id=desk.state.queue[0].message_id)
    assert desk.state.queue == []
    with pytest.raises(errors.NotFound, match="no longer waiting"):
        await desk.do("message.unqueue", message_id="message-1")


async def test_what_is_said_after_stop_is_sent_when_the_turn_has_ended(open_desk: Open) -> None:
    desk = await streaming(open_desk)
    await desk.say("queued before")
    (await desk.thread()).cut.set("stop")
    # The turn has not ended yet: it hears of the Stop only when the loop goes on.
    await desk.say("rather this")
    assert await desk.ended() == "cancelled"
    await until(lambda: len(desk.of("turn.started")) == 2, "the next turn")
    assert desk.state.turns[1].content[0].text == "rather this"  # type: ignore[union-attr]
    assert [message.content[0].text for message in desk.state.queue] == ["queued before"]  # type: ignore[union-attr]


async def test_a_message_that_is_stopped_in_flight_waits_and_the_person_is_told(
    open_desk: Open,
) -> None:
    desk = await streaming(open_desk)
    sent, _ = await asyncio.gather(desk.say("queued"), desk.do("turn.stop"))
    assert isinstance(sent, QueuedResult)
    assert await desk.ended() == "cancelled"
    await until(lambda: desk.of("notice"), "a word about the message")
    notice = desk.state.turns[0].items[-1]
    assert isinstance(notice, NoticeItem)
    assert notice.code == "queue_kept_back"
    assert notice.text.startswith("The queued message was not sent when this turn was cut short.")
    assert [message.content[0].text for message in desk.state.queue] == ["queued"]  # type: ignore[union-attr]
    assert len(desk.of("turn.started")) == 1


async def test_a_stop_before_a_message_does_not_stop_it_when_the_turn_ends_meanwhile(
    open_desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await streaming(open_desk)
    thread = await desk.thread()
    keep = thread.contexts.outlines.keep

    async def keep_until_the_turn_is_over(*arguments: Any) -> Any:
        blob = await keep(*arguments)
        await until(lambda: not thread.busy, "the turn to be over")
        return blob

    monkeypatch.setattr(thread.contexts.outlines, "keep", keep_until_the_turn_is_over)
    thread.cut.set("stop")
    assert isinstance(await desk.say("rather this", outline={}), TurnResult)
    await until(lambda: desk.state.turns[1].items, "an answer")
    assert desk.ends() == ["cancelled"]


async def test_a_message_sent_as_soon_as_the_end_is_seen_begins_a_turn(open_desk: Open) -> None:
    class Quick(Reader):
        def receive(self, message: Event | Signal) -> None:
            super().receive(message)
            if getattr(message, "type", "") == "turn.ended" and not sent:
                sent.append(asyncio.ensure_future(desk.say("next")))

    sent: list[Any] = []
    desk = await streaming(open_desk)
    await desk.do("thread.open", Quick("client-2"))
    await desk.do("turn.stop")
    assert await desk.ended() == "cancelled"
    assert isinstance(await sent[0], TurnResult)


async def test_the_queue_is_bounded_and_says_so(open_desk: Open, limits: Limits) -> None:
    desk = await streaming(open_desk)
    for number in range(limits.queued_messages):
        await desk.say(f"{number}")
    with pytest.raises(errors.LimitReached):
        await desk.say("one too many")


async def test_a_message_sent_again_is_one_message_also_to_another_server(
    folder: Path, limits: Limits
) -> None:
    first = await Journal.open(folder, limits)
    desk = Desk(first, limits, LONG_ANSWER, pace=100)
    await desk.begin()
    begun = await desk.say("begin", command_id="m-1")
    await desk.say("steer", command_id="m-2", when="steer")
    await desk.say("later", command_id="m-3")
    assert await desk.say("begin", command_id="m-1") == begun
    await desk.service.close()
    await first.close()

    second = await Journal.open(folder, limits)
    again = Desk(second, limits, Say("Hello."))
    again.thread_id = desk.thread_id
    await again.service.recover()
    await again.do("thread.open")
    assert await again.say("begin", command_id="m-1") == begun
    for name in ("m-2", "m-3"):
        assert isinstance(await again.say("x", command_id=name), QueuedResult)
    assert len(again.of("turn.started")) == 1
    await again.service.close()
    await second.close()
