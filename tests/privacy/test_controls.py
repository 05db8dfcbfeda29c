"""Controls are stripped before text leaves the machine."""

import pytest

from cave_lab.privacy.controls import strip_controls


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
