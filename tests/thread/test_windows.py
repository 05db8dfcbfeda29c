"""How much a call may hold, and where a talk is shortened."""

from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.thread.windows import Room, room_of, window_in
from tests.model.messages.telling import compacts, sends
from tests.state.making import Story


@pytest.mark.parametrize(
    "window, most",
    [
        (200_000, 150_000),
        (32_768, 24_576),
        (8_192, 6_144),
        (4_096, 2_048),
        (2_048, 1_024),
    ],
)
def test_a_prompt_may_take_three_quarters_and_must_leave_room_for_the_answer(
    window: int, most: int
) -> None:
    assert room_of(window, DEFAULT_LIMITS) == Room(window, most, most * 2 // 3)


def refused(tokens: int, model: str = "m", **more: Any) -> Story:
    """A talk that a model refused."""
    story = sends(Story().turn(), 1, 1, model=model)
    values = {"reason": "overflow", "before_tokens": tokens, **more}
    return compacts(story, "trimmed", 1, at=1, **values)


def window(story: Story, told: int | None = 100_000) -> int:
    return window_in(story.state, "m", told, DEFAULT_LIMITS)


def test_a_window_is_what_is_known_of_the_model() -> None:
    assert window(Story().turn()) == 100_000


def test_a_window_that_nobody_knows_is_a_small_one() -> None:
    assert window(Story().turn(), None) == DEFAULT_LIMITS.unknown_window


def test_what_was_refused_is_beyond_the_window() -> None:
    assert window(refused(30_000)) == 30_000


def test_what_another_model_refused_says_nothing() -> None:
    assert window(refused(30_000, model="other")) == 100_000


def test_a_short_call_that_was_refused_says_nothing_of_the_window() -> None:
    assert window(refused(900)) == 100_000


def test_of_one_refusal_only_the_size_that_was_refused_counts() -> None:
    story = refused(30_000)
    compacts(story, "summary", 1, at=1, reason="overflow", before_tokens=12_000, summary="x")
    assert window(story) == 30_000


def test_a_talk_that_was_shortened_in_time_says_nothing() -> None:
    assert window(refused(30_000, reason="window")) == 100_000
