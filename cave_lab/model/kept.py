"""What a provider wants back of a reply that asked for a cell, so that its reasoning goes on.

Who wants what, with a tool call and its result:

- Claude (Anthropic, Bedrock, Vertex): the thinking blocks with their signatures, redacted ones too,
  unchanged, complete and in their places, as long as the exchange goes on that they began. Later
  they may be left out, and are: they would cost tokens, and newer models refuse a block when
  anything before it has changed.
- Gemini 3: the signature at the tool call, in every turn.
- DeepSeek, Kimi and GLM: the reasoning as plain text, in every turn; the first two refuse an
  assistant message with a call and without it.
- OpenAI's chat format and local servers: nothing.

Reasoning goes back to the model and the address it came from, to nobody else, and only in the
format that calls tools. It can't be redacted, for a signature covers each word; so it also goes
back only behind exactly the messages that it was made from. Where a stricter privacy mode, another
prompt or a new secret changes one of those, the reasoning stays here: it can never tell what the
messages no longer tell.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from cave_lab.model.port import AssistantMessage, ModelChoice, ModelMessage, UserMessage
from cave_lab.protocol.words import ActionFormat, Effort

_REASONS_IN_TEXT = re.compile(r"deepseek|kimi|moonshot|\bglm|\bzai\b", re.IGNORECASE)
_STRICT = frozenset({"groq", "cerebras", "mistral"})
"""Providers that refuse a message with a field they do not know, whoever made the model."""


@dataclass(frozen=True)
class Kept:
    """What is kept of one reply, and whom it belongs to."""

    model: str
    address: str = ""
    """A digest of the base URL; empty for the provider's own."""
    effort: Effort | None = None
    """How much reasoning was asked for."""
    thinking: Sequence[Mapping[str, Any]] = ()
    """Signed blocks of reasoning, as they came."""
    places: Sequence[int] = ()
    """How many characters of the answer came before each block."""
    said: int = 0
    """How many characters the whole answer has."""
    reasoning: str = ""
    """Reasoning as plain text, where the provider takes that."""
    call: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the tool call beside its name and arguments."""

    @classmethod
    def by(cls, choice: ModelChoice) -> Kept:
        """Nothing yet of what a model says."""
        base = choice.api_base
        address = hashlib.sha256(base.encode()).hexdigest() if base else ""
        return cls(choice.name, address, choice.effort)

    @classmethod
    def read(cls, data: str) -> Kept:
        """Read what `data` gave; what another version added is left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in json.loads(data).items() if name in known})

    @property
    def data(self) -> str:
        """As JSON text, without what is empty."""
        return json.dumps({name: value for name, value in asdict(self).items() if value})

    @property
    def empty(self) -> bool:
        """Whether there is nothing to send back."""
        return not (self.thinking or self.reasoning or self.call)

    @property
    def words(self) -> str:
        """The reasoning itself, for a count of its tokens."""
        return "".join([self.reasoning, *(block.get("thinking", "") for block in self.thinking)])

    def belongs_to(self, choice: ModelChoice) -> bool:
        """Whether it came from this model, at this address."""
        asked = Kept.by(choice)
        return (self.model, self.address) == (asked.model, asked.address)


def takes_reasoning(model: str) -> bool:
    """Whether a model wants its reasoning back as plain text."""
    return bool(_REASONS_IN_TEXT.search(model)) and model.partition("/")[0] not in _STRICT


# ── what of it goes back


def going_back(
    messages: Sequence[ModelMessage], choice: ModelChoice, format: ActionFormat
) -> list[ModelMessage]:
    """Take out what may not go to this model, or is no longer wanted."""
    open_from = _open_from(messages)
    return [
        _fitting(message, choice, format, settled=index < open_from)
        if isinstance(message, AssistantMessage)
        else message
        for index, message in enumerate(messages)
    ]


def _fitting(
    message: AssistantMessage, choice: ModelChoice, format: ActionFormat, *, settled: bool
) -> AssistantMessage:
    if message.kept is None:
        return message
    kept = Kept.read(message.kept)
    if message.action is None or format != "tools" or not kept.belongs_to(choice):
        return replace(message, kept=None)
    # A provider refuses thinking where it was asked for and no longer is.
    unasked = kept.effort is not None and choice.effort is None
    if kept.thinking and (settled or unasked):
        return _keeping(message, replace(kept, thinking=(), places=(), said=0))
    return message


def _keeping(message: AssistantMessage, kept: Kept) -> AssistantMessage:
    return replace(message, kept=None if kept.empty else kept.data)


def _open_from(messages: Sequence[ModelMessage]) -> int:
    """Where the exchange begins that goes on: behind the last answer that asked for nothing."""
    ends = [
        index
        for index, message in enumerate(messages)
        if isinstance(message, AssistantMessage) and message.action is None
    ]
    return ends[-1] + 1 if ends else 0


# ── when it is missing


def begins_with_thinking(messages: Sequence[ModelMessage]) -> bool:
    """Whether each reply to the person in the exchange that goes on still has its thinking.

    Claude with a fixed budget refuses to think on in an exchange that began without.
    """
    asked = True
    for message in messages[_open_from(messages) :]:
        if isinstance(message, UserMessage):
            asked = True
        elif isinstance(message, AssistantMessage):
            if asked and not (message.kept and Kept.read(message.kept).thinking):
                return False
            asked = False
    return True


def without_thinking(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """The messages without any signed reasoning."""
    return [
        _keeping(message, replace(Kept.read(message.kept), thinking=(), places=(), said=0))
        if isinstance(message, AssistantMessage) and message.kept
        else message
        for message in messages
    ]


def without_kept(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """The messages alone."""
    return [
        replace(message, kept=None) if isinstance(message, AssistantMessage) else message
        for message in messages
    ]


# ── how it is written


def write_back(kept: Kept, written: dict[str, Any]) -> None:
    """Put it into a message in the OpenAI chat format that holds its text and its call."""
    if kept.thinking:
        written["thinking_blocks"] = [dict(block) for block in kept.thinking]
        text = written.get("content", "")
        if any(kept.places) and len(text) == kept.said:
            written["content"] = _interleaved(kept, text)
    if kept.reasoning:
        written["reasoning_content"] = kept.reasoning
    for call in written["tool_calls"]:
        call.update(kept.call)


def _interleaved(kept: Kept, text: str) -> list[dict[str, Any]]:
    """The text in pieces, with each block where it stood: a provider refuses a moved one."""
    parts: list[dict[str, Any]] = []
    done = 0
    for block, place in zip(kept.thinking, kept.places, strict=True):
        if place > done:
            parts.append({"type": "text", "text": text[done:place]})
        parts.append(dict(block))
        done = max(done, place)
    return [*parts, {"type": "text", "text": text[done:]}] if done < len(text) else parts
