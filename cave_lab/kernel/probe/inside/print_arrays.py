"""Fingerprints of arrays: the whole data while the budget allows, else a sample of it."""

from __future__ import annotations

from typing import Any

SAMPLE_ELEMENTS = 4_096
"""Elements of a large array that are compared, evenly spread."""


def print_array(value: Any, printer: Any, depth: int) -> Any:
    """An array of NumPy or of a subclass."""
    arrays = printer.look.arrays
    plain = arrays.base(value)
    key, exact = print_data(plain, printer, plain.nbytes <= printer.effort.whole_bytes)
    return (arrays.shape(value), str(plain.dtype), plain.strides, key), exact


def print_data(plain: Any, printer: Any, whole: bool) -> Any:
    """The data of a plain array; references in it are compared as references."""
    printer.effort.check()
    if whole:
        return hash(plain.tobytes("A")), not plain.dtype.hasobject or holds_atoms(plain, printer)
    return hash(sample(plain).tobytes()), False


def holds_atoms(plain: Any, printer: Any) -> bool:
    """Whether an array of references refers to immutable builtins alone."""
    if plain.dtype.kind != "O" or plain.size > printer.effort.whole_elements:
        return False
    return bool(printer.take_all(tuple(plain.ravel().tolist()), 0)[1])


def sample(plain: Any) -> Any:
    """Evenly spread elements of an array of any layout; nothing of the rest is copied."""
    for axis, length in sorted(enumerate(plain.shape), key=lambda pair: -pair[1]):
        excess = plain.size // SAMPLE_ELEMENTS
        if excess <= 1:
            break
        place: list[Any] = [slice(None)] * plain.ndim
        place[axis] = slice(None, None, min(excess + 1, length))
        plain = plain[tuple(place)]
    return plain
