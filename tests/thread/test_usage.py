"""Budgets: which one is used up, and in which words."""

import pytest

from cave_lab.protocol.content import Usage
from cave_lab.thread.usage import Budget, spent

BUDGET = Budget(runs=2, tokens=1_000, seconds=120.0)


@pytest.mark.parametrize(
    "used, seconds, reason, words",
    [
        (Usage(runs=2), 0.0, "max_runs", "its 2 runs"),
        (Usage(prompt=600, completion=400), 0.0, "max_tokens", "its 1,000 tokens"),
        (Usage(), 120.0, "max_time", "2 minutes"),
    ],
)
def test_a_budget_that_is_used_up_is_named(
    used: Usage, seconds: float, reason: str, words: str
) -> None:
    over = spent(BUDGET, used, seconds)
    assert over is not None
    assert over.reason == reason
    assert words in over.sentence


def test_just_below_all_budgets_the_turn_goes_on() -> None:
    assert spent(BUDGET, Usage(runs=1, prompt=599, completion=400), 119.9) is None
