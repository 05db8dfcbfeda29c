"""What strict local servers refuse: fields they do not know, and any field that is null."""

from collections.abc import Iterator
from typing import Any

KNOWN = {
    "body": {
        "model",
        "messages",
        "stream",
        "stream_options",
        "tools",
        "tool_choice",
        "reasoning_effort",
    },
    "messages": {"role", "content", "tool_calls", "tool_call_id"},
    "stream_options": {"include_usage"},
    "tools": {"type", "function"},
    "tool_calls": {"id", "type", "function"},
    "content": {"type", "text", "image_url"},
    "image_url": {"url"},
}
"""The fields of each object of a request, by the field that holds it; others are not looked at."""


def strict_refusal(body: dict[str, Any]) -> dict[str, Any] | None:
    """The body of the 400 of a model whose name says `strict`; None if it takes the request."""
    if "strict" not in str(body.get("model", "")):
        return None
    wrong = [*_nulls(body, "body"), *_unknown(body, "body")]
    message = f"validation errors: {'; '.join(wrong)}"
    return {"error": {"message": message, "type": "invalid_request_error"}} if wrong else None


def _nulls(value: Any, place: str) -> Iterator[str]:
    if value is None:
        yield f"{place}: none is not an allowed value"
    for name, inner in _inside(value):
        yield from _nulls(inner, f"{place}.{name}")


def _unknown(value: Any, field: str) -> Iterator[str]:
    known = KNOWN.get(field)
    for name, inner in _inside(value):
        if isinstance(value, dict) and known is not None and name not in known:
            yield f"{field}.{name}: extra fields are not permitted"
        # A list is named by the field that holds it.
        yield from _unknown(inner, field if isinstance(value, list) else name)


def _inside(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
