"""How each event of a thread and its turns changes it."""

from typing import Any

import pytest

from cave_lab.protocol.content import Target, TextPart, Usage, Variable
from cave_lab.protocol.thread_events import (
    ActionRefused,
    ContextCompacted,
    ContextSent,
    KernelChanged,
    MessageQueued,
    MessageUnqueued,
    ModelRetrying,
    Notice,
    ReasoningDelta,
    ThreadChanged,
    TurnEnded,
    UsageReported,
    VariablesLooked,
)
from cave_lab.state.values import (
    CallState,
    CompactedItem,
    LookItem,
    NoticeItem,
    ReasoningItem,
    RefusedItem,
    RetryItem,
    RunItem,
    SteerItem,
    TextItem,
    TurnState,
)
from tests.state.making import AT, Story


def turn_of(story: Story) -> TurnState:
    return story.state.turns[-1]


# ── the thread


def test_a_thread_begins_with_what_it_was_created_with() -> None:
    state = Story(title="Sales", mode="auto", model="openai/x", parent="thread-0").state
    assert (state.title, state.mode, state.model, state.parent) == (
        "Sales",
        "auto",
        "openai/x",
        "thread-0",
    )
    assert (state.created_at, state.seq, state.turns, state.runs) == (AT, 1, [], {})


@pytest.mark.parametrize(
    "field, value",
    [
        ("title", "Other"),
        ("target", Target(language="R")),
        ("model", "openai/y"),
        ("mode", "chat"),
        ("privacy", "schema"),
        ("max_runs", 3),
        ("deleted", True),
    ],
)
def test_what_is_changed_changes_and_the_rest_stays(field: str, value: Any) -> None:
    before = Story(model="openai/x").turn()
    after = before.state
    before.add(ThreadChanged, **{field: value})
    assert before.state == after.model_copy(update={field: value, "seq": 3})


def test_a_kernel_that_is_bound_is_no_loss() -> None:
    state = Story().add(KernelChanged, reason="bound", generation="1-a").state
    assert (state.generation, state.loss) == ("1-a", None)


def test_a_memory_that_held_nothing_is_no_loss_and_hides_none() -> None:
    story = Story()
    story.add(KernelChanged, reason="restarted", generation="2-b", lost_total=0)
    assert (story.state.loss, story.state.generation) == (None, "2-b")
    story.add(KernelChanged, reason="lost", generation="3-c", lost=["df"], lost_total=1)
    story.add(KernelChanged, reason="shut_down", lost_total=0)
    assert story.state.loss is not None
    assert (story.state.loss.lost, story.state.generation) == (["df"], None)
    story.add(KernelChanged, reason="shut_down", lost_total=None)
    assert story.state.loss.lost_total is None


@pytest.mark.parametrize("reason", ["lost", "restarted", "switched", "shut_down"])
def test_a_loss_is_kept_with_what_it_took(reason: str) -> None:
    story = Story().add(KernelChanged, reason="bound", generation="1-a")
    story.add(KernelChanged, reason=reason, generation="2-b", lost=["df"], lost_total=9)
    assert story.state.generation == "2-b"
    assert story.state.loss is not None
    assert (story.state.loss.reason, story.state.loss.lost_total) == (reason, 9)
    story.add(KernelChanged, reason="bound", generation="3-c")
    assert story.state.loss is not None, "it is said until the next one"


# ── messages


def test_a_message_begins_a_turn_that_runs_until_it_is_ended() -> None:
    story = Story().turn(1, "hi", message_id="m-1", anchor="cell-9")
    turn = story.state.turn
    assert turn is not None
    assert (turn.message_id, turn.anchor, turn.started_at) == ("m-1", "cell-9", AT)
    story.add(
        TurnEnded,
        turn_id="turn-1",
        stop_reason="max_runs",
        usage=Usage(runs=12),
        suggestions=["Go on"],
    )
    assert story.state.turn is None
    ended = turn_of(story)
    assert (ended.stop_reason, ended.usage.runs, ended.suggestions) == ("max_runs", 12, ["Go on"])
    assert ended.ended_at == AT


def queued(story: Story, name: str = "m-2", when: str = "after_turn") -> Story:
    return story.add(MessageQueued, message_id=name, content=[TextPart(text=name)], when=when)


def test_a_turn_that_a_program_began_says_so() -> None:
    assert turn_of(Story().turn()).origin == "browser"
    assert turn_of(Story().turn(origin="api")).origin == "api"


def test_queued_messages_wait_in_order_and_leave_by_name() -> None:
    story = queued(queued(Story().turn(), "m-2"), "m-3")
    assert [message.message_id for message in story.state.queue] == ["m-2", "m-3"]
    story.add(MessageUnqueued, message_id="m-2", reason="removed")
    assert [message.message_id for message in story.state.queue] == ["m-3"]
    assert turn_of(story).items == []


def test_a_steered_message_joins_its_turn_where_it_came() -> None:
    story = queued(Story().turn().says("Working. "), when="steer").says("Still. ")
    story.add(MessageUnqueued, message_id="m-2", reason="steered", turn_id="turn-1")
    story.says("Yes. ", call=2)
    assert turn_of(story).items == [
        TextItem(call=1, text="Working. Still. "),
        SteerItem(message_id="m-2", content=[TextPart(text="m-2")]),
        TextItem(call=2, text="Yes. "),
    ]


