"""A character that came in two pieces is one; a lone half is marked."""

import pytest

from cave_lab.thread.halves import Halves


@pytest.mark.parametrize(
    "pieces, text",
    [
        (["plain", " text"], "plain text"),
        (["a \ud83d", "\ude00 b"], "a \U0001f600 b"),
        (["\ud83d", "", "\ude00"], "\U0001f600"),
        (["a \ud83d b"], "a \ufffd b"),
        (["\ude00 alone"], "\ufffd alone"),
        (["\ud83d", "\ud83d\ude00"], "\ufffd\U0001f600"),
        (["it ends \ud83d"], "it ends "),
        (["naïve 日本語 \U0001f600"], "naïve 日本語 \U0001f600"),
    ],
)
def test_pieces_join_to_whole_characters(pieces: list[str], text: str) -> None:
    halves = Halves()
    joined = "".join(halves.join(piece) for piece in pieces)
    assert joined == text
    assert joined.encode("utf-8")
