"""The notebook around the anchor in the model's words; cells told before are not repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cave_lab.privacy.excerpt import redacted_excerpt, show
from cave_lab.privacy.modes import cell_out
from cave_lab.protocol.content import Outline, OutlineCell
from cave_lab.protocol.words import PrivacyMode

CELL_CHARS = 4_000
"""A cell longer than about 1,000 tokens is shown by head and tail."""


@dataclass(frozen=True)
class Cells:
    """The cells as text, and the digest of each that was told, by cell id."""

    text: str
    told: Mapping[str, str]


def outline_text(
    outline: Outline,
    known: Mapping[str, str],
    anchor: str | None,
    privacy: PrivacyMode,
    limit: int,
    redact: Callable[[str], str] = str,
) -> Cells:
    """The cells with a source that is not known by its digest, the nearest to the anchor first."""
    at = _position(outline, anchor)
    texts: dict[int, str] = {}
    left = limit
    for index in sorted(_fresh(outline, known), key=lambda index: abs(index - at)):
        cell = outline.cells[index]
        text = _cell(index, cell_out(privacy, cell), redact, here=cell.cell_id == anchor)
        if len(text) > left:
            break
        texts[index], left = text, left - len(text)
    lines = [texts[index] for index in sorted(texts)]
    if at < len(outline.cells) and at not in texts:
        lines.append(f"(the person is at cell {at + 1})")
    total = max(outline.total, len(outline.cells))
    if total > len(texts):
        what = "as before or not shown" if known else "not shown"
        lines.append(f"({total - len(texts)} of {total} cells {what})")
    told = {outline.cells[index].cell_id: outline.cells[index].sha256 for index in texts}
    return Cells("\n".join(lines), told)


def _fresh(outline: Outline, known: Mapping[str, str]) -> list[int]:
    return [
        index
        for index, cell in enumerate(outline.cells)
        if cell.source is not None and known.get(cell.cell_id) != cell.sha256
    ]


def _position(outline: Outline, anchor: str | None) -> int:
    for index, cell in enumerate(outline.cells):
        if cell.cell_id == anchor:
            return index
    return len(outline.cells)


def _cell(index: int, cell: OutlineCell, redact: Callable[[str], str], *, here: bool) -> str:
    count = f", run as [{cell.execution_count}]" if cell.execution_count is not None else ""
    by = ", by you" if cell.by_cave_lab else ""
    mark = ", new cells go behind this one" if here else ""
    source = show(redacted_excerpt(cell.source or "", CELL_CHARS, redact))
    text = f"# cell {index + 1}, {cell.cell_type}{count}{by}{mark}\n{source}"
    if cell.output is not None:
        text += f"\n# its output:\n{show(cell.output)}"
    return text
