"""What travels over REST, all below `/cave-lab`.

| method, path | body | answer |
|---|---|---|
| GET `/cave-lab/status` | | ServerStatus |
| PUT `/cave-lab/settings` | ModelSettings | ServerStatus |
| POST `/cave-lab/models/check` | ModelSettings | ModelCheck |
| POST `/cave-lab/models/find` | | FoundServers |
| POST `/cave-lab/models/forget` | ModelName | ServerStatus |
| PUT `/cave-lab/budgets` | Budgets | ServerStatus |
| POST `/cave-lab/tour` | TourRequest | TourNotebook |
| GET `/cave-lab/blobs/<thread_id>/<sha256>` | | the blob's bytes |

An error is `RestError` with a matching HTTP status. The websocket is `/cave-lab/channel`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from cave_lab.protocol.base import Wire
from cave_lab.protocol.content import Budgets
from cave_lab.protocol.words import ActionFormat, Effort, Mode, PrivacyMode


class ModelName(Wire):
    """A model at an address: what settings and memory are kept by."""

    model: str = Field(max_length=256)
    api_base: str | None = Field(default=None, max_length=2048)


class ModelOptions(Wire):
    """What the person decided about one model; None leaves it to CaveLab or to the provider."""

    format: ActionFormat | None = None
    """How it asks for a cell."""
    plain_fences_run: bool = False
    """Whether its blocks in the kernel's language are actions without the word `run` too."""
    effort: Effort | None = None
    """How much it should reason."""
    window: int | None = Field(default=None, ge=2_048, le=10_000_000)
    """How many tokens it takes in one call, the answer included."""
    sees: bool | None = None
    """Whether it is given figures as images."""


class ModelSettings(ModelName):
    """The person's choice of model; the key itself stays in the environment."""

    key_env: str | None = Field(default=None, max_length=256, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    options: ModelOptions = Field(default_factory=ModelOptions)


class LearnedFormat(Wire):
    """How a model was seen to act, and by what."""

    format: ActionFormat
    reason: Literal["tools_refused", "call_as_text", "broken_arguments", "called_the_tool"]
    at: datetime


class ModelMemory(ModelName):
    """What was decided and learned about one model."""

    options: ModelOptions = Field(default_factory=ModelOptions)
    learned: LearnedFormat | None = None


class ServerStatus(Wire):
    """What the panel needs to know before the first message."""

    version: str
    model: ModelSettings | None
    model_locked: bool
    """Whether the administrator's configuration decides the model."""
    key_names: list[str]
    """Names of environment variables that look like keys; never values."""
    allowed_modes: list[Mode]
    default_mode: Mode
    default_privacy: PrivacyMode
    memories: list[ModelMemory]
    """The models of which something was decided or learned."""
    budgets: Budgets
    """What the person allows."""
    budget_caps: Budgets
    """What the administrator's configuration allows; the stricter one holds."""
    tour_model: str
    """The model name of the guided tour."""
    problems: list[str]
    """Sentences about what does not work on this server."""


class ModelCheck(Wire):
    """What *Test* tried and what came back, in sentences."""

    ok: bool
    tried: str
    outcome: str
    """The whole verdict, tools included: nothing has to be added to it."""
    detail: str | None = None
    """The provider's own words, scrubbed."""
    tools: bool | None = None


class FoundModel(Wire):
    """A model of a server on this machine: as it is served, and as it is named here."""

    name: str
    model: str


class FoundServer(Wire):
    """A model server on this machine; `owner` is the user that its port belongs to, if known."""

    name: str
    api_base: str
    owner: str | None
    models: list[FoundModel]
    needs_key: bool = False
    """Whether it tells its models only to who has a key."""


class FoundServers(Wire):
    """What answered; `refused` says why nothing was looked for."""

    servers: list[FoundServer]
    refused: str | None = None


class TourRequest(Wire):
    """Where the tour's notebook should be made."""

    directory: str = Field(default="", max_length=4096)


class TourNotebook(Wire):
    """The tour's own notebook, and what to ask in it."""

    path: str
    model: str
    prompts: list[str]


class RestError(Wire):
    """An error over REST."""

    code: str
    message: str
