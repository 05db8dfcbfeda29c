"""Names fields that a client got wrong."""

from __future__ import annotations

NAME_CHARS = 80
"""Of a wrong field's name, in the sentence that names it."""


def field_name(place: tuple[int | str, ...]) -> str:
    """Name a field; the name may be the sender's own invention, of any length."""
    return ".".join(map(str, place))[:NAME_CHARS]
