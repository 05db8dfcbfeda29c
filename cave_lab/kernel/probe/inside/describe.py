"""One row for one variable: name, type, kind and sizes, by a table of describers."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable

from cave_lab.kernel.probe.inside.arrays import Arrays
from cave_lab.kernel.probe.inside.describe_code import describe_class, describe_function
from cave_lab.kernel.probe.inside.describe_frames import (
    describe_frame,
    describe_index,
    describe_series,
)
from cave_lab.kernel.probe.inside.frames import Frames
from cave_lab.kernel.probe.inside.plain import (
    CLASS_MRO,
    MODULE,
    class_module,
    class_name,
    own,
    shorten,
)

PREVIEW_CHARS = 80
PREVIEW_BITS = 256
PREVIEW_NUMBERS = (float, bool, complex)

SIZED = (
    (str, "text"),
    (bytes, "text"),
    (bytearray, "text"),
    (list, "container"),
    (tuple, "container"),
    (dict, "container"),
    (set, "container"),
    (frozenset, "container"),
    (range, "container"),
    (deque, "container"),
)
"""Builtins with a length, which is asked of the base class and never of a subclass."""


class Look:
    """How one look describes: its limits, and the libraries as they are loaded now."""

    def __init__(self, max_columns: int, previews: bool) -> None:
        self.max_columns = max_columns
        self.previews = previews
        self.arrays = Arrays()
        self.frames = Frames(self.arrays)
        self._table = {id(cls): describer for cls, describer in self._describers() if cls}

    def _describers(self) -> list[tuple[Any, Callable[..., None]]]:
        """The table of describers: another type is another line here."""
        return [
            *((cls, sized(cls, kind)) for cls, kind in SIZED),
            *((cls, describe_number) for cls in (int, float, complex)),
            (self.arrays.ndarray, describe_array),
            (self.arrays.number, describe_number),
            (self.arrays.boolean, describe_number),
            (self.frames.frame, describe_frame),
            (self.frames.series, describe_series),
            (self.frames.index, describe_index),
            (type(lambda: None), describe_function),
            (type(len), describe_builtin),
            (MODULE, describe_module),
            (type, describe_class),
            (type(None), describe_nothing),
            (object, describe_instance),
        ]

    def describer(self, cls: type) -> Callable[..., None]:
        """The describer of the nearest base class that has one."""
        return next(self._table[id(base)] for base in CLASS_MRO(cls) if id(base) in self._table)


def describe(value: object, look: Look) -> dict[str, Any]:
    """The row of one value, without its name; what fails leaves type and kind."""
    cls = type(value)
    row: dict[str, Any] = {"type": class_name(cls), "kind": "other"}
    module = class_module(cls)
    if module is not None and module != "builtins":
        row["module"] = module
    try:
        look.describer(cls)(value, row, look)
    except Exception as error:
        row["summary"] = "could not be described (" + class_name(type(error)) + ")"
    if look.previews:
        text = preview(value)
        if text is not None:
            row["preview"] = text
    return row


def brief(value: object, look: Look) -> dict[str, Any]:
    """What is remembered of a value for a later comparison: type and sizes, never contents."""
    row = describe(value, look)
    return {key: row[key] for key in ("type", "shape", "length", "dtype") if key in row}


def preview(value: Any) -> str | None:
    """The value itself as text, for exact numbers, booleans and short strings alone."""
    cls = type(value)
    if cls is str and len(value) <= PREVIEW_CHARS:
        return shorten(repr(value))
    if cls is int and int.bit_length(value) <= PREVIEW_BITS:
        return repr(value)
    return repr(value) if any(cls is one for one in PREVIEW_NUMBERS) else None


def sized(base: Any, kind: str) -> Callable[..., None]:
    """A describer of what has a length."""
    length = base.__len__

    def describe_sized(value: object, row: dict[str, Any], look: Look) -> None:
        row["kind"] = kind
        row["length"] = length(value)

    return describe_sized


def describe_number(value: object, row: dict[str, Any], look: Look) -> None:
    """A number of Python or NumPy."""
    row["kind"] = "number"


def describe_array(value: Any, row: dict[str, Any], look: Look) -> None:
    """An array of NumPy or of a subclass."""
    row["kind"] = "array"
    row["shape"] = look.arrays.shape(value)
    row["dtype"] = look.arrays.dtype(value)
    row["size_bytes"] = look.arrays.get(value, "nbytes")


def describe_builtin(value: object, row: dict[str, Any], look: Look) -> None:
    """A function written in C."""
    row["kind"] = "function"


def describe_module(value: object, row: dict[str, Any], look: Look) -> None:
    """A module, with the name that it was loaded under."""
    row["kind"] = "module"
    name = own(value, "__name__")
    if type(name) is str:
        row["summary"] = shorten(name)


def describe_nothing(value: object, row: dict[str, Any], look: Look) -> None:
    """`None`: its type says it all."""


def describe_instance(value: object, row: dict[str, Any], look: Look) -> None:
    """Anything else: its type alone."""
    row["kind"] = "instance"
