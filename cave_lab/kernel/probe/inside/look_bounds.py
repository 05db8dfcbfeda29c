"""What one look may cost, and how long what it tells may be."""

from __future__ import annotations

from time import perf_counter
from typing import Any

SHOWN_ROWS = 5
"""Rows of a table at its beginning."""
SLICE_ROWS = 20
"""Rows of a table from a place that was asked for."""
SHOWN_COLUMNS = 20
SHOWN_ITEMS = 20
"""Items of a container or an array."""
SCANNED_ROWS = 1_000_000
"""Rows that a summary goes through at most: 5 ms where they are numbers."""
SAMPLED_ROWS = 20_000
"""Rows in which equal values are counted beside a summary of numbers."""
PIECE_ROWS = 65_536
"""Rows of numbers that are looked at at once: what is copied for it stays small."""
COUNTED_ROWS = 4_096
"""Rows of objects between two looks at the clock."""
SEARCHED_COLUMNS = 5_000
"""Columns among which a name is searched."""
SKIPPED_ITEMS = 1_000_000
"""Items of a dict or set that are passed over to reach a place."""


class Deadline:
    """The end of the time that one answer may take."""

    def __init__(self, seconds: float) -> None:
        self._end = perf_counter() + seconds

    def is_over(self) -> bool:
        """Whether the time is up."""
        return perf_counter() > self._end

    def share(self, parts: int) -> Deadline:
        """The end of an equal share of what is left."""
        return Deadline((self._end - perf_counter()) / parts)


def counted(count: int, noun: str) -> str:
    """A number of things in words."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def fitted(text: str, limit: int, reach: int) -> dict[str, Any]:
    """A text by head and tail, and what stands beside their cuts."""
    total = len(text)
    if total <= limit:
        return excerpt_of(total, head=text)
    half = limit // 2
    start = total - half
    behind, ahead = text[half : half + reach], text[max(half, start - reach) : start]
    return excerpt_of(total, head=text[:half], behind=behind, ahead=ahead, tail=text[start:])


def excerpt_of(total: int, head: str, tail: str = "", **beside: str) -> dict[str, Any]:
    """What is sent of a text of which more may be there, as valid UTF-8.

    `head` and `tail` are told, between `opening` and `closing`. What stands `before` and `behind`
    the head and `ahead` of the tail is not: a secret can only be known as a whole.
    """
    texts = {"head": head, "tail": tail, **beside}
    sent = {name: sendable(text) for name, text in texts.items()}
    return {**sent, "total": total, "cut": len(head) + len(tail) < total}


def sendable(text: str) -> str:
    """A text as it can be sent: half a surrogate pair is written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
