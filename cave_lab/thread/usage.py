"""Budgets of a turn and of its thread: what is used up, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from cave_lab.protocol.content import Budget, Budgets, Usage
from cave_lab.protocol.words import StopReason

Scope = Literal["turn", "thread"]
N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Spent:
    """A budget is used up: whose, the stop reason, and a sentence."""

    scope: Scope
    reason: StopReason
    sentence: str


def spent(scope: Scope, budget: Budget, used: Usage) -> Spent | None:
    """Tell which budget is used up, if any; seconds are those of the model and of runs."""
    tokens = used.prompt + used.completion
    if budget.runs is not None and used.runs >= budget.runs:
        return Spent(scope, "max_runs", f"This {scope} has used its {_runs(budget.runs)}.")
    if budget.tokens is not None and tokens >= budget.tokens:
        return Spent(scope, "max_tokens", f"This {scope} has used its {budget.tokens:,} tokens.")
    if budget.cost is not None and (used.cost or 0.0) >= budget.cost:
        return Spent(scope, "max_cost", f"This {scope} has used its {_dollars(budget.cost)}.")
    if budget.seconds is not None and used.seconds >= budget.seconds:
        return Spent(scope, "max_time", f"This {scope} has worked for its {_time(budget.seconds)}.")
    return None


def _counted(number: float, word: str) -> str:
    return f"{number:,g} {word}" if number == 1 else f"{number:,g} {word}s"


def _dollars(cost: float) -> str:
    # A small budget is of less than a cent.
    return f"${cost:,.2f}" if cost >= 0.01 else f"${cost:.2g}"


def _time(seconds: float) -> str:
    if seconds < 2 * 60:
        return _counted(round(seconds), "second")
    return _counted(round(seconds / 60, 1), "minute")


def _runs(count: int) -> str:
    return "one run" if count == 1 else f"{count} runs"


def since(used: Usage, before: Usage) -> Usage:
    """What has been used since another count."""
    cost = None if used.cost is None else used.cost - (before.cost or 0.0)
    return used.model_copy(
        update={
            "calls": used.calls - before.calls,
            "prompt": used.prompt - before.prompt,
            "completion": used.completion - before.completion,
            "cached": used.cached - before.cached,
            "cost": cost,
            "runs": used.runs - before.runs,
            "unpriced": used.unpriced - before.unpriced,
            "seconds": used.seconds - before.seconds,
        }
    )


def stricter(first: Budgets, second: Budgets) -> Budgets:
    """The lower bound of each two; no bound is the highest."""
    return Budgets(
        turn=_stricter(first.turn, second.turn), thread=_stricter(first.thread, second.thread)
    )


def _stricter(first: Budget, second: Budget) -> Budget:
    return Budget(
        runs=_lower(first.runs, second.runs),
        tokens=_lower(first.tokens, second.tokens),
        cost=_lower(first.cost, second.cost),
        seconds=_lower(first.seconds, second.seconds),
    )


def _lower(first: N | None, second: N | None) -> N | None:
    if first is None or second is None:
        return second if first is None else first
    return min(first, second)
