"""What went wrong on a provider's side, told as one of our errors.

The provider's codes are trusted over the classes of a client library, and its words over a bare
status: the same status means different things to different providers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from cave_lab.errors import (
    ContextTooLong,
    EmptyResponse,
    ModelBadRequest,
    ModelDropped,
    ModelError,
    ModelKeyMissing,
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
from cave_lab.model.words import fit

Broken = Literal["unreachable", "dropped", "timeout", "garbage"]


@dataclass(frozen=True)
class Trouble:
    """What is known of a failed call."""

    message: str = ""
    status: int | None = None
    code: str | None = None
    type: str | None = None
    broken: Broken | None = None
    """What became of the connection, if no answer came."""
    retry_after: float | None = None
    answered: bool = False
    """A server said it, not the client library."""


# ── from a trouble to our error

_BY_CODE: dict[str, type[ModelError]] = {
    "invalid_api_key": ModelKeyRejected,
    "authentication_error": ModelKeyRejected,
    "permission_error": ModelKeyRejected,
    "permission_denied": ModelKeyRejected,
    "unauthenticated": ModelKeyRejected,
    "insufficient_quota": ModelQuota,
    "billing_error": ModelQuota,
    "billing_hard_limit_reached": ModelQuota,
    "payment_required": ModelQuota,
    "402": ModelQuota,
    "rate_limit_error": ModelRateLimited,
    "rate_limit_exceeded": ModelRateLimited,
    "context_length_exceeded": ContextTooLong,
    "exceed_context_size_error": ContextTooLong,
    "request_too_large": ContextTooLong,
    "content_filter": ModelRefused,
    "content_policy_violation": ModelRefused,
    "model_not_found": ModelNotFound,
    "not_found_error": ModelNotFound,
    "overloaded_error": ModelServerFault,
}
_WORDS: tuple[tuple[type[ModelError], str], ...] = (
    (ContextTooLong, r"maximum context|context (length|size|window)|prompt is too long"),
    (ContextTooLong, r"too many (input )?tokens|input is too long|reduce the length"),
    (ContextTooLong, r"exceed(s|ing)? (the maximum number of tokens|context limit)"),
    (ToolsUnsupported, r"(not|n't) support (the )?(tool|function)|tools? (is|are) not supported"),
    (ToolsUnsupported, r"(tool|function) (use|calling)`? is not (supported|enabled)"),
    (ToolsUnsupported, r"endpoints? found that support tool"),
    # Servers that could call tools, but were started without.
    (ToolsUnsupported, r"tools param requires --jinja|requires --enable-auto-tool-choice"),
    (ModelRefused, r"content (management |filter(ing)? )?policy|content filter|safety system"),
    (ModelQuota, r"credit balance|insufficient (credit|balance|quota|funds)|billing"),
    # A client library's own words: it looked into the environment and sent nothing.
    (ModelKeyMissing, r"_api_key is not set|\bset (the )?`?\w+_api_?key|no key is set either in"),
    (ModelKeyMissing, r"missing credentials\. please pass|unable to locate credentials"),
    (ModelKeyRejected, r"api[ _-]key (not valid|is invalid)|(invalid|no) api[ _-]key|missing cred"),
    (ModelKeyRejected, r"missing (\w+ )?api[ _-]key"),
    # Our headers are fixed but for the key, and a key from a file may end in a line's end.
    (ModelKeyRejected, r"control character detected in headers|illegal header value"),
    (ModelNotFound, r"model\b.{0,80}\b(not found|does not exist|not exist)"),
)
_BY_WORDS = [(error, re.compile(words, re.IGNORECASE)) for error, words in _WORDS]
_BY_STATUS: dict[int, type[ModelError]] = {
    401: ModelKeyRejected,
    402: ModelQuota,
    403: ModelKeyRejected,
    404: ModelNotFound,
    408: ModelTimeout,
    413: ContextTooLong,
    429: ModelRateLimited,
}
_FAULT_TYPES = {"server_error", "internal_server_error", "api_error"}
"""Said in a stream that had begun well; beside a status they mean little."""
_BY_BREAK: dict[Broken, type[ModelError]] = {
    "unreachable": ModelUnreachable,
    "dropped": ModelDropped,
    "timeout": ModelTimeout,
    "garbage": EmptyResponse,
}


def classify(trouble: Trouble, redact: Callable[[str], str], limit: int) -> ModelError:
    """Name the error; its detail holds at most `limit` redacted characters of their words."""
    detail = fit(trouble.message, redact, limit) or None
    if trouble.broken is not None:
        return _BY_BREAK[trouble.broken](detail=detail)
    return _kind(trouble)(detail=detail, retry_after=trouble.retry_after)


def _kind(trouble: Trouble) -> type[ModelError]:
    for code in (trouble.code, trouble.type):
        if code is not None and code.lower() in _BY_CODE:
            return _BY_CODE[code.lower()]
    for error, words in _BY_WORDS:
        ours = error is not ModelKeyMissing or not trouble.answered
        if ours and words.search(trouble.message) and not _passing(error, trouble):
            return error
    if trouble.status is None and trouble.type in _FAULT_TYPES:
        return ModelServerFault
    return _of_status(trouble.status)


def _passing(error: type[ModelError], trouble: Trouble) -> bool:
    """Some providers speak of quota and billing in a rate limit that passes within seconds."""
    waits = trouble.retry_after is not None or "retry in" in trouble.message
    return error is ModelQuota and trouble.status == 429 and waits


def _of_status(status: int | None) -> type[ModelError]:
    if status is None:
        return ModelError
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return ModelServerFault if status >= 500 else ModelBadRequest


# ── from an exception to a trouble

_BREAKS: dict[str, Broken] = {
    "ConnectError": "unreachable",
    "ConnectTimeout": "unreachable",
    "SSLError": "unreachable",
    "UnsupportedProtocol": "unreachable",
    "InvalidURL": "unreachable",
    "LocalProtocolError": "unreachable",
    "ReadError": "dropped",
    "WriteError": "dropped",
    "RemoteProtocolError": "dropped",
    "ConnectionResetError": "dropped",
    "ConnectionRefusedError": "unreachable",
    "gaierror": "unreachable",
    "ReadTimeout": "timeout",
    "WriteTimeout": "timeout",
    "PoolTimeout": "timeout",
    "JSONDecodeError": "garbage",
    "UnicodeDecodeError": "garbage",
}
_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception)(?::| -) )+")


def trouble_in(error: BaseException) -> Trouble:
    """Read an exception and its causes; the deepest one knows best."""
    chain = list(_chain(error))
    body = _last(_body(e) or None for e in chain) or {}
    message = body.get("message") or next((str(e) for e in reversed(chain) if str(e)), "")
    broken = _last(_BREAKS.get(cls.__name__) for e in chain for cls in type(e).__mro__)
    return Trouble(
        message=_PREFIX.sub("", str(message)),
        status=_last(_status(e) for e in chain),
        code=_word(body.get("code")),
        type=_word(body.get("type") or body.get("status")),
        broken=None if body else broken,
        retry_after=_last(_retry_after(e) for e in chain),
        answered=any(_is_answer(e) for e in chain),
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    passed: set[int] = set()
    while error is not None and id(error) not in passed:
        passed.add(id(error))
        yield error
        original = getattr(error, "original_exception", None)
        error = original if original is not None else error.__cause__ or error.__context__


def _last(values: Iterable[Any]) -> Any:
    return next((value for value in reversed(list(values)) if value is not None), None)


def _status(error: BaseException) -> int | None:
    """A status that was sent: client libraries make up a 500 where no answer came."""
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None) or getattr(error, "status_code", None)
    plausible = _is_answer(error) or (isinstance(status, int) and 400 <= status < 500)
    return status if isinstance(status, int) and plausible else None


def _is_answer(error: BaseException) -> bool:
    """Whether a server's answer came with it: one that is made up has no headers."""
    return bool(getattr(getattr(error, "response", None), "headers", None))


def _body(error: BaseException) -> Mapping[str, Any]:
    body = getattr(error, "body", None)
    if not isinstance(body, Mapping):
        body = _json_in(str(getattr(error, "message", "")))
    inner = body.get("error", body)
    return inner if isinstance(inner, Mapping) else {"message": inner}


def _json_in(text: str) -> Mapping[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return {}
    try:
        found = json.loads(text[start : end + 1])
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _word(value: Any) -> str | None:
    return None if value is None else str(value)


def _retry_after(error: BaseException) -> float | None:
    holders = (error, getattr(error, "response", None))
    for headers in [getattr(holder, "headers", None) for holder in holders]:
        if headers is not None and headers.get("retry-after"):
            return seconds_asked(headers.get("retry-after"), datetime.now(UTC))
    return None


def seconds_asked(header: str, now: datetime) -> float | None:
    """Read `Retry-After`: seconds or an HTTP date; None if it is neither."""
    try:
        return max(0.0, float(header))
    except ValueError:
        return _seconds_until(header, now)


def _seconds_until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    # A date that names no zone is meant in that of all dates in headers.
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
