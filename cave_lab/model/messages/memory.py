"""What the model knows of the kernel and the notebook, as far as a derivation has come."""

from __future__ import annotations

from collections.abc import Sequence

from cave_lab.model.enclosed import enclose
from cave_lab.model.messages.view import View
from cave_lab.model.outline_text import outline_text
from cave_lab.model.variables_text import Names, Table, names_after, names_of, variables_text
from cave_lab.privacy.modes import changes_out, variables_out
from cave_lab.protocol.content import Outline
from cave_lab.protocol.ids import BlobId, CellId
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import RunState, VariablesView


class Memory:
    """Grows with each message; nothing is told twice, and nothing that is not known."""

    def __init__(self, view: View, privacy: PrivacyMode) -> None:
        self._view = view
        self._privacy = privacy
        self._table: Table | None = None
        """The last table of variables that was told."""
        self._known: Names = {}
        self._cells: dict[str, str] = {}
        """The digests of the cells that were told, or that the model wrote, by cell id."""
        self._outline: Outline | None = None
        self._since: set[str] = set()
        """Cells that ran since that outline was seen, which it can't know."""

    # ── the kernel

    def variables(self, seen: VariablesView) -> str:
        """Tell a table, or what of it is new."""
        table = Table.of(self._out(seen), self._outline, self._since)
        text = variables_text(table, self._table, self._known, self._view.limits)
        if seen.unavailable is None:
            self._table, self._known = table, names_of(table.seen)
        return enclose("variables", text)

    def manifest(self, seen: VariablesView) -> str:
        """Tell a whole table that was seen in the middle of a turn, when no outline fits it."""
        table = Table.of(self._out(seen), None)
        text = variables_text(table, None, {}, self._view.limits)
        self._table, self._known = table, names_of(table.seen)
        return enclose("variables", text)

    def _out(self, seen: VariablesView) -> VariablesView:
        return seen.model_copy(
            update={
                "variables": variables_out(self._privacy, seen.variables),
                "changes": changes_out(seen.changes),
            }
        )

    def ran(self, run: RunState) -> None:
        """A cell was told with what it did."""
        if run.cell_id is not None and run.sha256 is not None:
            self._cells[run.cell_id] = run.sha256
            self._since.add(run.cell_id)
        self._known = names_after(self._known, run.variables, run.generation)

    # ── the notebook

    def see(self, blob: BlobId | None) -> None:
        """Know the notebook as it is from here on."""
        outline = self._view.outlines.get(blob) if blob is not None else None
        if outline is not None:
            self._outline = outline
            self._since.clear()

    def notebook(self, blob: BlobId | None, anchor: CellId | None) -> str:
        """Tell the cells around the anchor that are not known."""
        text, _ = self._notebook(blob, anchor)
        return text

    def update(self, blobs: Sequence[BlobId], anchor: CellId | None) -> str:
        """Tell what the person changed in the notebook in the middle of a turn, if anything."""
        # Each outline is the whole notebook: the last one knows better than those before.
        last = blobs[-1] if blobs else None
        self.see(last)
        text, new = self._notebook(last, anchor)
        return f"The person changed the notebook meanwhile:\n{text}" if new else ""

    def _notebook(self, blob: BlobId | None, anchor: CellId | None) -> tuple[str, bool]:
        outline = self._view.outlines.get(blob) if blob is not None else None
        if outline is None:
            return "", False
        limit = self._view.limits.outline_chars
        cells = outline_text(outline, self._cells, anchor, self._privacy, limit, self._view.redact)
        self._cells |= cells.told
        return enclose("notebook", cells.text), bool(cells.told)
