"""One row for one variable: name, type, kind and sizes, by a table of describers."""

from __future__ import annotations

from typing import Any, Callable

from cave_lab.kernel.probe.inside.arrays import Arrays
from cave_lab.kernel.probe.inside.describe_builtins import builtin_describers, describe_number
from cave_lab.kernel.probe.inside.describe_code import describe_class, describe_function
from cave_lab.kernel.probe.inside.describe_connections import describe_connection
from cave_lab.kernel.probe.inside.describe_frames import (
    describe_frame,
    describe_index,
    describe_series,
)
from cave_lab.kernel.probe.inside.describe_made import Made, describe_estimator, describe_figure
from cave_lab.kernel.probe.inside.describe_polars import (
    Compiled,
    describe_lazy_frame,
    describe_polars_frame,
    describe_polars_series,
)
from cave_lab.kernel.probe.inside.describe_tensors import (
    Tensors,
    describe_cupy,
    describe_jax,
    describe_torch,
)
from cave_lab.kernel.probe.inside.fields import Models, add_fields
from cave_lab.kernel.probe.inside.frames import Frames
from cave_lab.kernel.probe.inside.plain import (
    CLASS_MRO,
    class_module,
    class_name,
    shorten,
)
from cave_lab.kernel.probe.inside.still import Stillness

PREVIEW_CHARS = 80
PREVIEW_BITS = 256
PREVIEW_NUMBERS = (float, bool, complex)


class Look:
    """How one look describes: its limits, and the libraries as they are loaded now.

    Without columns (0) a value is described by its sizes alone, for a comparison. What can only be
    read while nothing runs is left out unless the look is told when that is.
    """

    def __init__(self, max_columns: int, previews: bool, still: Stillness | None = None) -> None:
        self.max_columns = max_columns
        self.previews = previews
        self.arrays = Arrays()
        self.frames = Frames(self.arrays)
        self.polars = Compiled()
        self.tensors = Tensors()
        self.made = Made()
        self.models = Models()
        self._still = still
        self._table = {id(cls): describer for cls, describer in self._describers() if cls}
        self._known: dict[int, tuple[type, Callable[..., None]]] = {}

    def _describers(self) -> list[tuple[Any, Callable[..., None]]]:
        """The table of describers: another type is another line here."""
        return [
            *builtin_describers(),
            (self.arrays.ndarray, describe_array),
            (self.arrays.number, describe_number),
            (self.arrays.boolean, describe_number),
            (self.frames.frame, describe_frame),
            (self.frames.series, describe_series),
            (self.frames.index, describe_index),
            (self.polars.frame, describe_polars_frame),
            (self.polars.lazy, describe_lazy_frame),
            (self.polars.series, describe_polars_series),
            (self.tensors.torch, describe_torch),
            (self.tensors.jax, describe_jax),
            (self.tensors.cupy, describe_cupy),
            (self.made.estimator, describe_estimator),
            (self.made.figure, describe_figure),
            (type(lambda: None), describe_function),
            (type, describe_class),
            (object, describe_instance),
        ]

    def describer(self, cls: type) -> Callable[..., None]:
        """The describer of the nearest base class that has one."""
        known = self._known.get(id(cls))
        if known is None:
            bases = (id(base) for base in CLASS_MRO(cls))
            found = next(self._table[base] for base in bases if base in self._table)
            # With the class itself, so that its id is not used again during this look.
            known = self._known[id(cls)] = cls, found
        return known[1]

    def still_read(self, reader: Callable[[], Any]) -> Any:
        """What a reader gives that may only run while nothing else does; None if now is not so."""
        return None if self._still is None else self._still.read(reader)


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


def describe_array(value: Any, row: dict[str, Any], look: Look) -> None:
    """An array of NumPy or of a subclass."""
    row["kind"] = "array"
    row["shape"] = look.arrays.shape(value)
    row["dtype"] = look.arrays.dtype(value)
    row["size_bytes"] = look.arrays.get(value, "nbytes")


def describe_instance(value: object, row: dict[str, Any], look: Look) -> None:
    """Anything else: the fields that its class declares, or its type alone."""
    row["kind"] = "instance"
    if not add_fields(type(value), row, look):
        describe_connection(value, row)
