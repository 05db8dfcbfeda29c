"""The one way to shorten text, and outputs as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue

from cave_lab.privacy.controls import final_lines, strip_controls
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    ErrorOutput,
    Excerpt,
    Output,
    ResultOutput,
    StreamOutput,
)

REACH = 50_000
"""Characters beside a cut that are looked at for secrets: more than all bounded shapes together."""

_ENDS = re.compile(r"[^A-Za-z0-9._~+/=-]")
"""Ends a secret of any length."""


def excerpt(text: str, limit: int) -> Excerpt:
    """Keep head and tail of a text over `limit` characters, cut at line ends if near."""
    total = len(text)
    if total <= limit:
        return Excerpt(head=text, total=total)
    half = limit // 2
    head, tail = text[:half], text[total - half :]
    end = head.rfind("\n", half - half // 4)
    if end > 0:
        head = head[: end + 1]
    start = tail.find("\n", 0, half // 4)
    if start >= 0:
        tail = tail[start + 1 :]
    return Excerpt(head=head, tail=tail, total=total, cut=True)


def redacted_excerpt(text: str, limit: int, redact: Callable[[str], str]) -> Excerpt:
    """Redact, then shorten, in this order: half a secret would not be recognised.

    Of a long text only what is kept is redacted, and as much beside it as a secret may reach.
    """
    half = limit // 2
    looked_at = half + REACH
    if len(text) > 2 * looked_at:
        head, tail = redact(text[:looked_at]), redact(text[-looked_at:])
        # Where most was masked, or a word has no end, the cuts may be too near to what is kept.
        far = min(len(head), len(tail)) >= half + REACH // 2
        if far and _ENDS.search(text, len(text) - looked_at, len(text) - half - REACH // 2):
            kept = excerpt(head + tail, limit)
            return kept.model_copy(update={"total": len(text)})
    return excerpt(redact(text), limit)


def show(part: Excerpt) -> str:
    """Write an excerpt out, saying what is missing."""
    if not part.cut:
        return part.head
    missing = part.total - len(part.head) - len(part.tail)
    return (
        f"{part.head.rstrip()}\n"
        f"[… cut: {missing:,} of {part.total:,} characters are not shown; "
        f"the notebook has more …]\n{part.tail}"
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
