"""Fingerprints: small keys that differ after a change in place, and whether they see every one.

A key holds numbers and short texts alone, so it keeps no value of the user alive. An id proves
nothing by itself (ids are used again); it counts only beside lengths, types and contents.
"""

from __future__ import annotations

from collections import deque
from itertools import chain
from typing import Any, Callable, TypeAlias

from cave_lab.kernel.probe.inside.describe import Look
from cave_lab.kernel.probe.inside.effort import Effort, Spent
from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    CLASS_MRO,
    GETSET,
    MODULE,
    class_module,
    instance_dict,
    is_subclass,
)
from cave_lab.kernel.probe.inside.print_arrays import print_array
from cave_lab.kernel.probe.inside.print_frames import print_index, print_pandas

DEPTH = 4
"""Levels of containers that are entered."""

NESTED = 256
"""Elements that are entered one by one: each takes about 10 microseconds."""

SAMPLES = 64
"""Elements looked at in a container that is too long."""

ATOM_CHARS = 4_096
"""Longer texts are told apart by length and id: hashing 1 GB takes half a second."""

ATOMS = (int, float, bool, complex, str, bytes, type(None), type(...), type(NotImplemented), range)
ATOM_IDS = frozenset(map(id, ATOMS))
NUMBER_IDS = frozenset(map(id, (int, float, bool, complex, type(None))))
ROW_IDS = frozenset(map(id, (list, tuple, dict)))
FUNCTION: Any = type(lambda: None)
CLASS_SIZE = type.__dict__["__basicsize__"].__get__
PLAIN_SIZE = CLASS_SIZE(type("Plain", (), {}))

Print: TypeAlias = "tuple[Any, bool]"
"""A pair: a key to compare, and whether equal keys mean that nothing changed in place."""


class Printer:
    """Takes fingerprints in one pass, within its effort."""

    def __init__(self, look: Look, effort: Effort) -> None:
        self.look = look
        self.effort = effort
        self._table = {id(cls): printer for cls, printer in self._printers() if cls}

    def _printers(self) -> list[tuple[Any, Callable[..., Print]]]:
        frames = self.look.frames
        return [
            (list, print_list),
            (tuple, print_tuple),
            (dict, print_dict),
            (set, print_set),
            (frozenset, print_set),
            (deque, print_deque),
            (bytearray, print_bytearray),
            (self.look.arrays.ndarray, print_array),
            (frames.frame, print_pandas),
            (frames.series, print_pandas),
            (frames.index, print_index),
            (self.look.arrays.generic, print_fixed),
            (FUNCTION, print_function),
            *((cls, print_fixed) for cls in (type(len), MODULE, GETSET, property)),
            *((cls, print_fixed) for cls in (staticmethod, classmethod)),
            (type, print_class),
            (object, print_instance),
        ]

    def take(self, value: object, depth: int = DEPTH) -> Print:
        """The fingerprint of a value; of one that can't be read, its class alone."""
        cls = type(value)
        if id(cls) in ATOM_IDS:
            return print_atom(value), True
        self.effort.check()
        try:
            printer = next(
                self._table[id(base)] for base in CLASS_MRO(cls) if id(base) in self._table
            )
            key, exact = printer(value, self, depth)
        except Spent:
            raise
        except Exception:  # A broken or foreign inside: nothing is known of its contents.
            key, exact = (), False
        return (id(cls), key), exact

    def take_all(self, values: tuple[Any, ...], depth: int) -> Print:
        """The fingerprint of a container's elements, in their order."""
        classes = set(map(id, map(type, values)))
        if classes <= NUMBER_IDS:
            return (len(values), hash(values), hash(tuple(map(id, values)))), True
        if classes <= ATOM_IDS:
            return (len(values), hash(tuple(map(id, values)))), True
        if len(classes) == 1 and classes <= ROW_IDS and depth > 0:
            return self._take_rows(values, depth)
        if depth <= 0 or len(values) > NESTED:
            return (len(values), hash(tuple(map(id, values)))), False
        prints = [self.take(value, depth - 1) for value in values]
        ids = hash(tuple(map(id, values)))
        return (ids, hash(tuple(key for key, _ in prints))), all(exact for _, exact in prints)

    def _take_rows(self, rows: tuple[Any, ...], depth: int) -> Print:
        """Many small containers of one type, as records are: their elements as one sequence."""
        lengths = tuple(map(len, rows))
        key = (hash(tuple(map(id, rows))), hash(lengths))
        if sum(lengths) > self.effort.whole_elements:
            return key, False
        if type(rows[0]) is not dict:
            cells, exact = self.take_all(tuple(chain.from_iterable(rows)), depth - 1)
            return (key, cells), exact
        names, exact_names = self.take_all(tuple(chain.from_iterable(map(dict.keys, rows))), 0)
        cells, exact = self.take_all(tuple(chain.from_iterable(map(dict.values, rows))), depth - 1)
        return (key, names, cells), exact and exact_names


