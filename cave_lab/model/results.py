"""What the model is told of a run: the truth, bounded."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.enclosed import enclose
from cave_lab.model.references import reference
from cave_lab.model.variables_text import changes_text
from cave_lab.privacy.excerpt import pages_in, shorter, show
from cave_lab.privacy.modes import changes_out, run_output_out
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import RunState

_WORTH_TELLING = 1.0
"""Seconds that a model may want to know of; of most cells there is nothing to say."""

_RAN = ("ok", "error", "interrupted")
"""The ends of a run after which the kernel is asked what changed."""

_NAME = re.compile(r"[A-Za-z_][\w.]{0,99}")
_PLAIN = re.compile(r"(?:[-+~]\??\w+(?: \([\w.]+(?: [\d×]+| of \d+)?\))?(?: |$))+")


def result_text(
    run: RunState,
    ran: RunState,
    privacy: PrivacyMode,
    redact: Callable[[str], str] = str,
    *,
    cut_to: int | None = None,
    page_chars: int = DEFAULT_LIMITS.page_chars,
) -> str:
    """Tell of `run` as proposed and `ran` as it really went (another one if it was edited).

    Of an output that was too long to be told, `cut_to` characters are left if that is given; all
    of it can be looked at in pages of `page_chars`.
    """
    parts = []
    if ran is not run:
        code = enclose("data", redact(ran.code))
        parts.append(f"The person changed the code before running it. What ran:\n{code}")
    parts.append(status_text(ran))
    parts += _output(ran if cut_to is None else _shorter(ran, cut_to), privacy, page_chars)
    parts.append(changes_line(ran))
    return redact("\n".join(part for part in parts if part))


def changes_line(run: RunState) -> str:
    """What a run did to variables, as far as is known; nothing if that is known to be nothing."""
    if not run.variables:
        unknown = not run.variables_complete and run.status in _RAN
        return "Variables: what changed is not known." if unknown else ""
    changes = changes_text(changes_out(run.variables))
    # Names that could be sentences are data like any other.
    told = changes if _PLAIN.fullmatch(changes) else enclose("data", changes)
    return f"Variables: {told}{'' if run.variables_complete else ' (others may have changed too)'}"


def status_text(run: RunState) -> str:
    """How a run ended, in a sentence, and whether its cell was kept."""
    return _status(run) + _kept(run)


def _status(run: RunState) -> str:
    seconds = run.duration_seconds or 0.0
    took = f" after {seconds:.1f} s" if seconds >= _WORTH_TELLING else ""
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


def _output(run: RunState, privacy: PrivacyMode, page_chars: int) -> list[str]:
    shown = show(run.excerpt, _where(run, page_chars)) if run.excerpt is not None else ""
    if not run_output_out(privacy):
        return _held_back(run, shown)
    if not shown:
        return _nothing(run)
    cut = f"\n({run.truncated})" if run.truncated else ""
    return [f"Output:\n{enclose('data', shown)}{cut}"]


def _shorter(run: RunState, limit: int) -> RunState:
    if run.excerpt is None or not run.excerpt.cut:
        return run
    return run.model_copy(update={"excerpt": shorter(run.excerpt, limit)})


def _where(run: RunState, page_chars: int) -> str:
    """Where the rest of an output is."""
    total = run.excerpt.total if run.excerpt is not None else 0
    pages = pages_in(total, page_chars)
    return f"look at {reference(run)}, page 1 to {pages}"


def _nothing(run: RunState) -> list[str]:
    """What there is to say where nothing came out: an error has a message all the same."""
    if run.status not in ("ok", "error"):
        return []
    if run.status == "error" and run.error is not None:
        return ["No output.", enclose("data", f"{run.error.ename}: {run.error.evalue}")]
    if run.status == "ok" and _is_python(run) and _ends_in_a_value(run.code):
        return ["No output: the value of its last line is None, or is one that is not shown."]
    return ["No output."]


def _is_python(run: RunState) -> bool:
    language = run.target.language if run.target is not None else None
    return (language or "python").lower().startswith("python")


def _ends_in_a_value(code: str) -> bool:
    """Whether a Python cell's last line has a value which IPython would show if it were any."""
    if code.rstrip().endswith(";"):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            body = compile(code, "<cell>", "exec", flags, dont_inherit=True).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # It ran, so it is another language, or holds magics.
            return False
    return bool(body) and isinstance(body[-1], ast.Expr)


def _held_back(run: RunState, shown: str) -> list[str]:
    """Only an error's own type and message leave; that there was more is said."""
    if run.error is not None:
        return [enclose("data", f"{run.error.ename}: {run.error.evalue}")]
    return ["Its output is not shared with you (privacy mode `schema`)."] if shown else []
