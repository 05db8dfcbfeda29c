"""What is open is ended truthfully: nothing is said to have run that may not have."""

from collections.abc import Sequence
from typing import Any

import pytest

from cave_lab.privacy.excerpt import excerpt
from cave_lab.privacy.output_text import outputs_text
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Excerpt, Output, StreamOutput, TextPart
from cave_lab.protocol.ids import RunId
from cave_lab.protocol.run_events import ApprovalClosed, OutputAdded, RunEnded, StdinRequested
from cave_lab.protocol.thread_events import MessageQueued, Notice, TurnEnded
from cave_lab.protocol.words import StopReason
from cave_lab.state import fold
from cave_lab.thread.recovery import closing
from tests.state.making import Story

KEY = "canary-key-0123456789"


def shorten(outputs: Sequence[Output]) -> Excerpt:
    """What a server keeps of a run's outputs."""
    return excerpt(Redactor({"A_KEY": KEY})(outputs_text(outputs)), 200)


def ended_by(story: Story, reason: StopReason = "interrupted") -> dict[str, Any]:
    """The events that close a story, by type; each is folded in."""
    state, drafts = story.state, closing(story.state, shorten, reason)
    for number, draft in enumerate(drafts, state.seq + 1):
        state = fold(state, draft.model_copy(update={"seq": number}))
    assert state.turn is None
    assert all(run.phase == "ended" for run in state.runs.values())
    assert closing(state, shorten) == []
    return {draft.type: draft for draft in drafts}


def test_a_thread_with_nothing_open_needs_no_end() -> None:
    assert closing(Story().state, shorten) == []
    assert closing(Story().turn().says("hi").over().state, shorten) == []


@pytest.mark.parametrize("count", [1, 2])
def test_messages_queued_behind_a_turn_that_a_restart_cut_short_are_said(count: int) -> None:
    story = Story().turn()
    for number in range(count):
        story.add(MessageQueued, message_id=f"m-{number}", content=[TextPart(text="next")])
    events = ended_by(story)
    assert list(events) == ["notice", "turn.ended"]
    notice = events["notice"]
    assert isinstance(notice, Notice)
    assert notice.text.startswith(
        "The queued message was" if count == 1 else "The 2 queued messages were"
    )


@pytest.mark.parametrize("phase", ["intended", "running"])
def test_a_run_that_was_sent_is_unknown_and_what_it_put_out_is_kept(phase: str) -> None:
    story = Story().turn().proposes("train()").closes("run").intends()
    if phase == "running":
        story.starts()
    story.add(
        OutputAdded, run_id="run-1", index=0, output=StreamOutput(name="stdout", text="epoch 1\n")
    )
    ended = ended_by(story)["run.ended"]
    assert isinstance(ended, RunEnded)
    assert ended.status == "unknown"
    assert "may have run" in (ended.reason or "")
    assert ended.excerpt is not None
    assert ended.excerpt.head == "epoch 1"


def test_a_run_that_asked_for_input_is_unknown_and_asks_no_more() -> None:
    story = Story().turn().proposes("input()").closes("run").intends().starts()
    story.add(StdinRequested, run_id="run-1", prompt="Name? ", password=False)
    ended = ended_by(story)["run.ended"]
    assert ended.status == "unknown"
    closed = fold(story.state, ended.model_copy(update={"seq": story.state.seq + 1}))
    assert closed.runs[RunId("run-1")].stdin is None


@pytest.mark.parametrize("phase", ["writing", "proposed", "queued"])
def test_a_run_that_was_never_sent_did_not_run(phase: str) -> None:
    story = Story().turn().writes("x = 1")
    if phase != "writing":
        story.proposes("x = 1")
    if phase == "queued":
        story.closes("run")
    ended = ended_by(story)["run.ended"]
    assert ended.status == "not_run"
    assert "did not run" in ended.reason
    assert ended.excerpt is None


def test_a_question_that_waited_for_an_answer_is_closed_by_the_restart() -> None:
    events = ended_by(Story().turn().proposes("x").asks())
    closed = events["approval.closed"]
    assert isinstance(closed, ApprovalClosed)
    assert (closed.approval_id, closed.outcome) == ("ap-1", "server_restarted")
    assert events["run.ended"].status == "not_run"


@pytest.mark.parametrize(
    "reason, outcome, words",
    [
        ("internal_error", "cancelled", "The turn ended"),
        ("journal_unavailable", "cancelled", "The journal failed"),
    ],
)
def test_what_ended_the_turn_is_not_blamed_on_the_server(
    reason: StopReason, outcome: str, words: str
) -> None:
    events = ended_by(Story().turn().proposes("x").asks(), reason)
    assert events["approval.closed"].outcome == outcome
    assert words in events["run.ended"].reason
    assert events["turn.ended"].stop_reason == reason


def test_the_turn_ends_once_and_keeps_its_usage() -> None:
    story = Story().turn().runs("x = 1").turn(2)
    drafts = closing(story.state, shorten)
    ends = [draft for draft in drafts if isinstance(draft, TurnEnded)]
    # The first turn was left open by a journal that failed then.
    assert [end.turn_id for end in ends] == ["turn-1", "turn-2"]
    assert ends[0].usage.runs == 1


def test_a_secret_at_the_cut_does_not_leave_by_half_after_a_crash() -> None:
    output = StreamOutput(name="stdout", text="x" * 95 + KEY + "y" * 400)
    story = Story().turn().proposes("print(secret)").intends()
    story.add(OutputAdded, run_id="run-1", index=0, output=output)
    ended = ended_by(story)["run.ended"]
    assert "canary" not in ended.excerpt.head + ended.excerpt.tail
