"""What a column holds, in a few lines: counts, and with values also the range and frequent ones."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from cave_lab.kernel.probe.inside.look_bounds import (
    PIECE_ROWS,
    SAMPLED_ROWS,
    SCANNED_ROWS,
    Deadline,
)
from cave_lab.kernel.probe.inside.look_cells import Cells
from cave_lab.kernel.probe.inside.look_tally import SHOWN_TYPES, Tally
from cave_lab.kernel.probe.inside.look_values import Speaker
from cave_lab.kernel.probe.inside.plain import loaded_class

FREQUENT = 5
"""Frequent values that are told."""
UNTOLD = "its values can't be told without running code"
FEW_NUMBERS = 20
"""So many different numbers are rather codes: then the frequent ones are told too."""


class Measure:
    """Least, greatest and mean of a column's first rows, measured within a time."""

    def __init__(self, cells: Cells, deadline: Deadline) -> None:
        self.rows = 0
        self.missing = 0
        self._least: Any = None
        self._greatest: Any = None
        self._total = 0.0
        most = min(cells.length, SCANNED_ROWS)
        with quiet():
            while self.rows < most:
                stop = min(self.rows + PIECE_ROWS, most)
                self._add(cells.numbers(self.rows, stop), stop - self.rows)
                self.rows = stop
                if deadline.is_over():
                    break

    def _add(self, numbers: Any, rows: int) -> None:
        present = numbers.shape[0]
        self.missing += rows - present
        if not present:
            return
        least, greatest = numbers.min(), numbers.max()
        self._least = least if self._least is None else min(self._least, least)
        self._greatest = greatest if self._greatest is None else max(self._greatest, greatest)
        self._total += float(numbers.sum(dtype="f8"))

    def extent(self) -> tuple[Any, Any, float | None] | None:
        """Least, greatest and mean; None if all is missing."""
        if self._least is None:
            return None
        return self._least, self._greatest, self._total / (self.rows - self.missing)


def quiet() -> Any:
    """Keeps NumPy from warning of infinite sums: a warning may run code of the user."""
    errstate = loaded_class("numpy", "errstate")
    return nullcontext() if errstate is None else errstate(all="ignore")


def missing_of(cells: Cells, speaker: Speaker, deadline: Deadline) -> tuple[int, int] | None:
    """How many are missing, and in how many rows; None if that can't be told."""
    if cells.measurable:
        measure = Measure(cells, deadline)
        return measure.missing, measure.rows
    if not cells.countable:
        return None
    tally = Tally(speaker, cells, SCANNED_ROWS, deadline)
    return tally.missing, tally.rows


class Summary:
    """One column, summed up."""

    def __init__(self, speaker: Speaker, cells: Cells, deadline: Deadline) -> None:
        self._cells = cells
        self._measure = Measure(cells, deadline) if cells.measurable else None
        most = SAMPLED_ROWS if cells.measurable else SCANNED_ROWS
        self._tally = Tally(speaker, cells, most, deadline) if cells.countable else None

    def lines(self, values: bool) -> list[str]:
        """What is known, each line with the rows that it speaks of."""
        source = self._measure or self._tally
        measured = self._measure.extent() if self._measure is not None else None
        if measured is None and self._tally is not None and not self._cells.coded:
            measured = self._tally.extent()
        if source is None:
            return [UNTOLD]
        facts = [f"{source.missing:,} missing"]
        if values and measured is not None:
            least, greatest, mean = measured
            facts += [f"min {self._cells.say(least)}", f"max {self._cells.say(greatest)}"]
            facts += [] if mean is None else [f"mean {self._cells.say_mean(mean)}"]
        counts = self._counts(self._tally, values, measured is not None)
        if self._measure is None or self._tally is None or self._tally.rows == source.rows:
            return self._told(source.rows, facts + counts)
        return self._told(source.rows, facts) + self._told(self._tally.rows, counts)

    def _counts(self, tally: Tally | None, values: bool, measured: bool) -> list[str]:
        """How many different values there are, and which; of numbers only frequent ones."""
        if tally is None:
            return []
        told = [f"{tally.distinct:,} distinct"] if tally.distinct or not tally.others else []
        told += [f"{count:,} {kind}" for kind, count in tally.others.most_common(SHOWN_TYPES)]
        if not values or (measured and tally.distinct > FEW_NUMBERS):
            return told
        found = tally.frequent(FREQUENT)
        if found and found[0][1] > 1:
            parts = [f"{self._cells.say(key)} ({count:,})" for key, count in found]
            told.append("most frequent " + ", ".join(parts))
        elif found and not measured:
            told.append("for example " + ", ".join(self._cells.say(key) for key, _ in found))
        return told

    def _told(self, rows: int, facts: list[str]) -> list[str]:
        if not facts:
            return []
        part = rows < self._cells.length
        return [(f"over the first {rows:,} rows: " if part else "") + ", ".join(facts)]
