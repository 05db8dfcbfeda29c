"""The first items of containers, and the types of the items."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cave_lab.kernel.probe.inside.look_bounds import SHOWN_ITEMS, counted
from cave_lab.kernel.probe.inside.look_values import (
    CONTAINERS,
    Speaker,
    enclosed,
    first_items,
    say_items,
)
from cave_lab.kernel.probe.inside.plain import CLASS_MRO, class_name

LINE_CHARS = 100
"""Items that need more room than this stand in a line each."""
TYPED_ITEMS = 1_000
"""Items of which the types are counted."""
SHOWN_KINDS = 8


def container_base(value: object) -> Any:
    """The builtin container that a value is or is derived from, with its brackets; or None."""
    for cls in CLASS_MRO(type(value)):
        for base, opening, closing in CONTAINERS:
            if cls is base:
                return base, opening, closing
    return None


def items_text(value: Any, speaker: Speaker, start: int) -> tuple[str, int]:
    """Some items of a container, and how many they are."""
    base, opening, closing = container_base(value)
    items = first_items(value, base, start, SHOWN_ITEMS)
    parts = say_items(items, base, speaker, 1)
    if start + len(items) < base.__len__(value):
        parts.append("…")
    return enclosed(value, base, joined_items(parts), opening, closing), len(items)


def joined_items(parts: list[str]) -> str:
    """Items in one line if they fit into it, else each in its own."""
    line = ", ".join(parts)
    return line if len(line) <= LINE_CHARS else ",\n ".join(parts)


def item_types(value: Any) -> str:
    """How many items there are, and of which types the first ones are."""
    base, _, _ = container_base(value)
    length = base.__len__(value)
    items = first_items(value, base, 0, TYPED_ITEMS)
    if base is dict:
        keys = type_counts([key for key, _ in items])
        told = "keys: " + keys + "; values: " + type_counts([one for _, one in items])
    else:
        told = type_counts(items)
    part = f"; of the first {len(items):,}" if len(items) < length else ""
    return counted(length, "item") + (f"{part}: {told}" if length else "")


def type_counts(items: list[Any]) -> str:
    """The most frequent types with their counts."""
    counts = Counter(class_name(type(item)) for item in items)
    told = [f"{count:,} {name}" for name, count in counts.most_common(SHOWN_KINDS)]
    return ", ".join(told + ["…"] * (len(counts) > SHOWN_KINDS))
