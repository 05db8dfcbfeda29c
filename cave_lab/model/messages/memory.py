"""What the model knows of the kernel and the notebook, as far as a derivation has come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import assert_never

from cave_lab.model.enclosed import enclose
from cave_lab.model.messages.lessons import CellRan, CellsTold, Lesson, NotebookSeen, TableTold
from cave_lab.model.messages.view import Terms
from cave_lab.model.outline_text import outline_text
from cave_lab.model.variables_text import Names, Table, names_after, names_of, variables_text
from cave_lab.privacy.modes import changes_out, variables_out
from cave_lab.protocol.content import Outline
from cave_lab.protocol.ids import CellId
from cave_lab.state.values import RunState, VariablesView


class Memory:
    """Grows with each message; nothing is told twice, and nothing that is not known."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._table: Table | None = None
        """The last table of variables that was told."""
        self._ran: list[CellRan] = []
        """What was told to have run since."""
        self._cells: dict[str, str] = {}
        """The digests of the cells that were told, or that the model wrote, by cell id."""
        self._outline: Outline | None = None
        self._since: set[str] = set()
        """Cells that ran since that outline was seen, which it can't know."""
        self._met: set[str] = set()
        """All cells that were once in that outline's notebook, up to what is `_to_meet`."""
        self._to_meet: list[CellRan | NotebookSeen] = []
        self._learnt: list[Lesson] = []

    # ── what is learnt

    def recall(self, lessons: Iterable[Lesson]) -> None:
        """Know again what a message taught that was told before."""
        for lesson in lessons:
            self._take(lesson)

    def learnt(self) -> Sequence[Lesson]:
        """What came since this was asked last."""
        learnt, self._learnt = self._learnt, []
        return learnt

    def _learn(self, lesson: Lesson) -> None:
        self._learnt.append(lesson)
        self._take(lesson)

    def _take(self, lesson: Lesson) -> None:
        match lesson:
            case CellRan(cell_id, sha256):
                self._ran.append(lesson)
                self._to_meet.append(lesson)
                if cell_id is not None and sha256 is not None:
                    self._cells[cell_id] = sha256
                    self._since.add(cell_id)
            case NotebookSeen(outline):
                self._outline = outline
                self._since.clear()
                self._to_meet.append(lesson)
            case CellsTold(cells):
                self._cells |= cells
            case TableTold(table):
                self._table = table
                self._ran.clear()
            case _:
                assert_never(lesson)

    def _known_cells(self) -> set[str]:
        """All cells that were ever there.

        With no cell in common it is another notebook, or one of a format that keeps no ids of cells
        and has been opened anew: of the cells before nothing can be said any more.
        """
        for lesson in self._to_meet:
            match lesson:
                case CellRan(cell_id=str(cell_id), placed=True):
                    self._met.add(cell_id)
                case NotebookSeen(cells=cells) if self._met.isdisjoint(cells):
                    self._met = set(cells)
                case NotebookSeen(cells=cells):
                    self._met |= cells
                case _:
                    pass
        self._to_meet.clear()
        return self._met

    # ── the kernel

    def variables(self, seen: VariablesView) -> str:
        """Tell a table, or what of it is new."""
        table = Table.of(self._out(seen), self._outline, self._since, self._known_cells())
        text = variables_text(table, self._table, self._names(), self._terms.limits)
        if seen.unavailable is None:
            self._learn(TableTold(table))
        return enclose("variables", text)

    def manifest(self, seen: VariablesView) -> str:
        """Tell a whole table that was seen in the middle of a turn, when no outline fits it."""
        table = Table.of(self._out(seen), None)
        text = variables_text(table, None, {}, self._terms.limits)
        self._learn(TableTold(table))
        return enclose("variables", text)

    def _names(self) -> Names:
        """The variables that are known: those of the last table, and what ran since made."""
        told: Names = {} if self._table is None else names_of(self._table.seen)
        return reduce(_names_after, self._ran, told)

    def _out(self, seen: VariablesView) -> VariablesView:
        return seen.model_copy(
            update={
                "variables": variables_out(self._terms.privacy, seen.variables),
                "changes": changes_out(seen.changes),
            }
        )

    def ran(self, run: RunState) -> None:
        """A cell was told with what it did."""
        self._learn(
            CellRan(run.cell_id, run.sha256, run.placed is not None, run.variables, run.generation)
        )

    # ── the notebook

    def see(self, outline: Outline | None) -> None:
        """Know the notebook as it is from here on."""
        if outline is not None:
            cells = frozenset(cell.cell_id for cell in outline.cells)
            self._learn(NotebookSeen(outline, cells))

    def notebook(self, outline: Outline | None, anchor: CellId | None) -> str:
        """Tell the cells around the anchor that are not known."""
        text, _ = self._notebook(outline, anchor)
        return text

    def update(self, outline: Outline | None, anchor: CellId | None) -> str:
        """Tell what the person changed in the notebook in the middle of a turn, if anything."""
        self.see(outline)
        text, new = self._notebook(outline, anchor)
        return f"The person changed the notebook meanwhile:\n{text}" if new else ""

    def _notebook(self, outline: Outline | None, anchor: CellId | None) -> tuple[str, bool]:
        if outline is None:
            return "", False
        terms = self._terms
        cells = outline_text(
            outline, self._cells, anchor, terms.privacy, terms.limits.outline_chars, terms.redact
        )
        if cells.told:
            self._learn(CellsTold(cells.told))
        return enclose("notebook", cells.text), bool(cells.told)


def _names_after(known: Names, ran: CellRan) -> Names:
    return names_after(known, ran.changes, ran.generation)
