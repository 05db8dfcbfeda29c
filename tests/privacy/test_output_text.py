"""Outputs as text: what a person sees, and what they have to look at as a line."""

from cave_lab.privacy.output_text import outputs_text
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    ResultOutput,
    StreamOutput,
)
from cave_lab.protocol.ids import BlobId


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
