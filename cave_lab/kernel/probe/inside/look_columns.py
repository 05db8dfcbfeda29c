"""The columns of pandas' objects, found in their insides."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.look_arrow import arrow_cells
from cave_lab.kernel.probe.inside.look_cells import (
    Cells,
    CodedCells,
    MaskedCells,
    MomentCells,
    PlainCells,
    RangeCells,
    SpanCells,
)
from cave_lab.kernel.probe.inside.look_values import Speaker
from cave_lab.kernel.probe.inside.plain import class_module, class_name, own
from cave_lab.kernel.probe.inside.words import label_text


def array_cells(speaker: Speaker, data: Any, mask: Any = None) -> Cells:
    """The cells of an array of NumPy with one dimension, and perhaps a mask of its own."""
    if mask is not None:
        return MaskedCells(speaker, data, mask, "--")
    return MomentCells(data) if data.dtype.kind in "mM" else PlainCells(speaker, data)


def block_cells(speaker: Speaker, values: Any, row: int, rows: int) -> Cells:
    """The cells of one column of a block; other people's kinds of arrays show their type."""
    arrays = speaker.look.arrays
    storage = speaker.look.frames.storage(values)
    if arrays.is_plain(storage) and storage.ndim == 2:
        storage = storage[row]
    if arrays.is_plain(values):
        return array_cells(speaker, storage)
    module = class_module(type(values)) or ""
    if storage is None or module.partition(".")[0] != "pandas":
        return Cells(rows, class_name(type(values)))
    return extension_cells(speaker, values, storage)


def extension_cells(speaker: Speaker, values: Any, storage: Any) -> Cells:
    """The cells of one of pandas' own kinds of arrays."""
    frames = speaker.look.frames
    kind = class_name(type(values))
    dtype = frames.dtype_object(values)
    if frames.is_arrow(storage):
        return arrow_cells(speaker, dtype, storage, text_gap(dtype))
    if kind == "IntervalArray":
        rows = storage.shape[0]
        ends = (own(values, name) for name in ("_left", "_right"))
        sides = [block_cells(speaker, end, 0, rows) for end in ends]
        return SpanCells(sides[0], sides[1], own(dtype, "_closed"))
    categories = own(dtype, "_categories")
    if categories is not None:
        return CodedCells(storage, index_cells(speaker, categories)[0][1])
    mask = own(values, "_mask")
    if speaker.look.arrays.is_plain(mask):
        return MaskedCells(speaker, storage, mask, "<NA>")
    if kind in ("DatetimeArray", "TimedeltaArray"):
        return MomentCells(storage, own(dtype, "_tz"))
    if storage.dtype.kind == "O" or kind in ("NumpyExtensionArray", "PandasArray"):
        return array_cells(speaker, storage)
    return Cells(storage.shape[0], kind.replace("Array", ""))


def text_gap(dtype: object) -> str:
    """How a type of pandas writes what is missing."""
    return "NaN" if type(own(dtype, "_na_value")) is float else "<NA>"


def index_cells(speaker: Speaker, index: object) -> list[tuple[str, Cells]]:
    """Name and cells of each level of an index."""
    frames = speaker.look.frames
    if frames.is_multi(index):
        levels = [
            CodedCells(codes, index_cells(speaker, level)[0][1])
            for level, codes in frames.levels(index)
        ]
        return list(zip(index_names(speaker, index, len(levels)), levels))
    if frames.is_range(index):
        cells: Cells = RangeCells(own(index, "_range"))
    else:
        rows = frames.length(index) or 0
        cells = block_cells(speaker, own(index, "_data"), 0, rows)
    return [(index_names(speaker, index, 1)[0], cells)]


def index_names(speaker: Speaker, index: object, count: int) -> list[str]:
    """The names of an index's levels, empty where there is none."""
    names = [*speaker.look.frames.names(index), *[None] * count]
    return ["" if name is None else label_text(name) for name in names[:count]]


class Sheet:
    """A frame or a series: its index, its labels and the cells of its columns."""

    def __init__(self, speaker: Speaker, value: object, manager: Any) -> None:
        self._speaker = speaker
        self._frames = speaker.look.frames
        self._manager = manager
        self._value = value
        axes = list(manager.axes)
        self.index = axes[-1]
        self._columns = axes[0] if len(axes) == 2 else None
        self.is_series = self._columns is None
        self.rows = self._frames.length(self.index) or 0
        self.width = 1 if self._columns is None else self._frames.length(self._columns) or 0

    def labels(self, limit: int) -> list[str]:
        """The labels of the first columns."""
        if self._columns is None:
            name = own(self._value, "_name")
            return ["" if name is None else label_text(name)]
        return list(self._frames.labels(self._columns, limit))

    def columns(self, places: list[int]) -> list[tuple[str, Cells]]:
        """Data type and cells of some columns, in the order of their places."""
        found: dict[int, tuple[str, Cells]] = {}
        wanted = set(places)
        for block in self._manager.blocks:
            values = block.values
            held = [0] if self._columns is None else block.mgr_locs.as_array.tolist()
            if wanted.isdisjoint(held):
                continue
            for row, place in enumerate(held):
                if place in wanted:
                    cells = block_cells(self._speaker, values, row, self.rows)
                    found[place] = self._frames.dtype(values), cells
        return [found[place] for place in places if place in found]

    def levels(self) -> list[tuple[str, Cells]]:
        """Name and cells of each level of the index."""
        return index_cells(self._speaker, self.index)

    def has_plain_index(self) -> bool:
        """Whether the index only counts the rows, and has no name."""
        # Compared with a list, a name of the user's own class would be asked itself.
        names = self._frames.names(self.index)
        return self._frames.is_count(self.index) and len(names) == 1 and names[0] is None
