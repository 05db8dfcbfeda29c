"""The types of what a container holds, learned from a few elements and by no call to them."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Any, Callable, Iterable

from cave_lab.kernel.probe.inside.plain import class_name

SAMPLED = 32
"""Elements whose types are looked at."""

TYPES_NAMED = 3
"""Types that are named; a list of twenty types is no better known by all their names."""


def spread(base: Any, value: Any) -> list[Any]:
    """Elements from all over a sequence: the first ones are often not like the rest."""
    step = max(1, -(-base.__len__(value) // SAMPLED))
    return list(base.__getitem__(value, slice(None, None, step)))


def spread_types(base: Any, value: Any) -> str:
    """The types in a sequence."""
    return type_names(spread(base, value))


def first_types(base: Any, value: Any) -> str:
    """The types of the first elements, where only they can be reached at once."""
    return type_names(islice(base.__iter__(value), SAMPLED))


def pair_types(base: Any, value: Any) -> str:
    """The types of the first keys and of their values."""
    pairs = list(islice(base.items(value), SAMPLED))
    keys, values = (type_names(part) for part in zip(*pairs))
    return keys + " → " + values


SAMPLERS: dict[Any, Callable[[Any, Any], str]] = {
    list: spread_types,
    tuple: spread_types,
    set: first_types,
    frozenset: first_types,
    deque: first_types,
    dict: pair_types,
}
"""How the types in a container are learned, by the methods of the builtin class itself."""


def element_types(base: Any, value: Any) -> str | None:
    """What a container holds, as `of int, str`; None of an empty one."""
    length = base.__len__(value)
    if not length:
        return None
    try:
        text = SAMPLERS[base](base, value)
    except (RuntimeError, ValueError):  # Another thread changes it right now.
        return None
    return "of " + text + (" (sample)" if length > SAMPLED else "")


def type_names(values: Iterable[object]) -> str:
    """The names of the types of some values, each once, in the order that they come in."""
    classes = {id(cls): cls for cls in map(type, values)}
    names = list(dict.fromkeys(map(class_name, classes.values())))
    return ", ".join(names[:TYPES_NAMED]) + (", …" if len(names) > TYPES_NAMED else "")
