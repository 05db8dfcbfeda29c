"""Controls are stripped, and terminals' tricks resolved, before text leaves the machine."""

import time

import pytest

from cave_lab.privacy.controls import final_lines, strip_controls


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("a\u202eb\u2066c", "abc"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041", "tag"),
        ("null\x00bell\x07", "nullbell"),
        ("tab\tline\n", "tab\tline\n"),
        ("naïve 日本語 😀", "naïve 日本語 😀"),
        ("lone \ud83d surrogate", "lone \ufffd surrogate"),
    ],
)
def test_controls_go_and_text_stays(raw: str, clean: str) -> None:
    assert strip_controls(raw) == clean


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
