"""From the administrator's traits to what holds on this server, read once."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from jupyter_core.paths import jupyter_data_dir

from cave_lab.model.port import ModelChoice
from cave_lab.protocol.content import Budget, Budgets
from cave_lab.protocol.words import Mode, PrivacyMode
from cave_lab.server.config import MODES, Settings
from cave_lab.thread.services import Policy


def journal_folder(settings: Settings) -> Path:
    """Where the journal lies."""
    if settings.journal_dir:
        return Path(settings.journal_dir).expanduser()
    return Path(jupyter_data_dir(), "cave_lab")


def configured_model(settings: Settings) -> ModelChoice | None:
    """The model to begin with; None if the configuration says nothing of one."""
    if settings.model or settings.lock_model:
        # Locked without a model means that there is none, not that anyone may choose one.
        return ModelChoice(settings.model, settings.api_base or None, settings.key_env or None)
    return None


def policy_of(settings: Settings) -> Policy:
    """What the configuration allows; the traits admit only words that the types know."""
    allowed = cast("list[Mode]", settings.allowed_modes)
    modes = tuple(mode for mode in MODES if mode in allowed) or ("chat",)
    default_mode = cast("Mode", settings.default_mode)
    return Policy(
        allowed_modes=modes,
        # The most careful one, should the default be none of those allowed.
        default_mode=default_mode if default_mode in modes else modes[0],
        default_privacy=cast("PrivacyMode", settings.default_privacy),
        allowed_models=tuple(settings.allowed_models),
        locked_model=configured_model(settings) if settings.lock_model else None,
        budgets=budgets_of(settings),
    )


def budgets_of(settings: Settings) -> Budgets:
    """What a turn and a thread may use."""
    return Budgets(
        turn=Budget(
            runs=settings.max_runs,
            tokens=settings.max_tokens,
            cost=settings.max_cost,
            seconds=settings.max_seconds,
        ),
        thread=Budget(
            runs=settings.max_thread_runs,
            tokens=settings.max_thread_tokens,
            cost=settings.max_thread_cost,
            seconds=settings.max_thread_seconds,
        ),
    )
