"""Outputs as text: what a reader sees, and a line for what has to be looked at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue

from cave_lab.privacy.controls import strip_controls
from cave_lab.privacy.pictures import KINDS, picture_in
from cave_lab.privacy.terminal import final_lines
from cave_lab.privacy.tracebacks import short_traceback
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    Output,
    ResultOutput,
    StreamOutput,
)

Bundle = Mapping[str, JsonValue]

WIDGET = "application/vnd.jupyter.widget-view+json"
_DRAWN = re.compile(r"application/(?:vnd\.)?(?P<by>plotly|vega\w*|bokeh\w*)")
_SAYS_NOTHING = re.compile(r"<[\w.]+(?: object)?(?: at 0x[0-9a-fA-F]+)?>$")
"""The text of an object that has no text of its own."""
_CAPTION_CHARS = 200
"""Of the text beside a figure or a widget, which may be all its data."""
_CAPTION_REACH = 10_000
"""Of that text is looked at for secrets: more than one has behind the caption's end."""


def outputs_text(outputs: Iterable[Output], redact: Callable[[str], str] = str) -> str:
    """Write outputs as a reader would see them, without controls; a figure becomes a line.

    A traceback is shortened to what points at the person's code. Only what is shortened here is
    redacted, before it is.
    """
    pieces: list[str] = []
    stream = "stdout"
    for output in _joined(outputs):
        text = _output_text(output, redact).strip("\n")
        if not text.strip():
            continue
        named = output.name if isinstance(output, StreamOutput) else stream
        # Only where it changes, so that what is printed as usual needs no name.
        pieces.append(text if named == stream else f"[{named}]\n{text}")
        stream = named if isinstance(output, StreamOutput) else "stdout"
    return "\n".join(pieces)


def _joined(outputs: Iterable[Output]) -> list[Output]:
    """Join what a stream's blank lines on the other stream had split, as of a bar that closes."""
    joined: list[Output] = []
    for output in outputs:
        before = joined[-1] if joined else None
        if isinstance(output, StreamOutput) and isinstance(before, StreamOutput):
            if not output.text.strip() and output.name != before.name:
                continue
            if output.name == before.name:
                joined[-1] = before.model_copy(update={"text": before.text + output.text})
                continue
        joined.append(output)
    return joined


def _output_text(output: Output, redact: Callable[[str], str]) -> str:
    match output:
        case StreamOutput():
            return strip_controls(final_lines(output.text))
        case DisplayOutput() | ResultOutput():
            return strip_controls(_bundle_text(output.data, redact))
        case ErrorOutput():
            # A kernel may send no traceback; then its name and message are all there is.
            lines = output.traceback or [f"{output.ename}: {output.evalue}"]
            return short_traceback(redact(strip_controls("\n".join(lines))))
        case BlobOutput():
            kinds = ", ".join(output.mime_types) or "text"
            return f"[{output.of}: {kinds}, {output.size:,} bytes, shown in the notebook]"


def _bundle_text(data: Bundle, redact: Callable[[str], str]) -> str:
    plain = _text(data, "text/plain")
    what = _drawing(data)
    if what is not None:
        return (
            f"[{what}, shown in the notebook] {_caption(redact(plain[:_CAPTION_REACH]))}".rstrip()
        )
    if plain and not _SAYS_NOTHING.match(plain):
        return plain
    written = _text(data, "text/markdown") or _text(data, "text/latex")
    if written:
        return written
    if "application/json" in data:
        return json.dumps(data["application/json"], ensure_ascii=False)
    return f"[{_kinds(data)}, shown in the notebook] {plain}".rstrip()


def _drawing(data: Bundle) -> str | None:
    """What an output is that has to be seen; None if it can be read."""
    images = [mime for mime in data if mime.startswith("image/")]
    if images:
        return f"figure: {_picture_words(data, images[0])}"
    if WIDGET in data:
        return "widget"
    drawn = next((found["by"] for mime in data if (found := _DRAWN.match(mime))), None)
    return None if drawn is None else f"figure: {drawn}"


def _picture_words(data: Bundle, mime: str) -> str:
    picture = picture_in(data)
    if picture is None:
        return "SVG" if mime.startswith("image/svg") else mime
    kind = KINDS[picture.mime]
    return kind if picture.size is None else f"{kind} {picture.size[0]}×{picture.size[1]}"


def _caption(plain: str) -> str:
    line = " ".join(plain[: 4 * _CAPTION_CHARS].split())
    return line if len(line) <= _CAPTION_CHARS else f"{line[:_CAPTION_CHARS]} …"


def _kinds(data: Bundle) -> str:
    """Each kind but plain text with its size."""
    told = [
        f"{mime}, {len(_text(data, mime).encode('utf-8', 'replace')):,} bytes"
        for mime in data
        if mime != "text/plain"
    ]
    return "; ".join(told) or "an empty output"


def _text(data: Bundle, mime: str) -> str:
    """A bundle's text; the format allows it as a list of lines."""
    value = data.get(mime)
    if isinstance(value, list):
        return "".join(map(str, value))
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)
