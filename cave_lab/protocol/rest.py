"""What travels over REST, all below `/cave-lab`.

| method, path | body | answer |
|---|---|---|
| GET `/cave-lab/status` | | ServerStatus |
| PUT `/cave-lab/settings` | ModelSettings | ServerStatus |
| POST `/cave-lab/models/check` | ModelSettings | ModelCheck |
| POST `/cave-lab/tour` | TourRequest | TourNotebook |
| GET `/cave-lab/blobs/<thread_id>/<sha256>` | | the blob's bytes |

An error is `RestError` with a matching HTTP status. The websocket is `/cave-lab/channel`.
"""

from __future__ import annotations

from pydantic import Field

from cave_lab.protocol.base import Wire
from cave_lab.protocol.words import Mode, PrivacyMode


class ModelSettings(Wire):
    """The person's choice of model; the key itself stays in the environment."""

    model: str = Field(max_length=256)
    api_base: str | None = Field(default=None, max_length=2048)
    key_env: str | None = Field(default=None, max_length=256, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")


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
