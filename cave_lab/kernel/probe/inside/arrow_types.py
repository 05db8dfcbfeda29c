"""The types of Arrow below pandas' arrays, read where that runs no code of a user's own type.

Arrow keeps a type that a user defines by a weak reference. To name it, or a type that has it as a
part, or to hand out one element, may make it anew by the user's code. So the type is taken from
where pandas keeps it, and only one without parts is asked for its name.
"""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import CLASS_DICT, class_name, loaded, loaded_class, own

ARROW = "pyarrow"

WITHOUT_PARTS = (
    *("DataType", "TimestampType", "DurationType", "Time32Type", "Time64Type"),
    *("Decimal128Type", "Decimal256Type", "FixedSizeBinaryType"),
)
"""Arrow's own classes of types that have no others as parts; the first is that of most."""

CODED_VALUES = ("string", "large_string", "int32", "int64", "float64")
"""Types that the values of a dictionary are compared with; it can't be asked for theirs."""


def arrow_name(dtype: object) -> str | None:
    """The name of an Arrow type; of a dictionary that of its values; None if none must be asked."""
    if type(dtype) is loaded_class("pandas", "StringDtype"):
        return "string"
    kind: Any = own(dtype, "pyarrow_dtype")
    cls = type(kind)
    if any(cls is loaded_class(ARROW, name) for name in WITHOUT_PARTS):
        return str(kind)
    return values_name(kind) if cls is loaded_class(ARROW, "DictionaryType") else None


def values_name(kind: Any) -> str | None:
    """The name of the values of a dictionary, if they are of a known type."""
    compiled = type(CLASS_DICT(loaded_class(ARROW, WITHOUT_PARTS[0])).get("equals"))
    makers = [loaded(ARROW, name) for name in ("dictionary", *CODED_VALUES)]
    if any(type(maker) is not compiled for maker in makers):
        return None
    dictionary, *values = makers
    known = (str(value()) for value in values if is_dictionary_of(kind, dictionary, value()))
    return next(known, None)


def is_dictionary_of(kind: Any, dictionary: Any, value: Any) -> bool:
    """Whether a dictionary has values of this type."""
    return bool(kind.equals(dictionary(kind.index_type, value, kind.ordered)))


def parts_name(dtype: object) -> str:
    """What is told of a type that must not be asked: the kind of its parts, or whose it is."""
    cls = type(own(dtype, "pyarrow_dtype"))
    own_type = loaded_class(ARROW, class_name(cls)) is cls
    return class_name(cls).replace("Type", "").lower() if own_type else "extension"
