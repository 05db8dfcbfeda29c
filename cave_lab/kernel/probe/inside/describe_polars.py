"""Frames and series of polars, read from the compiled object inside while nothing else runs."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    first_class,
    loaded_class,
    own,
    shorten,
)
from cave_lab.kernel.probe.inside.still import call_alone

POLARS = "polars"

COMPILED = ("polars._plr", "polars.polars")
"""Where polars has its compiled classes, by version."""

METHOD: Any = type(str.join)
"""The type of a method that is compiled."""

WIDE = 2_000
"""Columns beyond which none is told: polars only gives the labels of all, 1 ms for each 1,000."""

NOT_NOW = "not read while a cell runs"


class Compiled:
    """The classes of the polars that is loaded now, and the compiled ones inside them.

    Their methods `height`, `width`, `columns`, `dtype_strings`, `len` and `name` are Rust, read
    what is stored and call no Python. Each takes the frame's lock for that moment: see `Stillness`.
    """

    def __init__(self) -> None:
        self.frame = loaded_class(POLARS, "DataFrame")
        self.lazy = loaded_class(POLARS, "LazyFrame")
        self.series = loaded_class(POLARS, "Series")
        self.inner_frame = first_class(*((place, "PyDataFrame") for place in COMPILED))
        self.inner_series = first_class(*((place, "PySeries") for place in COMPILED))

    def frame_shape(self, value: object) -> list[int] | None:
        """Rows and columns of a frame."""
        inner, cls = own(value, "_df"), self.inner_frame
        if cls is None or type(inner) is not cls:
            return None
        return [call(cls, "height", inner), call(cls, "width", inner)]

    def frame_columns(self, value: object) -> list[tuple[str, str]]:
        """Labels and data types of all columns of a frame that has a shape."""
        inner, cls = own(value, "_df"), self.inner_frame
        return list(zip(call(cls, "columns", inner), types_of(cls, inner)))

    def series_facts(self, value: object) -> tuple[int, str] | None:
        """Length and name of a series."""
        inner, cls = own(value, "_s"), self.inner_series
        if cls is None or type(inner) is not cls:
            return None
        return call(cls, "len", inner), call(cls, "name", inner)


def call(cls: Any, name: str, inner: object, *arguments: object) -> Any:
    """What a compiled method returns; raises `Unstill` if another thread is inside polars."""
    method = CLASS_DICT(cls)[name]
    if type(method) is not METHOD:
        raise TypeError("not a compiled method")
    return call_alone(POLARS, method, inner, *arguments)


def types_of(cls: Any, inner: object) -> list[str]:
    """The data types as polars abbreviates them."""
    found: list[str] = call(cls, "dtype_strings", inner)
    return found


def describe_polars_frame(value: object, row: dict[str, Any], look: Any) -> None:
    """A frame: rows, columns with their types."""
    row["kind"] = "frame"
    shape = look.still_read(lambda: look.polars.frame_shape(value))
    if shape is None:
        row["summary"] = NOT_NOW
        return
    row["shape"] = shape
    if not look.max_columns:
        return
    row["columns_total"] = shape[1]
    columns = None
    if shape[1] <= WIDE:
        columns = look.still_read(lambda: look.polars.frame_columns(value))
    if columns is not None:
        told = columns[: look.max_columns]
        row["columns"] = [[shorten(label), shorten(dtype)] for label, dtype in told]


def describe_lazy_frame(value: object, row: dict[str, Any], look: Any) -> None:
    """A lazy frame: even its columns are only known by planning the query."""
    row["kind"] = "frame"
    row["summary"] = "lazy"


def describe_polars_series(value: object, row: dict[str, Any], look: Any) -> None:
    """A series: length and name; its data type would be made by Python code."""
    row["kind"] = "series"
    facts = look.still_read(lambda: look.polars.series_facts(value))
    if facts is None:
        row["summary"] = NOT_NOW
        return
    length, name = facts
    row["shape"], row["length"] = [length], length
    if name and look.max_columns:
        row["summary"] = "name " + shorten(name)
