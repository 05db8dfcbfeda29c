"""Frames, series and indexes of pandas, described from their insides."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import SUMMARY_CHARS, class_name, own, shorten
from cave_lab.kernel.probe.inside.words import label_text

CHUNKS = 64
"""Chunks of one column of Arrow whose sizes are summed: each takes 3 microseconds."""


def describe_frame(value: object, row: dict[str, Any], look: Any) -> None:
    """A frame: rows, columns with their types, and the size of its blocks."""
    row["kind"] = "frame"
    manager = look.frames.manager(value)
    if manager is None:
        return
    columns, index = manager.axes
    shape = [look.frames.length(index), look.frames.length(columns)]
    if None not in shape:
        row["shape"] = shape
    if look.max_columns:
        blocks = look.frames.blocks(manager)
        add_size(row, [values for values, _ in blocks], look)
        add_summary(row, [index_text(index, look)])
        if shape[1] is not None:
            row["columns_total"] = shape[1]
        row["columns"] = column_pairs(columns, blocks, look)


def column_pairs(columns: object, blocks: list[tuple[Any, Any]], look: Any) -> list[Any]:
    """Label and data type of the first columns, duplicates included, in their order."""
    types = {
        place: dtype
        for values, places in blocks
        for dtype in [look.frames.dtype(values)]
        for place in places[places < look.max_columns].tolist()
    }
    labels = look.frames.labels(columns, look.max_columns)
    return [[label, types.get(place, "mixed")] for place, label in enumerate(labels)]


def describe_series(value: object, row: dict[str, Any], look: Any) -> None:
    """A series: length, data type and name."""
    row["kind"] = "series"
    manager = look.frames.manager(value)
    if manager is None:
        return
    length = look.frames.length(manager.axes[0])
    if length is not None:
        row["shape"] = [length]
        row["length"] = length
    values, _ = look.frames.blocks(manager)[0]
    row["dtype"] = look.frames.dtype(values)
    if look.max_columns:
        add_size(row, [values], look)
        name = own(value, "_name")
        named = "" if name is None else "name " + label_text(name)
        add_summary(row, [named, index_text(manager.axes[0], look)])


def add_summary(row: dict[str, Any], parts: list[str]) -> None:
    """Put what there is to say into a row."""
    text = ", ".join(filter(None, parts))
    if text:
        row["summary"] = shorten(text, SUMMARY_CHARS)


def index_text(index: object, look: Any) -> str:
    """The type and the names of an index; nothing of one that only counts the rows."""
    names = [label_text(name) for name in look.frames.names(index) if name is not None]
    if look.frames.is_count(index) and not names:
        return ""
    text = "index " + class_name(type(index))
    data = own(index, "_data")
    if type(index) is look.frames.index and data is not None:
        text += " of " + look.frames.dtype(data)
    return " ".join([text, *(["(" + ", ".join(names) + ")"] if names else [])])


def describe_index(value: object, row: dict[str, Any], look: Any) -> None:
    """An index of labels: length, and its data type if it holds one array."""
    row["kind"] = "array"
    row["length"] = look.frames.length(value)
    data = own(value, "_data")
    if data is not None:
        row["dtype"] = look.frames.dtype(data)


def add_size(row: dict[str, Any], blocks: list[Any], look: Any) -> None:
    """Put the size of all blocks into a row; objects that they point to are not counted."""
    sizes = [stored_bytes(values, look) for values in blocks]
    if None not in sizes:
        row["size_bytes"] = sum(sizes)


def stored_bytes(values: object, look: Any) -> Any:
    """The size of the array below a block; None if it would take long to know."""
    storage = look.frames.storage(values)
    if storage is None:
        return 0
    if look.frames.is_arrow(storage):
        return int(storage.nbytes) if storage.num_chunks <= CHUNKS else None
    return int(look.arrays.get(storage, "nbytes"))
