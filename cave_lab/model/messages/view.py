"""What the derivation of messages needs besides the thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cave_lab.limits import Limits
from cave_lab.protocol.content import Outline
from cave_lab.protocol.ids import BlobId, RunId
from cave_lab.protocol.words import PrivacyMode


@dataclass(frozen=True)
class View:
    """The fixed words, the bounds, and what the thread only names."""

    system: str
    redact: Callable[[str], str]
    limits: Limits
    outlines: Mapping[BlobId, Outline]
    newer: BlobId | None = None
    """The outline to be told with the coming call, if the person changed the notebook."""
    kept: Mapping[BlobId, str] = field(default_factory=dict)
    """What providers may want back of their replies, by what the call says it was kept as."""
    figures: Mapping[RunId, Sequence[str]] = field(default_factory=dict)
    """The figures that go out as images, by the run that drew them."""


@dataclass(frozen=True)
class Terms:
    """Under what all is told, whatever it is."""

    privacy: PrivacyMode
    redact: Callable[[str], str]
    limits: Limits


def bounds_of(window: int, limits: Limits) -> Limits:
    """The bounds for a model of this window: of a small one no one thing must take it all.

    A token is at least a character of most texts and about four of English, so that notebook and
    variables get an eighth of the window each, or a half at worst.
    """
    looks = min(limits.looks_chars, int(window * limits.looks_share))
    return replace(
        limits,
        outline_chars=min(limits.outline_chars, window // 2),
        model_variables_chars=min(limits.model_variables_chars, window // 2),
        looks_chars=looks,
        mentioned_chars=min(limits.mentioned_chars, int(window * limits.mentioned_share)),
        page_chars=min(limits.page_chars, max(looks // 2, looks - limits.beside_page_chars)),
    )