def test_a_message_that_was_removed_before_is_steered_nowhere() -> None:
    story = Story().turn()
    story.add(MessageUnqueued, message_id="m-9", reason="steered", turn_id="turn-1")
    assert turn_of(story).items == []


# ── what the model is given, and says


def test_what_the_kernel_held_is_kept_with_the_turn() -> None:
    story = Story().turn()
    x = Variable(name="x", type="int", kind="number")
    story.seen(generation="1-a", variables=[x], total=5, omitted={"int": 4}, age_seconds=3.0)
    seen = turn_of(story).seen
    assert seen is not None
    assert (seen.variables, seen.total, seen.omitted, seen.age_seconds) == ([x], 5, {"int": 4}, 3.0)
    assert (seen.generation, seen.unavailable) == ("1-a", None)


def sent(story: Story, call: int, **fields: Any) -> Story:
    values = {"model": "openai/x", "messages": ["c" * 64], "variables": 2, "cells": 1}
    return story.add(
        ContextSent, turn_id="turn-1", call=call, **{**values, "estimated_tokens": 300, **fields}
    )


def test_each_call_is_listed_with_what_it_was_given() -> None:
    story = sent(sent(Story().turn(), 1), 2, outline="d" * 64)
    first, second = turn_of(story).calls
    assert (first.call, first.outline, second.outline) == (1, None, "d" * 64)
    assert isinstance(first, CallState)
    assert first.usage is None


def test_usage_is_added_to_the_call_the_turn_and_the_thread() -> None:
    story = sent(sent(Story().turn(), 1), 2)
    for call in (1, 2):
        story.add(
            UsageReported,
            turn_id="turn-1",
            call=call,
            prompt=100,
            completion=20,
            cached=50,
            cost=0.01 if call == 1 else None,
            price_source="table" if call == 1 else None,
        )
    turn = turn_of(story)
    assert [call.usage.prompt for call in turn.calls if call.usage] == [100, 100]
    assert turn.usage == story.state.usage
    assert (turn.usage.calls, turn.usage.prompt, turn.usage.completion) == (2, 200, 40)
    assert (turn.usage.cost, turn.usage.price_source) == (0.01, "table")


def test_words_of_one_call_are_one_item_and_reasoning_is_another() -> None:
    story = Story().turn()
    story.add(ReasoningDelta, turn_id="turn-1", call=1, text="Hm. ")
    story.add(ReasoningDelta, turn_id="turn-1", call=1, text="So. ")
    story.says("It ").says("is.").says("Then.", call=2)
    assert turn_of(story).items == [
        ReasoningItem(call=1, text="Hm. So. "),
        TextItem(call=1, text="It is."),
        TextItem(call=2, text="Then."),
    ]


def test_code_being_written_makes_a_run_that_grows() -> None:
    story = Story().turn().says("I try.").writes("x =").writes(" 1")
    run = story.state.runs["run-1"]  # type: ignore[index]
    assert (run.phase, run.code, run.turn_id) == ("writing", "x = 1", "turn-1")
    assert turn_of(story).items[-1] == RunItem(call=1, run_id=run.run_id)


def test_what_could_not_be_used_tried_again_or_was_shortened_is_shown_where_it_came() -> None:
    story = Story().turn()
    story.add(ActionRefused, turn_id="turn-1", call=1, code="two_actions", text="Two.")
    story.add(
        ModelRetrying,
        turn_id="turn-1",
        call=2,
        attempt=1,
        wait_seconds=1.5,
        code="model_rate_limited",
        text="Wait.",
    )
    story.add(
        ContextCompacted,
        turn_id="turn-1",
        call=2,
        tier="stubs",
        before_tokens=900,
        after_tokens=300,
    )
    story.add(Notice, turn_id="turn-1", level="info", code="max_runs", text="Enough.")
    assert turn_of(story).items == [
        RefusedItem(call=1, code="two_actions", text="Two."),
        RetryItem(call=2, attempt=1, wait_seconds=1.5, text="Wait."),
        CompactedItem(call=2, tier="stubs", before_tokens=900, after_tokens=300),
        NoticeItem(level="info", code="max_runs", text="Enough."),
    ]


def test_a_look_keeps_the_privacy_mode_that_was_in_force_then() -> None:
    story = Story(privacy="schema").turn()
    look: dict[str, Any] = {"turn_id": "turn-1", "by": "model", "names": [], "detail": ""}
    story.add(VariablesLooked, call=1, answers=[], **look)
    story.add(ThreadChanged, privacy="full")
    story.add(VariablesLooked, call=2, answers=[], **look)
    looks = [item for item in turn_of(story).items if isinstance(item, LookItem)]
    assert [item.privacy for item in looks] == ["schema", "full"]


def test_a_notice_of_no_turn_belongs_to_the_thread() -> None:
    story = Story().turn()
    story.add(
        Notice, level="warning", code="w", text="Mind.", detail="why", actions=["reload_page"]
    )
    assert turn_of(story).items == []
    assert story.state.notices == [
        NoticeItem(level="warning", code="w", text="Mind.", detail="why", actions=["reload_page"])
    ]


def test_an_event_of_a_turn_that_is_not_there_changes_nothing_but_the_number() -> None:
    story = Story().turn()
    before = story.state
    story.says("lost", number=9)
    assert story.state == before.model_copy(update={"seq": 3})
