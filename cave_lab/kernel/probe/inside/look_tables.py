"""The first rows of a frame or series as an aligned table, and the counts of its columns."""

from __future__ import annotations

from cave_lab.kernel.probe.inside.look_bounds import (
    SEARCHED_COLUMNS,
    SHOWN_COLUMNS,
    Deadline,
    counted,
)
from cave_lab.kernel.probe.inside.look_cells import Cells
from cave_lab.kernel.probe.inside.look_columns import Sheet
from cave_lab.kernel.probe.inside.look_polars import PolarsSheet
from cave_lab.kernel.probe.inside.look_summary import missing_of
from cave_lab.kernel.probe.inside.look_values import CELL_CHARS, Speaker
from cave_lab.kernel.probe.inside.plain import shorten

SAME_NAME = 3
"""Columns of one name that are summed up."""
NAMED_COLUMNS = 10
"""Columns that are named where the one asked for is not there."""


def grid(columns: list[list[str]]) -> str:
    """Columns of equal length side by side, each as wide as its widest cell."""
    if not any(column[0] for column in columns):
        columns = [column[1:] for column in columns]
    padded = [
        [cell.rjust(max(map(len, column), default=0)) for cell in column] for column in columns
    ]
    return "\n".join("  ".join(row).rstrip() for row in zip(*padded))


def table(named: list[tuple[str, Cells]], start: int, stop: int) -> str:
    """Some rows of named columns with a line of their names."""
    return grid([[shorten(name, CELL_CHARS), *cells.texts(start, stop)] for name, cells in named])


def sheet_table(sheet: Sheet | PolarsSheet, start: int, count: int, limit: int) -> str:
    """Some rows of a sheet; its index where it says more than the number of the row."""
    index = [] if sheet.has_plain_index() and not start else sheet.levels()
    labels = sheet.labels(SHOWN_COLUMNS)
    columns = sheet.columns(list(range(len(labels))))
    named = [(label, cells) for label, (_, cells) in zip(labels, columns)]
    stop = min(start + count, sheet.rows)
    text = with_rest(table(index + named, start, stop), sheet.width - len(named))
    while len(text) > limit and len(named) > 1:
        named.pop()
        text = with_rest(table(index + named, start, stop), sheet.width - len(named))
    return text


def with_rest(text: str, hidden: int) -> str:
    """A table and how many columns it does not show."""
    return text + (f"\n… and {counted(hidden, 'more column')}" if hidden > 0 else "")


def sheet_counts(sheet: Sheet | PolarsSheet, speaker: Speaker, deadline: Deadline) -> str:
    """How many values are missing in each of the first columns."""
    labels = sheet.labels(SHOWN_COLUMNS)
    columns = sheet.columns(list(range(len(labels))))
    told: list[str] = []
    partly = sheet.width > len(columns)
    for place, (_, cells) in enumerate(columns):
        found = missing_of(cells, speaker, deadline.share(len(columns) - place))
        missing, rows = found or (0, 0)
        partly = partly or rows < sheet.rows
        if missing:
            part = f" of the first {rows:,}" if rows < sheet.rows else ""
            told.append(f"{labels[place] or 'values'} {missing:,}{part}")
    none = "none in what was counted" if partly else "none"
    return f"{counted(sheet.rows, 'row')}; missing: " + (", ".join(told) or none)


def columns_of(sheet: Sheet | PolarsSheet, wanted: str) -> list[tuple[str, str, Cells]]:
    """Label, data type and cells of the columns of a label, or else of a level of the index."""
    if sheet.is_series:
        [(dtype, cells)] = sheet.columns([0])
        return [(sheet.labels(1)[0], dtype, cells)]
    labels = sheet.labels(SEARCHED_COLUMNS)
    places = places_of(wanted, labels)
    found = zip(places, sheet.columns(places))
    told = [(labels[place], dtype, cells) for place, (dtype, cells) in found]
    return told or [
        (name, "index", cells) for name, cells in sheet.levels() if name and name == wanted
    ]


def places_of(wanted: str, labels: list[str]) -> list[int]:
    """The places of the columns of a label; quotes and spaces count only if that finds one."""
    exact = [place for place, label in enumerate(labels) if label == shorten(wanted)]
    loose = plain_label(wanted)
    near = exact or [place for place, label in enumerate(labels) if plain_label(label) == loose]
    return near[:SAME_NAME]


def plain_label(label: str) -> str:
    """A label without what a reader may add to it or leave out."""
    return "".join(char for char in label if char not in "'\"` ()")


def no_column(wanted: str, sheet: Sheet | PolarsSheet) -> str:
    """Which columns there are instead."""
    labels = sheet.labels(NAMED_COLUMNS)
    more = sheet.width - len(labels)
    tail = f", … ({more:,} more)" if more > 0 else ""
    there = "There are: " + ", ".join(labels) + tail + "." if labels else "It has none."
    return f"There is no column “{shorten(wanted, CELL_CHARS)}”. {there}"
