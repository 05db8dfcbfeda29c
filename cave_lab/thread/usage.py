"""Budgets of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from cave_lab.protocol.content import Usage
from cave_lab.protocol.words import StopReason


@dataclass(frozen=True)
class Budget:
    """What one turn may use; seconds are those of the model and of runs."""

    runs: int
    tokens: int
    seconds: float


@dataclass(frozen=True)
class Spent:
    """A budget is used up: the stop reason, and a sentence."""

    reason: StopReason
    sentence: str


def spent(budget: Budget, used: Usage, seconds: float) -> Spent | None:
    """Tell which budget is used up, if any."""
    if used.runs >= budget.runs:
        return Spent("max_runs", f"This turn has used its {budget.runs} runs.")
    if used.prompt + used.completion >= budget.tokens:
        return Spent("max_tokens", f"This turn has used its {budget.tokens:,} tokens.")
    if seconds >= budget.seconds:
        return Spent("max_time", f"This turn has worked for {budget.seconds / 60:.0f} minutes.")
    return None
