"""How a run ended, made of the kernel's reply or of the lack of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from cave_lab.kernel.dialect import is_interrupt
from cave_lab.kernel.outputs import execution_count, run_error
from cave_lab.kernel.port import RunOutcome
from cave_lab.limits import Limits
from cave_lab.protocol.content import RunError

MemoryLossReason = Literal["lost", "restarted", "shut_down"]
LossReason = MemoryLossReason | Literal["closed"]
"""`MemoryLost.reason`, or that we let go of a kernel that goes on."""

_LOSSES: dict[LossReason, RunOutcome] = {
    "lost": RunOutcome("kernel_died", "The kernel died. Its variables are gone."),
    "restarted": RunOutcome(
        "kernel_restarted", "The kernel was restarted. Its variables are gone."
    ),
    "shut_down": RunOutcome("kernel_died", "The kernel was shut down. Its variables are gone."),
    "closed": RunOutcome(
        "unknown", "CaveLab let go of the kernel while the cell ran. How it ended is not known."
    ),
}

WITHDRAWN = RunOutcome(
    "not_run", "The cell was stopped before its turn came. It did not run.", interrupted_by="stop"
)
OTHER_GENERATION = RunOutcome(
    "kernel_restarted",
    "The kernel was restarted after this cell was approved. The cell did not run.",
)
_NEVER_SENT: dict[LossReason, RunOutcome] = {
    "lost": RunOutcome("kernel_died", "The kernel died before the cell's turn. It did not run."),
    "restarted": OTHER_GENERATION,
    "shut_down": RunOutcome(
        "kernel_died", "The kernel was shut down before the cell's turn. It did not run."
    ),
    "closed": RunOutcome(
        "not_run", "CaveLab let go of the kernel before the cell's turn. It did not run."
    ),
}


def of_loss(reason: LossReason) -> RunOutcome:
    """The end of a run whose kernel is gone."""
    return _LOSSES[reason]


def never_sent(reason: LossReason) -> RunOutcome:
    """The end of a run that was still in the queue when its kernel was lost."""
    return _NEVER_SENT[reason]


def without_reply(*, reached_by_stop: bool) -> RunOutcome:
    """The end of a run of which the kernel only said that it is idle again."""
    if reached_by_stop:
        return RunOutcome(
            "interrupted",
            "The cell was interrupted; the kernel did not say how it ended.",
            interrupted_by="stop",
        )
    return RunOutcome(
        "unknown", "The kernel is free again but never said how the cell ended. It may have run."
    )


def of_reply(
    content: Mapping[str, Any],
    limits: Limits,
    *,
    stopped: bool,
    by_person: bool = False,
    started: bool = True,
) -> RunOutcome:
    """The end of a run by the kernel's own words.

    `stopped` and `by_person` say who asked for an interrupt, as far as is known; `started`, whether
    the kernel took the cell up.
    """
    match content.get("status"):
        case "ok":
            return RunOutcome("ok", _leaving(content), execution_count(content))
        case "error":
            return _of_error(content, limits, stopped=stopped, asked=stopped or by_person)
        case "refused" if content.get("reason") == "generation":
            return OTHER_GENERATION
        case "refused" if content.get("reason") == "cancelled":
            return WITHDRAWN
        case "refused":
            return RunOutcome("not_run", "The kernel refused the cell. It did not run.")
        case _ if started:
            # IRkernel's word for an interrupt; a request that is set aside is never taken up.
            return _interrupted(execution_count(content), stopped=stopped)
        case _:
            return RunOutcome(
                "not_run",
                "A cell before this one failed, so the kernel set this one aside. It did not run.",
            )


def _of_error(
    content: Mapping[str, Any], limits: Limits, *, stopped: bool, asked: bool
) -> RunOutcome:
    error = run_error(content, limits)
    count = execution_count(content)
    if not is_interrupt(error.ename, asked=asked):
        return RunOutcome("error", None, count, error=error)
    return _interrupted(count, stopped=stopped, error=error)


def _interrupted(count: int | None, *, stopped: bool, error: RunError | None = None) -> RunOutcome:
    return RunOutcome(
        "interrupted",
        "The cell was stopped." if stopped else "The cell was interrupted in the notebook.",
        count,
        error=error,
        interrupted_by="stop" if stopped else "person",
    )


def _leaving(content: Mapping[str, Any]) -> str | None:
    payload = content.get("payload")
    for item in payload if isinstance(payload, list) else ():
        if isinstance(item, Mapping) and item.get("source") == "ask_exit":
            return "The cell told the kernel to exit. When it does, its variables are lost."
    return None


def pages(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a reply asks to be shown in a pager, as `?x` does."""
    payload = content.get("payload")
    return [
        item
        for item in (payload if isinstance(payload, list) else ())
        if isinstance(item, Mapping) and item.get("source") == "page"
    ]
