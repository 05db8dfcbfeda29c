"""Labels and data types as text, without asking an object to describe itself."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    CLASS_MRO,
    class_name,
    is_subclass,
    loaded_class,
    own,
    shorten,
)

PLAIN_LABELS = (float, bool, complex, type(None))
LABEL_BITS = 512
"""Longer integers take quadratic time to write."""
LABEL_PARTS = 8


def label_text(label: Any) -> str:
    """One row or column label; what is not an exact builtin shows its type."""
    cls = type(label)
    if cls is str:
        return shorten(label)
    if cls is int and int.bit_length(label) < LABEL_BITS:
        return str(label)
    if any(cls is one for one in PLAIN_LABELS):
        return str(label)
    if cls is tuple:
        return "(" + ", ".join(label_text(part) for part in label[:LABEL_PARTS]) + ")"
    return "<" + class_name(cls) + ">"


def dtype_text(dtype: Any) -> str:
    """The name of a dtype: NumPy's own, pandas' class-level name, or parts of its instance dict."""
    cls = type(dtype)
    numpy_dtype = loaded_class("numpy", "dtype")
    if numpy_dtype is not None and is_subclass(cls, numpy_dtype):
        return shorten(str(dtype))
    if class_name(cls) == "StringDtype":
        return "str" if type(own(dtype, "_na_value")) is float else "string"
    if class_name(cls) == "DatetimeTZDtype":
        return zoned_text(dtype)
    for base in CLASS_MRO(cls):
        name = CLASS_DICT(base).get("name")
        if type(name) is str:
            return shorten(name)
        if name is not None:
            break
    return class_name(cls)


def zoned_text(dtype: object) -> str:
    """A date type with its zone, where the zone is one of the standard library's."""
    zone = own(dtype, "_tz")
    name = None
    if type(zone) is loaded_class("zoneinfo", "ZoneInfo"):
        name = zone.key
    elif zone is not None and type(zone) is loaded_class("datetime", "timezone"):
        name = str(zone)
    return f"datetime64[{own(dtype, '_unit')}, {shorten(name) if type(name) is str else 'tz'}]"


def masked_text(name: str) -> str:
    """The nullable data type over a NumPy one: `int64` is `Int64`, `uint8` is `UInt8`."""
    return "UI" + name[2:] if name[:1] == "u" else name[:1].upper() + name[1:]
