"""Which model is called: the person's choice, within the administrator's bounds."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from cave_lab import errors
from cave_lab.journal.journal import Journal
from cave_lab.model.port import ModelChoice
from cave_lab.model.tour import TOUR_PREFIX
from cave_lab.protocol.rest import ModelOptions, ModelSettings
from cave_lab.thread.inbox import check_model
from cave_lab.thread.services import Policy

SETTING: Final = "model"


class Choices:
    """The model settings of each owner, kept in the journal's settings."""

    def __init__(self, journal: Journal, policy: Policy, configured: ModelChoice | None) -> None:
        self._journal = journal
        self._policy = policy
        self._configured = configured
        self._known: dict[str, ModelSettings | None] = {}

    async def settings(self, owner: str) -> ModelSettings | None:
        """What is in force for an owner; None while no model is chosen."""
        if self._policy.locked_model is None and owner not in self._known:
            self._known[owner] = await self._stored(owner)
        return self.in_force(owner)

    async def _stored(self, owner: str) -> ModelSettings | None:
        stored = await self._journal.get_setting(owner, SETTING)
        if stored is None:
            return None
        try:
            return ModelSettings.model_validate(stored)
        except ValidationError:
            # Written by another version: the person chooses again.
            return None

    def in_force(self, owner: str) -> ModelSettings | None:
        """What is in force for an owner whose settings were read before."""
        locked = self._policy.locked_model
        chosen = None if locked is not None else self._known.get(owner)
        if chosen is not None:
            return chosen
        choice = locked or self._configured
        if choice is None:
            return None
        return ModelSettings(model=choice.name, api_base=choice.api_base, key_env=choice.key_env)

    def admit(self, owner: str, settings: ModelSettings) -> None:
        """Raise Forbidden unless the configuration lets this owner use these settings."""
        if self._policy.locked_model is None:
            check_model(self._policy.allowed_models, settings.model)
        elif _chosen(settings) != self.in_force(owner):
            raise errors.Forbidden(
                "The model is set by the server's configuration and can't be changed here."
            )

    async def save(self, owner: str, settings: ModelSettings) -> None:
        """Keep an owner's choice; raises Forbidden if the configuration decides otherwise."""
        self.admit(owner, settings)
        if self._policy.locked_model is None:
            chosen = _chosen(settings)
            value = chosen.model_dump(mode="json", exclude={"options"})
            await self._journal.set_setting(owner, SETTING, value)
            self._known[owner] = chosen

    def choose(self, owner: str, name: str | None) -> ModelChoice:
        """What to call for a thread that names `name` or leaves it open; raises ModelNotSet."""
        if name and name.startswith(TOUR_PREFIX):
            return ModelChoice(name)
        settings = self.in_force(owner)
        locked = self._policy.locked_model is not None
        model = settings.model if settings else ""
        if name and not locked:
            model = name
        if settings is None or not model:
            raise errors.ModelNotSet
        allowed = self._policy.allowed_models
        if allowed and model not in allowed and not locked:
            # It was chosen before the configuration left it out.
            raise errors.ModelNotSet(
                f"The server's configuration does not allow the model {model!r}. "
                "Choose another in the model settings."
            )
        fits = bool(settings.api_base) or _same_provider(model, settings.model)
        return ModelChoice(model, settings.api_base, settings.key_env if fits else None)


def _same_provider(one: str, other: str) -> bool:
    """Whether a key that was named for one model may go where the other is."""
    return one == other or ("/" in one and one.partition("/")[0] == other.partition("/")[0])


def _chosen(settings: ModelSettings) -> ModelSettings:
    """The choice alone: what was decided about a model is kept by the model."""
    return settings.model_copy(update={"options": ModelOptions()})
