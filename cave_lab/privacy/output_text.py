"""Outputs as text: what a reader sees, and a line for what has to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from cave_lab.privacy.controls import strip_controls
from cave_lab.privacy.terminal import final_lines
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    Output,
    ResultOutput,
    StreamOutput,
)


def outputs_text(outputs: Iterable[Output]) -> str:
    """Write outputs as a reader would see them, without controls; a figure becomes a line."""
    pieces = [_output_text(output).strip("\n") for output in outputs]
    return "\n".join(piece for piece in pieces if piece)


def _output_text(output: Output) -> str:
    match output:
        case StreamOutput():
            text = strip_controls(final_lines(output.text))
            return f"[stderr]\n{text}" if output.name == "stderr" and text.strip() else text
        case DisplayOutput() | ResultOutput():
            return _bundle_text(output.data)
        case ErrorOutput():
            # A kernel may send no traceback; then its name and message are all there is.
            lines = output.traceback or [f"{output.ename}: {output.evalue}"]
            return strip_controls("\n".join(lines))
        case BlobOutput():
            kinds = ", ".join(output.mime_types) or "text"
            return f"[{output.of}: {kinds}, {output.size:,} bytes, shown in the notebook]"


def _bundle_text(data: Mapping[str, JsonValue]) -> str:
    figures = [mime for mime in data if mime.startswith("image/")]
    plain = data.get("text/plain")
    text = plain if isinstance(plain, str) else "".join(map(str, plain or ()))  # type: ignore[arg-type]
    if figures:
        return f"[figure: {figures[0]}, shown in the notebook] {strip_controls(text)}".rstrip()
    if text:
        return strip_controls(text)
    return f"[shown in the notebook: {', '.join(data) or 'nothing'}]"
