"""Shortened text keeps head and tail and says what is missing."""

import random

import pytest

from cave_lab.privacy.excerpt import (
    REACH,
    excerpt,
    page_of,
    pages_in,
    redacted_excerpt,
    show,
)
from cave_lab.privacy.redact import MASK, Redactor


def test_a_short_text_is_whole() -> None:
    part = excerpt("all of it", 100)
    assert not part.cut
    assert show(part) == "all of it"


def test_a_long_text_keeps_head_and_tail_and_the_count() -> None:
    text = "\n".join(f"line {number}" for number in range(10_000))
    part = excerpt(text, 1_000)
    shown = show(part)
    assert part.cut
    assert part.total == len(text)
    assert shown.startswith("line 0\n")
    assert shown.endswith("line 9999")
    assert f"of {len(text):,} characters" in shown
    assert len(shown) < 1_200


def test_a_text_without_line_ends_is_cut_all_the_same() -> None:
    part = excerpt("x" * 5_000, 1_000)
    assert len(part.head) == len(part.tail) == 500


CANARY = "canary-value-0123456789"
REDACT = Redactor({"MY_API_KEY": CANARY})
KEY = "-----BEGIN PRIVATE KEY-----\n" + "canary\n" * 900 + "-----END PRIVATE KEY-----"
JWT = ".".join(["eyJ" + "canary" * 300] * 3)
LIMIT = 6_000


@pytest.mark.parametrize("secret", [CANARY, KEY, JWT, f"token = '{'canary' * 600}'"])
def test_a_secret_at_any_cut_of_a_long_text_leaves_no_half(secret: str) -> None:
    chance = random.Random(11)
    total, half = 400_000, LIMIT // 2
    cuts = (half, half + REACH, total - half, total - half - REACH)
    for cut in cuts:
        for _ in range(12):
            at = min(max(cut - chance.randrange(-200, len(secret) + 200), 0), total - len(secret))
            text = "some words\n" * (at // 11) + " " * (at % 11) + secret + " "
            text += "more words\n" * ((total - len(text)) // 11)
            part = redacted_excerpt(text, LIMIT, REDACT)
            whole = excerpt(REDACT(text), LIMIT)
            assert "canary" not in part.head + part.tail
            assert (part.head, part.tail, part.cut) == (whole.head, whole.tail, whole.cut)
            assert part.total == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "sk-" + "canary" * 60_000,
        ("Bearer " + "canary/" * 100 + "\n") * 600,
        f"token = '{'canary' * 600}'\n" * 100,
        "words " * 30_000 + "ghp_" + "canary0" * 20_000,
    ],
)
def test_a_text_that_is_nearly_all_secrets_shows_none(text: str) -> None:
    part = redacted_excerpt(text, LIMIT, REDACT)
    assert "canary" not in part.head + part.tail
    assert MASK in part.head + part.tail


def test_of_a_very_long_text_only_what_is_kept_is_looked_through_for_secrets() -> None:
    looked_at = 0

    def redact(text: str) -> str:
        nonlocal looked_at
        looked_at += len(text)
        return REDACT(text)

    text = "{'id': 1, 'name': 'item'}, " * 200_000
    part = redacted_excerpt(text, LIMIT, redact)
    assert part.total == len(text)
    assert len(part.head) == len(part.tail) == LIMIT // 2
    assert looked_at <= LIMIT + 2 * REACH


def test_a_tail_of_another_stream_than_the_head_says_so() -> None:
    out = "".join(f"out {number}\n" for number in range(500))
    err = "".join(f"err {number}\n" for number in range(500))
    shown = show(excerpt(f"{out}[stderr]\n{err}", 1_000))
    assert " …]\n[stderr]\nerr 4" in shown
    assert "[stderr]" not in show(excerpt(f"{out}[stderr]\n{err}[stdout]\n{out}", 1_000))
    assert show(excerpt(f"[stderr]\n{err * 2}", 1_000)).count("[stderr]") == 2
    long = redacted_excerpt(f"{out}[stderr]\n{err * 100}", 1_000, REDACT)
    assert long.tail.startswith("[stderr]\nerr 4")
    pages = [page_of(f"{out}[stderr]\n{err}", number, 1_000)[0] for number in range(1, 9)]
    assert [page.startswith("[stderr]\n") for page in pages] == [False] * 4 + [True] * 4


# ── page by page


def pages(text: str, chars: int) -> list[str]:
    _, total = page_of(text, 1, chars)
    return [page_of(text, number, chars)[0] for number in range(1, total + 1)]


@pytest.mark.parametrize("chars", [1, 7, 100, 999, 6_000])
def test_pages_join_to_the_whole_text(chars: int) -> None:
    chance = random.Random(4)
    for length in (0, 1, chars - 1, chars, chars + 1, 12_345):
        text = "".join(chance.choice("ab c\n\n") for _ in range(length))
        parts = pages(text, chars)
        assert "".join(parts) == text
        assert len(parts) == pages_in(len(text), chars)
        assert max(map(len, parts)) <= chars + chars // 8


def test_a_page_ends_at_the_end_of_a_line_that_is_near() -> None:
    first, *_ = pages("\n".join(f"line {number}" for number in range(1_000)), 500)
    assert first.endswith("\n")
    assert 437 < len(first) <= 500


def test_a_page_that_does_not_exist_is_empty_and_the_number_of_pages_is_told() -> None:
    for number in (-1, 0, 4, 1_000):
        assert page_of("x" * 25, number, 10) == ("", 3)


def test_every_page_of_a_printed_table_names_its_columns() -> None:
    rows = "".join(f"{number:<6}{number * 1.5:>10.2f}  name {number}\n" for number in range(400))
    text = f"      {'price':>10}  article\n{rows}"
    first, *others = pages(text, 2_000)
    header = text.split("\n")[0]
    assert first.startswith(header)
    assert len(others) > 3
    for page in others:
        assert page.startswith(f"{header}\n")
    assert first + "".join(page.removeprefix(f"{header}\n") for page in others) == text


def test_a_cut_in_a_printed_table_repeats_its_header_above_the_tail() -> None:
    text = "a,b\n" + "".join(f"{number},{number}.5\n" for number in range(2_000))
    shown = show(excerpt(text, 1_000), "look elsewhere")
    before, after = shown.split("look elsewhere …]\n")
    assert before.startswith("a,b\n0,0.5\n")
    assert after.startswith("a,b\n1")
    assert after.endswith("1999,1999.5\n")
