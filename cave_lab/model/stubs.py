"""An older result in one line: what it was is in the kernel, in the notebook and in the journal."""

from __future__ import annotations

from collections.abc import Callable

from cave_lab.model.references import reference
from cave_lab.model.results import changes_line, status_text
from cave_lab.privacy.modes import run_output_out
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import LookItem, RunState


def result_stub(
    run: RunState, ran: RunState, privacy: PrivacyMode, redact: Callable[[str], str] = str
) -> str:
    """Tell how a run ended, how much it put out and where that is, and what it changed."""
    edited = "The person changed the code before running it. " if ran is not run else ""
    parts = [f"{edited}{status_text(ran)}", _output(ran, privacy), changes_line(ran)]
    return redact(" ".join(part for part in parts if part))


def _output(run: RunState, privacy: PrivacyMode) -> str:
    size = run.excerpt.total if run.excerpt is not None else 0
    if not size:
        return ""
    if not run_output_out(privacy):
        return "Its output is not shared with you."
    return f"(Output of {size:,} characters left out here: {reference(run)}.)"


def look_stub(look: LookItem, privacy: PrivacyMode) -> str:
    """Tell that something was looked at; what was seen then may no longer be so."""
    return f"(What {len(look.answers)} names showed is left out here; look again if you need it.)"
