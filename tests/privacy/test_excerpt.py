"""Shortened text keeps head and tail and says what is missing."""

import random

import pytest

from cave_lab.privacy.excerpt import REACH, excerpt, outputs_text, redacted_excerpt, show
from cave_lab.privacy.redact import MASK, Redactor
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    ResultOutput,
    StreamOutput,
)
from cave_lab.protocol.ids import BlobId


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


def test_outputs_read_as_a_person_sees_them() -> None:
    text = outputs_text(
        [
            StreamOutput(name="stdout", text="1%\r100%\n"),
            StreamOutput(name="stderr", text="careful\n"),
            ResultOutput(execution_count=1, data={"text/plain": "42", "text/html": "<b>42</b>"}),
            DisplayOutput(data={"image/png": "iVBOR", "text/plain": "<Figure size 640x480>"}),
            ErrorOutput(ename="KeyError", evalue="'a'", traceback=["\x1b[31mKeyError\x1b[0m: 'a'"]),
            BlobOutput(blob=BlobId("0" * 64), of="display_data", size=9, mime_types=["text/html"]),
        ]
    )
    assert text.splitlines() == [
        "100%",
        "[stderr]",
        "careful",
        "42",
        "[figure: image/png, shown in the notebook] <Figure size 640x480>",
        "KeyError: 'a'",
        "[display_data: text/html, 9 bytes, shown in the notebook]",
    ]


def test_an_error_without_a_traceback_is_its_name_and_message() -> None:
    assert outputs_text([ErrorOutput(ename="ERROR", evalue="no", traceback=[])]) == "ERROR: no"
