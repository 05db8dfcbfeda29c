"""Which figures of a turn go out as images."""

import base64
from dataclasses import replace
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.figures import figures_of, stored_figures
from cave_lab.model.messages import View, derive
from cave_lab.model.port import ResultMessage
from cave_lab.protocol.content import BlobOutput, DisplayOutput, Excerpt, Output
from cave_lab.protocol.ids import BlobId
from cave_lab.protocol.run_events import OutputAdded
from tests.privacy.test_pictures import bundle, drawn
from tests.state.making import Story

PNG = drawn("png", 320, 200)
BLOB = BlobId("f" * 64)


def figure(data: bytes = PNG, mime: str = "image/png") -> DisplayOutput:
    return DisplayOutput(data=dict(bundle(mime, data)))


def shows(story: Story, *outputs: Output, run: int, number: int = 1, call: int = 0) -> Story:
    """A cell that shows these."""
    story.proposes("plot()", run, number, call or run).intends(run).starts(run)
    for index, output in enumerate(outputs):
        story.add(OutputAdded, run_id=f"run-{run}", index=index, output=output)
    return story.ends(run=run, excerpt=Excerpt(head="[figure]", total=8))


def told(story: Story, stored: dict[BlobId, Output] | None = None, **limits: Any) -> dict[str, int]:
    """How many figures of each run go out."""
    found = figures_of(story.state, stored or {}, replace(DEFAULT_LIMITS, **limits))
    return {run: len(urls) for run, urls in found.items()}


def test_the_figures_of_the_running_turn_go_out_and_no_others() -> None:
    story = shows(Story().turn(), figure(), run=1).over()
    shows(story.turn(2), figure(), figure(), run=2, number=2)
    assert told(story) == {"run-2": 2}
    assert told(story.over(2).turn(3)) == {}
    assert told(Story()) == {}


def test_a_figure_is_a_data_url_of_the_same_bytes() -> None:
    found = figures_of(shows(Story().turn(), figure(), run=1).state, {}, DEFAULT_LIMITS)
    [[url]] = found.values()
    head, _, text = url.partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(text, validate=True) == PNG


def test_of_many_figures_all_but_the_newest_become_lines_again_and_seldom() -> None:
    story, counts, firsts = Story().turn(), [], []
    for run in range(1, 20):
        found = told(shows(story, figure(), run=run))
        counts.append(sum(found.values()))
        firsts.append(next(iter(found)))
        assert f"run-{run}" in found
    assert counts == [1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 2, 3, 4]
    assert len(set(firsts)) == 4, "what was sent stays as it is in most calls"


def test_the_newest_of_one_cell_are_told_too() -> None:
    story = shows(Story().turn(), *[figure()] * 7, run=1)
    assert told(story) == {"run-1": 2}


@pytest.mark.parametrize(
    ("kind", "goes"),
    [("png", True), ("jpeg", True), ("webp", True), ("gif", True), ("svg", False), ("pdf", False)],
)
def test_only_kinds_that_models_see_go_out(kind: str, goes: bool) -> None:
    mime = {"svg": "image/svg+xml", "pdf": "application/pdf"}.get(kind, f"image/{kind}")
    story = shows(Story().turn(), figure(drawn(kind), mime), run=1)
    assert told(story) == ({"run-1": 1} if goes else {})


def test_a_figure_that_is_too_large_in_bytes_or_pixels_stays_a_line() -> None:
    story = shows(Story().turn(), figure(), run=1)
    assert told(story, image_bytes=len(PNG)) == {"run-1": 1}
    assert told(story, image_bytes=len(PNG) - 3) == {}
    assert told(story, image_pixels=320) == {"run-1": 1}
    assert told(story, image_pixels=319) == {}


def test_what_is_no_picture_stays_a_line() -> None:
    story = shows(Story().turn(), figure(b"<html>"), run=1)
    assert told(story) == {}


def test_a_large_output_is_read_for_its_figure() -> None:
    blob = BlobOutput(blob=BLOB, of="display_data", size=90_000, mime_types=["image/png"])
    story = shows(Story().turn(), blob, run=1)
    assert list(stored_figures(story.state, DEFAULT_LIMITS)) == [BLOB]
    assert told(story) == {}
    assert told(story, {BLOB: figure()}) == {"run-1": 1}
    for other in ({"mime_types": ["text/html"]}, {"size": 40_000_000}):
        changed = blob.model_copy(update=other)
        story = shows(Story().turn(), changed, run=1)
        assert list(stored_figures(story.state, DEFAULT_LIMITS)) == []


def test_in_schema_no_figure_leaves() -> None:
    blob = BlobOutput(blob=BLOB, of="display_data", size=90_000, mime_types=["image/png"])
    story = shows(Story(privacy="schema").turn(), figure(), blob, run=1)
    assert told(story, {BLOB: figure()}) == {}
    assert list(stored_figures(story.state, DEFAULT_LIMITS)) == []


def test_a_figure_is_told_with_the_result_of_its_run() -> None:
    story = shows(Story().turn(), figure(), run=1)
    shows(story, DisplayOutput(data={"text/plain": "2"}), run=2)
    figures = figures_of(story.state, {}, DEFAULT_LIMITS)
    view = View("SYSTEM", str, DEFAULT_LIMITS, {}, figures=figures)
    first, second = [m for m in derive(story.state, view) if isinstance(m, ResultMessage)]
    assert [len(first.images), len(second.images)] == [1, 0]
    without = derive(story.state, replace(view, figures={}))
    assert [m.text for m in without] == [m.text for m in derive(story.state, view)]


def test_of_an_edited_cell_the_figures_of_what_ran_are_told() -> None:
    story = Story().turn().proposes("plot()", run=1).asks().closes("run_edited").ends("not_run")
    story.proposes("plot(1)", run=2, by="user", replaces="run-1").intends(2).starts(2)
    story.add(OutputAdded, run_id="run-2", index=0, output=figure()).ends(run=2)
    view = View(
        "SYSTEM", str, DEFAULT_LIMITS, {}, figures=figures_of(story.state, {}, DEFAULT_LIMITS)
    )
    [result] = [m for m in derive(story.state, view) if isinstance(m, ResultMessage)]
    assert len(result.images) == 1
