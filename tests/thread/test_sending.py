"""Titles of threads."""

import pytest

from cave_lab.protocol.content import MentionPart, Part, TextPart
from cave_lab.thread.sending import title_of


@pytest.mark.parametrize(
    "words, title",
    [
        ("plot revenue", "plot revenue"),
        ("  plot\n\trevenue ", "plot revenue"),
        ("a" * 20, "a" * 20),
        ("plot the revenue by month", "plot the revenue by …"),
        ("supercalifragilistic expialidocious", "supercalifragilistic …"),
        ("x" * 99, "x" * 22 + " …"),
        ("   ", None),
    ],
)
def test_a_title_is_cut_at_a_word(words: str, title: str | None) -> None:
    assert title_of([TextPart(text=words)], 22) == title


def test_only_words_make_a_title() -> None:
    mention = MentionPart(kind="variable", name="df")
    parts: list[Part] = [TextPart(text="plot"), mention, TextPart(text="by month")]
    assert title_of(parts, 60) == "plot by month"
    assert title_of([mention], 60) is None
