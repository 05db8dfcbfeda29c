"""Shortened text keeps head and tail and says what is missing."""

from cave_lab.privacy.excerpt import excerpt, outputs_text, show
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
