"""What the Anthropic Messages API signs, and what it refuses, as strict as the real one.

A signature covers the words of a thinking block and all that came before it, so a block must come
back as it was, behind what it was made from.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

HIDDEN = "(hidden)"
"""How reasoning begins that is told redacted."""

Body = dict[str, Any]
Block = dict[str, Any]

_MUST_START = (
    "Expected `thinking` or `redacted_thinking`, but found `{found}`. When `thinking` is enabled, "
    "a final `assistant` message must start with a thinking block (preceeding the lastmost set of "
    "`tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous "
    "turns. To avoid this requirement, disable `thinking`."
)
_THINKING_OFF = (
    "When `thinking` is disabled, an `assistant` message in the final position cannot contain "
    "`thinking`. To use thinking blocks, enable `thinking` in your request."
)


# ── what is signed


def signature(thought: str, before: str) -> str:
    """Sign words of reasoning together with all that came before them."""
    return base64.b64encode(hashlib.sha256(f"{before}\n{thought}".encode()).digest()).decode()


def prefix(body: Body, index: int) -> str:
    """All that comes before a message: prompt, tools and earlier messages, without cache marks."""
    before = [body.get("system"), body.get("tools"), body["messages"][:index]]
    return json.dumps(_unmarked(before), sort_keys=True)


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unmarked(v) for name, v in value.items() if name != "cache_control"}
    return [_unmarked(each) for each in value] if isinstance(value, list) else value


# ── what is refused


def thinks(body: Body) -> bool:
    """Whether thinking is on."""
    return (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")


def _budget(body: Body) -> int:
    """The fixed budget of thinking; 0 where the model decides by itself, or thinking is off."""
    return int((body.get("thinking") or {}).get("budget_tokens", 0))


def rules_broken(body: Body) -> str | None:
    """What a request does that this provider refuses, in its words; None if it is well-formed."""
    return next(_broken(body), None)


def _broken(body: Body) -> Iterator[str]:
    if not isinstance(body.get("max_tokens"), int):
        yield "max_tokens: Field required"
    messages = body.get("messages") or []
    if not messages or messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    for index, message in enumerate(messages[1:], 1):
        if message["role"] == messages[index - 1]["role"]:
            yield f'messages.{index}: roles must alternate between "user" and "assistant"'
    if _budget(body) >= body.get("max_tokens", 0) > 0:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`."
    if sum("cache_control" in block for block in _marked(body)) > 4:
        yield "A maximum of 4 blocks with cache_control may be provided."
    yield from _unanswered(messages)
    yield from _forged(body)
    yield from _without_thinking(body)


def _unanswered(messages: list[Body]) -> Iterator[str]:
    for index, message in enumerate(messages[:-1]):
        asked = {b["id"] for b in blocks_of(message["content"]) if is_a(b, "tool_use")}
        after = blocks_of(messages[index + 1]["content"])
        answered = {b["tool_use_id"] for b in after if is_a(b, "tool_result")}
        if asked != answered:
            yield (
                f"messages.{index + 1}: `tool_use` ids and `tool_result` ids do not match: "
                f"{', '.join(sorted(asked ^ answered))}"
            )


def _forged(body: Body) -> Iterator[str]:
    for index, message in enumerate(body["messages"]):
        before = prefix(body, index)
        for place, block in enumerate(blocks_of(message["content"])):
            where = f"messages.{index}.content.{place}"
            if is_a(block, "thinking") and block.get("signature") != signature(
                block["thinking"], before
            ):
                yield f"{where}: Invalid `signature` in `thinking` block"
            if is_a(block, "redacted_thinking") and block["data"] != signature(HIDDEN, before):
                yield f"{where}: Invalid `data` in `redacted_thinking` block"
            if is_a(block, "thinking", "redacted_thinking") and "cache_control" in block:
                yield f"{where}.cache_control: Extra inputs are not permitted"


def _without_thinking(body: Body) -> Iterator[str]:
    """The exchange that goes on must begin with thinking if that has a budget, and hold none if it
    is off; a model that thinks when it likes need not have begun so.

    It goes back over results, and over what the person said beside a result.
    """
    messages = body["messages"]
    index = len(messages)
    while index >= 2 and any(
        is_a(b, "tool_result") for b in blocks_of(messages[index - 1]["content"])
    ):
        index -= 2
    for at in range(index, len(messages)):
        blocks = blocks_of(messages[at]["content"])
        if messages[at]["role"] != "assistant":
            continue
        found = blocks[0]["type"]
        if _budget(body) and at == index and "thinking" not in found:
            yield f"messages.{at}.content.0.type: {_MUST_START.format(found=found)}"
        if not thinks(body) and any(is_a(b, "thinking", "redacted_thinking") for b in blocks):
            yield f"messages.{at}.content: {_THINKING_OFF}"


# ── blocks


def blocks_of(content: Any) -> list[Block]:
    """The blocks of a content; a text is one."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def all_blocks(messages: list[Body]) -> list[Block]:
    """The blocks of all messages."""
    return [block for message in messages for block in blocks_of(message["content"])]


def _marked(body: Body) -> list[Block]:
    """All that may carry a cache mark."""
    system = blocks_of(body.get("system") or [])
    return [*system, *(body.get("tools") or []), *all_blocks(body.get("messages") or [])]


def is_a(block: Block, *kinds: str) -> bool:
    """Whether a block is of one of these kinds."""
    return block["type"] in kinds
