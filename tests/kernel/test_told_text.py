"""What a look tells of a text: its parts, masked by what stands beside them."""

import pytest

from cave_lab.kernel.told_text import told_text
from cave_lab.privacy.redact import MASK, Redactor
from cave_lab.protocol.content import Excerpt

KEY = "canary-0123456789"
REDACT = Redactor({"MY_KEY": KEY})


def test_a_whole_text_is_told_as_it_is() -> None:
    sent = {"head": "all", "tail": "", "total": 3, "cut": False}
    assert told_text(sent, REDACT) == Excerpt(head="all", total=3)


def test_what_stands_beside_the_parts_is_not_told() -> None:
    sent = {
        "before": "aaa", "head": "bbb", "behind": "ccc", "ahead": "ddd", "tail": "eee",
        "total": 100, "cut": True,
    }  # fmt: skip
    assert told_text(sent, REDACT) == Excerpt(head="bbb", tail="eee", total=100, cut=True)


@pytest.mark.parametrize("at", range(1, len(KEY)))
def test_a_secret_across_any_edge_is_masked_in_the_part_that_is_told(at: int) -> None:
    begin, end = KEY[:at], KEY[at:]
    head, tail = f"{end} bbb {begin}", f"{end} eee"
    sent = {
        "before": begin, "head": head, "behind": end,
        "ahead": begin, "tail": tail, "total": 1_000, "cut": True,
    }  # fmt: skip
    told = told_text(sent, REDACT)
    assert (told.head, told.tail) == (f"{MASK} bbb {MASK}", f"{MASK} eee")
    left_out = told.total - len(told.head) - len(told.tail)
    assert left_out == 1_000 - len(head) - len(tail)


def test_quotes_stand_around_what_is_masked_in_bytes() -> None:
    sent = {
        "opening": "b'", "head": KEY[:8], "behind": KEY[8:], "closing": "'…",
        "total": 8, "cut": False,
    }  # fmt: skip
    assert told_text(sent, REDACT).head == f"b'{MASK}'…"
