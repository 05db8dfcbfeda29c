"""How each event of a run changes it."""

from typing import Any

import pytest

from cave_lab.protocol.content import (
    DisplayOutput,
    Excerpt,
    Output,
    RunError,
    StreamOutput,
    ValueBrief,
    VariableChange,
)
from cave_lab.protocol.run_events import (
    CellPlaced,
    CellReviewed,
    OutputAdded,
    OutputAppended,
    OutputCleared,
    OutputTruncated,
    OutputUpdated,
    StdinClosed,
    StdinRequested,
)
from cave_lab.state.values import ApprovalState, RunItem, RunState, StdinState
from tests.state.making import AT, OTHER_SHA, SHA, TARGET, Story


def run_of(story: Story, number: int = 1) -> RunState:
    return story.state.runs[f"run-{number}"]  # type: ignore[index]


def printed(text: str) -> StreamOutput:
    return StreamOutput(name="stdout", text=text)


# ── on its way


def test_a_proposal_takes_the_place_of_the_code_that_was_being_written() -> None:
    story = Story().turn().writes("x = 1").proposes("x = 1", sha256=SHA, risks=[])
    run = run_of(story)
    assert (run.phase, run.code, run.sha256, run.target) == ("proposed", "x = 1", SHA, TARGET)
    assert story.state.turns[-1].items == [RunItem(call=1, run_id=run.run_id)]


def test_a_proposal_out_of_the_blue_joins_the_turn() -> None:
    story = Story().turn().proposes("x = 1")
    assert story.state.turns[-1].items == [RunItem(call=1, run_id=run_of(story).run_id)]


def test_a_question_waits_and_a_yes_queues_the_run() -> None:
    story = Story().turn().proposes("x = 1").asks()
    assert run_of(story).phase == "waiting"
    assert run_of(story).approval == ApprovalState(
        approval_id="ap-1",
        sha256=SHA,
        reasons=["runs a shell command"],
    )
    story.closes("run")
    assert run_of(story).phase == "queued"
    assert run_of(story).approval.outcome == "run"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "outcome", ["rejected", "cancelled", "kernel_changed", "server_restarted", "run_edited"]
)
def test_any_other_answer_leaves_the_run_where_it_was(outcome: str) -> None:
    story = Story().turn().proposes("x = 1").asks().closes(outcome, reason="no")
    run = run_of(story)
    assert run.phase == "waiting"
    assert run.approval is not None
    assert (run.approval.outcome, run.approval.reason) == (outcome, "no")


def test_a_run_that_the_mode_allows_was_never_asked_about() -> None:
    story = Story().turn().proposes("x = 1").closes("allowed_by", allowed_by="mode:auto")
    run = run_of(story)
    assert run.phase == "queued"
    assert run.approval == ApprovalState(
        approval_id="ap-1",
        sha256=SHA,
        outcome="allowed_by",
        allowed_by="mode:auto",
    )


def test_an_edited_cell_is_a_run_of_the_persons_own() -> None:
    story = Story().turn().proposes("x = 1").asks().closes("run_edited").ends("not_run")
    story.proposes("x = 2", run=2, by="user", replaces="run-1", sha256=OTHER_SHA).closes("run", 2)
    assert (run_of(story, 2).by, run_of(story, 2).replaces) == ("user", "run-1")
    assert run_of(story).status == "not_run"


def test_an_intent_counts_as_a_run_and_gives_the_cell_its_id() -> None:
    story = Story().turn().proposes("x = 1").closes("run").intends(after="cell-0")
    run = run_of(story)
    assert (run.phase, run.cell_id, run.after, run.generation) == (
        "intended",
        "cell-1",
        "cell-0",
        "1-a",
    )
    assert story.state.turns[-1].usage.runs == story.state.usage.runs == 1


def test_a_started_run_has_its_number_and_keeps_it_if_the_end_has_none() -> None:
    story = Story().turn().proposes("x").closes("run").intends().starts()
    assert (run_of(story).phase, run_of(story).started_at) == ("running", AT)
    story.ends("interrupted", execution_count=None)
    assert run_of(story).execution_count == 7


# ── outputs


def with_outputs(*outputs: Output) -> Story:
    story = Story().turn().proposes("x").closes("run").intends().starts()
    for index, output in enumerate(outputs):
        story.add(OutputAdded, run_id="run-1", index=index, output=output)
    return story


def test_outputs_are_added_appended_updated_and_cleared() -> None:
    figure = DisplayOutput(data={"text/plain": "1%"}, display_id="bar")
    story = with_outputs(printed("a"), figure)
    story.add(OutputAppended, run_id="run-1", index=0, text="b")
    assert run_of(story).outputs == [printed("ab"), figure]
    done = DisplayOutput(data={"text/plain": "100%"}, display_id="bar")
    story.add(OutputUpdated, run_id="run-1", index=1, output=done)
    assert run_of(story).outputs == [printed("ab"), done]
    story.add(OutputCleared, run_id="run-1")
    assert run_of(story).outputs == []


