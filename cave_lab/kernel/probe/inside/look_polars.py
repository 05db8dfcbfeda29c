"""Frames and series of polars, read from the compiled object inside while nothing else runs.

`to_series`, `slice` and `to_list` are Rust, share the memory of the frame, and start no thread that
making the frame has not started (measured: 10 before, 10 after). Their summaries would use polars'
pool of threads, so values are counted here.
"""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.describe_polars import POLARS, call, types_of
from cave_lab.kernel.probe.inside.look_cells import Cells, RangeCells
from cave_lab.kernel.probe.inside.look_values import Speaker
from cave_lab.kernel.probe.inside.plain import own, shorten
from cave_lab.kernel.probe.inside.still import call_alone

NESTED_TYPES = ("list", "array", "struct", "ext")
"""Types whose elements polars makes by Python code."""


class PolarsCells(Cells):
    """One column of polars."""

    countable = True

    def __init__(self, speaker: Speaker, inner: Any) -> None:
        self._cls: Any = type(inner)
        super().__init__(call(self._cls, "len", inner))
        self._speaker = speaker
        self._inner = inner

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        found = self.keys(start, stop)
        return ["null" if one is None else self._speaker.cell(one) for one in found]

    def keys(self, start: int, stop: int) -> list[Any]:
        """The elements as polars gives them to Python."""
        part = call(self._cls, "slice", self._inner, start, max(0, stop - start))
        return list(call(self._cls, "to_list", part))

    def say(self, key: Any) -> str:
        """A number or element as text."""
        return self._speaker.cell(key)


class PolarsSheet:
    """A frame of polars as a table: see `Sheet`."""

    def __init__(self, speaker: Speaker, inner: Any, is_series: bool) -> None:
        self.is_series = is_series
        self._cls: Any = type(inner)
        self._speaker = speaker
        self._inner = inner
        self._labels: list[str] = call(self._cls, "columns", inner)
        self._types = types_of(self._cls, inner)
        self.rows: int = call(self._cls, "height", inner)
        self.width = len(self._labels)

    def labels(self, limit: int) -> list[str]:
        """The labels of the first columns."""
        return [shorten(label) for label in self._labels[:limit]]

    def columns(self, places: list[int]) -> list[tuple[str, Cells]]:
        """Data type and cells of some columns."""
        return [(shorten(self._types[place]), self._cells(place)) for place in places]

    def _cells(self, place: int) -> Cells:
        dtype = self._types[place]
        if dtype.startswith(NESTED_TYPES):
            return Cells(self.rows, shorten(dtype))
        return PolarsCells(self._speaker, call(self._cls, "to_series", self._inner, place))

    def levels(self) -> list[tuple[str, Cells]]:
        """The numbers of the rows, which have no other labels."""
        return [("", RangeCells(range(self.rows)))]

    def has_plain_index(self) -> bool:
        """Whether the index only counts the rows."""
        return True


def open_polars(value: object, speaker: Speaker) -> PolarsSheet | None:
    """A frame, or a series as a frame of one column; None if its inside is another."""
    compiled = speaker.look.polars
    frame, series = own(value, "_df"), own(value, "_s")
    if compiled.inner_frame is not None and type(frame) is compiled.inner_frame:
        return PolarsSheet(speaker, frame, False)
    if compiled.inner_series is not None and type(series) is compiled.inner_series:
        inner = call_alone(POLARS, compiled.inner_frame, [series])
        return PolarsSheet(speaker, inner, True)
    return None
