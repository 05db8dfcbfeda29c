"""What the model is told of a run: the truth, bounded."""

from __future__ import annotations

import re
from collections.abc import Callable

from cave_lab.model.enclosed import enclose
from cave_lab.model.variables_text import changes_text
from cave_lab.privacy.excerpt import show
from cave_lab.privacy.modes import run_output_out
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import RunState

_NAME = re.compile(r"[A-Za-z_][\w.]{0,99}")
_PLAIN = re.compile(r"(?:[-+~]\??\w+(?: \([\w.]+(?: [\d×]+| of \d+)?\))?(?: |$))+")


def result_text(
    run: RunState, ran: RunState, privacy: PrivacyMode, redact: Callable[[str], str] = str
) -> str:
    """Tell of `run` as proposed and `ran` as it really went (another one if it was edited)."""
    parts = []
    if ran is not run:
        code = enclose("data", redact(ran.code))
        parts.append(f"The person changed the code before running it. What ran:\n{code}")
    parts.append(status_text(ran))
    parts += _output(ran, privacy)
    parts.append(changes_line(ran))
    return redact("\n".join(part for part in parts if part))


def changes_line(run: RunState) -> str:
    """What a run did to variables; nothing if it is known to have done nothing."""
    if not run.variables:
        return ""
    changes = changes_text(run.variables)
    # Names that could be sentences are data like any other.
    return f"Variables: {changes if _PLAIN.fullmatch(changes) else enclose('data', changes)}"


def status_text(run: RunState) -> str:
    """How a run ended, in a sentence, and whether its cell was kept."""
    return _status(run) + _kept(run)


def _status(run: RunState) -> str:
    took = f" after {run.duration_seconds:.1f} s" if run.duration_seconds is not None else ""
    why = f" {run.reason}" if run.reason else ""
    match run.status:
        case "ok":
            return f"Finished{took}.{why}"
        case "error":
            named = run.error is not None and _NAME.fullmatch(run.error.ename)
            return f"Failed{took}{f': {run.error.ename}' if run.error and named else ''}.{why}"
        case "interrupted":
            return f"Interrupted{took}; what it did until then stays.{why}"
        case "kernel_died" | "kernel_restarted":
            return run.reason or "The kernel was lost during this run; its variables are gone."
        case "rejected":
            return f"Not run: the person rejected it.{why}"
        case "not_run":
            return f"Not run.{why}"
        case "unknown":
            return f"It is not known how this ended.{why}"
        case None:
            return "Still running."


def _kept(run: RunState) -> str:
    """That a cell which ran is not in the notebook, where the model asked for that."""
    ran = run.status not in ("rejected", "not_run")
    return " (scratch: not kept in the notebook)" if run.scratch and ran else ""


def _output(run: RunState, privacy: PrivacyMode) -> list[str]:
    shown = show(run.excerpt) if run.excerpt is not None else ""
    if not run_output_out(privacy):
        return _held_back(run, shown)
    if not shown:
        return ["No output."] if run.status in ("ok", "error") else []
    cut = f"\n({run.truncated})" if run.truncated else ""
    return [f"Output:\n{enclose('data', shown)}{cut}"]


def _held_back(run: RunState, shown: str) -> list[str]:
    """Only an error's own type and message leave; that there was more is said."""
    if run.error is not None:
        return [enclose("data", f"{run.error.ename}: {run.error.evalue}")]
    return ["Its output is not shared with you (privacy mode `schema`)."] if shown else []
