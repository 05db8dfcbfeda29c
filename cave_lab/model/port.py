"""What the rest of CaveLab needs of a language model, whoever serves it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from cave_lab.model.tokens import Tally
from cave_lab.protocol.content import Action
from cave_lab.protocol.words import ActionFormat, Effort

# ── what goes in


@dataclass(frozen=True)
class ModelChoice:
    """A model by its litellm name; the key stays in the environment variable named here."""

    name: str
    api_base: str | None = None
    key_env: str | None = None
    effort: Effort | None = None
    """How much the model should reason; None leaves it to the provider."""


@dataclass(frozen=True)
class CellCall:
    """A cell that the model asked for earlier, as it is told again."""

    call_id: str
    code: str
    purpose: str
    scratch: bool = False


@dataclass(frozen=True)
class LookCall:
    """A look that the model asked for earlier, as it is told again."""

    call_id: str
    names: tuple[str, ...]
    detail: str = ""


ActionCall = CellCall | LookCall


def asked_in(action: ActionCall) -> str:
    """The text of an action: a cell's code, or the names that are looked at."""
    return action.code if isinstance(action, CellCall) else "\n".join(action.names)


@dataclass(frozen=True)
class SystemMessage:
    """The fixed prompt."""

    text: str


@dataclass(frozen=True)
class UserMessage:
    """The person's words, with what the notebook and the kernel looked like."""

    text: str
    images: Sequence[str] = ()
    """Data URLs, for models that see."""


@dataclass(frozen=True)
class AssistantMessage:
    """What the model said and asked for."""

    text: str
    action: ActionCall | None = None
    kept: str | None = None
    """What the provider wants back of this reply, as `KeptChunk` gave it."""


@dataclass(frozen=True)
class ResultMessage:
    """What came of an action; `images` are figures as data URLs, for models that see."""

    call_id: str
    text: str
    images: Sequence[str] = ()


ModelMessage = SystemMessage | UserMessage | AssistantMessage | ResultMessage


@dataclass(frozen=True)
class ModelRequest:
    """One call; `actions` False asks for words only (mode `chat`)."""

    choice: ModelChoice
    messages: Sequence[ModelMessage]
    actions: bool = True
    language: str = "python"
    format: ActionFormat = "tools"
    """How the model asks for a cell: by calling the tool, or in a fenced block."""
    plain_fences_run: bool = False
    """Whether a block in the kernel's language is an action without the word `run` too."""


# ── what a provider's stream gives, as raw as the port needs it

FinishReason = Literal["stop", "tool_calls", "length", "refusal"]


@dataclass(frozen=True)
class TextChunk:
    """More words."""

    text: str


@dataclass(frozen=True)
class ReasoningChunk:
    """More reasoning."""

    text: str


@dataclass(frozen=True)
class ToolChunk:
    """A fragment of the tool call at `index`; name and id come with its first fragment."""

    index: int
    arguments: str
    name: str | None = None
    call_id: str | None = None


@dataclass(frozen=True)
class UsageChunk:
    """What the call used so far, as the provider counts, or `estimated` by us."""

    prompt: int
    completion: int
    cached: int = 0
    cost: float | None = None
    price_source: str | None = None
    estimated: bool = False


@dataclass(frozen=True)
class KeptChunk:
    """What the provider wants back with this reply, such as signed reasoning, as JSON text."""

    data: str


@dataclass(frozen=True)
class SuggestionsChunk:
    """What the person may want to ask next; a script has such, a provider does not."""

    prompts: Sequence[str]


@dataclass(frozen=True)
class FinishChunk:
    """Why the stream ended."""

    reason: FinishReason


Chunk = (
    TextChunk | ReasoningChunk | ToolChunk | UsageChunk | KeptChunk | SuggestionsChunk | FinishChunk
)


class Model(Protocol):
    """A source of streams: litellm, or the tour's script."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[Chunk, None]:
        """Begin one call; closing the generator closes the connection. Raises ModelError."""


# ── what the turn loop hears, decoded


@dataclass(frozen=True)
class CodeDelta:
    """More of the code of the action being written."""

    text: str


@dataclass(frozen=True)
class ActionReady:
    """A complete, well-formed action."""

    call_id: str
    action: Action


@dataclass(frozen=True)
class ActionUnusable:
    """An action that can't be run, with a sentence for the model and the person."""

    code: Literal[
        "two_actions",
        "unknown_tool",
        "broken_arguments",
        "empty_code",
        "cut",
        "mode",
        "call_as_text",
        "wrong_language",
    ]
    sentence: str


@dataclass(frozen=True)
class Retrying:
    """A failure before the first token; the next try begins after `wait_seconds`."""

    attempt: int
    wait_seconds: float
    code: str
    sentence: str


@dataclass(frozen=True)
class ReplyEnded:
    """The reply is complete."""

    reason: FinishReason


ReplyPart = (
    TextChunk
    | ReasoningChunk
    | CodeDelta
    | ActionReady
    | ActionUnusable
    | Retrying
    | UsageChunk
    | KeptChunk
    | SuggestionsChunk
    | ReplyEnded
)


class Replies(Protocol):
    """The model side as the turn loop sees it."""

    def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart, None]:
        """Stream one reply, retried visibly; closing it ends the call. Raises ModelError."""

    async def has_tools(self, choice: ModelChoice) -> bool | None:
        """Whether a model is known to have tools, by a table or its own server; None if unknown."""

    async def sees(self, choice: ModelChoice) -> bool | None:
        """Whether a model is known to see images, by a table or its own server; None if unknown."""

    async def window(self, choice: ModelChoice) -> int | None:
        """What one call may hold in tokens, by a model's own server or a table; None if unknown."""

    async def count(self, texts: Sequence[str]) -> Sequence[Tally] | None:
        """Count the tokens of texts; None while there is no tokenizer yet."""

    async def estimate(self, request: ModelRequest, heard: str) -> UsageChunk | None:
        """Count what a call used whose provider did not say; `heard` is all that came.

        None if nothing can have been sent.
        """

    async def close(self) -> None:
        """Close the clients."""
