"""Python's own types: containers, numbers, modules, running things and open files."""

from __future__ import annotations

import io
from collections import deque
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, Callable

from cave_lab.kernel.probe.inside.plain import MODULE, own, read, shorten
from cave_lab.kernel.probe.inside.samples import element_types

TEXTS = (str, bytes, bytearray)
COLLECTIONS = (list, tuple, dict, set, frozenset, deque)
"""Builtins with a length, which is asked of the base class and never of a subclass."""

BUFFERED = (io.BufferedReader, io.BufferedWriter, io.BufferedRandom)
FILES = (io.TextIOWrapper, *BUFFERED, io.FileIO)

STARTED = ((GeneratorType, "gi"), (CoroutineType, "cr"), (AsyncGeneratorType, "ag"))
"""What runs by and by, and how its attributes begin; none of these types can be subclassed."""


def builtin_describers() -> list[tuple[Any, Callable[..., None]]]:
    """The describers of Python's own types."""
    return [
        *((cls, sized(cls)) for cls in TEXTS),
        *((cls, container(cls)) for cls in COLLECTIONS),
        (range, describe_range),
        *((cls, describe_number) for cls in (int, float, complex)),
        *((cls, started(prefix)) for cls, prefix in STARTED),
        *((cls, describe_file) for cls in FILES),
        *((cls, describe_memory_file) for cls in (io.StringIO, io.BytesIO)),
        (type(len), describe_builtin),
        (MODULE, describe_module),
        (type(None), describe_nothing),
    ]


def sized(base: Any) -> Callable[..., None]:
    """A describer of texts and bytes."""
    length = base.__len__

    def describe_sized(value: object, row: dict[str, Any], look: object) -> None:
        row["kind"] = "text"
        row["length"] = length(value)

    return describe_sized


def container(base: Any) -> Callable[..., None]:
    """A describer of a container: length, and the types of what it holds."""
    length = base.__len__

    def describe_container(value: object, row: dict[str, Any], look: Any) -> None:
        row["kind"] = "container"
        row["length"] = length(value)
        held_types = element_types(base, value) if look.max_columns else None
        if held_types is not None:
            row["summary"] = held_types

    return describe_container


def describe_range(value: Any, row: dict[str, Any], look: object) -> None:
    """A range: it holds numbers by nature."""
    row["kind"] = "container"
    row["length"] = range.__len__(value)


def describe_number(value: object, row: dict[str, Any], look: object) -> None:
    """A number of Python or NumPy."""
    row["kind"] = "number"


def started(prefix: str) -> Callable[..., None]:
    """A describer of generators and coroutines: whose code, and whether it came to its end."""

    def describe_started(value: Any, row: dict[str, Any], look: object) -> None:
        row["kind"] = "generator"
        cls = type(value)
        code = read(cls, prefix + "_code", value)
        state = ""
        if read(cls, prefix + "_frame", value) is None:
            state = ", finished"
        elif read(cls, prefix + "_running", value):
            state = ", running"
        row["summary"] = shorten(code.co_name + "()" + state)

    return describe_started


def describe_file(value: Any, row: dict[str, Any], look: object) -> None:
    """An open or closed file: never its name, which is the person's."""
    row["kind"] = "file"
    mode = own(value, "mode")
    raw = raw_file(value)
    if type(mode) is not str and raw is not None:
        mode = read(io.FileIO, "mode", raw)
    facts = ["mode " + shorten(mode)] if type(mode) is str else []
    if raw is not None:
        facts.append("closed" if read(io.FileIO, "closed", raw) else "open")
    if facts:
        row["summary"] = ", ".join(facts)


def raw_file(value: Any) -> Any:
    """The file below its buffers, if all of them are Python's own; one may wrap a user's object.

    `buffer` and `raw` are plain slots. `closed` of a wrapper would ask what it wraps.
    """
    if type(value) is io.TextIOWrapper:
        value = read(io.TextIOWrapper, "buffer", value)
    buffered = next((cls for cls in BUFFERED if type(value) is cls), None)
    if buffered is not None:
        value = read(buffered, "raw", value)
    return value if type(value) is io.FileIO else None


def describe_memory_file(value: Any, row: dict[str, Any], look: object) -> None:
    """A file that is in memory alone."""
    row["kind"] = "file"
    base = next((cls for cls in (io.StringIO, io.BytesIO) if type(value) is cls), None)
    if base is not None:
        row["summary"] = "in memory, " + ("closed" if read(base, "closed", value) else "open")


def describe_builtin(value: object, row: dict[str, Any], look: object) -> None:
    """A function written in C."""
    row["kind"] = "function"


def describe_module(value: object, row: dict[str, Any], look: object) -> None:
    """A module, with the name that it was loaded under."""
    row["kind"] = "module"
    name = own(value, "__name__")
    if type(name) is str:
        row["summary"] = shorten(name)


def describe_nothing(value: object, row: dict[str, Any], look: object) -> None:
    """`None`: its type says it all."""