def is_atom(key: Any) -> bool:
    """Whether a key is that of an exact immutable builtin, so that equal keys are equal values."""
    return key[0] in ATOM_IDS


def print_atom(value: Any) -> Any:
    """The key of an exact immutable builtin: the value itself where it is small."""
    cls = type(value)
    if cls is float or cls is complex:
        return id(cls), repr(value)
    if cls is str or cls is bytes:
        return id(cls), len(value), hash(value) if len(value) <= ATOM_CHARS else id(value)
    if cls is int:
        return id(cls), hash(value), int.bit_length(value), value < 0
    return id(cls), hash(value)


def print_sequence(value: Any, base: Any, printer: Printer, depth: int) -> Print:
    """All elements, or the length and a sample."""
    length = base.__len__(value)
    if length <= printer.effort.whole_elements:
        return printer.take_all(tuple(base.__iter__(value)), depth)
    step = max(1, length // SAMPLES)
    sample = tuple(base.__getitem__(value, place) for place in range(0, length, step))
    return (length, hash(tuple(map(id, sample)))), False


def print_list(value: Any, printer: Printer, depth: int) -> Print:
    """A list or a subclass; what a subclass keeps in its own dict counts too."""
    return with_attributes(value, print_sequence(value, list, printer, depth), printer, depth)


def print_tuple(value: Any, printer: Printer, depth: int) -> Print:
    """A tuple: itself fixed, its elements perhaps not."""
    return with_attributes(value, print_sequence(value, tuple, printer, depth), printer, depth)


def print_deque(value: Any, printer: Printer, depth: int) -> Print:
    """A deque; only its ends are sampled when it is long, the middle takes long to reach."""
    length = deque.__len__(value)
    if length <= printer.effort.whole_elements:
        found = printer.take_all(tuple(deque.__iter__(value)), depth)
    else:
        ends = (deque.__getitem__(value, 0), deque.__getitem__(value, -1))
        found = (length, tuple(map(id, ends))), False
    return with_attributes(value, found, printer, depth)


def print_dict(value: Any, printer: Printer, depth: int) -> Print:
    """Keys and values in their order; of a long dict the length alone."""
    length = dict.__len__(value)
    if length > printer.effort.whole_elements:
        return (length,), False
    keys, exact_keys = printer.take_all(tuple(dict.keys(value)), 0)
    values, exact_values = printer.take_all(tuple(dict.values(value)), depth)
    found = (keys, values), exact_keys and exact_values
    return with_attributes(value, found, printer, depth)


def print_set(value: Any, printer: Printer, depth: int) -> Print:
    """The elements of a set by identity: they can't be changed in place and stay findable."""
    base: Any = set if is_subclass(type(value), set) else frozenset
    length = base.__len__(value)
    if length > printer.effort.whole_elements:
        return (length,), False
    elements = tuple(base.__iter__(value))
    classes = set(map(id, map(type, elements)))
    return (length, hash(frozenset(map(id, elements)))), classes <= ATOM_IDS


def print_bytearray(value: Any, printer: Printer, depth: int) -> Print:
    """The contents, or the length of a long one."""
    length = bytearray.__len__(value)
    if length > printer.effort.whole_bytes:
        return (length,), False
    return (length, hash(bytes(memoryview(value)))), True


def print_fixed(value: object, printer: Printer, depth: int) -> Print:
    """What a cell does not change in place; modules are not watched."""
    return id(value), True


def print_function(value: Any, printer: Printer, depth: int) -> Print:
    """A function: its code, defaults and attributes; cells it closes over are not followed."""
    defaults, exact = printer.take(value.__defaults__, depth - 1)
    attributes, exact_too = printer.take(value.__dict__, depth - 1)
    key = (id(value.__code__), len(value.__code__.co_code), defaults, attributes)
    return key, exact and exact_too and value.__closure__ is None


def print_class(value: Any, printer: Printer, depth: int) -> Print:
    """A class of the user's own by the contents of its dict; other classes are not watched."""
    if class_module(value) != "__main__":
        return id(value), True
    inside = {
        name: member
        for name, member in list(CLASS_DICT(value).items())
        if type(name) is str and (name[:1] != "_" or type(member) is FUNCTION)
    }
    return printer.take(inside, min(depth, 2) - 1)


def print_instance(value: object, printer: Printer, depth: int) -> Print:
    """An instance by its dict; exact only if its class is plain Python without slots."""
    inside = instance_dict(value)
    if inside is None or depth <= 0:
        return (), False
    key, exact = printer.take(inside, depth - 1)
    return key, exact and is_plain_python(type(value))


def is_plain_python(cls: type) -> bool:
    """Whether instances keep all their state in their dict: no slots, no part in C."""
    return bool(CLASS_SIZE(cls) == PLAIN_SIZE)


def with_attributes(value: object, found: Print, printer: Printer, depth: int) -> Print:
    """The same fingerprint with what a subclass of a builtin keeps beside its contents."""
    inside = instance_dict(value)
    if not inside:
        return found
    attributes, exact = printer.take(inside, depth - 1)
    return (found[0], attributes), found[1] and exact
