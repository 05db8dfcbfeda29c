"""Figures that a model is given as images: the newest of the running turn, if it sees.

Those of earlier turns are lines of text again, as all figures are for a model that does not see.
Nothing can be masked in a picture, so none leaves where outputs do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cave_lab.limits import Limits
from cave_lab.privacy.modes import run_output_out
from cave_lab.privacy.pictures import KINDS, picture_in
from cave_lab.protocol.content import BlobOutput, DisplayOutput, Output, ResultOutput
from cave_lab.protocol.ids import BlobId, RunId
from cave_lab.state.values import RunState, ThreadState

_WITH_TEXT = 4
"""A display holds its figure in base64, perhaps in a second format, and text."""


def figures_of(
    state: ThreadState, stored: Mapping[BlobId, Output], limits: Limits
) -> Mapping[RunId, tuple[str, ...]]:
    """The figures of the running turn as data URLs, by the run that drew them, oldest first.

    Of large outputs only those can be told that are among the `stored`.
    """
    if not run_output_out(state.privacy):
        return {}
    found = [
        (run.run_id, url)
        for run in _runs(state)
        for output in run.outputs
        if (url := _url(_whole(output, stored), limits)) is not None
    ]
    told: dict[RunId, tuple[str, ...]] = {}
    for run_id, url in found[_passed(len(found), limits) :]:
        told[run_id] = (*told.get(run_id, ()), url)
    return told


def stored_figures(state: ThreadState, limits: Limits) -> Iterator[BlobId]:
    """The outputs of the running turn that have to be read for their figures."""
    for run in _runs(state) if run_output_out(state.privacy) else ():
        for output in run.outputs:
            if isinstance(output, BlobOutput) and _may_hold_one(output, limits):
                yield output.blob


def _may_hold_one(output: BlobOutput, limits: Limits) -> bool:
    seen = bool(KINDS.keys() & set(output.mime_types))
    return seen and output.size <= _WITH_TEXT * limits.image_bytes


def _runs(state: ThreadState) -> Iterator[RunState]:
    turn_id = state.turns[-1].turn_id if state.turns else None
    yield from (
        run for run in state.runs.values() if run.turn_id == turn_id and run.phase == "ended"
    )


def _passed(found: int, limits: Limits) -> int:
    """How many of the figures found so far are lines again; it grows in steps, seldom."""
    step = limits.images_of_turn + 1 - limits.images_newest
    beyond = max(0, found - limits.images_of_turn)
    return -(-beyond // step) * step


def _whole(output: Output, stored: Mapping[BlobId, Output]) -> Output | None:
    return stored.get(output.blob) if isinstance(output, BlobOutput) else output


def _url(output: Output | None, limits: Limits) -> str | None:
    """A figure that may be sent: of a known size, and not too large."""
    if not isinstance(output, DisplayOutput | ResultOutput):
        return None
    picture = picture_in(output.data)
    if picture is None or picture.size is None or picture.bytes > limits.image_bytes:
        return None
    return picture.url if max(picture.size) <= limits.image_pixels else None
