"""Fingerprints of pandas' objects, column by column: a regrouping of blocks is no change."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.describe_frames import stored_bytes
from cave_lab.kernel.probe.inside.plain import own
from cave_lab.kernel.probe.inside.print_arrays import print_data
from cave_lab.kernel.probe.inside.words import label_text

WHOLE_COLUMNS = 200
"""Columns that are compared one by one."""


def print_pandas(value: object, printer: Any, depth: int) -> Any:
    """A frame or series: labels, names and the data of each column."""
    frames = printer.look.frames
    manager = frames.manager(value)
    if manager is None:
        return (), False
    axes = [print_index(axis, printer, depth) for axis in manager.axes]
    blocks = frames.blocks(manager)
    columns, exact = print_columns(blocks, printer)
    complete = len(blocks) == len(manager.blocks)
    attributes, exact_too = printer.take(own(value, "_attrs"), depth - 1)
    key = ([key for key, _ in axes], columns, attributes, label_text(own(value, "_name")))
    return key, complete and exact and exact_too and all(exact for _, exact in axes)


def print_columns(blocks: list[tuple[Any, Any]], printer: Any) -> Any:
    """The data of each column under its place, whatever block it lies in."""
    found: dict[int, Any] = {}
    exact = True
    sizes = [stored_bytes(values, printer.look) for values, _ in blocks]
    # Of Arrow's columns no byte is read.
    small = sum(filter(None, sizes)) <= printer.effort.whole_bytes
    for values, places in blocks:
        if len(found) + len(places) > WHOLE_COLUMNS and len(found) > 0:
            exact = False
            break
        for place, key, whole in print_block(values, places, printer, small):
            found[place] = key
            exact = exact and whole
    return found, exact


def print_block(values: Any, places: Any, printer: Any, small: bool) -> list[tuple[int, Any, bool]]:
    """Place, key and exactness of the columns of one block."""
    frames = printer.look.frames
    dtype = frames.dtype(values)
    storage = frames.storage(values)
    first = int(places[0]) if len(places) else -1
    if storage is None:
        return [(first, (dtype, len(places), id(values)), False)]
    if frames.is_arrow(storage):
        return [(first, (dtype, id(storage)), True)]
    masks = [own(values, name) for name in ("_mask", "_right", "_sparse_index")]
    others = [print_part(part, printer, small) for part in masks if part is not None]
    rows = storage if storage.ndim == 2 else [storage]
    if len(places) != len(rows) or len(places) > WHOLE_COLUMNS:
        key, whole = print_data(storage, printer, small)
        return [(first, (dtype, len(places), key), whole)]
    found = []
    for place, row in zip(places.tolist(), rows):
        key, whole = print_data(row, printer, small)
        exact = whole and all(exact for _, exact in others)
        found.append((place, (dtype, key, [other for other, _ in others]), exact))
    return found


def print_part(part: Any, printer: Any, small: bool) -> Any:
    """The second array of an array that has two: a mask, or the right ends of intervals."""
    storage = printer.look.frames.storage(part)
    return print_data(storage, printer, small) if storage is not None else (id(part), False)


def print_index(value: object, printer: Any, depth: int) -> Any:
    """An index: its labels never change, its names may."""
    names = own(value, "_names")
    parts = list(list.__iter__(names)) if names is not None else [own(value, "_name")]
    return (id(value), printer.look.frames.length(value), [label_text(one) for one in parts]), True
