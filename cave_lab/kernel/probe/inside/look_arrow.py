"""Columns of Arrow, read in pieces that share the memory of the whole."""

from __future__ import annotations

import datetime as dt
from typing import Any

from cave_lab.kernel.probe.inside.arrow_types import arrow_name, parts_name
from cave_lab.kernel.probe.inside.look_cells import Cells, MomentCells
from cave_lab.kernel.probe.inside.look_values import Speaker

ARROW_FLOATS = ("halffloat", "float", "double")
ARROW_MOMENTS = ("timestamp[", "duration[", "date32[", "date64[")


class ArrowCells(Cells):
    """A column whose elements Arrow gives to Python one by one."""

    countable = True

    def __init__(self, speaker: Speaker, data: Any, gap: str) -> None:
        super().__init__(len(data))
        self._speaker = speaker
        self._data = data
        self._gap = gap

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        found = self._data[start:stop].to_pylist()
        return [self._gap if one is None else self._speaker.cell(one) for one in found]

    def keys(self, start: int, stop: int) -> list[Any]:
        """The elements themselves."""
        return list(self._data[start:stop].to_pylist())

    def say(self, key: Any) -> str:
        """A number or element as text."""
        return self._speaker.cell(key)


class ArrowNumbers(ArrowCells):
    """A column of numbers that NumPy can hold as they are."""

    measurable = True

    def numbers(self, start: int, stop: int) -> Any:
        """What is not missing in some rows; Arrow's nulls have become what is no number."""
        piece = self._data[start:stop].to_numpy()
        return piece[piece == piece] if piece.dtype.kind == "f" else piece


class ArrowMoments(ArrowCells):
    """Points in time, or spans of it; those with a zone are told in UTC."""

    measurable = True

    def __init__(self, speaker: Speaker, data: Any, gap: str) -> None:
        super().__init__(speaker, data, gap)
        self._zone = dt.timezone.utc if "tz=" in str(data.type) else None

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        told = self._piece(start, stop).texts(0, stop - start)
        return [self._gap if text == "NaT" else text for text in told]

    def numbers(self, start: int, stop: int) -> Any:
        """The ticks of what is not missing."""
        return self._piece(start, stop).numbers(0, stop - start)

    def keys(self, start: int, stop: int) -> list[Any]:
        """The ticks, None for what is missing."""
        return self._piece(start, stop).keys(0, stop - start)

    def say(self, key: Any) -> str:
        """A count of ticks as text."""
        return self._piece(0, 0).say(key)

    def say_mean(self, mean: float) -> str:
        """The mean in whole seconds."""
        return self._piece(0, 0).say_mean(mean)

    def _piece(self, start: int, stop: int) -> MomentCells:
        return MomentCells(self._data[start:stop].to_numpy(), self._zone)


def arrow_cells(speaker: Speaker, dtype: object, data: Any, gap: str) -> Cells:
    """The cells of a column of Arrow, by its type; one with parts shows its type alone."""
    name = arrow_name(dtype)
    if name is None:
        return Cells(len(data), parts_name(dtype))
    if name.startswith(ARROW_MOMENTS):
        return ArrowMoments(speaker, data, gap)
    whole = name.startswith(("int", "uint")) and data.null_count == 0
    direct = whole or name in ARROW_FLOATS
    return (ArrowNumbers if direct else ArrowCells)(speaker, data, gap)