@pytest.mark.parametrize(
    "kind, fields",
    [
        (OutputAppended, {"index": 1, "text": "no stream"}),
        (OutputAppended, {"index": 9, "text": "not there"}),
        (OutputUpdated, {"index": 9, "output": printed("not there")}),
    ],
)
def test_a_change_of_an_output_that_is_not_there_changes_nothing(
    kind: type[Any], fields: dict[str, Any]
) -> None:
    story = with_outputs(printed("a"), DisplayOutput(data={}))
    before = run_of(story).outputs
    story.add(kind, run_id="run-1", **fields)
    assert run_of(story).outputs == before


def test_late_output_grows_a_run_that_has_ended() -> None:
    story = with_outputs(printed("a")).ends("ok")
    story.add(OutputAppended, run_id="run-1", index=0, text=" late", late=True)
    assert run_of(story).outputs == [printed("a late")]
    assert run_of(story).phase == "ended"


def test_where_outputs_were_cut_is_said() -> None:
    story = with_outputs().add(OutputTruncated, run_id="run-1", text="Not all is kept.")
    assert run_of(story).truncated == "Not all is kept."


# ── input, and the end


def test_a_question_of_the_cell_is_open_until_it_is_closed_or_the_run_ends() -> None:
    story = with_outputs().add(StdinRequested, run_id="run-1", prompt="Name: ", password=False)
    assert run_of(story).stdin == StdinState(prompt="Name: ", password=False)
    story.add(StdinClosed, run_id="run-1", reason="answered")
    assert run_of(story).stdin is None
    again = {"prompt": "Again: ", "password": True, "question": 2}
    story.add(StdinRequested, run_id="run-1", **again)
    assert run_of(story).stdin == StdinState(**again)
    story.ends("interrupted")
    assert run_of(story).stdin is None


def test_the_end_says_how_how_long_and_what_changed() -> None:
    change = VariableChange(name="y", kind="added", after=ValueBrief(type="int"))
    story = with_outputs().ends(
        "error",
        reason="because",
        execution_count=8,
        duration_seconds=1.5,
        error=RunError(ename="KeyError", evalue="'b'"),
        variables=[change],
        variables_complete=True,
        excerpt=Excerpt(head="text", total=4),
    )
    run = run_of(story)
    assert (run.phase, run.status, run.reason, run.execution_count) == (
        "ended",
        "error",
        "because",
        8,
    )
    assert (run.duration_seconds, run.variables, run.variables_complete) == (1.5, [change], True)
    assert run.error == RunError(ename="KeyError", evalue="'b'")
    assert run.excerpt == Excerpt(head="text", total=4)


# ── the cell


def placed(story: Story, level: str) -> Story:
    return story.add(CellPlaced, run_id="run-1", cell_id="cell-1", level=level, by="client-1")


def test_a_cell_that_is_in_the_file_stays_there() -> None:
    story = placed(with_outputs().ends("ok"), "in_document")
    assert run_of(story).placed == "in_document"
    placed(placed(story, "in_file"), "in_document")
    assert run_of(story).placed == "in_file"


@pytest.mark.parametrize("level", ["in_document", "in_file"])
def test_a_cell_that_was_cut_and_pasted_is_not_deleted(level: str) -> None:
    story = placed(with_outputs().ends("ok"), "in_document")
    story.add(CellReviewed, run_id="run-1", cell_id="cell-1", verdict="deleted_by_user")
    placed(story, level)
    assert run_of(story).verdict is None
    assert run_of(story).placed == level


@pytest.mark.parametrize("verdict", ["deleted_by_user", "undone"])
def test_a_cell_that_was_out_and_is_back_may_be_in_the_file_no_more(verdict: str) -> None:
    story = placed(with_outputs().ends("ok"), "in_file")
    story.add(CellReviewed, run_id="run-1", cell_id="cell-1", verdict=verdict)
    placed(story, "in_document")
    assert run_of(story).placed == "in_document"


def test_a_cell_that_is_placed_again_stays_kept() -> None:
    story = placed(with_outputs().ends("ok"), "in_document")
    story.add(CellReviewed, run_id="run-1", cell_id="cell-1", verdict="kept")
    assert run_of(placed(story, "in_file")).verdict == "kept"


def test_the_last_verdict_counts() -> None:
    story = with_outputs().ends("ok")
    for verdict in ("kept", "edited_since"):
        story.add(CellReviewed, run_id="run-1", cell_id="cell-1", verdict=verdict)
    assert run_of(story).verdict == "edited_since"


@pytest.mark.parametrize(
    "kind, fields",
    [
        (OutputAdded, {"index": 0, "output": printed("x")}),
        (OutputCleared, {}),
        (OutputTruncated, {"text": "x"}),
        (CellPlaced, {"cell_id": "cell-1", "level": "in_file", "by": "client-1"}),
        (CellReviewed, {"cell_id": "cell-1", "verdict": "kept"}),
        (StdinClosed, {"reason": "cancelled"}),
    ],
)
def test_an_event_of_a_run_that_is_not_there_changes_nothing_but_the_number(
    kind: type[Any], fields: dict[str, Any]
) -> None:
    story = Story().turn()
    before = story.state
    story.add(kind, run_id="run-9", **fields)
    assert story.state == before.model_copy(update={"seq": 3})
