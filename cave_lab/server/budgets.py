"""What turns and threads may use: the administrator's bounds, and the person's own."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from cave_lab.journal.journal import Journal
from cave_lab.protocol.content import Budgets
from cave_lab.thread.usage import stricter

SETTING: Final = "budgets"


class OwnBudgets:
    """The budgets of each owner, kept in the journal's settings."""

    def __init__(self, journal: Journal, caps: Budgets) -> None:
        self._journal = journal
        self.caps = caps
        """What the administrator's configuration allows."""

    async def own(self, owner: str) -> Budgets:
        """What the person allows; read each time, as another server may have written it."""
        return _readable(await self._journal.get_setting(owner, SETTING))

    async def in_force(self, owner: str) -> Budgets:
        """The stricter of both."""
        return stricter(self.caps, await self.own(owner))

    async def save(self, owner: str, budgets: Budgets) -> None:
        """Keep what the person allows."""
        await self._journal.set_setting(owner, SETTING, budgets.model_dump(mode="json"))


def _readable(stored: object) -> Budgets:
    try:
        return Budgets.model_validate(stored or {})
    except ValidationError:
        # Written by another version: the administrator's bounds hold until the person saves again.
        return Budgets()
