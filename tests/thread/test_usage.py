"""Budgets: which one is used up, and in which words."""

import pytest

from cave_lab.protocol.content import Budget, Budgets, Usage
from cave_lab.thread.usage import since, spent, stricter

BUDGET = Budget(runs=2, tokens=1_000, cost=0.5, seconds=120.0)


@pytest.mark.parametrize(
    "used, reason, words",
    [
        (Usage(runs=2), "max_runs", "This turn has used its 2 runs."),
        (Usage(prompt=600, completion=400), "max_tokens", "its 1,000 tokens"),
        (Usage(cost=0.5), "max_cost", "its $0.50"),
        (Usage(seconds=120.0), "max_time", "2 minutes"),
    ],
)
def test_a_budget_that_is_used_up_is_named(used: Usage, reason: str, words: str) -> None:
    over = spent("turn", BUDGET, used)
    assert over is not None
    assert over.reason == reason
    assert words in over.sentence


def test_a_budget_of_one_is_told_in_the_singular() -> None:
    over = spent("thread", Budget(runs=1), Usage(runs=1))
    assert over is not None
    assert over.sentence == "This thread has used its one run."


def test_just_below_all_budgets_the_turn_goes_on() -> None:
    used = Usage(runs=1, prompt=599, completion=400, cost=0.499, seconds=119.9)
    assert spent("turn", BUDGET, used) is None


def test_without_a_bound_nothing_is_ever_used_up() -> None:
    used = Usage(runs=10**6, prompt=10**9, cost=10.0**6, seconds=10.0**6)
    assert spent("thread", Budget(), used) is None


def test_calls_of_unknown_price_use_up_no_money() -> None:
    assert spent("thread", Budget(cost=0.01), Usage(unpriced=50, cost=None)) is None


def test_after_an_extension_only_what_came_since_counts() -> None:
    before = Usage(calls=3, runs=2, prompt=900, completion=100, cost=0.5, seconds=100)
    now = Usage(calls=4, runs=3, prompt=1_000, completion=150, cost=0.6, seconds=130)
    used = since(now, before)
    assert (used.calls, used.runs, used.prompt, used.completion) == (1, 1, 100, 50)
    assert (round(used.cost or 0, 6), used.seconds) == (0.1, 30)
    assert spent("thread", BUDGET, used) is None


def test_of_two_budgets_the_stricter_holds() -> None:
    mine = Budgets(turn=Budget(runs=3), thread=Budget(cost=1.0))
    theirs = Budgets(turn=Budget(runs=12, tokens=4_000), thread=Budget(cost=0.5))
    assert stricter(mine, theirs) == Budgets(
        turn=Budget(runs=3, tokens=4_000), thread=Budget(cost=0.5)
    )
