"""Values of the user written out, without running any code of theirs."""

from __future__ import annotations

import datetime as dt
from collections import deque
from itertools import islice
from typing import Any, Callable

from cave_lab.kernel.probe.inside.describe import Look, describe
from cave_lab.kernel.probe.inside.look_moments import (
    date_text,
    getters,
    moment_text,
    span_text,
    time_text,
)
from cave_lab.kernel.probe.inside.plain import (
    CLASS_MRO,
    class_name,
    is_subclass,
    loaded,
    loaded_class,
    shorten,
)

CELL_CHARS = 40
"""Widest cell of a table."""
CELL_ROOM = 4 * CELL_CHARS
"""What is written of a container in a cell, before it is cut."""
TEXT_CHARS = 200
"""Longest text inside a container."""
INTEGER_BITS = 4_096
"""Longer integers take quadratic time to write; these have 1,234 digits."""
DECIMAL_BYTES = 1_000
INNER_ITEMS = 10
"""Items of a container that lies in another."""
INNER_DEPTH = 2
"""Levels of containers below the outermost."""
ROUND_CHARS = 12
"""Longer decimal fractions are rounded to ten digits in tables and summaries."""

CLASS_FLAGS = type.__dict__["__flags__"].__get__
HEAP_TYPE = 1 << 9
"""Set on each class that was made by a class statement; not on those of NumPy's scalars."""

RANGE_FIELDS = getters(range, ("start", "stop", "step"))

CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 8_232, 8_233)}
"""Characters that would break a row of a table, and how they are written."""

CONTAINERS = (
    (list, "[", "]"),
    (tuple, "(", ")"),
    (dict, "{", "}"),
    (set, "{", "}"),
    (frozenset, "{", "}"),
    (deque, "[", "]"),
)
LITERALS = (list, tuple, dict, set)
"""Containers that Python writes without their name."""


class Speaker:
    """Writes values by exact types and base classes; of all others only the type is told."""

    def __init__(self, look: Look, room: int) -> None:
        self.look = look
        self.room = room
        """Characters that may still be written, so that nested containers stay bounded."""
        self._gaps = {
            id(gap): text
            for gap, text in ((loaded("pandas", "NaT"), "NaT"), (loaded("pandas", "NA"), "<NA>"))
            if gap is not None
        }
        self._writers = {id(cls): writer for cls, writer in self._table() if cls}

    def _table(self) -> list[tuple[Any, Callable[..., str]]]:
        return [
            (str, say_text),
            (bytes, say_bytes),
            (bytearray, say_bytes),
            (int, say_integer),
            *((base, plainly(base)) for base in (bool, float, complex, type(None))),
            *((base, containing(base, *brackets)) for base, *brackets in CONTAINERS),
            (range, say_range),
            (self.look.arrays.generic, say_scalar),
            (loaded_class("decimal", "Decimal"), say_decimal),
            (dt.datetime, lambda value, *_: moment_text(value)),
            (dt.date, lambda value, *_: date_text(value)),
            (dt.time, lambda value, *_: time_text(value)),
            (dt.timedelta, lambda value, *_: span_text(value)),
            (object, say_type),
        ]

    def gap(self, value: object) -> str | None:
        """How a missing value of pandas is written; None if it is another value."""
        return self._gaps.get(id(value))

    def can_say(self, value: object) -> bool:
        """Whether more than its type can be told of a value."""
        return self.gap(value) is not None or self._writer(type(value)) is not say_type

    def say(self, value: object, depth: int = 0) -> str:
        """A value as Python would write it; `depth` counts the containers around it."""
        if self.room <= 0:
            return "…"
        text = self.gap(value) or self._writer(type(value))(value, self, depth)
        self.room -= len(text)
        return text

    def cell(self, value: object) -> str:
        """A value as a cell of a table: texts without quotes, missing numbers as pandas says it."""
        cls = type(value)
        if is_subclass(cls, str):
            return cell_text(str.__getitem__(value, slice(0, CELL_CHARS + 1)))  # type: ignore[index]
        if cls is float or is_scalar(cls, self.look):
            return number_text(value)
        room, self.room = self.room, CELL_ROOM
        text = cell_text(self.say(value))
        self.room = room
        return text

    def _writer(self, cls: type) -> Callable[..., str]:
        return next(self._writers[id(base)] for base in CLASS_MRO(cls) if id(base) in self._writers)


def cell_text(text: str) -> str:
    """A text as one row of a table can hold it."""
    return shorten(text[: CELL_CHARS + 1].translate(CONTROLS), CELL_CHARS)


