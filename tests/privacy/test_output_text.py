"""Outputs as text: what a person sees, and what they have to look at as a line."""

from typing import Any, Literal

import pytest

from cave_lab.privacy.output_text import WIDGET, outputs_text
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    ResultOutput,
    StreamOutput,
)
from cave_lab.protocol.ids import BlobId
from tests.privacy.test_pictures import bundle, drawn


def shown(**data: Any) -> str:
    """A display as text; its kinds are written with underscores."""
    kinds = {"html": "text/html", "plain": "text/plain", "widget": WIDGET}
    named = {kinds.get(kind, kind.replace("__", "/")): value for kind, value in data.items()}
    return outputs_text([DisplayOutput(data=named)])


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
        "[figure: PNG, shown in the notebook] <Figure size 640x480>",
        "KeyError: 'a'",
        "[display_data: text/html, 9 bytes, shown in the notebook]",
    ]


def test_an_error_without_a_traceback_is_its_name_and_message() -> None:
    assert outputs_text([ErrorOutput(ename="ERROR", evalue="no", traceback=[])]) == "ERROR: no"


# ── what was printed


def printed(text: str, name: Literal["stdout", "stderr"] = "stdout") -> StreamOutput:
    return StreamOutput(name=name, text=text)


def test_each_change_of_the_stream_is_named() -> None:
    assert outputs_text([printed("a\n"), printed("b\n", "stderr"), printed("c\n")]) == (
        "a\n[stderr]\nb\n[stdout]\nc"
    )
    assert outputs_text([printed("b\n", "stderr")]) == "[stderr]\nb"


def test_a_line_that_a_blank_on_the_other_stream_split_is_one_line() -> None:
    split = [printed("\r 1%"), printed("\n", "stderr"), printed("\r99%"), printed(" done\n")]
    assert outputs_text(split) == "99% done"


def test_a_stream_that_is_blank_is_nothing() -> None:
    assert outputs_text([printed("a\n"), printed(" \n", "stderr"), printed("c\n")]) == "a\nc"
    assert outputs_text([printed("\n\n"), printed("", "stderr")]) == ""


def test_a_bar_on_stderr_is_told_as_it_ended() -> None:
    bar = printed("".join(f"\r\x1b[32m{n:3d}%\x1b[0m|" for n in range(101)) + "\n", "stderr")
    assert outputs_text([bar, printed("done\n")]) == "[stderr]\n100%|\n[stdout]\ndone"


def test_a_lone_surrogate_anywhere_breaks_nothing() -> None:
    lone = "\ud83d"
    text = outputs_text(
        [
            printed(f"a{lone}\n"),
            DisplayOutput(data={"text/plain": lone, "text/html": lone}),
            DisplayOutput(data={"text/html": lone}),
            DisplayOutput(data={"application/json": {lone: lone}}),
            DisplayOutput(data={"image/png": lone}),
            ErrorOutput(ename=lone, evalue=lone, traceback=[f"Cell In[1], line 1\n{lone}"]),
        ]
    )
    text.encode()
    assert text.startswith("a\ufffd\n")


# ── what was shown


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"plain": "   a\n0  1", "html": "<table>"}, "   a\n0  1"),
        ({"plain": ["   a\n", "0  1"]}, "   a\n0  1"),
        (
            {"html": "<b>é</b>", "plain": "<IPython.core.display.HTML object>"},
            "[text/html, 9 bytes, shown in the notebook] <IPython.core.display.HTML object>",
        ),
        ({"html": "<b>x</b>"}, "[text/html, 8 bytes, shown in the notebook]"),
        (
            {"text__markdown": "# Sum\n**3**", "plain": "<IPython.core.display.Markdown object>"},
            "# Sum\n**3**",
        ),
        (
            {"text__latex": "$x^2$", "plain": "<IPython.core.display.Math object>"},
            "$x^2$",
        ),
        ({"text__latex": "$x^2$", "plain": "x**2"}, "x**2"),
        (
            {"application__json": {"a": [1, "é"]}, "plain": "<IPython.core.display.JSON object>"},
            '{"a": [1, "é"]}',
        ),
        (
            {"widget": {"model_id": "1"}, "plain": "IntSlider(value=7)"},
            "[widget, shown in the notebook] IntSlider(value=7)",
        ),
        (
            {"application__vnd.plotly.v1+json": {"data": [1] * 999}, "html": "<div>"},
            "[figure: plotly, shown in the notebook]",
        ),
        (
            {"image__svg+xml": "<svg/>", "plain": "Graph"},
            "[figure: SVG, shown in the notebook] Graph",
        ),
        ({}, "[an empty output, shown in the notebook]"),
    ],
)
def test_a_display_is_its_text_or_a_line_about_it(data: dict[str, Any], text: str) -> None:
    assert shown(**data) == text


def test_a_figure_is_told_with_its_size() -> None:
    figure = DisplayOutput(data=dict(bundle("image/jpeg", drawn("jpeg", 800, 600))))
    assert outputs_text([figure]) == "[figure: JPEG 800×600, shown in the notebook] <Figure>"


def test_the_text_of_a_figure_that_is_all_its_data_is_cut() -> None:
    text = shown(image__png="", plain="Figure({\n'data': [" + "1, " * 10_000 + "]})")
    assert len(text) < 300
    assert "\n" not in text


def test_what_is_shortened_is_redacted_before() -> None:
    key = "canary-" + "0123456789" * 9
    pem = "-----BEGIN PRIVATE KEY-----\n" + "MIIEpQIBAAKC\n" * 200 + "-----END PRIVATE KEY-----"
    redact = Redactor({"MY_API_KEY": key})
    cell = ["Cell In[1], line 1", "----> 1 f()"]
    for secret, parts in ((key, ("canary", "0123456789")), (pem, ("MIIE",))):
        for at in (0, 380, 395, 770):
            message = f"ValueError: {'x' * at} {secret} {'y' * 3_000}"
            error = ErrorOutput(ename="ValueError", evalue="no", traceback=[*cell, message])
            plain = f"{'x' * min(at, 190)} {secret}"
            figure = DisplayOutput(data={"image/svg+xml": "<svg/>", "text/plain": plain})
            told = redact(outputs_text([error, figure], redact))
            assert not [part for part in parts if part in told], told
