"""Puts the rooms together for one server."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

from jupyter_core.paths import jupyter_data_dir

from cave_lab.journal.journal import Journal
from cave_lab.kernel.binding import JupyterKernels
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.model.port import ModelChoice
from cave_lab.model.prompt import system_prompt
from cave_lab.model.replies import ModelReplies
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.words import Mode, PrivacyMode
from cave_lab.server.choices import Choices
from cave_lab.thread.service import ThreadService
from cave_lab.thread.services import Policy, Services

if TYPE_CHECKING:
    from cave_lab.server.extension import CaveLab

_log = logging.getLogger("cave_lab")


class Domain:
    """The open rooms of one server."""

    def __init__(
        self,
        journal: Journal,
        kernels: JupyterKernels,
        replies: ModelReplies,
        policy: Policy,
        configured: ModelChoice | None,
        limits: Limits,
    ) -> None:
        self.journal = journal
        self.replies = replies
        self.policy = policy
        self.limits = limits
        self.choices = Choices(journal, policy, configured)
        self._kernels = kernels
        self.threads = ThreadService(
            Services(
                journal=journal,
                kernels=kernels,
                replies=replies,
                choice=self.choices.choose,
                system_prompt=system_prompt,
                redact=Redactor(os.environ),
                policy=policy,
                limits=limits,
            )
        )

    @classmethod
    async def open(cls, app: CaveLab) -> Domain:
        """Open the journal and find the rooms' places; raises JournalError."""
        limits = DEFAULT_LIMITS
        folder = Path(app.journal_dir) if app.journal_dir else Path(jupyter_data_dir(), "cave_lab")
        journal = await Journal.open(folder, limits)
        for note in journal.notes:
            _log.warning("%s", note)
        server = app.serverapp
        kernels = JupyterKernels(
            server.session_manager, server.kernel_manager, limits=limits, probe=app.probe
        )
        configured = _configured(app)
        domain = cls(
            journal, kernels, ModelReplies(limits), _policy(app, configured), configured, limits
        )
        await domain.threads.recover()
        return domain

    async def close(self) -> None:
        """End turns, links, clients and the journal, in this order."""
        await self.threads.close()
        await self._kernels.close()
        await self.replies.close()
        await self.journal.close()


def _configured(app: CaveLab) -> ModelChoice | None:
    if not app.model:
        return None
    return ModelChoice(app.model, app.api_base or None, app.key_env or None)


def _policy(app: CaveLab, configured: ModelChoice | None) -> Policy:
    # The traits admit these words and no others.
    modes = cast("tuple[Mode, ...]", tuple(app.allowed_modes)) or ("chat",)
    default_mode = cast("Mode", app.default_mode)
    return Policy(
        allowed_modes=modes,
        default_mode=default_mode if default_mode in modes else modes[0],
        default_privacy=cast("PrivacyMode", app.default_privacy),
        allowed_models=tuple(app.allowed_models),
        locked_model=configured if app.lock_model else None,
        max_runs=app.max_runs,
        max_tokens=app.max_tokens,
        max_seconds=app.max_seconds,
    )
