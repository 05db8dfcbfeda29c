"""What the model is told of a run: the truth, bounded."""

from __future__ import annotations

from cave_lab.model.variables_text import changes_text
from cave_lab.privacy.excerpt import show
from cave_lab.privacy.modes import run_output_out
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import RunState


def result_text(run: RunState, ran: RunState, privacy: PrivacyMode) -> str:
    """Tell of `run` as proposed and `ran` as it really went (another one if it was edited)."""
    parts = []
    if ran is not run:
        parts.append(f"The person changed the code before running it. What ran:\n{_data(ran.code)}")
    parts.append(_status(ran))
    parts += _output(ran, privacy)
    if ran.variables:
        parts.append(f"Variables: {changes_text(ran.variables)}")
    return "\n".join(parts)


def _status(run: RunState) -> str:
    took = f" after {run.duration_seconds:.1f} s" if run.duration_seconds is not None else ""
    why = f" {run.reason}" if run.reason else ""
    match run.status:
        case "ok":
            return f"Finished{took}.{why}"
        case "error":
            return f"Failed{took}.{why}"
        case "interrupted":
            return f"Interrupted{took}; what it did until then stays.{why}"
        case "kernel_died" | "kernel_restarted":
            return f"The kernel was lost during this run; its variables are gone.{why}"
        case "rejected":
            return f"Not run: the person rejected it.{why}"
        case "not_run":
            return f"Not run.{why}"
        case "unknown":
            return f"Unknown whether it ran: the server went away.{why}"
        case None:
            return "Still running."


def _output(run: RunState, privacy: PrivacyMode) -> list[str]:
    if not run_output_out(privacy):
        return [f"{run.error.ename}: {run.error.evalue}"] if run.error else []
    shown = show(run.excerpt) if run.excerpt is not None else ""
    if not shown:
        return ["No output."] if run.status in ("ok", "error") else []
    cut = f"\n({run.truncated})" if run.truncated else ""
    return [f"Output:\n{_data(shown)}{cut}"]


def _data(text: str) -> str:
    """Fence text that is data, so that it can't close its own fence."""
    safe = text.replace("</data", "<\\/data")
    return f"<data>\n{safe}\n</data>"
