"""Looks at what has rows: frames, series, indexes and arrays."""

from __future__ import annotations

from cave_lab.kernel.probe.inside.look_arrays import (
    array_column,
    array_items,
    mask_of,
    shown_length,
)
from cave_lab.kernel.probe.inside.look_bounds import SHOWN_ROWS, SLICE_ROWS, counted
from cave_lab.kernel.probe.inside.look_cells import Cells
from cave_lab.kernel.probe.inside.look_columns import Sheet, block_cells, index_cells
from cave_lab.kernel.probe.inside.look_polars import PolarsSheet, open_polars
from cave_lab.kernel.probe.inside.look_shown import UNREADABLE, Shown, View
from cave_lab.kernel.probe.inside.look_summary import Summary
from cave_lab.kernel.probe.inside.look_tables import (
    columns_of,
    no_column,
    sheet_counts,
    sheet_table,
    table,
)

UNSTILL = "It can be read only while no cell runs and no other thread works in its library."


def show_sheet(value: object, view: View) -> Shown:
    """A frame or series of pandas."""
    manager = view.look.frames.manager(value)
    if manager is None:
        return Shown(None, note=UNREADABLE)
    return show_opened(Sheet(view.speaker, value, manager), view)


def show_polars(value: object, view: View) -> Shown:
    """A frame or series of polars, if this is a moment to read one."""

    def shown() -> Shown:
        sheet = open_polars(value, view.speaker)
        return Shown(None, note=UNREADABLE) if sheet is None else show_opened(sheet, view)

    found: Shown | None = view.look.still_read(shown)
    return Shown(None, note=UNSTILL) if found is None else found


def show_opened(sheet: Sheet | PolarsSheet, view: View) -> Shown:
    """What has columns and rows."""
    wanted = view.wish.column
    if wanted is not None:
        found = columns_of(sheet, wanted)
        return summed(found, view) if found else Shown(None, note=no_column(wanted, sheet))
    if not view.wish.values:
        return Shown(sheet_counts(sheet, view.speaker, view.deadline))
    count = rows_shown(sheet.rows, view)
    text = sheet_table(sheet, view.start, count, view.wish.max_chars)
    return view.part(text, count, sheet.rows, "row")


def show_index(value: object, view: View) -> Shown:
    """An index of pandas, its levels side by side."""
    return show_cells(index_cells(view.speaker, value), view)


def show_extension(value: object, view: View) -> Shown:
    """An array of pandas' own kinds by itself."""
    storage = view.look.frames.storage(value)
    if storage is None:
        return Shown(None, note=UNREADABLE)
    return show_cells([("", block_cells(view.speaker, value, 0, len(storage)))], view)


def show_array(value: object, view: View) -> Shown:
    """An array of NumPy or of a subclass, whose own methods are not called."""
    data = view.look.arrays.base(value)
    mask = mask_of(view.speaker, value, data)
    if view.wish.column is not None or not view.wish.values:
        cells = array_column(view.speaker, data, mask, view.wish.column or "")
        return summed([("", view.look.arrays.dtype(data), cells)], view, "value")
    if not data.ndim:
        return Shown(array_items(view.speaker, data, mask), True)
    total = data.shape[0]
    data, mask = data[view.start :], None if mask is None else mask[view.start :]
    return view.part(array_items(view.speaker, data, mask), shown_length(data), total, "item")


def show_cells(named: list[tuple[str, Cells]], view: View) -> Shown:
    """Columns without an index of their own."""
    if view.wish.column is not None or not view.wish.values:
        return summed([(name, "", cells) for name, cells in named], view)
    rows = min((cells.length for _, cells in named), default=0)
    count = rows_shown(rows, view)
    return view.part(table(named, view.start, view.start + count), count, rows, "row")


def summed(columns: list[tuple[str, str, Cells]], view: View, noun: str = "row") -> Shown:
    """Some columns, each with a title and what is known of it."""
    lines: list[str] = []
    for label, dtype, cells in columns:
        title = (label, dtype, counted(cells.length, noun))
        lines.append(", ".join(part for part in title if part))
        lines += Summary(view.speaker, cells, view.deadline).lines(view.wish.values)
    return Shown("\n".join(lines), view.wish.values)


def rows_shown(rows: int, view: View) -> int:
    """How many rows there are to show from the start."""
    most = SHOWN_ROWS if view.wish.start is None else SLICE_ROWS
    return max(0, min(most, rows - view.start))
