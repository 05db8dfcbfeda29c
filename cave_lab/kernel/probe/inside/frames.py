"""The inside of pandas' objects: managers, blocks, labels; no method of theirs is called."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.arrays import Arrays
from cave_lab.kernel.probe.inside.arrow_types import arrow_name
from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    class_name,
    is_subclass,
    loaded_class,
    own,
    shorten,
)
from cave_lab.kernel.probe.inside.words import dtype_text, label_text, masked_text

BLOCKS = 200
"""Blocks that are looked at: a frame grown column by column has one for each column."""

INNER_ARRAYS = ("_data", "_pa_array", "_left")
"""Where an extension array keeps the array below it."""

CODED_ARRAYS = ("PeriodArray", "IntervalArray")
"""Arrays whose storage holds codes that mean nothing to a reader."""


class Frames:
    """The classes of the pandas that is loaded now, and how to read their instances."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.frame = loaded_class("pandas", "DataFrame")
        self.series = loaded_class("pandas", "Series")
        self.index = loaded_class("pandas", "Index")
        self._multi = loaded_class("pandas", "MultiIndex")
        self._range = loaded_class("pandas", "RangeIndex")
        managers = "pandas.core.internals.managers"
        self._managers = [
            loaded_class(managers, "BlockManager"),
            loaded_class(managers, "SingleBlockManager"),
        ]
        self._backed = loaded_class("pandas._libs.arrays", "NDArrayBacked")
        self._chunked = loaded_class("pyarrow", "ChunkedArray")

    def manager(self, value: object) -> Any:
        """The block manager of a frame or series; None for another kind of inside."""
        found = own(value, "_mgr")
        return found if any(type(found) is one for one in self._managers if one) else None

    def blocks(self, manager: Any) -> list[tuple[Any, Any]]:
        """The values of each block and an array of the columns that they are; at most `BLOCKS`.

        As a list, half a million columns take 20 ms.
        """
        return [(block.values, block.mgr_locs.as_array) for block in manager.blocks[:BLOCKS]]

    def storage(self, values: object) -> Any:
        """The array below an extension array: NumPy's, Arrow's, or None if it has neither."""
        for _ in range(len(INNER_ARRAYS) + 1):
            if self.arrays.is_plain(values) or self.is_arrow(values):
                return values
            values = self._below(values)
        return None

    def _below(self, values: object) -> Any:
        backed = self._carried(values, "_ndarray")
        if backed is not None:
            return backed
        inside = (own(values, name) for name in INNER_ARRAYS)
        return next((inner for inner in inside if inner is not None), None)

    def _carried(self, values: object, name: str) -> Any:
        """What an array backed by NumPy carries in C, not in its instance dict."""
        if self._backed is None or not is_subclass(type(values), self._backed):
            return None
        return CLASS_DICT(self._backed)[name].__get__(values)

    def is_arrow(self, storage: object) -> bool:
        """Whether the storage is Arrow's, which never changes in place."""
        return self._chunked is not None and type(storage) is self._chunked

    def is_range(self, index: object) -> bool:
        """Whether the index is a range, which holds no array."""
        return self._range is not None and type(index) is self._range

    def is_count(self, index: object) -> bool:
        """Whether the index only counts from 0."""
        counted = own(index, "_range") if self.is_range(index) else None
        return type(counted) is range and counted.start == 0 and counted.step == 1

    def names(self, index: object) -> list[Any]:
        """The names of an index, one for each level; `None` where it has none."""
        if not self.is_multi(index):
            return [own(index, "_name")]
        names = own(index, "_names")
        return list(list.__iter__(names)) if is_subclass(type(names), list) else []

    def is_multi(self, index: object) -> bool:
        """Whether the index has several levels."""
        return self._multi is not None and is_subclass(type(index), self._multi)

    def levels(self, index: object) -> list[tuple[Any, Any]]:
        """The levels of a `MultiIndex`, each with its array of codes."""
        levels, codes = own(index, "_levels"), own(index, "_codes")
        return list(zip(list.__iter__(levels), list.__iter__(codes)))

    def length(self, index: object) -> int | None:
        """The number of labels of an index; None if it has another kind of inside."""
        if self.is_range(index):
            return range.__len__(own(index, "_range"))
        if self.is_multi(index):
            levels = self.levels(index)
            return self.arrays.shape(levels[0][1])[0] if levels else 0
        storage = self.storage(own(index, "_data"))
        if self.is_arrow(storage):
            return len(storage)
        return None if storage is None else self.arrays.shape(storage)[-1]

    def labels(self, index: object, limit: int) -> list[str]:
        """The first labels of an index as text."""
        count = min(self.length(index) or 0, limit)
        return [shorten(self._label(index, position)) for position in range(count)]

    def _label(self, index: object, position: int) -> str:
        if self.is_range(index):
            return str(own(index, "_range")[position])
        if self.is_multi(index):
            parts = [self._coded(level, codes, position) for level, codes in self.levels(index)]
            return "(" + ", ".join(parts) + ")"
        data = own(index, "_data")
        storage = self.storage(data)
        categories = own(self._carried(data, "_dtype"), "_categories")
        if class_name(type(data)) in CODED_ARRAYS or storage is None:
            return "<" + class_name(type(data)) + ">"
        if categories is not None:
            return self._coded(categories, storage, position)
        if self.is_arrow(storage):
            known = arrow_name(self.dtype_object(data)) is not None
            return label_text(storage[position].as_py()) if known else "<extension>"
        if storage.dtype.kind in "mM":
            return str(storage[position])
        return label_text(storage.item(position))

    def _coded(self, level: object, codes: Any, position: int) -> str:
        code = codes.item(position)
        return self._label(level, code) if code >= 0 else "nan"

    def dtype_object(self, values: Any) -> Any:
        """The dtype that an extension array keeps; None if it keeps none."""
        carried = self._carried(values, "_dtype")
        return own(values, "_dtype") if carried is None else carried

    def dtype(self, values: Any) -> str:
        """The data type of a block's values, as pandas names it where that runs no code."""
        if self.arrays.is_plain(values):
            return self.arrays.dtype(values)
        dtype = self.dtype_object(values)
        if dtype is not None:
            return dtype_text(dtype)
        below = own(values, "_data")
        if self.arrays.is_plain(below):
            return masked_text(self.arrays.dtype(below))
        return class_name(type(values))
