"""What the model learns by a message: all that the words of later messages depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cave_lab.model.variables_text import Table
from cave_lab.protocol.content import Outline, VariableChange
from cave_lab.protocol.ids import CellId, Generation, Sha256


@dataclass(frozen=True)
class CellRan:
    """A cell was told with what it did."""

    cell_id: CellId | None
    sha256: Sha256 | None
    placed: bool
    """Whether it is known to have been in the notebook."""
    changes: Sequence[VariableChange]
    generation: Generation | None


@dataclass(frozen=True)
class NotebookSeen:
    """From here on the notebook is known as it was then, with these cells."""

    outline: Outline
    cells: frozenset[str]


@dataclass(frozen=True)
class CellsTold:
    """Cells of the notebook were told: their digests, by cell id."""

    cells: Mapping[str, str]


@dataclass(frozen=True)
class TableTold:
    """The kernel's variables were told, or what of them was new."""

    table: Table


Lesson = CellRan | NotebookSeen | CellsTold | TableTold
