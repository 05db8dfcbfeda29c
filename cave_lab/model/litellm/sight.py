"""Whether a model sees images: what the library's table knows, and what providers say if not."""

from __future__ import annotations

import re
from typing import Any

from cave_lab.errors import ModelBadRequest, ModelError, ModelNotFound, ModelServerFault
from cave_lab.model.litellm.counting import table_entry
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice, ModelRequest, ResultMessage, UserMessage

_ABOUT_IMAGES = re.compile(
    r"image|vision|multi-?modal|content (?:must|should) be a string|expected `?text`?",
    re.IGNORECASE,
)
"""Providers say it in many words; all of these mean it only where images were sent."""


def table_sees(litellm: Any, choice: ModelChoice) -> bool | None:
    """Whether the library's table says that a model sees images; None if it does not know it."""
    try:
        entry = table_entry(litellm, Route.of(litellm, choice))
    except ModelNotFound:
        return None
    return None if entry is None else bool(entry.get("supports_vision"))


def images_refused(error: ModelError, request: ModelRequest) -> bool:
    """Whether a call was refused for the images in it; some servers call that their own fault."""
    refused = isinstance(error, ModelBadRequest | ModelServerFault)
    return refused and _has_images(request) and bool(_ABOUT_IMAGES.search(error.detail or ""))


def _has_images(request: ModelRequest) -> bool:
    return any(
        isinstance(message, ResultMessage | UserMessage) and message.images
        for message in request.messages
    )
