"""The faults of a provider, as providers word and send them."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, assert_never, cast

from cave_lab.model.script import STATUS_FAULTS, Fault, StatusFault, WireFault
from tests.fakes.http import HttpAnswer


@dataclass(frozen=True)
class Refusal:
    """A status with the words, the type and the code of its body."""

    status: int
    message: str
    type: str | None = None
    code: str | None = None

    def body(self, message: str | None) -> dict[str, Any]:
        """The JSON that providers of this kind send."""
        return {"error": {"message": message or self.message, "type": self.type, "code": self.code}}


REFUSALS: dict[StatusFault, Refusal] = {
    "key_missing": Refusal(
        401, "Incorrect API key provided: sk-ab***yz.", "invalid_request_error", "invalid_api_key"
    ),
    "billing": Refusal(402, "Insufficient credits. Add more at the account page.", None, "402"),
    "forbidden": Refusal(403, "This key may not use the model.", "permission_error", None),
    "not_found": Refusal(
        404, "The model `x` does not exist.", "invalid_request_error", "model_not_found"
    ),
    "rate_limited": Refusal(
        429, "Rate limit reached for requests.", "requests", "rate_limit_exceeded"
    ),
    "quota": Refusal(
        429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota"
    ),
    "context_code": Refusal(
        400,
        "This model's maximum context length is 8192 tokens; your messages gave 9001 tokens.",
        "invalid_request_error",
        "context_length_exceeded",
    ),
    "context_words": Refusal(
        400, "the request exceeds the available context size, try increasing it", "server_error"
    ),
    "policy": Refusal(
        400,
        "The response was filtered due to the prompt triggering the content management policy.",
        "invalid_request_error",
        "content_filter",
    ),
    "no_tools": Refusal(400, "registry.local/tiny:latest does not support tools", "api_error"),
    "bad_request": Refusal(400, "'temperature' is not what it was.", "invalid_request_error"),
    "server_error": Refusal(500, "The server had an error.", "server_error"),
    "bad_gateway": Refusal(502, "Bad gateway"),
    "unavailable": Refusal(503, "The engine is currently loading.", "server_error"),
    "overloaded": Refusal(529, "Overloaded", "overloaded_error"),
}

COMPLETION = {
    "id": "fake",
    "object": "chat.completion",
    "created": 1,
    "model": "fake",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "not streamed"},
        }
    ],
}

EMPTY_DELTA = {
    "id": "fake",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "fake",
    "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": None}],
}


async def strike(fault: Fault, answer: HttpAnswer) -> None:
    """Let a fault happen, behind whatever has been sent."""
    if fault.kind in STATUS_FAULTS:
        await _refuse(fault, answer)
    else:
        await _break(cast(WireFault, fault.kind), fault, answer)


async def _refuse(fault: Fault, answer: HttpAnswer) -> None:
    refusal = REFUSALS[cast(StatusFault, fault.kind)]
    headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
    await answer.json(refusal.status, refusal.body(fault.message), headers)


async def _break(kind: WireFault, fault: Fault, answer: HttpAnswer) -> None:  # noqa: C901
    match kind:
        case "hang":
            await asyncio.Event().wait()
        case "headers_only":
            await answer.begin_events()
            await asyncio.Event().wait()
        case "keep_alives":
            await _repeat(": keep-alive\n\n", fault.seconds, answer)
        case "empty_deltas":
            await _repeat(f"data: {json.dumps(EMPTY_DELTA)}\n\n", fault.seconds, answer)
        case "slow_headers":
            await asyncio.sleep(fault.seconds)
        case "reset":
            answer.reset()
        case "eof":
            answer.drop()
        case "no_finish" | "empty":
            await answer.end_events()
        case "malformed_chunk":
            await answer.event('{"choices": [{"delta": {"content": "bro')
            await answer.end_events()
        case "error_event":
            error = {"message": fault.message or "The engine failed.", "type": "server_error"}
            await answer.event(json.dumps({"error": error}))
            await answer.end_events()
        case "html":
            await answer.whole(200, b"<html><body>Welcome!</body></html>", "text/html")
        case "json_error":
            await answer.json(200, {"error": {"message": fault.message or "no such route"}})
        case "garbage":
            await answer.whole(200, bytes(range(256)), "application/octet-stream")
        case "not_streamed":
            await answer.json(200, COMPLETION)
        case _:
            assert_never(kind)


async def _repeat(text: str, seconds: float, answer: HttpAnswer) -> None:
    while True:
        await answer.raw(text)
        await asyncio.sleep(seconds)
