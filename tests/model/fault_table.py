"""What becomes of every fault that the fake server can play, as one table."""

from dataclasses import dataclass
from typing import get_args

from cave_lab.errors import (
    ContextTooLong,
    EmptyResponse,
    ModelBadRequest,
    ModelDropped,
    ModelError,
    ModelKeyRejected,
    ModelNotFound,
    ModelQuota,
    ModelRateLimited,
    ModelRefused,
    ModelServerFault,
    ModelTimeout,
    ModelUnreachable,
    ToolsUnsupported,
)
from cave_lab.model.script import StatusFault, WireFault
from cave_lab.protocol.words import NextStep, StopReason

KINDS: tuple[str, ...] = (*get_args(StatusFault), *get_args(WireFault))
"""All that can go wrong."""


@dataclass(frozen=True)
class Fate:
    """The error of a fault that strikes before the first word, and what the person is offered."""

    error: type[ModelError]
    steps: tuple[NextStep, ...]
    again: bool = False
    """Whether it is tried again by itself."""
    stop: StopReason = "model_error"


_SETTINGS: tuple[NextStep, ...] = ("open_model_settings",)
_KEY = Fate(ModelKeyRejected, _SETTINGS)
_QUOTA = Fate(ModelQuota, _SETTINGS)
_CONTEXT = Fate(ContextTooLong, ("new_thread",))
_PROVIDER = Fate(ModelServerFault, ("try_again",), again=True)
_DROPPED = Fate(ModelDropped, ("try_again",), again=True)
_SILENT = Fate(ModelTimeout, ("try_again", "open_model_settings"))
_NO_ANSWER = Fate(EmptyResponse, ("open_model_settings", "try_again"))

UNREACHABLE = Fate(ModelUnreachable, ("try_again", "open_model_settings"))
"""Nobody listens: no fault of a server that is there."""

BEFORE: dict[str, Fate] = {
    "key_missing": _KEY,
    "billing": _QUOTA,
    "forbidden": _KEY,
    "not_found": Fate(ModelNotFound, _SETTINGS),
    "rate_limited": Fate(ModelRateLimited, ("try_again",), again=True),
    "quota": _QUOTA,
    "context_code": _CONTEXT,
    "context_words": _CONTEXT,
    "policy": Fate(ModelRefused, (), stop="refusal"),
    # The person hears of it only where they asked for tools; else the turn goes on in fences.
    "no_tools": Fate(ToolsUnsupported, _SETTINGS),
    "bad_request": Fate(ModelBadRequest, ("open_model_settings", "try_again")),
    "server_error": _PROVIDER,
    "bad_gateway": _PROVIDER,
    "unavailable": _PROVIDER,
    "overloaded": _PROVIDER,
    "hang": _SILENT,
    "headers_only": _SILENT,
    "keep_alives": _SILENT,
    "empty_deltas": _SILENT,
    "reset": _DROPPED,
    "eof": _DROPPED,
    "no_finish": _NO_ANSWER,
    "malformed_chunk": _NO_ANSWER,
    "error_event": _PROVIDER,
    "html": _NO_ANSWER,
    "json_error": _NO_ANSWER,
    "garbage": _NO_ANSWER,
    "empty": _NO_ANSWER,
    "not_streamed": _NO_ANSWER,
}
"""The fate of each fault that ends a call before its first word."""

HARMLESS = {"slow_headers"}
"""What is only waited for."""

SILENT = {kind for kind, fate in BEFORE.items() if fate is _SILENT}
"""What only our own clocks end."""

HALFWAY = {*SILENT, "reset", "eof", "no_finish", "malformed_chunk", "error_event"} - {
    "headers_only"  # they can't come a second time
}
"""What can strike in the middle of an answer, too."""
