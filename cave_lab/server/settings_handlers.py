"""The REST edge of the settings: status, the model, what was learned of it, budgets."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cave_lab import __version__, errors
from cave_lab.server.access import owner_of, requires
from cave_lab.server.handlers import Handler

if TYPE_CHECKING:
    from cave_lab.server.app import App
    from cave_lab.server.domain import Domain


class SettingsBase(Handler):
    """What the handlers of settings share."""

    async def answer_status(self, domain: Domain) -> None:
        """Answer with ServerStatus as it is for this owner now."""
        from cave_lab.protocol.rest import ServerStatus

        owner, policy = owner_of(self), domain.policy
        self.answer(
            ServerStatus(
                **_fixed(self.app),
                model=await domain.settings(owner),
                allowed_modes=list(policy.allowed_modes),
                default_mode=policy.default_mode,
                default_privacy=policy.default_privacy,
                memories=await domain.manners.memories(owner),
                budgets=await domain.budgets.own(owner),
                budget_caps=domain.budgets.caps,
                problems=list(domain.journal.notes),
            )
        )


def _fixed(app: App) -> dict[str, Any]:
    from cave_lab.model.choice import key_names
    from cave_lab.model.tour import TOUR_PREFIX

    return {
        "version": __version__,
        "model_locked": app.lock_model,
        "key_names": key_names(os.environ),
        "tour_model": TOUR_PREFIX,
    }


class StatusHandler(SettingsBase):
    """What the panel needs to know before the first message."""

    @requires("read")
    async def get(self) -> None:
        """Answer with ServerStatus; a journal that can't be opened is a problem told in it."""
        try:
            domain = await self.domain()
        except errors.JournalError as error:
            self._answer_without_journal(str(error))
            return
        await self.answer_status(domain)

    def _answer_without_journal(self, problem: str) -> None:
        from cave_lab.protocol.content import Budgets
        from cave_lab.protocol.rest import ServerStatus
        from cave_lab.server.policy import budgets_of

        self.answer(
            ServerStatus(
                **_fixed(self.app),
                model=None,
                allowed_modes=[],
                default_mode=self.app.default_mode,
                default_privacy=self.app.default_privacy,
                memories=[],
                budgets=Budgets(),
                budget_caps=budgets_of(self.app),
                problems=[problem],
            )
        )


class SettingsHandler(SettingsBase):
    """The person's choice of model."""

    @requires("execute")
    async def put(self) -> None:
        """Keep ModelSettings; from a person's browser only."""
        from cave_lab.protocol.rest import ModelSettings

        await self.must_decide()
        domain, owner = await self.domain(), owner_of(self)
        await domain.save_settings(owner, self.body(ModelSettings))
        domain.warm_up(owner)
        await self.answer_status(domain)


class CheckHandler(SettingsBase):
    """*Test* in the model settings."""

    @requires("execute")
    async def post(self) -> None:
        """Try ModelSettings with a small call or two; from a person's browser only."""
        from cave_lab.protocol.rest import ModelCheck, ModelSettings

        await self.must_decide()
        domain, wanted = await self.domain(), self.body(ModelSettings)
        report = await domain.check(owner_of(self), wanted)
        self.answer(
            ModelCheck(
                ok=report.ok,
                tried=report.tried,
                outcome=report.outcome,
                detail=report.detail,
                tools=report.tools,
            )
        )


class FindHandler(SettingsBase):
    """*Find model servers on this machine* in the model settings."""

    @requires("execute")
    async def post(self) -> None:
        """Ask the usual ports of this machine; from a person's browser only, at their click."""
        from cave_lab.limits import DEFAULT_LIMITS
        from cave_lab.model.local.servers import find_servers
        from cave_lab.protocol.rest import FoundModel, FoundServer, FoundServers

        await self.must_decide()
        found = await find_servers(DEFAULT_LIMITS, os.environ)
        self.answer(
            FoundServers(
                servers=[
                    FoundServer(
                        name=server.name,
                        api_base=server.address,
                        owner=server.owner,
                        needs_key=server.needs_key,
                        models=[
                            FoundModel(name=model.name, model=model.litellm_name)
                            for model in server.models
                        ],
                    )
                    for server in found.servers
                ],
                refused=found.refused,
            )
        )


class ForgetHandler(SettingsBase):
    """*Forget* in the model settings."""

    @requires("execute")
    async def post(self) -> None:
        """Forget what was learned of the model of ModelName; from a person's browser only."""
        from cave_lab.protocol.rest import ModelName

        await self.must_decide()
        domain = await self.domain()
        await domain.manners.forget(owner_of(self), self.body(ModelName))
        await self.answer_status(domain)


class BudgetsHandler(SettingsBase):
    """The person's budgets."""

    @requires("execute")
    async def put(self) -> None:
        """Keep Budgets; from a person's browser only."""
        from cave_lab.protocol.content import Budgets

        await self.must_decide()
        domain = await self.domain()
        await domain.budgets.save(owner_of(self), self.body(Budgets))
        await self.answer_status(domain)
