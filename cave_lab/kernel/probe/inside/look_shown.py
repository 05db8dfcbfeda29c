"""What is asked of one value, and what is shown of it."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.describe import Look
from cave_lab.kernel.probe.inside.look_bounds import Deadline, counted, fitted
from cave_lab.kernel.probe.inside.look_values import Speaker

UNREADABLE = "Only its type can be told without running code of the object."
EMPTY = "It is empty."
NO_COLUMNS = "It has no columns."
WITHHELD = "Only counts are told here, not values."
ROOM = 4
"""Nested values are written up to so many times what is kept of them: enough for both ends."""


class Wish:
    """How closely to look; with neither a column nor a start, at the beginning."""

    def __init__(
        self, *, column: str | None, start: int | None, values: bool, max_chars: int, reach: int
    ) -> None:
        self.column = column
        self.start = start
        self.values = values
        self.max_chars = max_chars
        self.reach = reach
        """Characters beside what is told that are sent with it."""


class Shown:
    """A text or a cut one as it is sent, whether it holds values, and what is to be said of it."""

    def __init__(
        self, text: str | dict[str, Any] | None, values: bool = False, note: str | None = None
    ) -> None:
        self.text = text
        self.values = values
        self.note = note


class View:
    """The means by which one value is looked at."""

    def __init__(self, look: Look, wish: Wish, deadline: Deadline) -> None:
        self.look = look
        self.wish = wish
        self.deadline = deadline
        self.speaker = Speaker(look, ROOM * wish.max_chars)

    @property
    def start(self) -> int:
        """The place to look from."""
        return self.wish.start or 0

    def part(self, text: str | dict[str, Any], shown: int, total: int, noun: str) -> Shown:
        """A part of a value, with its place in the whole where that was asked for."""
        if not total:
            return Shown(text or None, True, EMPTY)
        if shown <= 0:
            return Shown(None, note=f"It has only {counted(total, noun)}.")
        if self.wish.start is None or shown >= total:
            return Shown(text, True)
        last = self.start + shown - 1
        place = f"s {self.start:,} to {last:,}" if shown > 1 else f" {self.start:,}"
        return Shown(text, True, f"{noun.capitalize()}{place} of {total:,}, counted from 0.")

    def sent(self, shown: Shown) -> dict[str, Any]:
        """What is shown, as it is sent."""
        text = shown.text
        if type(text) is str:
            text = fitted(text, self.wish.max_chars, self.wish.reach)
        withheld = WITHHELD if not self.wish.values and shown.note is None else None
        return {"text": text, "values": shown.values, "note": shown.note or withheld}
