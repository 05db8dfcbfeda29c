"""Whether a model sees images: what the library's table knows, and what providers say if not."""

from __future__ import annotations

import re
from typing import Any

from cave_lab.errors import ModelBadRequest, ModelError, ModelNotFound, ModelServerFault
from cave_lab.model.litellm.counting import table_entry
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice, ModelRequest, ResultMessage, UserMessage

_IMAGES = r"(?:images?|image_url|vision|multi-?modal)"
_TAKES_NONE = re.compile(
    rf"\b{_IMAGES}\b[^.;]{{0,40}}(?:not|n't) (?:supported|enabled|allowed|accepted)"
    rf"|(?:not|n't) (?:support|accept|have|take|allow)\w* (?:\w+ ){{0,2}}{_IMAGES}\b"
    rf"|\b{_IMAGES}\b[^.;]{{0,20}} only supported by|found that support image"
    r"|missing data required for image|unsupported content type.{0,3}image"
    rf"|\bnot an? {_IMAGES}\b|unknown variant .?image|expected `text`"
    r"|(?:content|input) (?:must|should) be a (?:valid )?string",
    re.IGNORECASE,
)
"""Providers say in many words that a model takes no images; these mean it where some were sent."""
_OF_THESE = re.compile(
    r"too (?:many|much|large|big|small)|more than|larger|exceed|at most|maximum"
    r"|\b(?:limit|rate|size)|dimension|resolution|pixel|format\b|media type|mime|image/\w"
    r"|base64|animated|\bnow\b|moment",
    re.IGNORECASE,
)
"""Speaks of these images alone, or of this moment."""
_AT_MOST_NONE = re.compile(r"at most 0 image", re.IGNORECASE)
_ABOUT_IMAGES = re.compile(r"image|vision|multi-?modal", re.IGNORECASE)


def table_sees(litellm: Any, choice: ModelChoice) -> bool | None:
    """Whether the library's table says that a model sees images; None if it does not know it."""
    try:
        entry = table_entry(litellm, Route.of(litellm, choice))
    except ModelNotFound:
        return None
    return None if entry is None else bool(entry.get("supports_vision"))


def images_refused(error: ModelError, request: ModelRequest) -> bool:
    """Whether a call was refused as the model takes no images; some servers call it their fault."""
    refused = isinstance(error, ModelBadRequest | ModelServerFault)
    return refused and _has_images(request) and _takes_none(_words_of(error, request))


def figures_refused(error: ModelError, request: ModelRequest) -> bool:
    """Whether a call was refused for these images, be they too many, too large or whatever else."""
    words = _words_of(error, request)
    refused = isinstance(error, ModelBadRequest) and _has_images(request)
    return refused and _ABOUT_IMAGES.search(words) is not None and not _takes_none(words)


def _words_of(error: ModelError, request: ModelRequest) -> str:
    """What a provider said, without the model's name: it may speak of vision by itself."""
    name = request.choice.name
    return (error.detail or "").replace(name, "").replace(name.rpartition("/")[2], "")


def _takes_none(words: str) -> bool:
    said = _TAKES_NONE.search(words) is not None and not _OF_THESE.search(words)
    return said or _AT_MOST_NONE.search(words) is not None


def _has_images(request: ModelRequest) -> bool:
    return any(
        isinstance(message, ResultMessage | UserMessage) and message.images
        for message in request.messages
    )