def number_text(number: Any) -> str:
    """A number of Python or NumPy, rounded if it is long, and `NaN` for what is missing."""
    text = str(number)
    if text == "nan":
        return "NaN"
    if len(text) > ROUND_CHARS and ("." in text or "e" in text) and "j" not in text:
        return format(float(number), ".10g")
    return text


def is_scalar(cls: type, look: Look) -> bool:
    """Whether a class is one of NumPy's own numbers: they hold no object, and no code of a user."""
    arrays = look.arrays
    bases = (arrays.number, arrays.boolean, loaded_class("numpy", "datetime64"))
    return not CLASS_FLAGS(cls) & HEAP_TYPE and any(
        is_subclass(cls, base) for base in bases if base is not None
    )


def say_scalar(value: Any, speaker: Speaker, depth: int) -> str:
    """A number of NumPy; what has fields may hold objects and shows its type."""
    cls = type(value)
    return str(value) if is_scalar(cls, speaker.look) else say_type(value, speaker, depth)


def say_text(value: Any, speaker: Speaker, depth: int) -> str:
    """A text in quotes, cut where it is long."""
    text = repr(str.__getitem__(value, slice(0, TEXT_CHARS)))
    return text + "…" if str.__len__(value) > TEXT_CHARS else text


def say_bytes(value: Any, speaker: Speaker, depth: int) -> str:
    """Bytes as Python writes them, cut where they are long."""
    base: Any = bytes if is_subclass(type(value), bytes) else bytearray
    text = repr(bytes(base.__getitem__(value, slice(0, TEXT_CHARS))))
    return text + "…" if base.__len__(value) > TEXT_CHARS else text


def say_integer(value: Any, speaker: Speaker, depth: int) -> str:
    """An integer, or the size of one that is too long to write."""
    bits = int.bit_length(value)
    return int.__repr__(value) if bits <= INTEGER_BITS else f"<int of {bits:,} bits>"


def say_decimal(value: Any, speaker: Speaker, depth: int) -> str:
    """A decimal number of the standard library."""
    base = loaded_class("decimal", "Decimal")
    if base is None or base.__sizeof__(value) > DECIMAL_BYTES:
        return say_type(value, speaker, depth)
    return str(base.__str__(value))


def say_range(value: Any, speaker: Speaker, depth: int) -> str:
    """A range by its ends and its step; old Pythons keep subclasses of `int` in it."""
    parts = [field(value) for field in RANGE_FIELDS]
    return "range(" + ", ".join(speaker.say(part, depth) for part in parts) + ")"


def say_type(value: object, speaker: Speaker, depth: int) -> str:
    """What can't be read without running its code: its type, and its shape if that is known."""
    shape = describe(value, speaker.look).get("shape")
    sizes = " " + " × ".join(map(str, shape)) if shape else ""
    return "<" + class_name(type(value)) + sizes + ">"


def plainly(base: Any) -> Callable[..., str]:
    """A writer by the base class's own `__repr__`."""
    write = base.__repr__
    return lambda value, *_: str(write(value))


def first_items(value: Any, base: Any, start: int, count: int) -> list[Any]:
    """Some items of a container by its base class; pairs of a dict. Nothing is hashed."""
    if base is list or base is tuple:
        return list(base.__getitem__(value, slice(start, start + count)))
    iterator = iter(dict.items(value)) if base is dict else base.__iter__(value)
    return list(islice(iterator, start, start + count))


def say_items(items: list[Any], base: Any, speaker: Speaker, depth: int) -> list[str]:
    """Items of a container, each by itself; pairs with a colon."""
    if base is dict:
        return [speaker.say(key, depth) + ": " + speaker.say(one, depth) for key, one in items]
    return [speaker.say(item, depth) for item in items]


def containing(base: Any, opening: str, closing: str) -> Callable[..., str]:
    """A writer of containers that lie in others."""

    def say_container(value: Any, speaker: Speaker, depth: int) -> str:
        length = base.__len__(value)
        if depth > INNER_DEPTH:
            parts = ["…"] if length else []
        else:
            items = first_items(value, base, 0, INNER_ITEMS)
            parts = say_items(items, base, speaker, depth + 1)
            parts += ["…"] if length > len(items) else []
        return enclosed(value, base, ", ".join(parts), opening, closing)

    return say_container


def enclosed(value: object, base: Any, inside: str, opening: str, closing: str) -> str:
    """What a container holds in its brackets; of a subclass with the name of its type."""
    cls = type(value)
    text = opening + inside + closing
    if any(cls is one for one in LITERALS):
        single = base is tuple and tuple.__len__(value) == 1  # type: ignore[arg-type]
        return text if not single else opening + inside + "," + closing
    return class_name(cls) + (text if base is tuple else "(" + text + ")")
