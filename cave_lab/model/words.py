"""A provider's own words, made fit to be shown: without secrets, without controls, bounded."""

from __future__ import annotations

from collections.abc import Callable

from cave_lab.privacy.controls import strip_controls


def fit(text: str, redact: Callable[[str], str], limit: int) -> str:
    """Redact a text, put it on one line without controls, and cut it to `limit` characters."""
    plain = " ".join(redact(strip_controls(text)).split())
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"
