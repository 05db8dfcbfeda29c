"""The beginning of an array of NumPy, and its elements as one column."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.look_bounds import SCANNED_ROWS, SHOWN_ITEMS, SHOWN_ROWS
from cave_lab.kernel.probe.inside.look_cells import Cells
from cave_lab.kernel.probe.inside.look_columns import array_cells
from cave_lab.kernel.probe.inside.look_values import Speaker
from cave_lab.kernel.probe.inside.plain import is_subclass, loaded_class, own

SHOWN_BY_DIMENSION = {1: SHOWN_ITEMS, 2: SHOWN_ROWS, 3: 2}
"""Parts of an array that are shown along its first dimension; of more dimensions, one."""


def mask_of(speaker: Speaker, value: object, data: Any) -> Any:
    """The mask of a masked array; None if it has none of its own shape."""
    masked = loaded_class("numpy.ma", "MaskedArray")
    if masked is None or not is_subclass(type(value), masked):
        return None
    mask = own(value, "_mask")
    fits = speaker.look.arrays.is_plain(mask) and mask.dtype.kind == "b"
    return mask if fits and mask.shape == data.shape else None


def shown_length(data: Any) -> int:
    """How many parts of an array are shown along its first dimension."""
    return min(int(data.shape[0]), SHOWN_BY_DIMENSION.get(data.ndim, 1))


def array_items(speaker: Speaker, data: Any, mask: Any) -> str:
    """The beginning of a plain array in nested brackets; what its mask hides shows as `--`."""
    if not data.ndim:
        hidden = None if mask is None else mask.reshape(1)
        return array_cells(speaker, data.reshape(1), hidden).texts(0, 1)[0]
    shown = shown_length(data)
    if data.ndim == 1:
        parts = array_cells(speaker, data, mask).texts(0, shown)
    else:
        masks = [None] * shown if mask is None else mask
        parts = [array_items(speaker, data[place], masks[place]) for place in range(shown)]
    parts += ["…"] * (data.shape[0] > shown)
    return "[" + (", " if data.ndim == 1 else ",\n ").join(parts) + "]"


def array_column(speaker: Speaker, data: Any, mask: Any, wanted: str) -> Cells:
    """A field by its name or a column by its number, or else all elements."""
    if wanted in (data.dtype.names or ()):
        return flat_cells(speaker, data[wanted], None)
    if data.ndim == 2 and wanted.isdigit() and int(wanted) < data.shape[1]:
        place = int(wanted)
        return array_cells(speaker, data[:, place], None if mask is None else mask[:, place])
    return flat_cells(speaker, data, mask)


def flat_cells(speaker: Speaker, data: Any, mask: Any) -> Cells:
    """The elements of an array as one column; of a large one that lies in pieces, the first."""
    while data.size > SCANNED_ROWS and not (data.flags.forc and mask is None):
        rows = SCANNED_ROWS * data.shape[0] // data.size
        place: Any = slice(0, rows) if rows else 0
        data, mask = data[place], None if mask is None else mask[place]
    hidden = None if mask is None else mask.reshape(-1)
    return array_cells(speaker, data.ravel("K" if mask is None else "C"), hidden)
