"""What a thread needs of the rooms below and of its server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from cave_lab.journal.journal import Journal
from cave_lab.kernel.port import Kernels
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.model.port import ModelChoice, Replies
from cave_lab.privacy.excerpt import redacted_excerpt
from cave_lab.privacy.output_text import outputs_text
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Budget, Budgets, Excerpt, Output
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import Signal
from cave_lab.protocol.ids import ClientId
from cave_lab.protocol.words import ActionFormat, Effort, Mode, PrivacyMode


@dataclass(frozen=True)
class Policy:
    """What the administrator decided, read once from Jupyter's configuration."""

    allowed_modes: tuple[Mode, ...] = ("chat", "review", "auto")
    default_mode: Mode = "review"
    default_privacy: PrivacyMode = "standard"
    allowed_models: tuple[str, ...] = ()
    """Empty allows every model."""
    locked_model: ModelChoice | None = None
    """Set, the person can't choose another."""
    budgets: Budgets = field(default_factory=lambda: default_budgets(DEFAULT_LIMITS))


def default_budgets(limits: Limits) -> Budgets:
    """What a turn may use where nobody said anything else."""
    return Budgets(
        turn=Budget(
            runs=limits.runs_per_turn,
            tokens=limits.tokens_per_turn,
            seconds=limits.seconds_per_turn,
        )
    )


class SystemPrompt(Protocol):
    """The fixed words a model is given."""

    def __call__(self, language: str, *, actions: bool, format: ActionFormat) -> str:
        """For a kernel's language; without `actions` for a thread that only talks."""


@dataclass(frozen=True)
class Manner:
    """How a model is spoken to: how it asks for cells, how much it should reason, what it takes."""

    format: ActionFormat = "tools"
    plain_fences_run: bool = False
    effort: Effort | None = None
    window: int | None = None
    """Tokens of one call, the answer included; None if nobody knows."""
    sees: bool = False
    """Whether it is given figures as images."""


Learned = Literal["tools_refused", "call_as_text", "broken_arguments"]
"""What shows in the middle of a turn that a model does not use tools."""


class Manners(Protocol):
    """How each model is spoken to: as the person decided, as was learned, or as is known of it."""

    async def of(self, owner: str, choice: ModelChoice) -> Manner:
        """The manner in force for a model."""

    def blind(self, choice: ModelChoice) -> None:
        """Give a model no more images: it has refused them."""

    async def learn(self, owner: str, choice: ModelChoice, reason: Learned) -> bool:
        """Ask for fenced blocks from now on; False if the person decided otherwise."""


@dataclass(frozen=True)
class Services:
    """The rooms below, as one server has them."""

    journal: Journal
    kernels: Kernels
    replies: Replies
    choice: Callable[[str, str | None], ModelChoice]
    """Owner and the thread's model name → what to call; raises ModelNotSet."""
    manners: Manners
    budgets: Callable[[str], Awaitable[Budgets]]
    """Owner → what turns and threads may use, the stricter of the administrator's and theirs."""
    system_prompt: SystemPrompt
    redact: Redactor
    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    root_id: str = ""
    """Names this server's folder: the same path below another one is another notebook."""

    def shorten(self, outputs: Sequence[Output]) -> Excerpt:
        """What is kept of a run's outputs for the model, redacted."""
        text = outputs_text(outputs, self.redact)
        return redacted_excerpt(text, self.limits.result_chars, self.redact)


@dataclass(frozen=True)
class Origin:
    """Who sent a command: properties of the connection, set by the server."""

    client_id: ClientId
    owner: str
    kind: Literal["browser", "api"]
    may_approve: bool


class Client(Protocol):
    """A connection as the domain sees it: it is told things and must not block."""

    @property
    def origin(self) -> Origin:
        """Who it is."""

    def receive(self, message: Event | Signal) -> None:
        """Take one event or signal, in order."""

    async def room(self) -> None:
        """Wait until more stored events may be sent: they come faster than any line carries."""
