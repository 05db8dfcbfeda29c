"""Looks at what is read from its beginning: texts, bytes, containers and single values."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.look_bounds import SKIPPED_ITEMS, counted, excerpt_of
from cave_lab.kernel.probe.inside.look_items import container_base, item_types, items_text
from cave_lab.kernel.probe.inside.look_shown import NO_COLUMNS, UNREADABLE, WITHHELD, Shown, View
from cave_lab.kernel.probe.inside.plain import is_subclass

FAR = f"Only the first {SKIPPED_ITEMS:,} items can be reached without a cell."
COUNTED_CHARS = 10_000_000
"""Lines of longer texts take long to count."""
BYTE_CHARS = 4
"""Characters that a byte takes at most when it is written."""


def show_text(value: Any, view: View) -> Shown:
    """A text as it is, from its beginning or a place in it."""
    total = str.__len__(value)
    if view.wish.column is not None:
        return Shown(None, note=NO_COLUMNS)
    if not view.wish.values:
        lines = str.count(value, "\n") + 1 if total <= COUNTED_CHARS else 0
        parts = [counted(total, "character"), *([counted(lines, "line")] if lines else [])]
        return Shown(" in ".join(parts))
    begin, start, stop, end = places_around(view, 1)
    head = str.__getitem__(value, slice(start, stop))
    before = str.__getitem__(value, slice(begin, start))
    behind = str.__getitem__(value, slice(stop, end))
    text = excerpt_of(total, before=before, head=head, behind=behind)
    return view.part(text, len(head), total, "character")


def show_bytes(value: Any, view: View) -> Shown:
    """Bytes as Python writes them."""
    base: Any = bytes if is_subclass(type(value), bytes) else bytearray
    total = base.__len__(value)
    if view.wish.column is not None:
        return Shown(None, note=NO_COLUMNS)
    if not view.wish.values:
        return Shown(counted(total, "byte"))
    begin, start, stop, end = places_around(view, BYTE_CHARS)
    part = bytes(base.__getitem__(value, slice(start, stop)))
    text = repr(part)
    sent = excerpt_of(
        len(text) - 3,
        opening=text[:2],
        before=unquoted(base.__getitem__(value, slice(begin, start))),
        head=text[2:-1],
        behind=unquoted(base.__getitem__(value, slice(stop, end))),
        closing=text[-1] + ("…" if stop < total else ""),
    )
    return view.part(sent, len(part), total, "byte")


def unquoted(part: Any) -> str:
    """Bytes as Python writes them, without the quotes."""
    return repr(bytes(part))[2:-1]


def places_around(view: View, chars: int) -> tuple[int, int, int, int]:
    """Where what is told of a value begins and ends, between what is only looked at beside it.

    Each place of the value takes so many characters at most.
    """
    stop = view.start + view.wish.max_chars // chars
    reach = view.wish.reach
    return max(0, view.start - reach), view.start, stop, stop + reach


def show_container(value: object, view: View) -> Shown:
    """The items of a list, tuple, dict, set or deque."""
    base, _, _ = container_base(value)
    if view.wish.column is not None:
        return Shown(None, note=NO_COLUMNS)
    if not view.wish.values:
        return Shown(item_types(value))
    if view.start > SKIPPED_ITEMS and base not in (list, tuple):
        return Shown(None, note=FAR)
    text, shown = items_text(value, view.speaker, view.start)
    return view.part(text, shown, base.__len__(value), "item")


def show_other(value: object, view: View) -> Shown:
    """A single value, if it can be read at all."""
    if not view.speaker.can_say(value):
        return Shown(None, note=UNREADABLE)
    if view.wish.column is not None:
        return Shown(None, note=NO_COLUMNS)
    if not view.wish.values:
        return Shown(None, note=WITHHELD)
    return Shown(view.speaker.say(value), True)
