"""The names by which the outputs of runs can be looked into again, page by page."""

from __future__ import annotations

from cave_lab.state.values import RunState

REFERENCE_CHARS = 6
"""Of a run's id, at its end: enough to tell the runs of a thread apart."""


def reference(run: RunState) -> str:
    """The name of a run's output."""
    return f"out_{run.run_id[-REFERENCE_CHARS:]}"
