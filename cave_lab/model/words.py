"""A provider's or a model's own words: whether they can be written, and fit to be shown."""

from __future__ import annotations

from collections.abc import Callable

from cave_lab.privacy.controls import strip_controls


def fit(text: str, redact: Callable[[str], str], limit: int) -> str:
    """Redact a text, put it on one line without controls, and cut it to `limit` characters."""
    plain = " ".join(redact(strip_controls(text)).split())
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def writable(text: str) -> bool:
    """Whether a text is whole: half a surrogate pair can't be hashed, journaled or sent."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
