"""What a model of a small window is told of each thing."""

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.messages import bounds_of


def test_a_large_window_bounds_nothing_more_than_the_limits_do() -> None:
    assert bounds_of(200_000, DEFAULT_LIMITS) == DEFAULT_LIMITS


@pytest.mark.parametrize("window", [2_048, 4_096, 8_192])
def test_a_small_one_has_room_for_all_that_a_question_holds_and_for_an_answer(window: int) -> None:
    bounds = bounds_of(window, DEFAULT_LIMITS)
    question = bounds.outline_chars + bounds.model_variables_chars + bounds.mentioned_chars
    # Numbers have two characters to a token, words four: between them is what notebooks hold.
    assert question / 3 < window / 2


def test_a_page_fits_into_a_look_of_the_model() -> None:
    for window in (2_048, 4_096, 8_192, 32_768):
        bounds = bounds_of(window, DEFAULT_LIMITS)
        assert bounds.page_chars + bounds.beside_page_chars <= bounds.looks_chars
    assert bounds_of(8_192, DEFAULT_LIMITS).page_chars == DEFAULT_LIMITS.page_chars
    assert bounds_of(4_096, DEFAULT_LIMITS).page_chars < DEFAULT_LIMITS.page_chars
