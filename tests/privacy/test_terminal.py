"""Text reads as a terminal would leave it."""

import io
import time

import pytest
from tqdm import tqdm  # type: ignore[import-untyped]

from cave_lab.privacy.controls import strip_controls
from cave_lab.privacy.terminal import final_lines


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("10%\r50%\r100%\ndone", "100%\ndone"),
        ("abcdef\rxy", "xycdef"),
        ("line\r\nnext", "line\nnext"),
        ("ab\b\bcd", "cd"),
        ("\b\bx", "x"),
    ],
)
def test_a_progress_bar_arrives_as_its_final_state(raw: str, seen: str) -> None:
    assert final_lines(raw) == seen


def test_a_line_that_is_overwritten_again_and_again_is_resolved_at_once() -> None:
    began = time.perf_counter()
    assert final_lines("x" * 200_000 + "\ra" * 200_000) == "a" + "x" * 199_999
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("\x1b[32m 50%\x1b[0m\r\x1b[32m100%\x1b[0m", "100%"),
        ("a long line\r\x1b[Kshort", "short"),
        ("a long line\x1b[2K\rshort", "short"),
        ("one\ntwo\x1b[A\rONE\nTWO", "ONE\nTWO"),
        ("one\ntwo\nthree\x1b[2A\x1b[Jx", "one  x"),
        ("one\ntwo\x1b[1F\x1b[0Jx", "x"),
        ("ab\x1b[3Cx", "ab   x"),
        ("abcdef\x1b[3Dx", "abcxef"),
        ("abcdef\x1b[2Gx", "axcdef"),
        ("abc\x1b[1Kx", "   x"),
        ("\x1b[99A\x1b[99Bx", "x"),
    ],
)
def test_cursors_move_and_erase_within_the_last_lines(raw: str, seen: str) -> None:
    assert final_lines(raw) == seen


def test_what_addresses_a_whole_screen_loses_no_text() -> None:
    raw = "kept\x1b[2J\x1b[H\x1b[10;20Hmore\x1b[?25h\x1b]0;title\x07"
    assert strip_controls(final_lines(raw)) == "keptmore"


def test_bars_one_below_the_other_arrive_as_their_final_states() -> None:
    screen = io.StringIO()
    with tqdm(total=3, desc="outer", file=screen, ncols=60) as outer:
        for _ in range(3):
            for _ in tqdm(
                range(50), desc="inner", file=screen, position=1, ncols=60, mininterval=0
            ):
                pass
            outer.update()
    raw = screen.getvalue()
    assert raw.count("\x1b[A") > 100
    *inner, outer_line = [line for line in final_lines(raw).split("\n") if line.strip()]
    assert outer_line.startswith("outer: 100%")
    assert [line[:11] for line in inner] == ["inner: 100%"] * 3


def test_moves_can_make_no_text_that_is_far_longer_than_they_are() -> None:
    began = time.perf_counter()
    assert len(final_lines("\n\x1b[9999Cx" * 20_000)) < 5_000_000
    assert len(final_lines("\x1b[9999C\x1b[9999Gx" * 20_000)) < 100_000
    assert time.perf_counter() - began < 10
