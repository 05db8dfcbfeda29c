"""Secrets overwritten where they stand, so that all else keeps its place until they are masked."""

from __future__ import annotations

import re

MASK = "[redacted]"

_FIRST, _OTHER = "\ufdd0", "\ufdd1"
"""Stand for a secret's first character and for each further one; no text may hold them."""
_BLANKS = re.compile(f"{_FIRST}{_OTHER}*|{_OTHER}+")


def blank(secret: str) -> str:
    """As many blanks as a secret has characters."""
    return _FIRST + _OTHER * (len(secret) - 1) if secret else ""


def blanked(found: re.Match[str]) -> str:
    """What was found with blanks for the secret: for all but what it may have `kept`."""
    kept = found.groupdict().get("kept") or ""
    return kept + blank(found[0][len(kept) :])


def masked(text: str) -> str:
    """A mask for each secret, or for what there is of it."""
    return _BLANKS.sub(MASK, text)
