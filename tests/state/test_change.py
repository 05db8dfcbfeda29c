"""The small steps of the folds."""

import pytest

from cave_lab.protocol.content import Usage
from cave_lab.state.change import add_usage, replaced


@pytest.mark.parametrize(
    "index, result", [(0, [9, 2]), (1, [1, 9]), (2, [1, 2, 9]), (7, [1, 2, 9]), (-1, [1, 2, 9])]
)
def test_an_item_is_replaced_in_its_place_or_put_at_the_end(index: int, result: list[int]) -> None:
    items = [1, 2]
    assert replaced(items, index, 9) == result
    assert items == [1, 2]


@pytest.mark.parametrize(
    "first, second, cost", [(None, None, None), (1.0, None, 1.0), (None, 2.0, 2.0), (1.0, 2.0, 3.0)]
)
def test_a_cost_is_the_sum_of_the_known_ones(
    first: float | None, second: float | None, cost: float | None
) -> None:
    assert add_usage(Usage(cost=first), Usage(cost=second)).cost == cost


def test_counts_are_summed_and_the_newer_price_list_is_named() -> None:
    first = Usage(calls=1, prompt=10, completion=2, cached=3, runs=1, price_source="old")
    second = Usage(calls=2, prompt=20, completion=4, cached=6, runs=2, price_source="new")
    assert add_usage(first, second) == Usage(
        calls=3, prompt=30, completion=6, cached=9, runs=3, price_source="new"
    )
