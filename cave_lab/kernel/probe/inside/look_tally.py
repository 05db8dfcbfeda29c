"""How often equal values stand in a column; what compares by code of its own is set aside."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from cave_lab.kernel.probe.inside.look_bounds import COUNTED_ROWS, Deadline
from cave_lab.kernel.probe.inside.look_cells import Cells
from cave_lab.kernel.probe.inside.look_moments import MOMENT_ZONE, is_known_zone
from cave_lab.kernel.probe.inside.look_values import Speaker
from cave_lab.kernel.probe.inside.plain import class_name

PLAIN_IDS = frozenset(map(id, (int, float, bool, dt.date, dt.timedelta)))
TEXT_IDS = frozenset(map(id, (str, bytes)))
NUMBER_KINDS = frozenset(map(id, (int, float)))
ORDERED_KINDS = [frozenset([id(kind)]) for kind in (dt.date, dt.datetime, dt.timedelta)]
HASHED_CHARS = 4_096
"""Longer texts take long to compare."""
DISTINCT_KEYS = 50_000
"""Different values that are told apart; then the count ends."""
SHOWN_TYPES = 5


class Tally:
    """Equal values of a column's first rows, counted within a time."""

    def __init__(self, speaker: Speaker, cells: Cells, most: int, deadline: Deadline) -> None:
        self.rows = 0
        self.missing = 0
        self.others: Counter[str] = Counter()
        """Values that can't be compared without running their code, by type."""
        self._counts: Counter[Any] = Counter()
        self._speaker = speaker
        self._cells = cells
        self._most = min(most, cells.length)
        self._count(deadline)

    def _count(self, deadline: Deadline) -> None:
        while self.rows < self._most and len(self._counts) < DISTINCT_KEYS:
            stop = min(self.rows + COUNTED_ROWS, self._most)
            self._add(self._cells.keys(self.rows, stop))
            self.rows = stop
            if deadline.is_over():
                break
        for key in [key for key in self._counts if key[1] != key[1]]:
            self.missing += self._counts.pop(key)

    def _add(self, values: list[Any]) -> None:
        classes = set(map(id, map(type, values)))
        if not classes <= PLAIN_IDS:
            kept = list(filter(is_countable, values))
            self._set_aside(values, len(values) - len(kept))
            values = kept
        self._counts.update(zip(map(id, map(type, values)), values))

    def _set_aside(self, values: list[Any], count: int) -> None:
        missing = 0
        for value in values if count else ():
            if value is None or self._speaker.gap(value) is not None:
                missing += 1
            elif not is_countable(value):
                self.others[class_name(type(value))] += 1
        self.missing += missing

    @property
    def distinct(self) -> int:
        """How many different values there are."""
        return len(self._counts)

    def extent(self) -> tuple[Any, Any, float | None] | None:
        """Least, greatest and mean of numbers, without the last of dates; None of a mixture."""
        kinds = {kind for kind, _ in self._counts}
        found = [value for _, value in self._counts]
        if self.others or not found:
            return None
        if kinds <= NUMBER_KINDS:
            return min(found), max(found), self._mean()
        zoned = {kinds == ORDERED_KINDS[1] and MOMENT_ZONE(value) is None for value in found}
        ordered = kinds in ORDERED_KINDS and len(zoned) == 1
        return (min(found), max(found), None) if ordered else None

    def _mean(self) -> float | None:
        total = sum(number * count for (_, number), count in self._counts.items())
        try:
            return float(total / sum(self._counts.values()))
        except OverflowError:  # Integers may be larger than any fraction.
            return None

    def frequent(self, most: int) -> list[tuple[Any, int]]:
        """The most frequent values with their counts."""
        return [(key[1], count) for key, count in self._counts.most_common(most)]


def is_countable(value: Any) -> bool:
    """Whether a value is compared by code of Python alone, and swiftly."""
    cls = type(value)
    if id(cls) in TEXT_IDS:
        return len(value) <= HASHED_CHARS
    if cls is dt.datetime:
        return MOMENT_ZONE(value) is None or is_known_zone(MOMENT_ZONE(value))
    return id(cls) in PLAIN_IDS
