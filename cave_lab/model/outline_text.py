"""The notebook around the anchor in the model's words; cells seen before are not repeated."""

from __future__ import annotations

from cave_lab.privacy.excerpt import excerpt, show
from cave_lab.privacy.modes import cell_out
from cave_lab.protocol.content import Outline, OutlineCell
from cave_lab.protocol.words import PrivacyMode

_CELL_CHARS = 4_000
"""A cell longer than about 1,000 tokens is shown by head and tail."""


def outline_text(
    now: Outline, before: Outline | None, anchor: str | None, privacy: PrivacyMode, limit: int
) -> str:
    """The cells with a source, nearest to the anchor first in line for the budget."""
    seen = {cell.cell_id: cell.sha256 for cell in before.cells} if before else {}
    fresh = [
        (index, cell)
        for index, cell in enumerate(now.cells)
        if cell.source is not None and seen.get(cell.cell_id) != cell.sha256
    ]
    at = _position(now, anchor)
    texts: dict[int, str] = {}
    left = limit
    for index, cell in sorted(fresh, key=lambda pair: abs(pair[0] - at)):
        text = _cell(index, cell_out(privacy, cell), cell.cell_id == anchor)
        if len(text) > left:
            break
        texts[index], left = text, left - len(text)
    lines = [texts[index] for index in sorted(texts)]
    hidden = now.total - len(texts)
    if hidden > 0:
        what = "as before or not shown" if before else "not shown"
        lines.append(f"({hidden} of {now.total} cells {what})")
    return "\n".join(lines)


def _position(outline: Outline, anchor: str | None) -> int:
    for index, cell in enumerate(outline.cells):
        if cell.cell_id == anchor:
            return index
    return len(outline.cells)


def _cell(index: int, cell: OutlineCell, here: bool) -> str:
    count = f", run as [{cell.execution_count}]" if cell.execution_count is not None else ""
    by = ", by you" if cell.by_cave_lab else ""
    mark = ", the person is here" if here else ""
    text = f"# cell {index + 1}, {cell.cell_type}{count}{by}{mark}\n"
    text += show(excerpt(cell.source or "", _CELL_CHARS))
    if cell.output is not None:
        text += f"\n# its output:\n{show(cell.output)}"
    return text
